/** Runs that bills are in: a bill whose row is there and not paid yet, a credit note that lowers a row. */
import type { BatchId, BillId } from '../../domain/ids.ts'
import { type Fragment, type Tx, sql } from '../../db/postgres/sql.ts'

/** Builds the condition that row `r` pays a bill, or will: its bill is in no other run meanwhile. */
export const holdsBill = (r: Fragment): Fragment => sql`${r}.payment_id is null and ${r}.status <> 'skipped'`

/** Builds the condition that row `r` uses its credit notes: it was not left out, and its payment did not end unpaid. */
export const usesCredits = (r: Fragment): Fragment => sql`(${r}.status <> 'skipped' and (${r}.payment_id is null
  or not exists (select from payments u where u.id = ${r}.payment_id and has_ended_unpaid(u.status))))`

/** Selects the batch whose row pays bill `b`, or uses it as a credit note; null for none. */
export const selectRun = (b: Fragment): Fragment => sql`
  case when ${b}.not_payable = 'credit_note' then (
    select r.payment_batch_id from payment_batch_credits c join payment_batch_rows r on r.id = c.row_id
    where c.bill_id = ${b}.id and ${usesCredits(sql`r`)} limit 1)
  else (select r.payment_batch_id from payment_batch_rows r where r.bill_id = ${b}.id and r.status <> 'skipped'
    and (r.payment_id is null or r.payment_id = ${b}.payment_id) limit 1) end`

/** Finds the run of a locked bill that is not paid there yet: a statement of its own, which sees what the lock waited for. */
export async function findRun(tx: Tx, id: BillId): Promise<BatchId | null> {
  const [row] = await tx<{ run: BatchId }[]>`
    select r.payment_batch_id as run from payment_batch_rows r where r.bill_id = ${id} and ${holdsBill(sql`r`)}`
  return row?.run ?? null
}
