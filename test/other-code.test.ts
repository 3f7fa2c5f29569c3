import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { afterAll, expect, test } from 'vitest'
import { dataConverter } from '../activities/data-converter.ts'
import { type NewPaymentRef, type PaymentRef, createOrFindPayment } from '../activities/payments.ts'
import { startProcess } from '../api/processes.ts'
import { askToLook } from '../api/temporal.ts'
import { config } from '../db/config.ts'
import { paymentFlow } from '../db/model/payment-flow.ts'
import { deployment, makeCurrent, registerSearchAttributes } from '../deployment.ts'
import { reconcile } from './support/reconcile.ts'
import { type RunningWorker, startWorker } from '../worker.ts'
import { api, approvalPath, approve, payerAndPayee, paymentBody } from './support/api.ts'
import { owner } from './support/database.ts'
import { eventually, historyOf, stateOf } from './support/runs.ts'

Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })

type Waiting = { id: string; organization_id: string; approval_request_id: string }
const { boss, payer, contactId } = await payerAndPayee('100.00')

/** A payment whose run was begun by other code under the same build. */
async function begunElsewhere(): Promise<Waiting> {
  const ref = { organizationId: payer.id, paymentId: randomUUID() } as PaymentRef // a new id
  const { amount, ...body } = paymentBody(contactId, '5.00')
  const request = { ...body, ...amount, internal_notes: null, body_hash: 'x', request_id: randomUUID() }
  const requester = { kind: 'user', userId: boss.userId, sessionId: boss.sessionId, deviceId: randomUUID() }
  await createOrFindPayment(ref, { requester, request } as unknown as NewPaymentRef) // ids of rows just made
  const row = { id: ref.paymentId, organization_id: ref.organizationId, status: 'awaiting_approval' }
  await startProcess(paymentFlow, { ...row, rail: 'svc_id' })
  const timers = async () =>
    (await historyOf(row)).events.filter(({ eventType }) => eventType === 'EVENT_TYPE_TIMER_STARTED').length
  await eventually(timers).toBe(1)
  return (await api('GET', `/payments/${ref.paymentId}`, { token: boss.token })).body as Waiting
}

/** Payments whose runs were begun by a worker of other code, which is gone. */
async function leftBehind(count: number): Promise<Waiting[]> {
  const connection = await NativeConnection.connect({ address: config.temporalAddress })
  await registerSearchAttributes(connection)
  const other = await Worker.create({
    connection,
    taskQueue: `${config.taskQueuePrefix}main`,
    workflowsPath: fileURLToPath(new URL('./support/other-workflows.ts', import.meta.url)),
    dataConverter,
    workerDeploymentOptions: deployment,
  })
  const ran = other.run()
  await makeCurrent(connection)
  const payments = await Promise.all(Array.from({ length: count }, begunElsewhere))
  other.shutdown()
  await ran
  await connection.close()
  return payments
}

let worker: RunningWorker | undefined
afterAll(() => worker?.stop())

test('a run that the present code cannot go on with is begun anew, by the decision that meets it or the reconciler', async () => {
  const [payment, rejected, forgotten] = (await leftBehind(3)) as [Waiting, Waiting, Waiting]
  worker = await startWorker()
  expect((await approve(boss, payment)).body.status).toBe('approved')
  expect((await api('GET', `/payments/${payment.id}`, { token: boss.token })).body.status).toBe('succeeded')
  const reject = await api('POST', `${approvalPath(rejected)}/reject`, { token: boss.token, body: {} })
  expect([reject.status, reject.body.status]).toEqual([200, 'rejected'])

  await askToLook([`payment-${forgotten.id}`])
  await eventually(() => stateOf(forgotten)).toBe('FAILED')
  expect(await reconcile()).toBeGreaterThan(0)
  await eventually(() => stateOf(forgotten)).toBe('RUNNING')
  const [row] = await owner`select status from payments where id = ${forgotten.id}`
  expect(row?.['status']).toBe('awaiting_approval')
})
