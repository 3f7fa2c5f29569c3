/**
 * A roll-out from the former form of the workflows to the present one, under load: nothing stops, nothing is paid
 * twice.
 */
import { fileURLToPath } from 'node:url'
import { NativeConnection, Worker } from '@temporalio/worker'
import { afterAll, expect, test } from 'vitest'
import { formerActivities } from '../support/histories/former-activities.ts'
import { type Child, deploy, startServers, startWorker } from '../support/processes.ts'

process.env['BUILD_ID'] = 'former'
process.env['SANDBOX_SETTLE_MS'] = '300'
await startServers() // before anything reads the environment
const { dataConverter } = await import('../../activities/data-converter.ts')
const present = await import('../../activities/index.ts')
const { config } = await import('../../platform/config.ts')
const { deployment, joinDeployment, registerSearchAttributes } = await import('../../temporal/deployment.ts')
const { client } = await import('../../temporal/client.ts')
const { approve, createPayment, payerAndPayee } = await import('../support/api.ts')
const { violations } = await import('../support/batches/batches.ts')
const { owner } = await import('../support/database.ts')
const { usePartners } = await import('../support/partners/partners.ts')
const { outgoing, payerBy } = await import('../support/payments/payouts.ts')
const { until } = await import('../support/until.ts')

usePartners()

type Payment = { id: string; organization_id: string; approval_request_id: string }
type Made = { readonly payment: Payment; readonly approve: () => Promise<{ status: number }> }

/** Starts a worker of the former form, with its steps at partners; returns its stop function. */
async function startFormer(): Promise<() => Promise<void>> {
  const connection = await NativeConnection.connect({ address: config.temporalAddress })
  const { local, steps } = formerActivities(present)
  const shared = { connection, dataConverter, workerDeploymentOptions: deployment }
  await registerSearchAttributes()
  const workers = [
    await Worker.create({
      ...shared,
      taskQueue: `${config.taskQueuePrefix}main`,
      workflowsPath: fileURLToPath(new URL('../support/histories/former-workflows.ts', import.meta.url)),
      activities: local,
    }),
    await Worker.create({ ...shared, taskQueue: `${config.taskQueuePrefix}partners`, activities: steps }),
  ]
  const running = Promise.all(workers.map((worker) => worker.run()))
  await joinDeployment()
  return async () => {
    for (const worker of workers) worker.shutdown()
    await running
    await connection.close()
  }
}

const workers: Child[] = []
afterAll(() => Promise.all(workers.map((worker) => worker.stop())))

test('rows that wait, are at their partner and are decided during the roll-out all end once', async () => {
  const [payer, wallet, inner] = [
    await payerBy('fiat', '90000.00'),
    await payerBy('crypto'),
    await payerAndPayee('900.00'),
  ]
  const make = async (n: number): Promise<Made> => {
    const by = [
      [() => outgoing(payer, '1.00'), payer.boss],
      [() => outgoing(wallet, '1.00'), wallet.boss],
      [() => createPayment(inner.boss, inner.contactId, '1.00'), inner.boss],
    ] as const
    const [create, boss] = by[n % by.length] ?? by[0]
    const payment: Payment = await create()
    return { payment, approve: () => approve(boss, payment) }
  }

  const stopFormer = await startFormer()
  const made: Made[] = []
  let rolledOut = false
  const load = (async () => {
    for (let n = 0; !rolledOut || n < 30; n += 1) {
      const one = await make(n)
      made.push(one)
      if (n % 4 !== 3) expect((await one.approve()).status).toBe(200)
    }
  })()
  await until('runs of the former form', async () => made.length >= 15)
  process.env['BUILD_ID'] = 'present'
  workers.push(await startWorker())
  await deploy('present')
  const before = made.length
  await until('payments that came during the roll-out', async () => made.length >= before + 10)
  await stopFormer()
  rolledOut = true
  await load

  // people decide later what waited across the roll-out
  const waiting = made.filter((_, n) => n % 4 === 3)
  for (const one of waiting) expect((await one.approve()).status).toBe(200)
  const ids = made.map(({ payment }) => payment.id)
  await until(
    'all payments to end',
    async () => {
      const open = await owner`
        select id from payments where id = any (${ids}) and status <> 'succeeded'
        union select id from processes where id = any (${ids})`
      return open.length === 0
    },
    240_000,
  )
  const paid = await owner`select id from sandbox_payouts where id = any (${ids})`
  expect(paid).toHaveLength(made.filter((_, n) => n % 3 !== 2).length)
  for (const { id } of [payer.payer, wallet.payer, inner.payer]) expect(await violations(id)).toEqual([])
  const builds = new Set<string | undefined>()
  for (const { payment } of made) {
    const { raw } = await client.workflow.getHandle(`payment-${payment.id}`).describe()
    builds.add(raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ?? undefined)
  }
  expect([...builds].toSorted()).toEqual(['former', 'present'])
}, 400_000)
