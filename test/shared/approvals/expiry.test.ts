import { expect, test } from 'vitest'
import { api, approvalPath, createPayment, payerAndPayee } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const THIRTY_DAYS_SECONDS = 30 * 24 * 3600
const { boss, contactId } = await payerAndPayee('100.00')

const statusOf = async (id: string) => (await owner`select status from payments where id = ${id}`)[0]?.['status']
const keepSession = () => owner`update sessions set last_used_at = business_now(), signed_in_at = business_now()`
const advance = async (seconds: number) => {
  await api('POST', '/sandbox/clock/advance', { body: { seconds } })
  await keepSession()
}

test('an approval waits for 30 days of business time, then expires and cancels its payment', async () => {
  const payment = await createPayment(boss, contactId, '5.00')
  await advance(THIRTY_DAYS_SECONDS - 60)
  expect(await statusOf(payment.id)).toBe('awaiting_approval')
  await advance(61)
  await expect.poll(() => statusOf(payment.id)).toBe('cancelled')
  const { body } = await api('GET', approvalPath(payment), { token: boss.token })
  expect(body).toMatchObject({ status: 'cancelled', processed_at: null, approver: null, can_take_action: false })
  expect(body.decisions).toMatchObject([{ decision: 'expire', user_id: null }])
  const late = await api('POST', `${approvalPath(payment)}/approve`, { token: boss.token, body: {} })
  expect([late.status, late.body.error.type]).toEqual([409, 'approval_expired'])
  expect(late.body.error.details).toEqual({ current: 'cancelled', allowed: [] })
  expect(body.blocked_by).toEqual(['approval_expired'])
  const rejected = await api('POST', `${approvalPath(payment)}/reject`, { token: boss.token, body: {} })
  expect([rejected.status, rejected.body.error.type]).toEqual([409, 'approval_expired'])
})

test('a payment made after the clock moved has its own 30 days', async () => {
  await advance(1000)
  const payment = await createPayment(boss, contactId, '5.00')
  await advance(THIRTY_DAYS_SECONDS - 60)
  expect(await statusOf(payment.id)).toBe('awaiting_approval')
  await advance(61)
  await expect.poll(() => statusOf(payment.id)).toBe('cancelled')
})

test('the clock moves forward only, by 1 second to 1 year', async () => {
  for (const seconds of [0, -1, 31_536_001, 1.5, '60']) {
    expect((await api('POST', '/sandbox/clock/advance', { body: { seconds } })).status).toBe(400)
  }
})
