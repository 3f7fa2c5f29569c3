/** What became of a batch, as a file: its cells as they were written, and beside them what happened to each row. */
import type { BatchId } from '../model/ids.ts'
import { RESULT_COLUMNS, type ResultRow, csvLine, resultLine } from '../model/batches/results.ts'
import type { Column } from '../model/batches/columns.ts'
import { refuse } from '../model/errors.ts'
import { type Reader, first, sql } from '../sql.ts'
import { rowStatus } from './batches.ts'
import { openCells } from './cells.ts'

/** Rows are opened so many at a time, so that nobody else waits long for the processor. */
const PAGE = 500

type Row = Omit<ResultRow, 'cells' | 'more'> & {
  readonly id: string
  readonly sealed: string
  readonly row_number: number
}

/** The file of a batch's results, in UTF-8 with a byte order mark, by the order of its rows. Refuses `not_found`. */
export async function resultsOf(reader: Reader, id: BatchId): Promise<Uint8Array<ArrayBuffer>> {
  const batch = await first(
    reader<{ columns: Column[] }>(sql`
      select columns from payment_batches where id = ${id} and organization_id = ${reader.organizationId}`),
  )
  if (!batch) refuse('not_found')
  const { columns } = batch
  const parts = [`\uFEFF${csvLine([...columns, ...RESULT_COLUMNS])}`]
  for (let after = 0; ;) {
    const rows = await pageOf(reader, id, after)
    parts.push(...rows.map((row) => resultLine(columns, { ...row, ...openCells(row) })))
    if (rows.length < PAGE) return Buffer.from(parts.join(''))
    after = rows.at(-1)?.row_number ?? after
  }
}

const pageOf = (reader: Reader, id: BatchId, after: number): Promise<Row[]> =>
  reader<Row>(sql`
    select r.id, r.row_number, encode(r.sealed, 'hex') as sealed, ${rowStatus()} as status, r.errors, r.payment_id,
      p.status_detail, case when r.payment_id is not null then p.fee_amount::text end as fee, p.deducting_currency as currency,
      t.posted_at as settled_at
    from payment_batch_rows r
    left join payments p on p.id = r.payment_id
    left join transactions t on t.id = p.transaction_id and t.organization_id = p.organization_id
    where r.payment_batch_id = ${id} and r.row_number > ${after}
    order by r.row_number limit ${PAGE}`)
