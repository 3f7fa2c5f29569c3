/** An invoice is submitted, approved if the policy asks for it, and sent: under a number, as it is from then on. */
import { requestApproval } from '../approvals/requests.ts'
import { policyFor } from '../approvals/policies.ts'
import { lockContact } from '../billing-contacts/billing-contacts.ts'
import type { BillingContact } from '../../domain/billing-contacts/billing-contact.ts'
import { refuse } from '../../domain/errors.ts'
import { type InvoiceId, newId } from '../../domain/ids.ts'
import { invoiceMoves } from '../../domain/invoices/events.ts'
import { referenceKeys } from '../../domain/invoices/matching.ts'
import type { InvoiceDocument } from '../../domain/invoices/document.ts'
import { missingFor } from '../../domain/invoices/missing.ts'
import { searchWords } from '../../domain/invoices/search.ts'
import { formatAmount } from '../../domain/money/money.ts'
import { quoted } from '../../domain/text.ts'
import { type Tx, first, sql, within } from '../sql.ts'
import { transition } from '../transition.ts'
import { documentOf } from './document.ts'
import { type Editor, type LockedInvoice, lockDraft } from './drafts.ts'
import { countInvoiceMails, customerEmails } from './mails.ts'
import { newPageToken } from './page-token.ts'

/** Before it has one. */
const NO_NUMBER = 'INV'

/**
 * Sends a draft, or asks for the approval that the policy wants first. Refuses `not_found`, `forbidden`,
 * `invalid_state` for what is no draft or whose contact was deleted, `invoice_incomplete` with what its profile lacks,
 * and `rate_limited` if its customer cannot be mailed today.
 */
export async function submitInvoice(tx: Tx, editor: Editor, id: InvoiceId): Promise<void> {
  const invoice = await lockDraft(tx, editor, id, 'billing_invoices.submit')
  const { total, currency } = invoice
  const { cause } = editor
  const contact = await lockContact(tx, invoice.billing_contact_id)
  const policy = await policyFor(tx, { action_type: 'billing_invoice', amount: { amount: total, currency } })
  if (!policy) return sendInvoice(tx, id, cause)
  refuseIncomplete(await documentOf(tx, id, NO_NUMBER))
  const approvalId = newId<'approval'>()
  const { userId } = editor.person
  await transition(tx, invoiceMoves, id, {
    events: ['submit'],
    cause,
    set: sql`approval_request_id = null, submitted_by = ${userId}`,
  })
  await requestApproval(tx, {
    id: approvalId,
    target_type: 'billing_invoice',
    target_id: id,
    requester_id: userId,
    policy,
    subject: subjectOf(invoice, contact),
    summary: `Invoice to ${quoted(contact.company_name)} for ${formatAmount(total, currency)} ${currency}`,
    cause,
  })
  await tx`update invoices set approval_request_id = ${approvalId} where id = ${id}`
}

/** What approvers see, and their step-up is bound to. */
const subjectOf = (invoice: LockedInvoice, { id, company_name, emails }: BillingContact) => ({
  target_id: invoice.id,
  contact: { id, company_name, emails },
  total: formatAmount(invoice.total, invoice.currency),
  currency: invoice.currency,
  due_date: invoice.due_date,
  line_items: invoice.line_items,
  number: null,
  created_at: invoice.inserted_at,
})

function refuseIncomplete(document: InvoiceDocument): void {
  const fields = missingFor(document)
  if (fields.length > 0) refuse('invoice_incomplete', { fields })
}

/**
 * Sends an invoice, which the caller has locked: it gets the next number of its organization, the page that its
 * customer can open, and is written down as it is. Whoever sends another one at this moment waits for the commit: no
 * number is missing. Refuses `invoice_incomplete` for what its profile lacks by now: seller and customer can have
 * changed while it waited for approval; and `rate_limited` if its customer cannot be mailed today.
 */
export async function sendInvoice(tx: Tx, id: InvoiceId, cause: string): Promise<void> {
  const recipients = await customerEmails(tx, id)
  await countInvoiceMails(tx, recipients)
  const { sequence, number } = await nextNumber(tx)
  const document = await documentOf(tx, id, number)
  refuseIncomplete(document)
  await transition(tx, invoiceMoves, id, {
    events: ['send'],
    cause,
    set: sql`sequence = ${sequence}, number = ${number}, document = ${sql.json(document)}, sent_at = business_now(), mail_to = ${[...recipients]},
      ${newPageToken(id)}, reference_keys = reference_keys || ${referenceKeys([number])}::text[],
      own_words = own_words || ${searchWords([number]).join(' ')}::tsvector`,
    payload: { number, total: document.total, currency: document.currency },
  })
}

const NUMBER_DIGITS = 6

async function nextNumber(tx: Tx): Promise<{ readonly sequence: number; readonly number: string }> {
  const [taken] = await tx<{ last: number }[]>`
    insert into invoice_numbers as n (organization_id, last) values (${tx.organizationId}, 1)
    on conflict (organization_id) do update set last = n.last + 1
    returning last`
  const settings = await first(
    within(tx)<{ invoice_prefix: string }>(sql`
      select invoice_prefix from organizations where id = ${tx.organizationId}`),
  )
  if (!taken || !settings) throw new Error('the organization has an invoice')
  const { last: sequence } = taken
  return { sequence, number: settings.invoice_prefix + String(sequence).padStart(NUMBER_DIGITS, '0') }
}
