/** Business days of bank payments, against the years that the payment systems have published. */
import { expect, test } from 'vitest'
import fc from 'fast-check'
import { daysAfter } from '../../domain/instants.ts'
import { CALENDARS, easterOf, isBusinessDay, rollDay } from '../../domain/payments/business-days.ts'
import { always } from '../support/property.ts'

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
