/** Credit notes of suppliers: each is set against one bill of the same supplier and currency, and used once. */
import type { LockedBill } from '../bills/fields.ts'
import { findDuplicates } from '../bills/duplicates.ts'
import { sameSupplier } from '../bills/suppliers.ts'
import { selectRun } from '../run-rows/membership.ts'
import type { UsedCredit } from '../run-rows/rows.ts'
import { billFlow } from '../../domain/bills/flow.ts'
import { Refusal } from '../../domain/errors.ts'
import { eventsFrom } from '../../domain/flow.ts'
import type { BatchId, BillId } from '../../domain/ids.ts'
import { compareDecimals } from '../../domain/money/decimal.ts'
import { type Money, moneyOf, subtract } from '../../domain/money/money.ts'
import { type Tx, sql, within } from '../../db/postgres/sql.ts'

/** Tells if a bill is a credit note, which no row pays. */
export const isCredit = ({ not_payable: reason }: LockedBill): boolean => reason === 'credit_note'

/** Bill that credit notes may be set against. */
export type PaidBill = { readonly billId: BillId; readonly money: Money }

/** A bill with the credit notes that lower it, and the money that is left to be paid. */
export type CreditedBill = PaidBill & { readonly credits: readonly UsedCredit[] }

/**
 * Sets each credit note against the first larger bill of its supplier and currency. Refuses those that are of an unknown sender, incomplete, duplicates, used before, or too large.
 */
export async function setCredits(
  tx: Tx,
  bills: readonly PaidBill[],
  notes: readonly LockedBill[],
): Promise<{ readonly bills: readonly CreditedBill[]; readonly refused: ReadonlyMap<string, Refusal> }> {
  const left = new Map<BillId, CreditedBill>(bills.map((bill) => [bill.billId, { ...bill, credits: [] }]))
  const refused = new Map<string, Refusal>()
  if (notes.length === 0) return { bills: [...left.values()], refused }
  const pairs = await findSuppliers(tx, notes, bills)
  const used = await findUsed(tx, notes)
  for (const note of notes) {
    const id = note.id as BillId // of the bill that was locked
    const refusal = (await refusalOf(tx, note)) ?? used.get(id)
    const amount = note.amount?.replace('-', '') ?? '0'
    const found = bills.find(({ billId }) => {
      const bill = left.get(billId)
      return bill && pairs.has(`${id} ${billId}`) && bill.money.currency === note.currency && isLess(amount, bill.money)
    })
    const bill = found && left.get(found.billId)
    if (refusal || !bill) refused.set(id, refusal ?? new Refusal('unprocessable_entity', NOTHING_TO_CREDIT))
    else {
      const money = subtract(bill.money, moneyOf(amount, bill.money.currency))
      left.set(bill.billId, { ...bill, money, credits: [...bill.credits, { billId: id, amount }] })
    }
  }
  return { bills: [...left.values()], refused }
}

const NOTHING_TO_CREDIT = {
  reason: 'no_bill_to_credit',
  what_to_do: 'Name it together with a larger bill of its supplier in its currency.',
}

const isLess = (amount: string, bill: Money): boolean => compareDecimals(amount, bill.amount) < 0

/** Finds what is against using a credit note. */
async function refusalOf(tx: Tx, note: LockedBill): Promise<Refusal | undefined> {
  const { status, amount, currency, file_id: fileId, bill_number: number, sender_is_unknown: isFromStranger } = note
  if (status !== 'extracted') {
    return new Refusal('invalid_state', { current: status, allowed: eventsFrom(billFlow, status) })
  }
  if (isFromStranger) return new Refusal('unprocessable_entity', { reason: 'unknown_sender' })
  const fields = [
    ...(amount === null || compareDecimals(amount, '0') === 0 ? ['amount'] : []),
    ...(currency === null ? ['currency'] : []),
    ...(fileId !== null && !number ? ['bill_number'] : []),
  ]
  if (fields.length > 0) return new Refusal('bill_incomplete', { fields })
  const duplicates = await findDuplicates(within(tx), note.id as BillId) // of the bill that was locked
  const [first] = duplicates
  return first && new Refusal('duplicate_bill', { duplicate_of: first.bill_id, duplicates })
}

/** Finds the bills that credit notes may be set against: those of the same supplier. */
async function findSuppliers(
  tx: Tx,
  notes: readonly LockedBill[],
  bills: readonly PaidBill[],
): Promise<ReadonlySet<string>> {
  const pairs = await tx<{ note: string; bill: string }[]>`
    select c.id as note, b.id as bill from bills c cross join bills b
    where c.id = any (${notes.map(({ id }) => id)}::uuid[]) and b.id = any (${bills.map(({ billId }) => billId)}::uuid[])
      and ${sameSupplier(sql`c`, sql`b`)}`
  return new Set(pairs.map(({ note, bill }) => `${note} ${bill}`))
}

/** Finds the credit notes that a run uses: a statement after their lock. */
async function findUsed(tx: Tx, notes: readonly LockedBill[]): Promise<ReadonlyMap<string, Refusal>> {
  const rows = await tx<{ id: string; run: BatchId | null }[]>`
    select note.id, ${selectRun(sql`note`)} as run from bills note where note.id = any (${notes.map(({ id }) => id)}::uuid[])`
  const used = rows.flatMap(({ id, run }) => (run ? [[id, run] as const] : []))
  const details = (run: BatchId) => ({ current: 'extracted', allowed: [], payment_batch_id: run })
  return new Map(used.map(([id, run]) => [id, new Refusal('bill_payment_in_progress', details(run))]))
}
