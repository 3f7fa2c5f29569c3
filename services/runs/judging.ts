/** Bills of a draft that is submitted: each passes the gates of its payment again. */
import type { Person } from '../../domain/people/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import type { BatchId, BillId, UserId } from '../../domain/ids.ts'
import { compareDecimals } from '../../domain/money/decimal.ts'
import type { AskedDay } from '../../domain/payments/schedule.ts'
import { recount } from '../batches/batches.ts'
import type { BillsOfBatch } from '../batches/submission.ts'
import { type LockedBill, lockAllBills } from '../bills/fields.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'
import { type RunBill, passAsRow, readFacts } from './gate.ts'

type Row = {
  readonly id: string
  readonly bill_id: BillId
  /** Sum of the payment and of the credit notes that are set against the bill. */
  readonly asked: string
  readonly paid_at: string
  readonly execute_on: string | null
}

/** Bills that may be paid, and the day that was named for them. */
export type JudgedBills = BillsOfBatch & { readonly on: AskedDay | null }

/**
 * Judges the bills of a draft by the gates of their own payment: all may have changed. A row whose bill does not pass has its refusal as an error.
 */
export async function judgeBills(tx: Tx, person: Person, batchId: BatchId): Promise<JudgedBills> {
  const rows = await tx<Row[]>`
    select r.id, r.bill_id, r.named_destination_id as paid_at, b.execute_on, (r.amount + coalesce((
      select sum(c.amount) from payment_batch_credits c where c.row_id = r.id), 0))::text as asked
    from payment_batch_rows r join payment_batches b on b.id = r.payment_batch_id
    where r.payment_batch_id = ${batchId} and r.bill_id is not null and r.status = 'valid' order by r.row_number`
  if (rows.length === 0) return { ids: [], barred: [], on: null }
  const ids = rows.map(({ bill_id: id }) => id)
  const bills = new Map((await lockAllBills(tx, ids)).map((bill) => [bill.id, bill]))
  const barred = new Set<UserId>()
  const faults: { id: string; type: string; message: string }[] = []
  const read = await readFacts(tx, ids)
  for (const row of rows) {
    const outcome = await judgeBill(tx, person, { row, bill: bills.get(row.bill_id), run: { batchId, on: {}, read } })
    if (outcome instanceof Refusal) faults.push({ id: row.id, type: outcome.type, message: outcome.message })
    else for (const one of outcome.barred) barred.add(one)
  }
  if (faults.length > 0) await markFaulty(tx, batchId, faults)
  const day = rows[0]?.execute_on
  return { ids, barred: [...barred], on: day ? { day, roll: 'following', isDueDate: true } : null }
}

type BillOfRow = {
  readonly row: Row
  readonly bill: LockedBill | undefined
  readonly run: Parameters<typeof passAsRow>[3]
}

/** Leads a bill through its gates; its row has to pay what it would pay now, at the same account. */
async function judgeBill(tx: Tx, person: Person, { row, bill, run }: BillOfRow): Promise<RunBill | Refusal> {
  if (!bill) return new Refusal('not_found')
  const outcome = await passAsRow(tx, person, bill, run)
  if (outcome instanceof Refusal) return outcome
  const isSame = outcome.destination.id === row.paid_at && compareDecimals(outcome.money.amount, row.asked) === 0
  return isSame ? outcome : new Refusal('invalid_state', { reason: 'payee_changed' })
}

async function markFaulty(
  tx: Tx,
  batchId: BatchId,
  faults: readonly { readonly id: string; readonly type: string; readonly message: string }[],
): Promise<void> {
  await tx`
    update payment_batch_rows r set status = 'invalid', updated_at = business_now(),
      errors = r.errors || jsonb_build_array(jsonb_build_object('column', null, 'code', f.type, 'message', f.message))
    from jsonb_to_recordset(${sql.json(faults)}) f (id uuid, type text, message text)
    where r.id = f.id and r.payment_batch_id = ${batchId}`
  await recount(tx, batchId)
}
