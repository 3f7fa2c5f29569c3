import { randomUUID } from 'node:crypto'
import { DefaultLogger, Runtime, makeTelemetryFilterString } from '@temporalio/worker'
import { afterAll, expect, test, vi } from 'vitest'
import { type RunningWorker, startWorker } from '../worker.ts'
import { api, approvalPath, approve, createPayment, payerAndPayee, paymentBody } from './support/api.ts'
import { owner } from './support/database.ts'
import { type Payment, earnStepUp, eventually } from './support/runs.ts'

const { temporal, DEADLINE_MS } = await vi.hoisted(async () => {
  const { startProxy } = await import('./support/proxy.ts')
  const proxy = await startProxy(process.env['TEMPORAL_ADDRESS'] ?? '')
  const deadlineMs = 1500
  Object.assign(process.env, { TEMPORAL_ADDRESS: proxy.address, REQUEST_DEADLINE_MS: String(deadlineMs) })
  return { temporal: proxy, DEADLINE_MS: deadlineMs }
})
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } }, // retries are wanted here
  shutdownSignals: [],
})
/** What a busy machine may add to a deadline. */
const SLACK_MS = 1500

let worker: RunningWorker | undefined
const work = async () => {
  worker ??= await startWorker()
}
const rest = async () => {
  const stopping = worker
  worker = undefined
  await stopping?.stop()
}
afterAll(rest)

const ready = async () => {
  const { status, body } = await api('GET', '//readyz')
  return [status, body.missing]
}
const written = async () =>
  (
    await owner`select (select count(*) from payments) as payments, (select count(*) from approvals) as approvals,
    (select count(*) from idempotency_claims c where not exists (select from deposits d where d.id = c.id)
      and not exists (select from payment_contacts p where p.id = c.id)) as claims,
    (select count(*) from events where stream in ('payments', 'approvals')) as events`
  )[0]
const movesOf = async ({ id }: Payment) =>
  Number((await owner`select count(*) as n from ledger_transfers where key like ${`payment:${id}:%`}`)[0]?.['n'])

async function expectAway(request: () => ReturnType<typeof api>): Promise<void> {
  const started = Date.now()
  const { status, body, headers } = await request()
  expect([status, body.error?.type]).toEqual([503, 'service_unavailable'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Date.now() - started).toBeLessThan(DEADLINE_MS + SLACK_MS)
}

test('a payment asked for while no worker runs is 503 and nothing; with its key it is one payment afterwards', async () => {
  expect(await ready()).toEqual([503, ['worker']])
  const { boss, contactId } = await payerAndPayee('100.00')
  const [before, key] = [await written(), randomUUID()]
  const ask = () => api('POST', '/payments', { token: boss.token, key, body: paymentBody(contactId, '60.00') })
  await expectAway(ask)
  await expectAway(ask)
  expect(await written()).toEqual(before)

  await work()
  await eventually(ready).toEqual([200, []])
  const [one, again] = [await ask(), await ask()]
  expect([one.status, again.status]).toEqual([201, 201])
  expect(again.body).toEqual(one.body)
  const [made] = await owner`select count(*) as n from payments where organization_id = ${one.body.organization_id}`
  expect(made?.['n']).toBe('1')
  expect((await approve(boss, one.body)).body.status).toBe('approved')
  await eventually(() => movesOf(one.body)).toBe(2)
})

test('an approval given while no worker runs is 503; afterwards it has one outcome, and another payment is rejected as if nothing had been', async () => {
  await work()
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const payment: Payment = await createPayment(boss, contactId, '60.00')
  const unwanted: Payment = await createPayment(boss, contactId, '7.00')
  await earnStepUp(boss, payment)
  await rest()
  const say = () => api('POST', `${approvalPath(payment)}/approve`, { token: boss.token, body: {} })
  const look = async () => (await api('GET', approvalPath(payment), { token: boss.token })).body.status
  await expectAway(say)
  expect([await look(), await movesOf(payment)]).toEqual(['pending', 0])
  await expectAway(say)

  await work()
  const { body: rejected } = await api('POST', `${approvalPath(unwanted)}/reject`, { token: boss.token, body: {} })
  expect([rejected.status, await movesOf(unwanted)]).toEqual(['rejected', 0])
  expect(['pending', 'approved']).toContain(await look())
  expect((await say()).body).toMatchObject({ status: 'approved', approver: { id: boss.userId } })
  await eventually(() => movesOf(payment)).toBe(2) // one reserve, one settlement
  const [decided] =
    await owner`select count(*) as n from approval_decisions where approval_id = ${payment.approval_request_id}`
  expect(decided?.['n']).toBe('1')
  const balances = await api('GET', `/organizations/${payer.id}/balances`, { token: boss.token })
  expect(balances.body.data).toMatchObject([{ available: { amount: '40.00' }, held: { amount: '0.00' } }])
})

test('with Temporal itself away: named, 503, nothing written; whatever needs only Postgres goes on', async () => {
  await work()
  const { boss, contactId } = await payerAndPayee('100.00')
  const payment: Payment = await createPayment(boss, contactId, '60.00')
  await earnStepUp(boss, payment)
  const [before, key] = [await written(), randomUUID()]
  const ask = () => api('POST', '/payments', { token: boss.token, key, body: paymentBody(contactId, '5.00') })
  const say = () => api('POST', `${approvalPath(payment)}/approve`, { token: boss.token, body: {} })
  await temporal.cut()
  try {
    await expectAway(ask)
    await expectAway(say)
    expect(await written()).toEqual(before)
    expect(await ready()).toEqual([503, ['temporal', 'worker']])
    expect((await api('GET', '//healthz')).status).toBe(200)
    expect((await api('GET', `/payments/${payment.id}`, { token: boss.token })).body.status).toBe('awaiting_approval')
  } finally {
    await temporal.mend()
  }
  await eventually(ready).toEqual([200, []])
  await eventually(async () => (await ask()).status).toBe(201)
  await eventually(async () => (await say()).status).toBe(200)
  await eventually(() => movesOf(payment)).toBe(2)
})
