/** What the process of an export finds in its row. */
import { type AskRow, askColumns, askedState } from '../asking.ts'
import { minuteOf } from '../../domain/instants.ts'
import { type ExportStatus, exportFlow } from '../../domain/flows/export.ts'
import type { Found, ProcessRef } from '../../domain/process.ts'
import { type Tx, sql } from '../sql.ts'
import { inTurn } from '../turns.ts'

type Row = AskRow & {
  readonly status: ExportStatus
  readonly format: string
  readonly tries: number
  readonly rows_processed: number
  readonly rows_total: number | null
  readonly failure: string | null
}

/** Whether the file is written, and when it is tried again. */
export async function findExportState(tx: Tx, { id }: ProcessRef): Promise<Found<ExportStatus> | undefined> {
  const [row] = await tx<Row[]>`
    select x.status, x.format, x.tries, x.rows_processed, x.rows_total, x.failure, ${askColumns(sql`x`)} from exports x
    where x.id = ${id}`
  if (!row) return undefined
  const found = { ...askedState(exportFlow, row), says: detailsOf(row), waits_for: 'Write the file again' }
  return inTurn(tx, { flow: exportFlow, queue: 'heavy', id }, found)
}

function detailsOf({ status, format, tries, rows_processed: rows, rows_total: total, ...row }: Row): string {
  const rowsSaid = total === null ? '' : ` ${rows} of ${total} rows.`
  const reason = row.failure ? `: ${row.failure}` : ''
  if (status !== 'pending') return `The export as ${format} has ${status}${reason}, by try ${tries}.${rowsSaid}`
  const again = row.ask_at ? ` It is tried again by ${minuteOf(row.ask_at)}.` : ''
  return tries === 0 ? `Waits for its file, as ${format}.` : `Try ${tries} to write it as ${format}.${rowsSaid}${again}`
}
