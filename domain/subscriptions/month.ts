/** Months that are paid for: from a day to the same day of the next month, or to its last one. */
import { daysBetween } from '../instants.ts'

/** Days in UTC. What ends is not part of it any more: a new month begins on that day. */
export type Month = { readonly startsOn: string; readonly endsOn: string }

/** The month that begins on this day; those after it end on the anchor day, or on the last day of a shorter month. */
export function monthFrom(startsOn: string, anchorDay = Number(startsOn.slice(8))): Month {
  const [year, month] = [Number(startsOn.slice(0, 4)), Number(startsOn.slice(5, 7))]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const end = new Date(Date.UTC(year, month, Math.min(anchorDay, lastDay)))
  return { startsOn, endsOn: end.toISOString().slice(0, 10) }
}

/** How many days the month has, and how many of them are left, today included. */
export const daysOf = (
  { startsOn, endsOn }: Month,
  today: string,
): { readonly all: number; readonly left: number } => ({
  all: daysBetween(startsOn, endsOn),
  left: daysBetween(today, endsOn),
})
