/** Days, and instants as people read them. Apart from the schemas, because workflows import it. */

/** To the minute, in UTC: `2026-11-21 10:00 UTC`. */
export const minuteOf = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`

/** Whether the calendar has this day, from year 1 on, written as `2026-03-01`. */
export function isOnCalendar(day: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || day < '0001') return false
  const midnight = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
}

/** A day of the calendar so many days later. */
export function daysAfter(day: string, days: number): string {
  const moved = new Date(`${day}T00:00:00Z`)
  moved.setUTCDate(moved.getUTCDate() + days)
  return moved.toISOString().slice(0, 10)
}

const DAY_MS = 86_400_000

/** How many days the second day is after the first. */
export const daysBetween = (from: string, until: string): number =>
  Math.round((Date.parse(`${until}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS)
