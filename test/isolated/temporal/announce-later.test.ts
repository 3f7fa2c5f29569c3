/** Delayed starts of runs that wait for people: here, never before the request. No worker runs. */
import { expect, test, vi } from 'vitest'

vi.stubEnv('ANNOUNCE_PATIENCE_MS', '60000')
const { flushSignals } = await import('../../../temporal/announce.ts')
const { api, approvalPath, approve, createPayment, payerAndPayee } = await import('../../support/api.ts')
const { outgoing, payerBy } = await import('../../support/payments/payouts.ts')
const { eventually, historyOf, runOf } = await import('../../support/runs/runs.ts')
const { boss, contactId } = await payerAndPayee()

const statusAtStart = async (payment: { id: string }) =>
  (await runOf(payment).describe()).searchAttributes['BusinessStatus']
const signals = async (payment: { id: string }) =>
  (await historyOf(payment)).events.flatMap((event) => event.workflowExecutionSignaledEventAttributes?.signalName ?? [])

test('what is decided by then is told once, with the status that it has then', async () => {
  const payment = await createPayment(boss, contactId)
  await expect(historyOf(payment)).rejects.toThrow('not found')
  expect((await approve(boss, payment)).status).toBe(200)
  await expect(historyOf(payment)).rejects.toThrow('not found')
  await flushSignals()
  expect(await signals(payment)).toEqual(['settled'])
  expect(await statusAtStart(payment)).toEqual(['succeeded'])
  await flushSignals()
  expect(await signals(payment)).toEqual(['settled'])
})

test('what is rejected by then is told once as well, and what nobody decides as it was created', async () => {
  const [rejected, open] = [await createPayment(boss, contactId), await createPayment(boss, contactId)]
  expect((await api('POST', `${approvalPath(rejected)}/reject`, { token: boss.token, body: {} })).status).toBe(200)
  await flushSignals()
  expect([await signals(rejected), await signals(open)]).toEqual([['cancelled'], ['created']])
  expect(await statusAtStart(open)).toEqual(['awaiting_approval'])
})

test('what a partner has to be asked for is told at once', async () => {
  const payer = await payerBy('fiat')
  const payment = await outgoing(payer)
  expect((await approve(payer.boss, payment)).status).toBe(200)
  await eventually(() => statusAtStart(payment).catch(() => null)).toEqual(['submitted'])
  expect(await signals(payment)).toEqual(['submitted'])
})
