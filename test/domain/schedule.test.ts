/** Days of payments: what a request may name, what counts, and what a payment may cost on its day. */
import { expect, test } from 'vitest'
import fc from 'fast-check'
import { PAYMENT_STATUSES, paymentFlow, paymentStatusOf, statesAnsweredAs } from '../../domain/payments/flow.ts'
import { DEFAULT_FEES } from '../../domain/money/fees.ts'
import { compare, fromMinor, subtract } from '../../domain/money/money.ts'
import { exchange } from '../../domain/money/rates.ts'
import { type Roll, CALENDARS, easterOf, isBusinessDay, rollDay } from '../../domain/payments/business-days.ts'
import { price, priceLanding } from '../../domain/payments/quote.ts'
import { chooseDay, maxDeducting, scheduleStateOf } from '../../domain/payments/schedule.ts'
import { always } from '../support/property.ts'
import { daysAfter } from '../../domain/instants.ts'

test('the inner state of a payment that waits for its day is answered as submitted, and no other state as another', () => {
  expect(paymentStatusOf('scheduled')).toBe('submitted')
  for (const status of PAYMENT_STATUSES) expect(paymentStatusOf(status)).toBe(status)
  for (const state of paymentFlow.states) expect(PAYMENT_STATUSES).toContain(paymentStatusOf(state))
  expect(statesAnsweredAs('submitted')).toEqual(['submitted', 'scheduled'])
  expect(PAYMENT_STATUSES.flatMap(statesAnsweredAs).toSorted()).toEqual([...paymentFlow.states].toSorted())
})

const EURO = [{ rail: 'fiat', currencies: ['EUR'] }] as const
// a Saturday, before the days of Christmas
const CALENDAR = { today: '2026-11-28', latest: '2027-11-28' }
const choose = (day: string, roll: Roll = 'following', isDueDate = false, bounds = CALENDAR) =>
  chooseDay({ day, roll, isDueDate }, bounds, EURO)

test('the day that counts is the business day to which the named one moves', () => {
  expect(choose('2026-12-01')).toBe('2026-12-01')
  expect(choose('2026-12-25')).toBe('2026-12-28')
  expect(choose('2026-12-25', 'preceding')).toBe('2026-12-24')
  expect(choose('2027-01-31')).toBe('2027-02-01') // the end of a month moves into the next
  expect(choose('2027-01-31', 'preceding')).toBe('2027-01-29')
  expect(choose('2027-11-28')).toBe('2027-11-29') // the last day that may be named
})

test('today is a payment without a day, and so is a day that moves to today or before', () => {
  expect(choose('2026-11-28')).toBe(null)
  expect(choose('2026-11-29', 'preceding')).toBe(null) // a Sunday, before which Friday is past
})

test('a day of the past is refused, unless it is the due date of a bill; so is one more than a year ahead', () => {
  expect(() => choose('2026-11-27')).toThrow(expect.objectContaining({ type: 'invalid_schedule' }))
  expect(choose('2026-11-27', 'following', true)).toBe(null)
  for (const isDueDate of [false, true]) {
    const refused = expect.objectContaining({
      type: 'invalid_schedule',
      details: { reason: 'too_far', latest: '2027-11-28' },
    })
    expect(() => choose('2027-11-29', 'following', isDueDate)).toThrow(refused)
  }
})

test('the 29th of February can be named in a leap year', () => {
  const bounds = { today: '2027-12-01', latest: '2028-12-01' }
  expect(choose('2028-02-29', 'following', false, bounds)).toBe('2028-02-29')
})

test('a schedule waits until its day begins, is executed until the payment is on its way, and is done then', () => {
  expect(scheduleStateOf('awaiting_approval', false)).toBe('waiting')
  expect([scheduleStateOf('scheduled', false), scheduleStateOf('scheduled', true)]).toEqual(['waiting', 'executing'])
  for (const state of PAYMENT_STATUSES)
    if (state !== 'awaiting_approval') expect(scheduleStateOf(state, true)).toBe('done')
})

const usd = fc.bigInt({ min: 1_000n, max: 10n ** 13n }).map((minor) => fromMinor(minor, 'USD'))
const rate = fc.tuple(fc.integer({ min: 1, max: 5_000_000 })).map(([millionths]) => (millionths / 1_000_000).toFixed(6))

test('at the rate of its approval an exchanged payment costs no more on its day, and exactly the same arrives', () =>
  always(2000, usd, rate, (deducting, at) => {
    const pricing = { rail: 'fiat', currency: 'EUR', amount: deducting, side: 'deducting' } as const
    let approved
    try {
      approved = price(DEFAULT_FEES, pricing, at)
    } catch {
      return // nothing would arrive
    }
    const { landing } = approved
    const onDay = priceLanding(DEFAULT_FEES, { rail: 'fiat', landing, source: 'USD' }, at)
    expect(compare(onDay.deducting, approved.deducting)).toBeLessThanOrEqual(0)
    expect(onDay.landing).toEqual(landing)
    const net = subtract(onDay.deducting, onDay.fee)
    expect(compare(exchange(net, at, 'EUR'), landing)).toBeGreaterThanOrEqual(0)
    const dearer = priceLanding(DEFAULT_FEES, { rail: 'fiat', landing, source: 'USD' }, (Number(at) / 2).toFixed(7))
    expect(compare(dearer.deducting, onDay.deducting)).toBeGreaterThanOrEqual(0)
  }))

test('the most that a payment may cost on its day is the approved amount and the tolerance, rounded down', () => {
  const approved = { amount: '100.01', currency: 'USD' }
  expect(maxDeducting(approved, 0)).toEqual(approved)
  expect(maxDeducting(approved, 1.5)).toEqual({ amount: '101.51', currency: 'USD' })
})

/** Closing days on working days, as the ECB published them. */
const TARGET = [
  '2024-01-01 2024-03-29 2024-04-01 2024-05-01 2024-12-25 2024-12-26',
  '2025-01-01 2025-04-18 2025-04-21 2025-05-01 2025-12-25 2025-12-26',
  '2026-01-01 2026-04-03 2026-04-06 2026-05-01 2026-12-25',
  '2027-01-01 2027-03-26 2027-03-29',
]
/** Holidays of the Reserve Banks from K.8, 2026 to 2030, without those on a Saturday. */
const FEDERAL_RESERVE = [
  '2026-01-01 2026-01-19 2026-02-16 2026-05-25 2026-06-19 2026-09-07 2026-10-12 2026-11-11 2026-11-26 2026-12-25',
  '2027-01-01 2027-01-18 2027-02-15 2027-05-31 2027-07-05 2027-09-06 2027-10-11 2027-11-11 2027-11-25',
  '2028-01-17 2028-02-21 2028-05-29 2028-06-19 2028-07-04 2028-09-04 2028-10-09 2028-11-23 2028-12-25',
  '2029-01-01 2029-01-15 2029-02-19 2029-05-28 2029-06-19 2029-07-04 2029-09-03 2029-10-08 2029-11-12 2029-11-22 2029-12-25',
  '2030-01-01 2030-01-21 2030-02-18 2030-05-27 2030-06-19 2030-07-04 2030-09-02 2030-10-14 2030-11-11 2030-11-28 2030-12-25',
]

/** Lists the days from Monday to Friday on which no bank pays in this currency. */
function closedDays(currency: string, year: number): string {
  const days = Array.from({ length: 366 }, (_, n) => daysAfter(`${year}-01-01`, n)).filter((day) => day < `${year + 1}`)
  const closed = days.filter((day) => !isBusinessDay(day, { rail: 'fiat', currencies: [currency] }))
  return closed.filter((day) => ![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())).join(' ')
}

test.each(TARGET.map((days) => [Number(days.slice(0, 4)), days] as const))(
  'banks pay no euros on the closing days of TARGET2 in %i',
  (year, days) => expect(closedDays('EUR', year)).toBe(days),
)

test.each(FEDERAL_RESERVE.map((days) => [Number(days.slice(0, 4)), days] as const))(
  'banks pay no dollars on the holidays of the Federal Reserve in %i, nor on the Monday after one on a Sunday',
  (year, days) => expect(closedDays('USD', year)).toBe(days),
)

test('each calendar names the page of its rules', () =>
  expect(Object.values(CALENDARS).every(({ source }) => URL.canParse(source))).toBe(true))

test('Easter is the Sunday of the church tables', () =>
  expect([1961, 2000, 2008, 2011, 2019, 2024, 2038, 2076].map(easterOf)).toEqual([
    '1961-04-02',
    '2000-04-23',
    '2008-03-23',
    '2011-04-24',
    '2019-04-21',
    '2024-03-31',
    '2038-04-25',
    '2076-04-19',
  ]))

const anyDay = fc.integer({ min: 0, max: 36_500 }).map((n) => daysAfter('2026-01-01', n))
const payment = fc.record({
  rail: fc.constantFrom('fiat' as const, 'crypto' as const, 'svc_id' as const),
  currencies: fc.subarray(['EUR', 'USD', 'GBP', 'USDC']),
})

test('a day that moves is the nearest one on which all of the payments are made, and stays if it is one', () =>
  always(
    2000,
    anyDay,
    fc.constantFrom('following', 'preceding'),
    fc.array(payment, { maxLength: 3 }),
    (day, roll, all) => {
      const rolled = rollDay(day, roll, all)
      const isOpen = (one: string) => all.every((paid) => isBusinessDay(one, paid))
      expect(isOpen(rolled)).toBe(true)
      const step = roll === 'following' ? 1 : -1
      for (let between = day; between !== rolled; between = daysAfter(between, step))
        expect(isOpen(between)).toBe(false)
    },
  ))

test('by service ID and by blockchain each day is one', () => {
  for (const rail of ['svc_id', 'crypto'] as const) {
    expect(isBusinessDay('2026-12-25', { rail, currencies: ['USD'] })).toBe(true)
  }
})
