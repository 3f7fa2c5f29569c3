/** Bills beneath their payments: one that a payment leaves unpaid is open again. */
import { withCause } from '../events.ts'
import { billMoves } from '../../domain/bills/events.ts'
import type { PaymentStatus } from '../../domain/flows/payment.ts'
import type { BillId, PaymentId } from '../../domain/ids.ts'
import { type Tx, sql } from '../sql.ts'
import { transition } from '../transition.ts'

type Ended = { readonly id: PaymentId; readonly status: PaymentStatus; readonly bill_id: BillId }

/**
 * Opens the bills of those of the payments again that this transaction has ended unpaid. What a worker wrote it has not
 * decided: an approval that waited had its time, and everything later is the partner's word.
 */
export async function reopenBills(
  tx: Tx,
  payments: readonly string[],
  { waited }: { readonly waited: boolean },
): Promise<void> {
  const ended = await tx<Ended[]>`
    select p.id, p.status, b.id as bill_id
    from payments p join bills b on b.id = p.bill_id and b.payment_id = p.id and b.status = 'payment_requested'
    where p.id = any (${[...payments]}) and has_ended_unpaid(p.status) order by b.id for no key update of b`
  const actor = tx.actor.kind === 'worker' ? ({ kind: waited ? 'system' : 'webhook' } as const) : undefined
  for (const payment of ended) await reopenBill(tx, payment, actor)
}

/** Opens a bill again, caused by its payment's end: there are several, which their partner may end by the same word. */
const reopenBill = (
  tx: Tx,
  { id, status, bill_id: billId }: Ended,
  actor: { readonly kind: 'system' | 'webhook' } | undefined,
): Promise<void> =>
  withCause(tx, id, () =>
    transition(tx, billMoves, billId, {
      events: ['payment_ended'],
      cause: `payment:${id}:${status}`,
      set: sql`payment_id = null, approval_request_id = null`,
      payload: { payment_id: id, status },
      actor,
    }),
  )
