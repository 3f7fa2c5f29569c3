/** The version of Temporal that docker-compose.yml runs, with Postgres behind it: turns, payments, lists, builds. */
import { afterAll, expect, test } from 'vitest'
import { type Child, deploy, startPostgres, startWorker } from '../support/processes.ts'
import { canServe, startServedTemporal, version } from '../../dev/temporal/served.ts'

/** Settings of one partition: single polls empty one of several before they come to the next. */
const ONE_PARTITION = ['Read', 'Write']
  .map((kind) => `matching.numTaskqueue${kind}Partitions: [{ value: 1 }]\n`)
  .join('')

const served = canServe()
if (served) {
  await startPostgres() // before anything reads the environment
  const server = await startServedTemporal(4, ONE_PARTITION)
  afterAll(() => server.stop())
  process.env['TEMPORAL_ADDRESS'] = server.address
}
const { createPayment, payerAndPayee } = await import('../support/api.ts')
const { usePartners } = await import('../support/partners/partners.ts')
const { payerBy, sent, become } = await import('../support/payments/payouts.ts')
const { stateOf } = await import('../support/runs/runs.ts')
const { owner } = await import('../support/database.ts')
const { client, mainQueue } = await import('../../temporal/client.ts')
const { currentBuild, registerSearchAttributes } = await import('../../temporal/deployment.ts')
const { listOpenRuns } = await import('../../temporal/orphans.ts')
const { sweepAll } = await import('../../temporal/sweep.ts')
const { until } = await import('../support/until.ts')

if (served) usePartners()
const workers: Child[] = []
afterAll(() => Promise.all(workers.map((worker) => worker.stop())))

const FLOOD = 60
const POLL_MS = 60_000
/** Longest wait for the server to know new search attributes, in milliseconds. */
const LEARNED_MS = 80_000

/** Starts a worker of a build. */
async function workerOf(build: string): Promise<Child> {
  process.env['BUILD_ID'] = build
  const worker = await startWorker()
  workers.push(worker)
  return worker
}

test.skipIf(!served)(`Temporal ${version} takes tasks of organizations in turn`, async () => {
  await registerSearchAttributes() // as a worker does first
  const [many, one] = [await payerAndPayee('1000.00'), await payerAndPayee('1000.00')]
  const first = await createPayment(many.boss, many.contactId, '1.00')
  await until('the server to know the search attributes', () => isStarted(first), LEARNED_MS)
  for (let count = 0; count < FLOOD; count += 1) await createPayment(many.boss, many.contactId, '1.00')
  await sweepAll()
  const last = await createPayment(one.boss, one.contactId, '1.00')
  await sweepAll()
  // polled as a worker does, and never answered: the server gives them to a worker later
  const taken: string[] = []
  while (!taken.includes(`payment-${last.id}`)) taken.push(...(await pollTask()))
  expect(taken.length).toBeLessThan(FLOOD / 4)
})

/** Sweeps; tells if the payment has a run. */
async function isStarted(payment: { id: string }): Promise<boolean> {
  await sweepAll()
  return stateOf(payment).then(
    () => true,
    () => false,
  )
}

/** Polls one task; returns the id of its run, or none: a server may answer a poll with nothing. */
async function pollTask(): Promise<string[]> {
  const { workflowExecution } = await client.withDeadline(Date.now() + POLL_MS, () =>
    client.workflowService.pollWorkflowTaskQueue({
      namespace: 'default',
      taskQueue: { name: mainQueue },
      identity: 'test',
    }),
  )
  return workflowExecution?.workflowId ? [workflowExecution.workflowId] : []
}

test.skipIf(!served)('payments by bank and by blockchain settle, over the death of a worker', async () => {
  const first = await workerOf('one')
  const [bank, chain] = [await payerBy('fiat'), await payerBy('crypto')]
  const payments = [await sent(bank), await sent(chain)] as const
  await first.kill()
  workers.pop()
  await workerOf('one')
  await become(bank, payments[0], 'succeeded')
  await become(chain, payments[1], 'succeeded')
  for (const payment of payments) await until('its run to end', async () => (await stateOf(payment)) === 'COMPLETED')
})

test.skipIf(!served)('the lists and the deployments of the service work there', async () => {
  expect(await currentBuild()).toBe('one')
  await workerOf('two')
  expect(await currentBuild()).toBe('one')
  await deploy('two')
  expect(await currentBuild()).toBe('two')
  const known = await until('the open runs', async () => {
    const runs = await listOpenRuns()
    const rows = await owner`select id from processes where workflow = 'payment'`
    return rows.length > 0 && rows.every(({ id }) => runs.has(`payment-${id}`)) && runs
  })
  expect(known.size).toBeGreaterThan(FLOOD)
})
