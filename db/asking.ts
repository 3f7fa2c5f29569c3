/** When somebody outside is asked again. It stands in the row, so that it survives restarts and other code. */
import { type Flow, driven } from './model/flow.ts'
import type { Found } from './model/process.ts'
import { type Fragment, sql } from './sql.ts'

/** A partner that has nothing new is asked again after at most this. */
const PAUSE_MAX_SECONDS = 900
/** One that gives no clear answer at all, while we have patience: at first, and at most. */
const [UNCLEAR_PAUSE_SECONDS, UNCLEAR_PAUSE_MAX_SECONDS] = [1, 30]

/** Seconds before the next question: `base` after the first one that brought nothing new, and twice as long each time. */
export const pauseSeconds = (base: number, asks: number): number => Math.min(base * 2 ** asks, PAUSE_MAX_SECONDS)

/** Seconds before the next question after no clear answer: soon, but not all the time. `base` is how often one is polled. */
export const unclearPauseSeconds = (base: number, asks: number): number =>
  Math.min(Math.min(base, UNCLEAR_PAUSE_SECONDS) * 2 ** asks, UNCLEAR_PAUSE_MAX_SECONDS)

/** From now on so many seconds, as the value of `ask_at`. */
export const inSeconds = (seconds: number): Fragment => sql`business_now() + make_interval(secs => ${seconds})`

/** The columns that say when somebody outside is asked next; `due` where that is now. */
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

/** What a look finds of a row that has one question to ask for as long as it is driven. */
export function askedState<State extends string>(
  machine: Pick<Flow<State>, 'driven'>,
  { status, due, ask_at: lookAt }: AskRow & { readonly status: State },
): Pick<Found<State>, 'status' | 'driven' | 'due_now' | 'look_at'> {
  const isDriven = driven(machine, status)
  return { status, driven: isDriven, due_now: isDriven && due, look_at: lookAt }
}

/** Whether a partner has called about a row since it was last asked about it. */
export const hasUnprocessedCallbacks = (table: Fragment): Fragment =>
  sql`(${table}.callbacks_received > ${table}.callbacks_processed)`

type Table = 'deposits' | 'swaps' | 'receiving_accounts' | 'messages'

/** It brought nothing, for the reason that the note gives: asked again after a pause that doubles. */
export const askAgain = (table: Table, baseSeconds: number, note: string): Fragment => sql`
  update ${sql(table)} set asks = asks + 1, ask_note = ${note}, unclear_since = coalesce(unclear_since, business_now()),
    ask_at = business_now() + make_interval(secs => least(${baseSeconds}::float8 * 2 ^ least(asks, 20), ${PAUSE_MAX_SECONDS}))`
