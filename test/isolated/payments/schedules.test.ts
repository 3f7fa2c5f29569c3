/** Payments on a date, from the request to their day: held and paid on it, tried again, or given up. */
import { expect, test } from 'vitest'
import { api, approvalPath, approve, fund, payerAndPayee, paymentBody } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { become, eventsOf, feedOf, holdings, payerBy, read, violations } from '../../support/payments/payouts.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'
import {
  businessDay,
  missedOf,
  moveToHour,
  moveToLastHour,
  onDate,
  putOff,
  scheduled,
} from '../../support/payments/schedules.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

test.each(['fiat', 'crypto'] as const)(
  'an approved payment by %s waits for its day with no money held, and is held and paid on it',
  async (rail) => {
    const at = await payerBy(rail)
    const day = await businessDay()
    const made = await onDate(at, day)
    const schedule = { execute_on: day, requested_on: day, state: 'waiting', until: `${day}T00:00:00Z` }
    expect(made).toMatchObject({ status: 'awaiting_approval', schedule })
    const { subject } = (await approve(at.boss, made)).body
    expect(Object.values(subject)[1]).toMatchObject({ state: 'scheduled', execute_on: day })
    const shown = {
      status: 'submitted',
      status_detail: 'scheduled',
      cancellable: false,
      transaction_id: null,
      schedule,
    }
    expect(await read(at, made)).toMatchObject(shown)
    expect(await holdings(at, at.payer.id)).toEqual({ available: 900, held: 0 })
    expect(await feedOf(made)).toEqual([])
    expect(await violations(at, at.payer.id)).toEqual([])
    await moveToHour(day, 6)
    const paid = await become(at, made, 'succeeded')
    expect(paid).toMatchObject({ schedule: { ...schedule, state: 'done' }, deducting: made.deducting })
    expect(await holdings(at, at.payer.id)).toEqual({ available: 900 - Number(made.deducting.amount), held: 0 })
    const logged = ['payment.created', 'payment.scheduled', 'payment.submitted', 'payment.accepted', 'payment.settled']
    expect((await eventsOf(at, made)).filter((type) => logged.includes(type))).toEqual(logged)
    expect(await violations(at, at.payer.id)).toEqual([])
  },
)

test('by service ID a payment on a date is settled by a step on its day, and not by its approval', async () => {
  const { boss, payer, payee, contactId: contact } = await payerAndPayee('100.00')
  const day = await businessDay()
  const body = { ...paymentBody(contact), execute_on: day }
  const { body: made } = await api('POST', '/payments', { token: boss.token, body })
  expect((await approve(boss, made)).status).toBe(200)
  const at = { boss, contact, rail: 'fiat' as const }
  expect(await read(at, made)).toMatchObject({ status: 'submitted', status_detail: 'scheduled' })
  expect(await owner`select from transactions where payment_id = ${made.id}`).toHaveLength(0)
  await moveToHour(day, 6)
  expect(await become(at, made, 'succeeded')).toMatchObject({ status_detail: 'settled' })
  const rows = await owner`select organization_id as id from transactions where payment_id = ${made.id} order by seq`
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set([payer.id, payee.id]))
})

test('while the balance is short a payment is tried at 6, 10, 14 and 16, and paid as soon as it covers it', async () => {
  const at = await payerBy('fiat', '10.00')
  const day = await businessDay()
  const made = await scheduled(at, day)
  await moveToHour(day, 6)
  expect((await putOff(made, 10)).refused).toBe('insufficient_funds')
  expect(await read(at, made)).toMatchObject({ status: 'submitted', schedule: { state: 'executing' } })
  await moveToHour(day, 10)
  await putOff(made, 14)
  await fund(at.payer.id, '200.00', 'EUR')
  await moveToHour(day, 14)
  await become(at, made, 'succeeded')
  expect(await violations(at, at.payer.id)).toEqual([])
})

test('one that the balance never covers fails at 16 with nothing held, and members see it until it is paid', async () => {
  const at = await payerBy('fiat', '10.00')
  const day = await businessDay()
  const made = await scheduled(at, day)
  await moveToLastHour(made, day)
  const failed = await become(at, made, 'failed')
  expect(failed).toMatchObject({ status_detail: 'not paid on its day: insufficient funds', transaction_id: null })
  expect(await holdings(at, at.payer.id)).toEqual({ available: 10, held: 0 })
  expect((await eventsOf(at, made)).at(-1)).toBe('payment.failed')
  const [item, ...others] = await missedOf(at)
  expect([item.subject, others]).toEqual([{ type: 'payment', payment_id: made.id }, []])
  expect(item.summary).toContain(day)
  expect(await violations(at, at.payer.id)).toEqual([])
  await fund(at.payer.id, '200.00', 'EUR')
  const quote = await quoteOf(at.boss, at.contact, { amount: '100.00', currency: 'EUR' }, { side: 'landing' })
  await executed(at.boss, quote.quote_id)
  expect(await missedOf(at)).toEqual([])
})

/** An approved payment in dollars on a day, by which euros land. */
async function exchangedOn(day: string) {
  const at = await payerBy('fiat')
  await fund(at.payer.id, '100.00', 'USD')
  const quote = await quoteOf(at.boss, at.contact, { amount: '100.00', currency: 'USD' })
  const made = await executed(at.boss, quote.quote_id, { execute_on: day })
  return { at, made, quote }
}

test('what is exchanged gets the rate of the day: the same arrives, and what it costs is at most what was approved', async () => {
  const day = await businessDay()
  const { at, made, quote } = await exchangedOn(day)
  const { body: asked } = await api('GET', approvalPath(made), { token: at.boss.token })
  expect(asked.subject.fiat_outgoing).toMatchObject({ execute_on: day, max_deducting: quote.deducting })
  expect(asked.expires_at > (await api('GET', '/sandbox/clock')).body.now).toBe(true)
  await approve(at.boss, made)
  // as if the rate had been worse when it was approved
  await owner`update payments set deducting_amount = 150, rate = '0.5' where id = ${made.id}`
  await owner`update payment_schedules set max_deducting = 150 where id = ${made.id}`
  await moveToHour(day, 6)
  const paid = await become(at, made, 'succeeded')
  expect(paid.landing).toEqual(quote.landing)
  expect(Number(paid.deducting.amount)).toBeLessThanOrEqual(100)
  expect(Number(paid.deducting.amount)).toBeGreaterThan(99.9)
  const [covered] = await owner`select buy_amount::text, value_usd::text from covers where trade_id = ${made.id}`
  expect(covered?.['buy_amount']).toBe(quote.landing.amount)
  expect(await violations(at, at.payer.id)).toEqual([])
})

test('one that has become dearer than was approved fails with nothing held', async () => {
  const day = await businessDay()
  const { at, made } = await exchangedOn(day)
  await approve(at.boss, made)
  await owner`update payment_schedules set max_deducting = 99.50 where id = ${made.id}`
  await moveToHour(day, 6)
  const failed = await become(at, made, 'failed')
  expect(failed.status_detail).toBe('not paid on its day: dearer than approved')
  expect(failed.deducting).toEqual(made.deducting)
  expect(await owner`select from ledger_transfers where key like ${`payment:${made.id}:%`}`).toHaveLength(0)
  expect(await missedOf(at)).toHaveLength(1)
})

test('while the market is closed, or the rates desk is away, it is tried later', async () => {
  const day = await businessDay()
  const { at, made } = await exchangedOn(day)
  await approve(at.boss, made)
  await api('POST', '/sandbox/market', { body: { state: 'closed' } })
  await moveToHour(day, 6)
  expect((await putOff(made, 10)).refused).toBe('market_closed')
  await api('POST', '/sandbox/market', { body: { state: 'open' } })
  await api('POST', '/sandbox/faults', { body: { partner: 'rates', fault: 'down', times: 1 } })
  await moveToHour(day, 10)
  expect((await putOff(made, 14)).refused).toBe('service_unavailable')
  await moveToHour(day, 14)
  await become(at, made, 'succeeded')
})
