/** Delayed starts of runs that wait for people: here, never before the request. No worker runs. */
import { expect, test, vi } from 'vitest'

vi.stubEnv('ANNOUNCE_PATIENCE_MS', '60000')
const { flushSignals } = await import('../../../temporal/announce.ts')
const { api, approvalPath, approve, createPayment, payerAndPayee } = await import('../../support/api.ts')
const { outgoing, payerBy } = await import('../../support/payments/payouts.ts')
const { eventually, historyOf, runOf } = await import('../../support/runs/runs.ts')
const { boss, contactId } = await payerAndPayee()
const create = () => createPayment(boss, contactId)

const statusAtStart = async (payment: { id: string }) =>
  (await runOf(payment).describe()).searchAttributes['BusinessStatus']
const signals = async (payment: { id: string }) =>
  (await historyOf(payment)).events.flatMap((event) => event.workflowExecutionSignaledEventAttributes?.signalName ?? [])

test('what is decided by then is told once, with the status that it has then; what nobody decides, as it was created', async () => {
  const [payment, rejected, open] = [await create(), await create(), await create()]
  await expect(historyOf(payment)).rejects.toThrow('not found')
  expect((await approve(boss, payment)).status).toBe(200)
  await api('POST', `${approvalPath(rejected)}/reject`, { token: boss.token, body: {} })
  await expect(historyOf(payment)).rejects.toThrow('not found')
  await flushSignals()
  const told = await Promise.all([payment, rejected, open].map(signals))
  expect(told).toEqual([['settled'], ['cancelled'], ['created']])
  expect(await statusAtStart(payment)).toEqual(['succeeded'])
  expect(await statusAtStart(open)).toEqual(['awaiting_approval'])
  await flushSignals()
  expect(await signals(payment)).toEqual(['settled'])
})

test('what a partner has to be asked for is told at once', async () => {
  const payer = await payerBy('fiat')
  const payment = await outgoing(payer)
  expect((await approve(payer.boss, payment)).status).toBe(200)
  await eventually(() => statusAtStart(payment).catch(() => null)).toEqual(['submitted'])
  expect(await signals(payment)).toEqual(['submitted'])
})
