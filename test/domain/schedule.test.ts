/** Days of payments: what a request may name, what counts, and what a payment may cost on its day. */
import { expect, test } from 'vitest'
import fc from 'fast-check'
import { PAYMENT_STATUSES, paymentFlow, paymentStatusOf, statesAnsweredAs } from '../../domain/payments/flow.ts'
import { DEFAULT_FEES } from '../../domain/money/fees.ts'
import { compare, fromMinor, subtract } from '../../domain/money/money.ts'
import { exchange } from '../../domain/money/rates.ts'
import type { Roll } from '../../domain/payments/business-days.ts'
import { price, priceLanding } from '../../domain/payments/quote.ts'
import { chooseDay, maxDeducting, scheduleStateOf } from '../../domain/payments/schedule.ts'
import { always } from '../support/property.ts'

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
