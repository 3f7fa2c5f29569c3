/** Bills that rows of a batch pay: requested with the payments of their rows. A layer below batches, which know no bills. */
import { billMoves } from '../../domain/bills/events.ts'
import type { BatchId, BillId, PaymentId } from '../../domain/ids.ts'
import { type Fragment, type Tx, sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { reopenBills } from './reopening.ts'

/** Row that pays a bill, and its payment. */
export type PaidRow = { readonly bill_id: BillId | null; readonly payment: PaymentId }

/** Locks the bills of rows, by id. */
export const lockBills = (tx: Tx, page: Fragment) =>
  tx`select from bills b where b.id in (select r.bill_id from (${page}) r) order by b.id for no key update`

/** Moves the bills of rows that have a payment now; a bill whose payment has ended unpaid can be paid again. */
export async function requestPayments(tx: Tx, batchId: BatchId, rows: readonly PaidRow[]): Promise<void> {
  const paid = new Map(rows.flatMap(({ bill_id: bill, payment }) => (bill ? [[bill as string, payment] as const] : [])))
  if (paid.size === 0) return
  await transition(tx, billMoves, [...paid.keys()].toSorted(), {
    events: ['request_payment'],
    cause: `payment_batch:${batchId}`,
    set: sql`
      payment_id = (select p.id from payments p where p.bill_id = bills.id and p.payment_batch_id = ${batchId}),
      approval_request_id = (select b.approval_request_id from payment_batches b where b.id = ${batchId})`,
    payload: (bill) => ({ payment_id: paid.get(bill)!, payment_batch_id: batchId }), // only called with these bills
  })
  await reopenBills(tx, [...paid.values()], { waited: true })
}
