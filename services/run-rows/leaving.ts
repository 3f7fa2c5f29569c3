/** Bills that leave a run before it is paid: what people asked for has changed, so their rows go. */
import { cancelApprovals } from '../approvals/requests.ts'
import { recount, skipRows } from '../batches/batches.ts'
import { markDuplicates } from '../batches/verdicts.ts'
import { newCause, record } from '../events.ts'
import { batchEvents, batchMoves } from '../../domain/batches/events.ts'
import type { BatchStatus } from '../../domain/batches/flow.ts'
import { refuse } from '../../domain/errors.ts'
import type { ApprovalId, BatchId, BatchRowId, BillId } from '../../domain/ids.ts'
import { type Fragment, OvertakenError, type Tx, sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { holdsBill } from './membership.ts'

type HeldRow = { readonly id: BatchRowId; readonly batch_id: BatchId; readonly row_number: number }

/** Selects the row that pays a bill, or that a credit note lowers, as long as it is not paid. */
const heldRow = (id: BillId): Fragment => sql`
  select r.id, r.payment_batch_id as batch_id, r.row_number from payment_batch_rows r
  where (r.bill_id = ${id} or r.id in (select c.row_id from payment_batch_credits c where c.bill_id = ${id}))
    and ${holdsBill(sql`r`)}`

/**
 * Takes a bill or a credit note out of its run, with its whole row: what is left pays less than what was asked for, so
 * that approvals stand. Called before the bill is locked. A run without rows left is cancelled. Refuses
 * `bill_payment_in_progress` once the run is approved.
 */
export async function leaveRun(tx: Tx, id: BillId): Promise<void> {
  const [seen] = await tx<HeldRow[]>`${heldRow(id)}`
  if (!seen) return
  const { batch_id: batchId } = seen
  const approvals = await tx<{ id: ApprovalId }[]>`
    select id from approvals where target_id = ${batchId} and target_type = 'payment_batch' and status = 'pending'
    order by id for update`
  await tx`select from payment_batches where id = ${batchId} for update`
  const [batch] = await tx<{ status: BatchStatus; approval_request_id: ApprovalId | null }[]>`
    select status, approval_request_id from payment_batches where id = ${batchId}`
  const [row] = await tx<HeldRow[]>`${heldRow(id)}`
  if (!row || !batch) return
  if (row.batch_id !== batchId) throw new OvertakenError('the bill has joined another run meanwhile')
  const payload = { row_number: row.row_number, bill_id: id }
  switch (batch.status) {
    case 'draft':
    case 'importing':
      await tx`delete from payment_batch_rows where id = ${row.id}`
      await markDuplicates(tx, batchId)
      await recount(tx, batchId)
      return record(tx, batchEvents.row_deleted, { subjectId: batchId, cause: newCause(), payload })
    case 'awaiting_approval':
      if (!approvals.some((one) => one.id === batch.approval_request_id)) {
        throw new OvertakenError('the run was submitted meanwhile')
      }
      await tx`
        update payment_batch_rows set status = 'skipped', updated_at = business_now() where id = ${row.id}`
      await recount(tx, batchId)
      await record(tx, batchEvents.bill_left, { subjectId: batchId, cause: newCause(), payload })
      return cancelEmpty(tx, batchId, approvals)
    default:
      return refuse('bill_payment_in_progress', { current: batch.status, allowed: [], payment_batch_id: batchId })
  }
}

/** Cancels a run that waits for approval and has no row left to be paid. */
async function cancelEmpty(tx: Tx, id: BatchId, approvals: readonly { readonly id: ApprovalId }[]): Promise<void> {
  const left = await tx`
    select from payment_batch_rows where payment_batch_id = ${id} and status = 'valid' limit 1`
  if (left.length > 0) return
  const waiting = approvals.map((approval) => ({ id: approval.id, target: { type: 'payment_batch', id } as const }))
  const by = tx.actor.kind === 'user' ? tx.actor : null
  const cause = await cancelApprovals(tx, waiting, { why: 'all bills left the batch', by })
  await transition(tx, batchMoves, id, { events: ['withdraw'], cause: cause(id) })
  await skipRows(tx, id)
}

/** Has the transaction repeated if a locked bill has joined a run since leaveRun(). */
export async function requireLeft(tx: Tx, id: BillId): Promise<void> {
  const held = await tx`${heldRow(id)}`
  if (held.length > 0) throw new OvertakenError('the bill has joined a run meanwhile')
}
