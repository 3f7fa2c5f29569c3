/** Payments on a date after the day from which banks need an address. */
import { beforeAll, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env['ADDRESS_REQUIRED_FROM'] = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
})
const { approve, fund, payerAndPayee } = await import('../../support/api.ts')
const { IBAN, draftOf, ended, outcomes, submit } = await import('../../support/batches/batches.ts')
const { usePartners } = await import('../../support/partners/partners.ts')
const { become, holdings, payerBy } = await import('../../support/payments/payouts.ts')
const { businessDay, moveToHour, scheduled } = await import('../../support/payments/schedules.ts')
const { useWorker } = await import('../../support/worker.ts')

usePartners()
useWorker()

let at: Awaited<ReturnType<typeof payerBy>>
let made: { id: string }
let batch: Parameters<typeof approve>[1] & { id: string }

beforeAll(async () => {
  at = await payerBy('fiat')
  const day = await businessDay(4)
  made = await scheduled(at, day)
  const { boss, payer, payee } = await payerAndPayee('100.00')
  await fund(payer.id, '100.00', 'EUR')
  const rows = [
    { iban: IBAN, amount: '4.00' },
    { svc: payee, amount: '3.00' },
  ]
  ;({ body: batch } = await submit(boss, await draftOf(boss, payer.id, rows), { execute_on: day }))
  await approve(boss, batch)
  await moveToHour(day, 6)
})

test('a payment that lacks the address which its bank needs by its day fails with nothing held', async () => {
  expect(await become(at, made, 'failed')).toMatchObject({ status_detail: 'not paid on its day: address required' })
  expect(await holdings(at, at.payer.id)).toEqual({ available: 900, held: 0 })
})

test('a row of a batch that lacks the address which its bank needs by its day fails, and the others are paid', async () => {
  await ended(batch.id)
  expect(await outcomes(batch.id)).toEqual(['failed address_required', 'succeeded'])
})
