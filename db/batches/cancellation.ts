/** A batch is cancelled: before its approval as a whole, afterwards what was not begun of it. */
import { cancelApprovals } from '../approvals/cancellation.ts'
import { inOrder } from '../in-order.ts'
import { requirePermissionLocked } from '../membership-lock.ts'
import type { Person } from '../../domain/actor.ts'
import { batchMoves } from '../../domain/batches/events.ts'
import { refuse } from '../../domain/errors.ts'
import { eventsFrom } from '../../domain/flows/flow.ts'
import { type BatchStatus, batchFlow } from '../../domain/flows/payment-batch.ts'
import { type ApprovalId, type BatchId, newId } from '../../domain/ids.ts'
import type { Tx } from '../sql.ts'
import { transition } from '../transition.ts'
import { skipRows } from './paying.ts'

/**
 * Stops a submitted batch. One that waits for approval is cancelled with its approval; of one that is being paid the
 * rows that are not begun will be skipped, and the others go on. Again, it changes nothing. Refuses `not_found`,
 * `forbidden`, and `invalid_state` for a draft and for a batch that has ended.
 */
export async function cancelBatch(tx: Tx, person: Person, id: BatchId): Promise<void> {
  await requirePermissionLocked(tx, person, 'payments.send_fiat')
  const [approvals, [batch]] = await inOrder(
    () => tx<{ id: ApprovalId }[]>`
      select id from approvals where target_id = ${id} and target_type = 'payment_batch' and status = 'pending'
      order by id for update`,
    () => tx<{ status: BatchStatus }[]>`
      select status from payment_batches where id = ${id} and deleted_at is null for update`,
  )
  if (!batch) refuse('not_found')
  const { status } = batch
  if (status === 'cancelling' || status === 'cancelled') return
  if (status === 'processing') {
    return transition(tx, batchMoves, id, { events: ['cancel'], cause: `cancellation:${newId()}` })
  }
  if (status !== 'awaiting_approval')
    refuse('invalid_state', { current: status, allowed: eventsFrom(batchFlow, status) })
  const waiting = approvals.map((approval) => ({ id: approval.id, target: { type: 'payment_batch', id } as const }))
  const cause = await cancelApprovals(tx, waiting, { why: 'batch cancelled', by: person })
  await transition(tx, batchMoves, id, { events: ['withdraw'], cause: cause(id) })
  await skipRows(tx, id)
}
