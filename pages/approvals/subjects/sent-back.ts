/** A request that was sent back: the reason, the way to change it, and the request that it follows. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { Payment } from '../../../domain/payments/payment.ts'
import type { PaymentDraft } from '../../../domain/payments/draft.ts'
import { isolate } from '../../frame/layout.ts'
import { notice } from '../../frame/parts.ts'
import { speedName } from '../../payments/speed.ts'
import type { Viewer } from '../../frame/viewer.ts'
import type { RequestShell } from '../find.ts'

type Behind = { readonly payment: Payment | null; readonly isOwn: boolean }

/** Shows why a request was sent back, and leads to its change and to the former request. */
export async function showSentBack(viewer: Viewer, request: RequestShell, behind: Behind): Promise<Markup> {
  const { approval, texts } = request
  const { sentBack: words } = texts.words.request
  const { former_approval_id: former, sent_back: isSentBack, rejection_reason: reason } = approval
  const path = isSentBack && behind.isOwn ? await pathToChange(viewer, request, behind) : null
  const link = path ? html`<p><a class="button" href="${path}">${words.change}</a></p>` : ''
  return html`${
    isSentBack
      ? notice(
          'info',
          html`<p>${words.said}: ${isolate(reason ?? '')}</p>
            ${link}`,
        )
      : ''
  }
  ${former ? html`<p class="small"><a href="/approve/${former}">${words.follows}</a></p>` : ''}`
}

/** Finds the page that changes the subject; null if there is none. */
async function pathToChange(viewer: Viewer, { organization, approval }: RequestShell, { payment }: Behind) {
  const of = `/o/${organization.id}`
  const { target_id: id, target_type: type, subject } = approval
  if (payment) return pathOfDraft(viewer, of, payment)
  if (type === 'payment_batch') return `${of}/batches/${id}`
  if (subject.type === 'billing_invoice') {
    const { billing_invoice: invoice, credit_note: note } = subject
    return note ? `${of}/invoices/credit-notes/${note.id}` : `${of}/invoices/${invoice.id}`
  }
  return type === 'payment_contact' ? `${of}/payees/${id}` : null
}

/** Leads to the bill of a payment, or to the form with what was asked for. */
async function pathOfDraft(viewer: Viewer, of: string, { id }: Payment): Promise<string | null> {
  const answer = await viewer.call<PaymentDraft>('GET', `/payments/${id}/draft`)
  if (!answer.ok) return null
  const { bill_id: billId, payment, quote } = answer.body
  if (billId) return `${of}/bills/${billId}`
  const { amount, currency } = quote?.amount ?? payment.amount
  const sent = new URLSearchParams({
    payee: payment.payment_contact_id,
    amount,
    currency,
    reason: payment.payout_reason,
    text: payment.statement_description,
    day: payment.execute_on ?? '',
    notes: payment.internal_notes ?? '',
    former: payment.former_approval_id ?? '',
    speed: quote ? speedName(quote) : 'standard',
  })
  return `${of}/payments/new?${sent.toString()}`
}
