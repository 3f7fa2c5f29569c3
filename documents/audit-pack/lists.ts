/** Lists of an audit pack: each row as JSON on a line, and as CSV for spreadsheets. */
import { inert, isPlain, quoteCell } from '../../domain/csv.ts'
import type { Noun } from '../../domain/exports/audit-pack.ts'
import { onOneLine } from '../../domain/text.ts'

export type ListRow = Readonly<Record<string, string | number | boolean | null>>

const COMMON = ['id', 'seq', 'created_at', 'created_by', 'status', 'stored'] as const

/** Columns of each list, in their order. */
export const COLUMNS: Readonly<Record<Noun, readonly string[]>> = {
  payment: [
    ...COMMON,
    ...'rail deducting_amount deducting_currency landing_amount landing_currency fee_amount rate'.split(' '),
    ...'payee approval_id payment_batch_id bill_id'.split(' '),
  ],
  bill: [...COMMON, ...'bill_number supplier amount currency payment_id'.split(' ')],
  invoice: [...COMMON, ...'number total currency approval_id'.split(' ')],
  approval: [...COMMON, ...'action_type target_type target_id subject_hash'.split(' ')],
}

/** Names the folder and the files of a noun. */
export const folderOf = (noun: Noun): string => `${noun}s`

/** Writes rows as JSON, one on each line. */
export const toJsonLines = (rows: readonly ListRow[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

/** Writes the head of a CSV: with a byte order mark, so that spreadsheets read UTF-8. */
export const csvHead = (noun: Noun): string => `\ufeff${COLUMNS[noun].join(',')}\r\n`

/** Writes rows as CSV; an apostrophe stands before text that could begin a formula. */
export const toCsv = (noun: Noun, rows: readonly ListRow[]): string =>
  rows.map((row) => `${COLUMNS[noun].map((name) => cellOf(row[name] ?? '')).join(',')}\r\n`).join('')

function cellOf(value: string | number | boolean): string {
  const text = String(value)
  return isPlain(text) ? text : quoteCell(inert(text))
}

/** Puts a text of people on one line, as rows of a list are. */
export const lineOrNull = (text: string | null): string | null => (text === null ? null : onOneLine(text))
