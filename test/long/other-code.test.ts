import { fileURLToPath } from 'node:url'
import { NativeConnection, Worker } from '@temporalio/worker'
import { afterAll, expect, test } from 'vitest'
import { dataConverter } from '../../temporal/data-converter.ts'
import { main } from '../../activities/index.ts'
import { config } from '../../platform/config.ts'
import { deployment, joinDeployment, registerSearchAttributes } from '../../temporal/deployment.ts'
import { type RunningWorker, startWorker } from '../../worker.ts'
import { api, approvalPath, approve, createPayment, payerAndPayee } from '../support/api.ts'
import { owner } from '../support/database.ts'
import { reconcile } from '../support/partners/reconcile.ts'
import { type Payment, eventually, runOf, stateOf } from '../support/runs/runs.ts'
import '../support/temporal-runtime.ts'

const { boss, contactId } = await payerAndPayee('100.00')

const isSeen = async ({ id }: Payment) =>
  (await owner`select from processes where id = ${id} and unseen_since is not null`).length === 0

/** A waiting payment whose run was begun by other code under the same build. */
async function begunElsewhere(): Promise<Payment> {
  const payment: Payment = await createPayment(boss, contactId, '5.00')
  await eventually(() => isSeen(payment)).toBe(true)
  return payment
}

/** Payments whose runs were begun by a removed worker of other code. */
async function leftBehind(count: number): Promise<Payment[]> {
  const connection = await NativeConnection.connect({ address: config.temporal.address })
  await registerSearchAttributes()
  const other = await Worker.create({
    connection,
    taskQueue: `${config.taskQueuePrefix}main`,
    workflowsPath: fileURLToPath(new URL('../support/histories/other-workflows.ts', import.meta.url)),
    activities: { viewPayment: main.viewPayment },
    dataConverter,
    workerDeploymentOptions: deployment,
  })
  const ran = other.run()
  await joinDeployment()
  const payments = await Promise.all(Array.from({ length: count }, begunElsewhere))
  other.shutdown()
  await ran
  await connection.close()
  return payments
}

let worker: RunningWorker | undefined
afterAll(() => worker?.stop())

const runIdOf = async (payment: Payment) => (await runOf(payment).describe()).runId

test('a run that the present code cannot go on with is begun anew from its row, whoever wakes it', async () => {
  const [payment, rejected, forgotten] = (await leftBehind(3)) as [Payment, Payment, Payment]
  const before = await runIdOf(forgotten)
  worker = await startWorker()
  expect((await approve(boss, payment)).body.status).toBe('approved')
  const reject = await api('POST', `${approvalPath(rejected)}/reject`, { token: boss.token, body: {} })
  expect([reject.status, reject.body.status]).toEqual([200, 'rejected'])
  for (const decided of [payment, rejected]) {
    await eventually(() => stateOf(decided)).toBe('COMPLETED')
    expect(await isSeen(decided)).toBe(true)
  }

  await reconcile() // as if it were due
  await eventually(() => stateOf(forgotten)).toBe('FAILED')
  await reconcile()
  await eventually(() => isSeen(forgotten)).toBe(true)
  expect([await stateOf(forgotten), (await runIdOf(forgotten)) === before]).toEqual(['RUNNING', false])
  const [row] = await owner`select status from payments where id = ${forgotten.id}`
  expect(row?.['status']).toBe('awaiting_approval')
})
