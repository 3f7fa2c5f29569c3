/** What became of a batch, as a file: its cells as they were written, and beside them what happened to each row. */
import { setImmediate as immediate } from 'node:timers/promises'
import type { BatchId, OrganizationId } from '../../domain/ids.ts'
import { type ResultRow, UNREADABLE, resultHeader, resultLine } from '../../domain/batches/results.ts'
import type { Column } from '../../domain/batches/columns.ts'
import type { Separator } from '../../domain/csv.ts'
import { refuse } from '../../domain/errors.ts'
import { type Reader, first, inSnapshot, sql } from '../sql.ts'
import { rowStatus } from './batches.ts'
import { readableCells } from './cells.ts'

/** Rows are opened so many at a time, so that nobody else waits long for the processor. */
const PAGE = 250

type Row = Omit<ResultRow, 'cells' | 'more'> & {
  readonly id: string
  readonly sealed: string
  readonly row_number: number
}

/** How a batch's file is written: as the one that was imported. */
type Form = { readonly columns: readonly Column[]; readonly separator: Separator }

/**
 * Hands on the file of a batch's results piece by piece, in UTF-8 with a byte order mark, by the order of its rows, all
 * of one instant. Meanwhile a connection is taken: `take` does not wait for who reads the file. Refuses `not_found`.
 */
export const withResults = (
  organizationId: OrganizationId,
  id: BatchId,
  take: (piece: Buffer) => unknown,
): Promise<void> =>
  inSnapshot(organizationId, async (reader) => {
    const batch = await first(
      reader<Form>(sql`
        select columns, separator from payment_batches
        where id = ${id} and organization_id = ${organizationId} and deleted_at is null`),
    )
    if (!batch) refuse('not_found')
    await take(Buffer.from(`\uFEFF${resultHeader(batch.columns, batch.separator)}`))
    for (let after: number | undefined = 0; after !== undefined;) {
      const rows = await pageOf(reader, id, after)
      await take(Buffer.from(rows.map((row) => lineOf(batch, row)).join('')))
      after = rows.length === PAGE ? rows.at(-1)?.row_number : undefined
      await immediate()
    }
  })

/** Of a row whose cells do not open the rest is told. */
function lineOf({ columns, separator }: Form, row: Row): string {
  const opened = readableCells(row)
  if (opened) return resultLine(columns, separator, { ...row, ...opened })
  const { error, ...none } = UNREADABLE
  return resultLine(columns, separator, { ...row, ...none, errors: [error, ...row.errors] })
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
