/** The rows of a batch: found and listed, in the order of the file. */
import type { BatchRow, RowFilters, RowStatus } from '../../domain/batches/batch.ts'
import type { Cells } from '../../domain/batches/columns.ts'
import type { Remark } from '../../domain/batches/row.ts'
import { masked } from '../../domain/contacts/destination.ts'
import { refuse } from '../../domain/errors.ts'
import type { BatchId } from '../../domain/ids.ts'
import { moneyOf } from '../../domain/money/money.ts'
import type { Page } from '../../domain/pagination.ts'
import { paged, refuseCursor } from '../pagination.ts'
import { type Fragment, type Reader, first, sql } from '../sql.ts'
import { rowStatus } from './batches.ts'
import { type SealedCells, readableCells } from './cells.ts'
import type { RowRef } from './changes.ts'

type RowRecord = Omit<BatchRow, 'amount' | 'cells' | 'errors' | 'warnings'> &
  SealedCells & {
    readonly errors: Remark[]
    readonly warnings: Remark[]
    readonly amount: string | null
    readonly currency: string | null
  }

const selectRow = (): Fragment => sql`
  select r.id, r.row_number, r.line, ${rowStatus()} as status, r.errors, r.warnings, r.payment_id, r.amount, r.currency,
    r.payee, encode(r.sealed, 'hex') as sealed
  from payment_batch_rows r`

/** One row of a batch of the reader's organization. Refuses `not_found`. */
export async function findRow(reader: Reader, { batchId, rowId }: RowRef): Promise<BatchRow> {
  const row = await first(
    reader<RowRecord>(sql`
      ${selectRow()} where r.id = ${rowId} and r.payment_batch_id = ${batchId}
      and r.organization_id = ${reader.organizationId}`),
  )
  return row ? toRow(row) : refuse('not_found')
}

/** Rows of a batch in the order of its file. The caller has found the batch. */
export async function listRows(reader: Reader, batchId: BatchId, filters: RowFilters): Promise<Page<BatchRow>> {
  const { limit, cursor, status } = filters
  const own = () => sql`payment_batch_id = ${batchId} and organization_id = ${reader.organizationId}`
  const after = cursor
    ? sql`and row_number > (select row_number from payment_batch_rows where id = ${cursor} and ${own()})`
    : sql``
  const rows = await reader<RowRecord>(sql`
    ${selectRow()} where ${own()} ${after} ${status ? withStatus(status) : sql``}
    order by row_number limit ${sql.unsafe(String(limit + 1))}`)
  if (rows.length === 0 && cursor) {
    const known = await reader(sql`select id from payment_batch_rows where id = ${cursor} and ${own()}`)
    if (known.length === 0) refuseCursor()
  }
  const page = paged(rows, limit)
  return { ...page, data: page.data.map(toRow) }
}

/** Of rows `r`: those without a payment stand as they are, the others by their payment. */
function withStatus(status: RowStatus): Fragment {
  if (status === 'valid') return sql`and r.status = 'valid' and r.payment_id is null`
  if (status === 'invalid' || status === 'skipped') return sql`and r.status = ${status}`
  return sql`and r.payment_id is not null and ${rowStatus()} = ${status}`
}

function toRow({ sealed, amount, currency, ...row }: RowRecord): BatchRow {
  const money = amount !== null && currency !== null ? moneyOf(amount, currency) : null
  return { ...row, amount: money, cells: shownCells({ id: row.id, sealed }, row.errors) }
}

/** What names an account is told in full only to be corrected. */
function shownCells(row: SealedCells, errors: readonly Remark[]): Record<string, string> {
  const cells: Cells = readableCells(row)?.cells ?? {}
  const wrong = new Set(errors.map(({ column }) => column))
  const { iban, account_number: number } = cells
  const accounts = Object.entries(masked({ iban: iban ?? null, account_number: number ?? null }))
  const hidden = wrong.has(null) ? [] : accounts.filter(([column]) => !wrong.has(column as 'iban' | 'account_number'))
  return { ...cells, ...Object.fromEntries(hidden.flatMap(([column, cell]) => (cell ? [[column, cell]] : []))) }
}
