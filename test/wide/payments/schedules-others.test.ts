/** Days of payments where else they are named: lists, bills, batches, and another time zone. */
import { expect, test } from 'vitest'
import { daysAfter } from '../../../domain/instants.ts'
import { api, approve, fund, payerAndPayee, withStepUp } from '../../support/api.ts'
import { ended, outcomes } from '../../support/batches/batches.ts'
import { detail, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { become, payerBy, read } from '../../support/payments/payouts.ts'
import { execute, quoteOf } from '../../support/payments/quotes.ts'
import {
  businessDay,
  businessNow,
  moveToHour,
  onDate,
  scheduled,
  scheduledBatch,
  triesOf,
  unschedule,
} from '../../support/payments/schedules.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const today = async (): Promise<string> => (await businessNow()).slice(0, 10)

test('lists find a payment that waits for its day as submitted and as scheduled, and never by the inner word', async () => {
  const at = await payerBy('fiat')
  const waiting = await scheduled(at, await businessDay())
  const sent = await onDate(at, await today(), '50.00')
  const idsOf = async (query: string): Promise<string[]> => {
    const { body } = await api('GET', `/organizations/${at.payer.id}/payments?${query}`, { token: at.boss.token })
    expect(JSON.stringify(body)).not.toContain('"status":"scheduled"')
    return body.data.map(({ id }: { id: string }) => id)
  }
  expect(await idsOf('status=submitted')).toEqual([waiting.id])
  expect(await idsOf('scheduled=true')).toEqual([waiting.id])
  expect(await idsOf('scheduled=false')).toEqual([sent.id])
  expect(
    (await api('GET', `/organizations/${at.payer.id}/payments?status=scheduled`, { token: at.boss.token })).status,
  ).toBe(400)
})

test('today is a payment without a day; the past, more than a year, and a direction without a day are refused', async () => {
  const at = await payerBy('fiat')
  const quote = async () => (await quoteOf(at.boss, at.contact, { amount: '10.00', currency: 'EUR' })).quote_id
  const now = await today()
  expect((await execute(at.boss, await quote(), { execute_on: now })).body).toMatchObject({ schedule: null })
  const why = async (more: object) => {
    const answer = await execute(at.boss, await quote(), more)
    return [...refusal(answer), answer.body.error.details.reason]
  }
  expect(await why({ execute_on: daysAfter(now, -1) })).toEqual([422, 'invalid_schedule', 'in_the_past'])
  expect(await why({ execute_on: daysAfter(now, 367) })).toEqual([422, 'invalid_schedule', 'too_far'])
  expect(await why({ roll: 'preceding' })).toEqual([422, 'invalid_schedule', 'roll_without_day'])
})

test('a day on which banks do not pay moves as it was asked for, and the answer says both days', async () => {
  const at = await payerBy('fiat')
  const year = Number((await today()).slice(0, 4)) + 1
  const may = { asked: `${year}-05-01`, saturdayOrSunday: [0, 6].includes(new Date(`${year}-05-01`).getUTCDay()) }
  const made = await onDate(at, may.asked, '10.00', { roll: 'preceding' })
  expect(made.schedule.requested_on).toBe(may.asked)
  expect(made.schedule.execute_on < may.asked).toBe(true)
  expect((await onDate(at, may.asked, '20.00')).schedule.execute_on > may.asked).toBe(true)
})

test('a bill is paid on its due date, at once if that is past, and is open again when the payment is taken back', async () => {
  const at = await payerBy('fiat')
  const due = await businessDay(3)
  const bill = await typedBill(at.boss, at.payer.id, { bill_number: 'D-1', amount: '10.00', due_date: due })
  const asked = await requestPayment(at.boss, bill.id, { on_due_date: true })
  expect(asked.status).toBe(200)
  const { body: payment } = await api('GET', `/payments/${asked.body.fiat_outgoing_id}`, { token: at.boss.token })
  expect(payment.schedule).toMatchObject({ execute_on: due, state: 'waiting' })
  await approve(at.boss, payment)
  expect((await unschedule(at.boss, payment)).status).toBe(200)
  expect((await detail(at.boss, bill.id)).bill).toMatchObject({ status: 'extracted', fiat_outgoing_id: null })

  const past = { bill_number: 'D-2', amount: '12.00', due_date: daysAfter(await today(), -3) }
  const overdue = await typedBill(at.boss, at.payer.id, past)
  const { body: paid } = await requestPayment(at.boss, overdue.id, { on_due_date: true })
  const { body: atOnce } = await api('GET', `/payments/${paid.fiat_outgoing_id}`, { token: at.boss.token })
  expect(atOnce.schedule).toBe(null)
  const bare = await typedBill(at.boss, at.payer.id, { bill_number: 'D-3', amount: '11.00', due_date: null })
  const refused = await requestPayment(at.boss, bare.id, { on_due_date: true })
  expect(refused.body.error).toMatchObject({ type: 'invalid_schedule', details: { reason: 'no_due_date' } })
})

test('a batch is paid on its day, when the balance covers it, and waits for a later hour until then', async () => {
  const at = await payerAndPayee('5.00')
  const { boss, payer } = at
  const day = await businessDay()
  const { batch, approval } = await scheduledBatch(at, day, '4.00', '3.00')
  expect(batch.schedule).toEqual({ execute_on: day, requested_on: day, state: 'waiting', until: `${day}T00:00:00Z` })
  expect(approval.subject.payment_batch).toMatchObject({ execute_on: day })
  const now = async () => (await api('GET', `/payment-batches/${batch.id}`, { token: boss.token })).body
  expect(await now()).toMatchObject({ status: 'processing', rows_processed: 0, schedule: { state: 'waiting' } })
  await moveToHour(day, 6)
  await until(
    'put off',
    async () => (await triesOf({ id: batch.approval_request_id })).refused === 'insufficient_funds',
  )
  expect(await now()).toMatchObject({ status: 'processing', rows_processed: 0, schedule: { state: 'executing' } })
  await fund(payer.id, '5.00')
  await moveToHour(day, 10)
  await ended(batch.id)
  expect(await now()).toMatchObject({ status: 'completed', rows_succeeded: 2, schedule: { state: 'done' } })
  expect(await outcomes(batch.id)).toHaveLength(2)
})

test('a batch that waits for its day is cancelled with nothing paid', async () => {
  const at = await payerAndPayee('5.00')
  const { boss } = at
  const { batch } = await scheduledBatch(at, await businessDay(), '4.00')
  expect((await api('POST', `/payment-batches/${batch.id}/cancel`, { token: boss.token })).status).toBe(200)
  await ended(batch.id)
  expect(await owner`select from payments where payment_batch_id = ${batch.id}`).toHaveLength(0)
})

test('a payment keeps the midnight of the time zone in which it was asked for', async () => {
  const at = await payerBy('fiat')
  const path = `/organizations/${at.payer.id}/settings`
  const settings = { token: at.boss.token, body: { time_zone: 'America/New_York' } }
  const day = await businessDay(3)
  const before = await scheduled(at, day, '10.00')
  expect((await withStepUp('PATCH', path, settings)).status).toBe(200)
  const after = await scheduled(at, day, '20.00')
  expect(before.schedule.until).toBe(`${day}T00:00:00Z`)
  expect(after.schedule.until).toBe(`${day}T${after.schedule.until.slice(11, 13)}:00:00Z`)
  expect(['04', '05']).toContain(after.schedule.until.slice(11, 13))
  expect((await read(at, before)).schedule.until).toBe(`${day}T00:00:00Z`)
  await moveToHour(day, 6)
  await become(at, before, 'succeeded')
  expect(await read(at, after)).toMatchObject({ status_detail: 'scheduled' })
})

test('a day begins at the first instant that it has, also when clocks are changed, and is tried by the clock on the wall', async () => {
  const at = await payerBy('crypto')
  const year = Number((await today()).slice(0, 4)) + 1
  const sundays = Array.from({ length: 31 }, (_, n) => `${year}-03-${String(n + 1).padStart(2, '0')}`)
  const [, second] = sundays.filter((day) => new Date(`${day}T00:00:00Z`).getUTCDay() === 0)
  const path = `/organizations/${at.payer.id}/settings`
  const zoned = async (time_zone: string, day: string) => {
    await withStepUp('PATCH', path, { token: at.boss.token, body: { time_zone } })
    await moveToHour(daysAfter(await today(), 2), 12) // the zone counts from the next day
    const made = await onDate(at, day, '1.00')
    return { until: made.schedule.until, next: (await triesOf(made)).next }
  }
  // New York: clocks go forward at two in the night, so that six o'clock is five hours after midnight
  expect(await zoned('America/New_York', second ?? '')).toEqual({
    until: `${second}T05:00:00Z`,
    next: `${second}T10:00:00.000Z`,
  })
  // Cairo: clocks go forward at midnight of the last Friday of April, which has none
  const april = Array.from({ length: 30 }, (_, n) => `${year}-04-${String(n + 1).padStart(2, '0')}`)
  const friday = april.findLast((day) => new Date(`${day}T00:00:00Z`).getUTCDay() === 5) ?? ''
  expect(await zoned('Africa/Cairo', friday)).toEqual({
    until: `${daysAfter(friday, -1)}T22:00:00Z`,
    next: `${friday}T03:00:00.000Z`,
  })
})
