/** An invoice that was sent is accepted, and paid. */
import { now } from '../clock.ts'
import { refuse } from '../model/errors.ts'
import type { InvoiceId } from '../model/ids.ts'
import { invoiceMoves } from '../model/invoices/events.ts'
import type { Finalization } from '../model/invoices/invoice.ts'
import { type Money, canonicalMoney, compare, formatAmount, moneyOf } from '../model/money/money.ts'
import { type Tx, sql } from '../sql.ts'
import { transition } from '../transition.ts'
import { type Editor, lockInvoice, requireState } from './drafts.ts'

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
  const payload = { elsewhere: false, transaction_id: null, paid_at: null }
  await transition(tx, invoiceMoves, id, { events: ['pay'], cause, set: sql`paid_at = business_now()`, payload })
}

/**
 * Writes down that an invoice was paid elsewhere, now unless it says when. Refuses `not_found`, `invalid_state`, and
 * `invalid_request` for an instant to come.
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
  await transition(tx, invoiceMoves, id, {
    events: ['pay'],
    cause: editor.cause,
    set: sql`paid_elsewhere = true, paid_at = coalesce(${paidAt ?? null}::timestamptz, business_now()),
      completed_at = coalesce(completed_at, business_now())`,
    payload: { elsewhere: true, transaction_id: null, paid_at: paidAt ?? null },
  })
}

/** Refuses `invalid_request` for the instant of a payment that is yet to come. */
export function requireInPast(paidAt: string | undefined): void {
  if (paidAt === undefined || Date.parse(paidAt) <= now().getTime()) return
  refuse('invalid_request', { errors: [{ path: 'paid_at', code: 'in_future', message: 'is not past yet' }] })
}
