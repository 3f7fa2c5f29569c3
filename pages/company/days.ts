/** Days of a time zone as instants. */
import { daysAfter } from '../../domain/instants.ts'

/** Returns the instant at which a day begins; where its midnight is skipped, the first instant after that. */
export function startOfDay(day: string, timeZone: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // by the offset before a change of clocks and by the one after it: one of them fits, unless midnight is skipped
  const before = midnight - offsetAt(midnight, timeZone)
  const after = midnight - offsetAt(before, timeZone)
  const at = [before, after].find((one) => one + offsetAt(one, timeZone) === midnight) ?? Math.max(before, after)
  return new Date(at).toISOString()
}

/** Returns the instant at which a day ends. */
export const endOfDay = (day: string, timeZone: string): string => startOfDay(daysAfter(day, 1), timeZone)

/** Returns the day of an instant. */
export const dayAt = (at: string, timeZone: string): string =>
  new Date(Date.parse(at) + offsetAt(Date.parse(at), timeZone)).toISOString().slice(0, 10)

/** Milliseconds by which the clocks of a zone are ahead of UTC. */
function offsetAt(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { ...CLOCK, timeZone }).formatToParts(at)
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value)
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return local - Math.floor(at / 1000) * 1000
}

const CLOCK = {
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const
