/** Lines of the file of results: the cells of a row as they were written, and its outcome. */
import { type Separator, inert, quoteCell } from '../csv.ts'
import { formatAmount } from '../money/money.ts'
import { type Cells, type Column, RESULT_COLUMNS } from './columns.ts'

export type ResultRow = {
  readonly cells: Cells
  readonly status: string
  readonly errors: readonly { readonly column: string | null; readonly code: string; readonly message: string }[]
  readonly payment_id: string | null
  readonly status_detail: string | null
  readonly fee: string | null
  readonly currency: string | null
  readonly settled_at: string | null
  readonly bill_id: string | null
}

/** Writes the header of the file. */
export const resultHeader = (columns: readonly Column[], separator: Separator): string =>
  csvLine([...columns, ...RESULT_COLUMNS], separator)

/** Writes the line of a row. Cells beyond the header are left out; an error mentions them. */
export function resultLine(columns: readonly Column[], separator: Separator, row: ResultRow): string {
  const { cells, fee, currency } = row
  const raw = columns.map((column) => {
    const cell = cells[column] ?? ''
    return column === 'amount' && NUMBER.test(cell) ? cell : inert(cell, separator)
  })
  const charged = fee !== null && currency !== null ? formatAmount(fee, currency) : ''
  const result = [
    row.status,
    inert(errorOf(row), separator),
    row.payment_id ?? '',
    charged,
    row.settled_at ?? '',
    row.bill_id ?? '',
  ]
  return csvLine([...raw, ...result], separator)
}

/** Describes the errors of the cells, and why the payment failed. */
function errorOf({ status, errors, status_detail: detail }: ResultRow): string {
  const said = errors.map(({ column, code, message }) => `${column ? `${column} ` : ''}${code}: ${message}`)
  return [...said, ...(status === 'failed' && detail ? [detail] : [])].join('; ')
}

const NUMBER = /^-?[0-9]+(\.[0-9]+)?$/

/** Writes cells as a line of RFC 4180. */
export const csvLine = (cells: readonly string[], separator: Separator): string =>
  `${cells.map(quoteCell).join(separator)}\r\n`
