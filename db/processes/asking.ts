/** Retry schedule of partner calls, stored in the row: it survives restarts and deploys. */
import { PAUSE_MAX_SECONDS } from '../../domain/pauses.ts'
import { type Fragment, sql } from '../postgres/sql.ts'

/** Builds the value of `ask_at` in some seconds; null for at once. */
export const inSeconds = (seconds: number | null): Fragment => sql`business_now() + make_interval(secs => ${seconds})`

export const askColumns = (table: Fragment): Fragment => sql`
  ${table}.ask_at, ${table}.asks, ${table}.ask_note, coalesce(${table}.ask_at <= business_now(), true) as due`

export type AskRow = {
  readonly ask_at: string | null
  /** Calls since the last callback or answer. */
  readonly asks: number
  /** Latest answer, without names. */
  readonly ask_note: string | null
  readonly due: boolean
}

/** Hours of failed tries after which a row is given up. */
export const PATIENCE_HOURS = 24

/** Builds the condition: every try of a row failed for a whole day, the latest one too. A pause is no try. */
export const isTriedInVain = (table: Fragment): Fragment => sql`
  coalesce(${table}.unclear_since <= business_now() - make_interval(hours => ${PATIENCE_HOURS})
    and ${table}.ask_at > business_now() and ${table}.asks > 0, false)`

/** Builds the name of the connection that has a row. */
export const partnerOfRow = (table: Fragment): Fragment => sql`connection_of(${table}.rail, ${table}.connection)`

/** Builds the condition: the partner has called about a row since it was last polled. */
export const hasUnprocessedCallbacks = (table: Fragment): Fragment =>
  sql`(${table}.callbacks_received > ${table}.callbacks_processed)`

type Table =
  | 'deposits'
  | 'covers'
  | 'screenings'
  | 'receiving_accounts'
  | 'messages'
  | 'exports'
  | 'bills'
  | 'inbound_mails'
  | 'invoices'
  | 'credit_notes'
  | 'accounting_connections'
  | 'accounting_sync_runs'

/** Schedules the next try after a failure, with exponential backoff; the note holds the reason. */
export const askAgain = (table: Table, baseSeconds: number, note: string): Fragment => sql`
  update ${sql(table)} set asks = asks + 1, ask_note = ${note}, unclear_since = coalesce(unclear_since, business_now()),
    ask_at = business_now() + make_interval(secs => least(${baseSeconds}::float8 * 2 ^ least(asks, 20), ${PAUSE_MAX_SECONDS}))`
