/**
 * T8: roll-outs. Rows whose run is pinned to a removed build are decided and expire; a worker of an old build decides
 * nothing.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Child, deploy, startServers, startWorker } from '../support/processes.ts'

await startServers() // before anything reads the environment
const { approve, createPayment, payerAndPayee } = await import('../support/api.ts')
const { fault, usePartners } = await import('../support/partners/partners.ts')
const { payerBy, sent } = await import('../support/payments/payouts.ts')
const { owner } = await import('../support/database.ts')
const { currentBuild: askBuild } = await import('../../temporal/deployment.ts')
const { client } = await import('../../temporal/client.ts')
const { until } = await import('../support/until.ts')

const GONE_MS = 150_000

usePartners()

const workerOf = (build: string): Promise<Child> => {
  process.env['BUILD_ID'] = build
  return startWorker()
}

/** Repeats the question to a server that has just started. */
const currentBuild = () => until('an answer', () => askBuild().catch(() => false as const))

/** Waits longer than usual in tests: until a build counts as gone. */
const eventually = <Found>(what: string, condition: () => Promise<Found | undefined | false>) =>
  until(what, condition, GONE_MS)

const noProcess = (ids: readonly string[]) => async () =>
  (await owner`select id from processes where id = any (${[...ids]})`).length === 0

const buildOf = async (id: string) => {
  const { raw } = await client.workflow.getHandle(`payment-${id}`).describe()
  return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId
}

let at: Awaited<ReturnType<typeof payerAndPayee>>
let workers: Child[] = []
const waiting: Record<'decided' | 'expiring', any> = { decided: undefined, expiring: undefined }

beforeAll(async () => {
  at = await payerAndPayee('1000.00')
})
afterAll(() => Promise.all(workers.map((worker) => worker.stop())))

test('while the build that is current has a worker, another one that starts, or starts again, decides nothing', async () => {
  const one = await workerOf('one')
  expect(await currentBuild()).toBe('one')
  waiting.decided = await createPayment(at.boss, at.contactId)
  waiting.expiring = await createPayment(at.boss, at.contactId)
  await until('both are seen', async () => {
    const rows = await owner`select id from processes where unseen_since is null and not look_at <= business_now()`
    return rows.length === 2
  })
  // the server records a run's build with its first task, a moment after the look
  await until('its build', async () => (await buildOf(waiting.decided.id)) === 'one')
  const two = await workerOf('two')
  expect(await currentBuild()).toBe('one')
  await deploy('two')
  expect(await currentBuild()).toBe('two')
  await one.kill()
  const again = await workerOf('one')
  expect(await currentBuild()).toBe('two')
  await again.stop()
  workers = [two]
})

test('what waits on a build that nobody polls for any more is decided and expires with the one that runs', async () => {
  expect((await approve(at.boss, waiting.decided)).body.status).toBe('approved')
  await owner`update approvals set expires_at = business_now() where id = ${waiting.expiring.approval_request_id}`
  await owner`update processes set look_at = business_now() where id = ${waiting.expiring.id}`
  await eventually('both to be looked at', noProcess([waiting.decided.id, waiting.expiring.id]))
  const rows = await owner`
    select id, status from payments where id in (${waiting.decided.id}, ${waiting.expiring.id}) order by status`
  expect(rows.map(({ status }) => status)).toEqual(['cancelled', 'succeeded'])
  await until('its new run', async () => (await buildOf(waiting.expiring.id)) === 'two')
})

test('a step at a partner whose build is gone in the middle of it is taken by the one that runs', async () => {
  const payer = await payerBy('fiat')
  await fault('bank', 'down', 1000)
  const payment = await sent(payer, '10.00')
  await until('a step to be under way', async () => {
    const [row] =
      await owner`select look_at > business_now() + interval '5 minutes' as begun from processes where id = ${payment.id}`
    return row?.['begun'] === true
  })
  await workers[0]?.kill()
  workers = [await workerOf('next')]
  await deploy('next')
  await owner`delete from sandbox_faults`
  await owner`update processes set look_at = business_now() where id = ${payment.id}` // as after twelve minutes
  await eventually('it to be paid', async () => {
    const [row] = await owner`select status from payments where id = ${payment.id}`
    return row?.['status'] === 'succeeded'
  })
  expect(await owner`select id from sandbox_payouts where id = ${payment.id}`).toHaveLength(1)
})

test('with the current build gone for good, another one takes over by itself', async () => {
  await workers[0]?.kill()
  workers = [await workerOf('three')]
  const payment = await createPayment(at.boss, at.contactId)
  expect((await approve(at.boss, payment)).status).toBe(200)
  await eventually('it to be looked at', noProcess([payment.id]))
  // the server routes tasks to the new build first, and names it current when all queues know
  await until('its name', async () => (await currentBuild()) === 'three')
})
