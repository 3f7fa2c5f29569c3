/** Steps of a batch whose rows are paid. Pages of rows: paying.ts. */
import { batchMoves } from '../../domain/batches/events.ts'
import type { BatchStatus } from '../../domain/batches/flow.ts'
import type { BatchId } from '../../domain/ids.ts'
import { type Tx, sql, within } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import type { Reason } from '../../db/processes/views.ts'
import { countEnded, countUnderWay, nextRow } from './batches.ts'

type Row = {
  readonly status: BatchStatus
  readonly rows_succeeded: number | null
  readonly rows_failed: number | null
  readonly has_rows_left: boolean
}

/** Ends a batch whose rows have all ended; the outcomes of its payments decide the status. */
export async function endBatch(tx: Tx, id: BatchId): Promise<void> {
  const row = await lockRow(tx, id)
  if (row?.status !== 'processing' && row?.status !== 'cancelling') return
  if (row.has_rows_left || (await countUnderWay(within(tx), id)) > 0) return
  const { succeeded, failed } = await countEnded(within(tx), id)
  await transition(tx, batchMoves, id, {
    events: [endOf(row.status, succeeded, failed === 0 && !(await hasSkipped(tx, id)))],
    cause: `batch:${id}:ended`,
    set: sql`rows_succeeded = ${succeeded}, rows_failed = ${failed}`,
    payload: { succeeded, failed },
  })
}

/** Counts the rows of an ended batch again: a payment that came back counts as failed from then on. */
export async function recountBatch(tx: Tx, id: BatchId): Promise<Reason> {
  const row = await lockRow(tx, id)
  if (!row || row.rows_succeeded === null) return
  const { succeeded, failed } = await countEnded(within(tx), id)
  if (succeeded === row.rows_succeeded && failed === row.rows_failed) return
  await tx`update payment_batches set rows_succeeded = ${succeeded}, rows_failed = ${failed} where id = ${id}`
  return 'recounted'
}

async function lockRow(tx: Tx, id: BatchId): Promise<Row | undefined> {
  await tx`select from payment_batches where id = ${id} for no key update`
  const [row] = await tx<Row[]>`
    select b.status, b.rows_succeeded, b.rows_failed, exists (${nextRow(sql`b`)}) as has_rows_left
    from payment_batches b where b.id = ${id}`
  return row
}

/** Returns the event that ends a batch. One that was cancelled too late may have paid all of its rows. */
function endOf(status: BatchStatus, succeeded: number, allPaid: boolean) {
  if (succeeded === 0) return status === 'cancelling' ? 'stop' : 'fail'
  return allPaid ? 'complete' : 'complete_in_part'
}

/** Finds an approved row that was skipped; rows that were left out before the approval have errors. */
async function hasSkipped(tx: Tx, id: BatchId): Promise<boolean> {
  const found = await tx`
    select from payment_batch_rows where payment_batch_id = ${id} and status = 'skipped' and errors = '[]' limit 1`
  return found.length > 0
}
