/** An invoice that was sent is accepted, and paid. */
import { refuse } from '../../domain/errors.ts'
import { type InvoiceId, type TransactionId, newId } from '../../domain/ids.ts'
import { dueAmount } from '../../domain/invoices/due.ts'
import { invoiceMoves } from '../../domain/invoices/events.ts'
import type { Finalization } from '../../domain/invoices/invoice.ts'
import {
  type IncomingPayment,
  type Match,
  type OpenInvoice,
  keysIn,
  matchOf,
  payerWord,
} from '../../domain/invoices/matching.ts'
import { type Money, canonicalMoney, compare, formatAmount, moneyOf } from '../../domain/money/money.ts'
import { type Tx, sql } from '../sql.ts'
import { transition } from '../transition.ts'
import { allocate, dueOf, leftOf, requireInPast, wakeCandidates } from './allocations.ts'
import { type Editor, type LockedInvoice, lockInvoice, requireState } from './drafts.ts'

/**
 * Writes down what the customer accepted, the total unless something is given. What is paid by then is paid. Refuses
 * `not_found`, `invalid_state`, `amount_precision` and `accepted_amount_exceeds_total`.
 */
export async function finalizeInvoice(
  tx: Tx,
  editor: Editor,
  id: InvoiceId,
  { accepted_amount: given }: Finalization,
): Promise<void> {
  const invoice = await lockInvoice(tx, editor, id, 'billing_invoices.update')
  requireState(invoice, 'sent')
  const { currency, total, allocated } = invoice
  const whole = moneyOf(total, currency)
  const accepted: Money = given === undefined ? whole : canonicalMoney({ amount: given, currency })
  if (compare(accepted, whole) > 0) refuse('accepted_amount_exceeds_total', { total: whole.amount })
  const isPaid = compare(moneyOf(allocated, currency), accepted) >= 0
  const { cause } = editor
  await transition(tx, invoiceMoves, id, {
    events: ['finalize'],
    cause,
    set: sql`accepted_amount = ${accepted.amount}, finalized_at = business_now(), completed_at = business_now()`,
    payload: { accepted_amount: accepted.amount, total: formatAmount(total, currency) },
  })
  if (!isPaid) return
  await wakeCandidates(tx, { invoiceId: id })
  const payload = { elsewhere: false, transaction_id: null, paid_at: null }
  await transition(tx, invoiceMoves, id, { events: ['pay'], cause, set: sql`paid_at = business_now()`, payload })
}

/**
 * Writes down that an invoice was paid elsewhere, now unless it says when. If its money is in the books already, and
 * not looked at yet, that is allocated instead, so that no deposit is left over. Refuses `not_found`, `invalid_state`,
 * and `invalid_request` for an instant to come.
 */
export async function markPaidElsewhere(
  tx: Tx,
  editor: Editor,
  id: InvoiceId,
  paidAt: string | undefined,
): Promise<void> {
  const invoice = await lockInvoice(tx, editor, id, 'billing_invoices.update')
  requireInPast(paidAt)
  requireState(invoice, 'sent', 'finalized')
  const own = await findOwnMoney(tx, invoice)
  if (own) {
    const amount = moneyOf(dueOf(invoice), invoice.currency)
    return allocate(tx, invoice, { id: newId(), ...own, amount, by: null, paidAt })
  }
  await wakeCandidates(tx, { invoiceId: id })
  await transition(tx, invoiceMoves, id, {
    events: ['pay'],
    cause: editor.cause,
    set: sql`paid_elsewhere_at = business_now(), paid_at = coalesce(${paidAt ?? null}::timestamptz, business_now()),
      completed_at = coalesce(completed_at, business_now())`,
    payload: { elsewhere: true, transaction_id: null, paid_at: paidAt ?? null },
  })
}

/** Of the money that waits, so much is compared with an invoice. */
const COMPARED_MAX = 20

type OwnMoney = { readonly transactionId: TransactionId; readonly matched: string }

/** Finds money that pays all of an invoice for certain, which its process has not allocated yet, or only proposed. */
async function findOwnMoney(tx: Tx, invoice: LockedInvoice): Promise<OwnMoney | undefined> {
  const { id, currency } = invoice
  const due = dueOf(invoice)
  const waiting = await tx<(Incoming & { readonly id: TransactionId })[]>`
    select p.id, t.amount, t.currency, t.description as text, t.counterparty as payer, p.inserted_at as came
    from incoming_payments p join transactions t on t.id = p.id
    where p.organization_id = ${tx.organizationId} and p.status in ('matching', 'proposed') and t.currency = ${currency}
      and t.amount = ${due} and t.status = 'posted' and t.discarded_at is null
    order by p.inserted_at, p.id limit ${COMPARED_MAX}`
  for (const money of waiting) {
    const match = await matchNow(tx, money)
    if (match.kind !== 'certain' || match.invoiceId !== id) continue
    const left = await leftOf(tx, money.id, currency)
    if (compare(left, moneyOf(due, currency)) === 0) return { transactionId: money.id, matched: match.by }
  }
  return undefined
}

/** Money that came in, as it is compared with invoices. */
export type Incoming = IncomingPayment & {
  readonly currency: string
  /** When it was noted that it may pay an invoice. */
  readonly came: string
}

type OpenRow = Omit<OpenInvoice, 'due' | 'closed'> & {
  readonly status: string
  readonly total: string
  readonly accepted_amount: string | null
  readonly allocated: string
}

/** Of those that have the amount, or the payer's name, so many are looked at. */
const LOOKED_AT_MAX = 100

/** Compares it with the invoices of the organization that are open in its currency, as they are at this moment. */
export async function matchNow(tx: Tx, payment: Incoming): Promise<Match> {
  const { amount, currency, text, payer, came } = payment
  const keys = keysIn(text ?? '')
  const rows = await tx<OpenRow[]>`
    select i.id, i.status, i.number, i.buyer_reference, i.internal_reference_number, c.company_name as customer, i.total,
      i.accepted_amount, i.allocated
    from invoices i join billing_contacts c on c.id = i.billing_contact_id
    where i.id = any (array(select payable_invoices(${currency}, ${keys}::text[], ${amount}, ${payerWord(payer)},
        ${LOOKED_AT_MAX})
      union all select invoices_just_paid_elsewhere(${currency}, ${keys}::text[], ${amount}, ${came}::timestamptz)))
    order by i.due_date, i.id`
  const open = rows.map(({ status, ...row }) => ({
    ...row,
    due: dueAmount({ ...row, currency, state: 'sent' }),
    closed: status === 'paid',
  }))
  return matchOf({ ...payment, amount: formatAmount(amount, currency) }, open)
}
