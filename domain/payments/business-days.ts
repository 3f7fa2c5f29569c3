/** Days on which banks pay, by rail and currency: computed from the published rules of each system. */
import { DAY_MS, daysAfter } from '../instants.ts'
import type { FeeTable } from '../money/fees.ts'
import type { Rail } from '../rails.ts'
import type { Speed } from './speed.ts'

export const ROLLS = ['following', 'preceding'] as const
/** Direction in which a day without payments moves. */
export type Roll = (typeof ROLLS)[number]

/** Calendar of a payment system, beside its weekends. */
export type Calendar = {
  readonly name: string
  /** Page on which the operator publishes its rules. */
  readonly source: string
  readonly holidays: (year: number) => readonly string[]
}

const [MONDAY, THURSDAY] = [1, 4]
const DAYS_IN_WEEK = 7

/** Closing days of T2 (before 2023 TARGET2), the same in every year since 2002. */
const TARGET: Calendar = {
  name: 'TARGET2',
  source: 'https://www.ecb.europa.eu/press/pr/date/2000/html/pr001214_4.en.html',
  holidays(year) {
    const easter = easterOf(year)
    return [
      `${year}-01-01`,
      daysAfter(easter, -2),
      daysAfter(easter, 1),
      `${year}-05-01`,
      `${year}-12-25`,
      `${year}-12-26`,
    ]
  },
}

/** Holidays of the Federal Reserve Banks. One on a Sunday moves to Monday; one on a Saturday closes no other day. */
const FEDERAL_RESERVE: Calendar = {
  name: 'US Federal Reserve',
  source: 'https://www.federalreserve.gov/aboutthefed/k8.htm',
  holidays: (year) => [
    observe(`${year}-01-01`),
    nth(3, MONDAY, `${year}-01`), // Martin Luther King
    nth(3, MONDAY, `${year}-02`), // Washington
    daysAfter(nth(1, MONDAY, `${year}-06`), -DAYS_IN_WEEK), // Memorial Day: the last Monday of May
    observe(`${year}-06-19`),
    observe(`${year}-07-04`),
    nth(1, MONDAY, `${year}-09`), // Labor Day
    nth(2, MONDAY, `${year}-10`), // Columbus
    observe(`${year}-11-11`),
    nth(4, THURSDAY, `${year}-11`), // Thanksgiving
    observe(`${year}-12-25`),
  ],
}

/** Calendars by the currency of a bank payment; for other currencies banks rest at weekends alone. */
export const CALENDARS: Readonly<Record<string, Calendar>> = { EUR: TARGET, USD: FEDERAL_RESERVE }

/** Currencies whose banks rest on Fridays and Saturdays. */
const FRIDAY_AND_SATURDAY: ReadonlySet<string> = new Set(
  'BDT BHD DZD EGP ILS IQD JOD KWD LYD MVR OMR QAR SAR SDG SYP YER'.split(' '),
)
const [FRIDAY, SATURDAY, SUNDAY] = [5, 6, 0]
const weekendOf = (currency: string): readonly number[] =>
  FRIDAY_AND_SATURDAY.has(currency) ? [FRIDAY, SATURDAY] : [SATURDAY, SUNDAY]

/** Payment as its calendar sees it: by bank on days of all its currencies, by other rails on any day. */
export type PaidIn = { readonly rail: Rail; readonly currencies: readonly string[] }

/** Tells whether a day `2026-12-01` is one on which the payment is made. */
export function isBusinessDay(day: string, { rail, currencies }: PaidIn): boolean {
  if (rail !== 'fiat') return true
  const weekday = weekdayOf(day)
  if (currencies.some((currency) => weekendOf(currency).includes(weekday))) return false
  const year = Number(day.slice(0, 4))
  return currencies.every((currency) => !CALENDARS[currency]?.holidays(year).includes(day))
}

/** Moves a day to the nearest one on which all of the payments are made; a day that is one stays. */
export function rollDay(day: string, roll: Roll, payments: readonly PaidIn[]): string {
  const step = roll === 'following' ? 1 : -1
  let rolled = day
  while (!payments.every((payment) => isBusinessDay(rolled, payment))) rolled = daysAfter(rolled, step)
  return rolled
}

const MINUTE_MS = 60_000
/** Longest time of an instant credit transfer: EPC004-16, SCT Inst. */
const INSTANT_MS = 10_000

/** Computes when money that leaves now arrives. By bank it travels on business days alone, by the UTC calendar. */
export function arrivalOf({ arrival }: FeeTable, payment: PaidIn & { readonly speed?: Speed }, now: Date): Date {
  const { rail, speed } = payment
  if (speed === 'instant') return new Date(now.getTime() + INSTANT_MS)
  if (rail !== 'fiat') return new Date(now.getTime() + arrival[rail].minutes * MINUTE_MS)
  const isOpen = (instant: number) => isBusinessDay(new Date(instant).toISOString().slice(0, 10), payment)
  let [instant, days] = [now.getTime(), arrival.fiat.business_days]
  while (days > 0 || !isOpen(instant)) {
    instant += DAY_MS
    if (isOpen(instant)) days -= 1
  }
  return new Date(instant)
}

const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay()

/** Finds the nth weekday of a month `2026-11`. */
function nth(n: number, weekday: number, month: string): string {
  const first = `${month}-01`
  const until = (weekday - weekdayOf(first) + DAYS_IN_WEEK) % DAYS_IN_WEEK
  return daysAfter(first, until + (n - 1) * DAYS_IN_WEEK)
}

const observe = (day: string): string => (weekdayOf(day) === 0 ? daysAfter(day, 1) : day)

/** Computes Easter Sunday of a year, by Meeus, Astronomical Algorithms, chapter 8. */
export function easterOf(year: number): string {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const leaps = Math.floor(century / 4)
  const moon = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - leaps - moon + 15) % 30
  const years = year % 100
  const sunday = (32 + 2 * (century % 4) + 2 * Math.floor(years / 4) - epact - (years % 4)) % DAYS_IN_WEEK
  const late = Math.floor((golden + 11 * epact + 22 * sunday) / 451)
  const days = epact + sunday - DAYS_IN_WEEK * late + 114
  const [month, day] = [Math.floor(days / 31), (days % 31) + 1]
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
