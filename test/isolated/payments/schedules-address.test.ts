/** Payments on a date after the day from which banks need an address. */
import { expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env['ADDRESS_REQUIRED_FROM'] = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
})
const { usePartners } = await import('../../support/partners/partners.ts')
const { become, holdings, payerBy } = await import('../../support/payments/payouts.ts')
const { businessDay, moveToHour, scheduled } = await import('../../support/payments/schedules.ts')
const { useWorker } = await import('../../support/worker.ts')

usePartners()
useWorker()

test('a payment that lacks the address which its bank needs by its day fails with nothing held', async () => {
  const at = await payerBy('fiat')
  const day = await businessDay(4)
  const made = await scheduled(at, day)
  await moveToHour(day, 6)
  expect(await become(at, made, 'failed')).toMatchObject({ status_detail: 'not paid on its day: address required' })
  expect(await holdings(at, at.payer.id)).toEqual({ available: 900, held: 0 })
})
