/** Publication of the euro foreign exchange reference rates: about 16:00 CET on every day of TARGET. */
import { daysAfter } from './instants.ts'
import { isBusinessDay } from './payments/business-days.ts'

/** Rates of a day: units of each currency for one euro. */
export type DailyRates = { readonly day: string; readonly perEuro: Readonly<Record<string, string>> }

/** Publications that may be missed before rates are too old: the first one may just be late. */
const MISSED_MAX = 1
const HOUR_MS = 3_600_000
/** Hour in Frankfurt. */
const PUBLISHED_AT = 16
/** March and October, counted from zero. */
const SUMMER = [2, 9] as const

/** Finds the day whose rates are the latest that should be published. */
export function latestDay(now: Date): string {
  let day = now.toISOString().slice(0, 10)
  while (!isPublished(day) || publicationOf(day) > now) day = daysAfter(day, -1)
  return day
}

/** Computes the next publication after an instant. */
export function nextPublication(now: Date): Date {
  let day = now.toISOString().slice(0, 10)
  while (!isPublished(day) || publicationOf(day) <= now) day = daysAfter(day, 1)
  return publicationOf(day)
}

/** Tells whether rates of a day are too old to exchange by: more than one publication was missed since. */
export function isOutdated(day: string, now: Date): boolean {
  let missed = 0
  for (let latest = latestDay(now); latest > day && missed <= MISSED_MAX; latest = daysAfter(latest, -1)) {
    if (isPublished(latest)) missed += 1
  }
  return missed > MISSED_MAX
}

const isPublished = (day: string): boolean => isBusinessDay(day, { rail: 'fiat', currencies: ['EUR'] })

const publicationOf = (day: string): Date =>
  new Date(Date.parse(`${day}T00:00:00Z`) + (PUBLISHED_AT - offsetOf(day)) * HOUR_MS)

/** Computes the hours of Frankfurt before UTC: summer is from the last Sunday of March to that of October. */
function offsetOf(day: string): 1 | 2 {
  const [from, until] = SUMMER
  const year = Number(day.slice(0, 4))
  return day >= lastSunday(year, from) && day < lastSunday(year, until) ? 2 : 1
}

function lastSunday(year: number, month: number): string {
  const last = new Date(Date.UTC(year, month + 1, 0))
  last.setUTCDate(last.getUTCDate() - last.getUTCDay())
  return last.toISOString().slice(0, 10)
}
