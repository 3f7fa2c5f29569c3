/** Pieces of SQL that many rooms select. */
import { type Fragment, sql } from './sql.ts'

/** Selects the full name of a row of `people`; null without one. */
export const fullName = (person: Fragment): Fragment =>
  sql`nullif(concat_ws(' ', ${person}.first_name, ${person}.last_name), '')`

/** Selects an instant as text within JSON, in UTC and with microseconds. */
export const instantText = (at: Fragment): Fragment =>
  sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** Selects the condition that a payment has left for its payee, or has arrived. */
export const hasGoneOut = (payment: Fragment): Fragment =>
  sql`${payment}.status = any ('{submitted,processing,on_hold,succeeded}')`
