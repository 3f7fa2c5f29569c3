/** Days and instants without schemas, because workflows import this file. */

/** Writes an instant to the minute: `2026-11-21 10:00 UTC`. */
export const minuteOf = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`

/** Parses any day or time of ISO 8601, in milliseconds, also with an offset of hours. */
export function millisecondsOf(text: string): number {
  const [day, time] = [text.slice(0, 10), text.slice(11)]
  const offset = / ?([+-]\d\d):?(\d\d)?$/
  return Date.parse(time ? `${day}T${time.replace(offset, (_, hours, minutes = '00') => `${hours}:${minutes}`)}` : day)
}

/** Tells whether a day `2026-03-01` is in the calendar, from year 1 on. */
export function isOnCalendar(day: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || day < '0001') return false
  const midnight = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
}

export function daysAfter(day: string, days: number): string {
  const moved = new Date(`${day}T00:00:00Z`)
  moved.setUTCDate(moved.getUTCDate() + days)
  return moved.toISOString().slice(0, 10)
}

export const DAY_MS = 86_400_000

export const daysBetween = (from: string, until: string): number =>
  Math.round((Date.parse(`${until}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS)
