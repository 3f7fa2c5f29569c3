/** Retry schedule of partner calls, stored in the row so that it survives restarts and deploys. */
import { PAUSE_MAX_SECONDS } from '../domain/pauses.ts'
import { type Fragment, sql } from './sql.ts'

/** From now on so many seconds, as the value of `ask_at`; null is at once. */
export const inSeconds = (seconds: number | null): Fragment => sql`business_now() + make_interval(secs => ${seconds})`

/** The columns that say when somebody outside is asked next; `due` if that is now. */
export const askColumns = (table: Fragment): Fragment => sql`
  ${table}.ask_at, ${table}.asks, ${table}.ask_note, coalesce(${table}.ask_at <= business_now(), true) as due`

export type AskRow = {
  readonly ask_at: string | null
  /** How often it was asked without anything new. */
  readonly asks: number
  /** What the last answer was, in words without names. */
  readonly ask_note: string | null
  readonly due: boolean
}

/** A row whose tries have all been in vain for these hours is given up. */
export const PATIENCE_HOURS = 24

/** Condition: the latest try of a row was in vain, and so was each of a whole day. A pause is no try. */
export const isTriedInVain = (table: Fragment): Fragment => sql`
  coalesce(${table}.unclear_since <= business_now() - make_interval(hours => ${PATIENCE_HOURS})
    and ${table}.ask_at > business_now() and ${table}.asks > 0, false)`

/** The partner who is asked about a row that has a rail with a partner. */
export const partnerOfRow = (table: Fragment): Fragment =>
  sql`case ${table}.rail when 'fiat' then 'bank' else 'custodian' end`

/** Whether a partner has called about a row since it was last asked about it. */
export const hasUnprocessedCallbacks = (table: Fragment): Fragment =>
  sql`(${table}.callbacks_received > ${table}.callbacks_processed)`

type Table =
  | 'deposits'
  | 'covers'
  | 'receiving_accounts'
  | 'messages'
  | 'exports'
  | 'bills'
  | 'invoices'
  | 'accounting_connections'
  | 'accounting_sync_runs'

/** It brought nothing, for the reason that the note gives: asked again after a pause that doubles. */
export const askAgain = (table: Table, baseSeconds: number, note: string): Fragment => sql`
  update ${sql(table)} set asks = asks + 1, ask_note = ${note}, unclear_since = coalesce(unclear_since, business_now()),
    ask_at = business_now() + make_interval(secs => least(${baseSeconds}::float8 * 2 ^ least(asks, 20), ${PAUSE_MAX_SECONDS}))`
