/** Conditions that several lists share. */
import { type Fragment, sql } from './sql.ts'

const isDay = (text: string): boolean => text.length === 10

/** `from` and `to`, both included; a day stands for all of it, in UTC. */
export function timeRange(column: Fragment, range: { from?: string | undefined; to?: string | undefined }): Fragment {
  const { from, to } = range
  const since = from ? sql`and ${column} >= ${isDay(from) ? `${from}T00:00:00Z` : from}::timestamptz` : sql``
  if (!to) return since
  return isDay(to)
    ? sql`${since} and ${column} < ${`${to}T00:00:00Z`}::timestamptz + interval '1 day'`
    : sql`${since} and ${column} <= ${to}::timestamptz`
}
