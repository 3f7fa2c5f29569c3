/** View of an export, by which its run decides. */
import { type AskRow, askColumns } from '../../db/processes/asking.ts'
import { minuteOf } from '../../domain/instants.ts'
import type { ExportStatus } from '../../domain/exports/flow.ts'
import type { ExportId } from '../../domain/ids.ts'
import type { AtRest, Standing } from '../../domain/process.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'
import { type TurnRow, WAITS_FOR_TURN, turnColumns } from '../../db/processes/turns.ts'

type Row = AskRow &
  TurnRow & {
    readonly status: ExportStatus
    readonly format: string
    readonly tries: number
    readonly rows_processed: number
    readonly rows_total: number | null
    readonly failure: string | null
  }

type Pending = Standing<'pending'> & {
  /** Other long work of its organization comes first. */
  readonly waits_for_turn: boolean
  /** The file is written now; else a try failed, and the next one comes later. */
  readonly write_due: boolean
}

/** Reads whether the file of an export is written now, in its turn, or tried again later. */
export async function viewExport(reader: Reader, id: ExportId): Promise<Pending | AtRest | undefined> {
  const [row] = await reader<Row>(sql`
    select x.status, x.format, x.tries, x.rows_processed, x.rows_total, x.failure, ${askColumns(sql`x`)},
      ${turnColumns('heavy', sql`x`)}
    from exports x where x.id = ${id}`)
  if (!row) return undefined
  const { status, due, waits_for_turn } = row
  if (status !== 'pending') return { at_rest: true, status, says: detailsOf(row) }
  if (due && waits_for_turn) {
    const waiting = { step_due: false, look_at: row.turn_backstop, says: WAITS_FOR_TURN }
    return { at_rest: false, status, waits_for_turn, write_due: false, ...waiting }
  }
  const says = detailsOf(row)
  return { at_rest: false, status, waits_for_turn: false, write_due: due, step_due: due, look_at: row.ask_at, says }
}

function detailsOf({ status, format, tries, rows_processed: rows, rows_total: total, ...row }: Row): string {
  const rowsSaid = total === null ? '' : ` ${rows} of ${total} rows.`
  const reason = row.failure ? `: ${row.failure}` : ''
  if (status !== 'pending') return `The export as ${format} has ${status}${reason}, by try ${tries}.${rowsSaid}`
  const again = row.ask_at ? ` It is tried again by ${minuteOf(row.ask_at)}.` : ''
  return tries === 0 ? `Waits for its file, as ${format}.` : `Try ${tries} to write it as ${format}.${rowsSaid}${again}`
}
