/** Reopening of bills whose payments have ended unpaid; a layer below payments, which know no bills. */
import { causeEach, latestEvent } from '../events.ts'
import { billMoves } from '../../domain/bills/events.ts'
import type { PaymentStatus } from '../../domain/payments/flow.ts'
import type { BillId, EventId, PaymentId } from '../../domain/ids.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'

type EndedPayment = {
  readonly bill_id: BillId
  readonly id: PaymentId
  readonly status: PaymentStatus
  readonly event: EventId
}

/**
 * Reopens bills whose payments ended unpaid in this transaction, each caused by its payment. A worker is not the actor:
 * an approval that waited has expired, and later ends come from the partner.
 */
export async function reopenBills(
  tx: Tx,
  payments: readonly string[],
  { waited }: { readonly waited: boolean },
): Promise<void> {
  const rows = await tx<EndedPayment[]>`
    select b.id as bill_id, p.id, p.status, ${latestEvent(tx, sql`p.id`)} as event
    from payments p join bills b on b.id = p.bill_id and b.payment_id = p.id and b.status = 'payment_requested'
    where p.id = any (${[...payments]}) and has_ended_unpaid(p.status) order by b.id for no key update of b`
  if (rows.length === 0) return
  const ended = new Map<string, EndedPayment>(rows.map((row) => [row.bill_id, row]))
  const endOf = (billId: string): EndedPayment => ended.get(billId)! // only called with these bills
  await causeEach(tx, Object.fromEntries(rows.map((row) => [row.bill_id, row.event])))
  await transition(tx, billMoves, [...ended.keys()], {
    events: ['payment_ended'],
    cause: (billId) => `payment:${endOf(billId).id}:${endOf(billId).status}`,
    set: sql`payment_id = null, approval_request_id = null`,
    payload: (billId) => ({ payment_id: endOf(billId).id, status: endOf(billId).status }),
    actor: tx.actor.kind === 'worker' ? { kind: waited ? 'system' : 'webhook' } : undefined,
  })
}
