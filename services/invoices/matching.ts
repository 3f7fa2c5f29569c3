/** Matching of invoices with incoming money, also when one is marked as paid elsewhere. */
import { type InvoiceId, type TransactionId, newId } from '../../domain/ids.ts'
import type { PaidElsewhere } from '../../domain/invoices/allocation.ts'
import { dueAmount } from '../../domain/invoices/due.ts'
import { type EarlyOwed, earlyOffers } from '../../domain/invoices/early-payment.ts'
import { invoiceMoves } from '../../domain/invoices/events.ts'
import {
  type IncomingPayment,
  type Match,
  type OpenInvoice,
  keysIn,
  matchOf,
  payerWord,
} from '../../domain/invoices/matching.ts'
import { type Money, compare, formatAmount, moneyOf } from '../../domain/money/money.ts'
import { type Reader, type Tx, sql, within } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import {
  allocate,
  dueOf,
  isEarly,
  leftOf,
  payInvoiceBy,
  requireInPast,
  settlement,
  wakeCandidates,
} from './allocations.ts'
import { type Editor, type LockedInvoice, lockInvoice, requireState } from './locked.ts'

/** Records that an invoice is paid: by a transaction, or elsewhere. */
export const payInvoice = (
  tx: Tx,
  editor: Editor,
  id: InvoiceId,
  { transaction_id: transactionId, paid_at: paidAt }: PaidElsewhere,
): Promise<void> =>
  transactionId ? payInvoiceBy(tx, editor, id, { transactionId, paidAt }) : markPaidElsewhere(tx, editor, id, paidAt)

/**
 * Marks an invoice as paid elsewhere, by default now. If its money is in the books and not allocated yet, that is
 * allocated instead, so that no deposit is left over.
 */
async function markPaidElsewhere(
  tx: Tx,
  { own, cause }: Editor,
  id: InvoiceId,
  paidAt: string | undefined,
): Promise<void> {
  const invoice = await lockInvoice(tx, id, own)
  requireInPast(paidAt)
  requireState(invoice, 'sent', 'finalized')
  const money = await findOwnMoney(tx, invoice)
  if (money) return allocate(tx, invoice, { id: newId(), ...money, by: null, paidAt })
  await wakeCandidates(tx, { invoiceId: id })
  await transition(tx, invoiceMoves, id, {
    events: ['pay'],
    cause,
    set: sql`paid_elsewhere_at = business_now(), paid_elsewhere_amount = ${dueOf(invoice).amount}, paid_at = coalesce(${paidAt ?? null}::timestamptz, business_now()),
      completed_at = coalesce(completed_at, business_now()), ${settlement(invoice)}`,
    payload: {
      elsewhere: true,
      transaction_id: null,
      paid_at: paidAt ?? null,
      ...(isEarly(invoice) && { settled_by: 'early_payment' as const }),
    },
  })
}

/** Most waiting payments that are compared with an invoice. */
const COMPARED_MAX = 20

/** Finds money that certainly pays all of an invoice and is not allocated yet. */
async function findOwnMoney(
  tx: Tx,
  invoice: LockedInvoice,
): Promise<{ transactionId: TransactionId; amount: Money; matched: string } | undefined> {
  const { currency } = invoice
  const amounts = [dueOf(invoice).amount, ...earlyOffers(invoice).map(({ payable }) => payable)]
  const waiting = await tx<(Incoming & { readonly id: TransactionId })[]>`
    select p.id, t.amount, t.currency, t.description as text, t.counterparty as payer, p.inserted_at as came, t.posted_at
    from incoming_payments p join transactions t on t.id = p.id
    where p.organization_id = ${tx.organizationId} and p.status in ('matching', 'proposed')
      and t.currency = ${currency} and t.amount = any (${amounts}::numeric[]) and t.status = 'posted' and t.discarded_at is null
    order by p.inserted_at, p.id limit ${COMPARED_MAX}`
  for (const money of waiting) {
    const match = await matchNow(within(tx), money)
    if (match.kind !== 'certain' || match.invoiceId !== invoice.id) continue
    const amount = moneyOf(money.amount, currency)
    const left = await leftOf(tx, money.id, currency)
    if (compare(left, amount) === 0) return { transactionId: money.id, amount, matched: match.by }
  }
  return undefined
}

export type Incoming = IncomingPayment & {
  readonly currency: string
  /** Instant when it was recorded as a possible payment of an invoice. */
  readonly came: string
  readonly posted_at: string | null
}

type OpenRow = Omit<OpenInvoice, 'due' | 'early' | 'closed'> &
  Omit<EarlyOwed, 'currency'> & {
    readonly status: string
    /** Day of the latest money with this; null without discounts for early payment. */
    readonly day: string | null
  }

/** Most invoices with the amount, and most with the payer's name. */
const LOOKED_AT_MAX = 100

/** Compares incoming money with the invoices that are open in its currency now. */
export async function matchNow(reader: Reader, payment: Incoming): Promise<Match> {
  const { amount, currency, text, payer, came, posted_at: posted } = payment
  const keys = keysIn(text ?? '')
  const rows = await reader<OpenRow>(sql`
    select i.id, i.status, i.number, i.buyer_reference, i.internal_reference_number, c.company_name as customer, i.total,
      i.accepted_amount, i.allocated, i.credited, i.issue_date, i.payment_terms,
      case when i.payment_terms is not null then local_date(i.organization_id, greatest(${posted}::timestamptz, (
        select max(t.posted_at) from invoice_allocations a join transactions t on t.id = a.transaction_id
        where a.invoice_id = i.id and a.taken_back_at is null))) end as day
    from invoices i join billing_contacts c on c.id = i.billing_contact_id
    where i.id = any (array(select payable_invoices(${currency}, ${keys}::text[], ${amount}, ${payerWord(payer)},
        ${LOOKED_AT_MAX})
      union all select invoices_just_paid_elsewhere(${currency}, ${keys}::text[], ${amount}, ${came}::timestamptz)))
    order by i.due_date, i.id`)
  const open = rows.map(({ status, day, ...row }) => ({
    ...row,
    due: dueAmount({ ...row, currency, state: 'sent' }),
    early: earlyOffers({ ...row, currency }).flatMap(({ until, payable }) => (day && day <= until ? [payable] : [])),
    closed: status === 'paid',
  }))
  return matchOf({ ...payment, amount: formatAmount(amount, currency) }, open)
}
