/** Credit of an invoice by credit notes: what is left to be credited, and what one of them changes. */
import { refuse } from '../../domain/errors.ts'
import type { CreditNoteId } from '../../domain/ids.ts'
import { invoiceEvents, invoiceMoves } from '../../domain/invoices/events.ts'
import { type Money, add, compare, isZero, moneyOf, subtract } from '../../domain/money/money.ts'
import { record } from '../events.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { dueOf, findEarlyPayment, settlement, wakeCandidates } from './allocations.ts'
import type { LockedInvoice } from './locked.ts'

type CreditSums = Pick<LockedInvoice, 'total' | 'credited' | 'currency'>

/** Refuses `credit_exceeds` for more than the total less what is credited already. */
export function requireCreditable({ total, credited, currency }: CreditSums, amount: Money): void {
  const available = subtract(moneyOf(total, currency), moneyOf(credited, currency))
  if (compare(amount, available) > 0) refuse('credit_exceeds', { available: available.amount })
}

type Credit = {
  readonly creditNoteId: CreditNoteId
  readonly number: string
  readonly amount: Money
  readonly cause: string
}

/**
 * Credits a locked invoice by a credit note that is sent in this transaction. An open invoice of which nothing is due
 * then is paid, as is one that an early payment settles now. Refuses `credit_exceeds`.
 */
export async function creditInvoice(tx: Tx, invoice: LockedInvoice, credit: Credit): Promise<void> {
  const { creditNoteId, number, amount, cause } = credit
  const { id, currency, status } = invoice
  requireCreditable(invoice, amount)
  const credited = add(moneyOf(invoice.credited, currency), amount).amount
  await record(tx, invoiceEvents.credited, {
    subjectId: id,
    cause,
    payload: { credit_note_id: creditNoteId, number, amount: amount.amount, currency },
  })
  const isCredited = status !== 'paid' && isZero(dueOf({ ...invoice, credited }))
  const early = status === 'paid' || isCredited ? undefined : await findEarlyPayment(tx, { ...invoice, credited })
  if (!isCredited && !early) {
    await tx`update invoices set credited = ${credited}, updated_at = business_now() where id = ${id}`
    return
  }
  await wakeCandidates(tx, { invoiceId: id })
  await transition(tx, invoiceMoves, id, {
    events: ['pay'],
    cause,
    set: sql`credited = ${credited}, ${early ? settlement(invoice, early) : sql`settled_by = 'credit'`}, paid_at = business_now(),
      completed_at = coalesce(completed_at, business_now())`,
    payload: { elsewhere: false, transaction_id: null, paid_at: null, settled_by: early ? 'early_payment' : 'credit' },
  })
}
