/** Commands on invoices: write, change and submit drafts; accept and resend sent ones, and revoke their page. */
import { policyFor } from '../approvals/policies.ts'
import { requestApproval } from '../approvals/requests.ts'
import { lockContact } from '../billing-contacts/billing-contacts.ts'
import { record } from '../events.ts'
import { changeExternal, type ExternalOutcome, isExternalAlone, splitExternal, toExternalRow } from '../external.ts'
import type { Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import { externalInEvent } from '../../domain/external.ts'
import { type InvoiceId, newId } from '../../domain/ids.ts'
import { earlyOffers } from '../../domain/invoices/early-payment.ts'
import { invoiceEvents, invoiceMoves } from '../../domain/invoices/events.ts'
import {
  type Finalization,
  type InvoiceChange,
  type NewInvoice,
  type MailRepeat,
} from '../../domain/invoices/invoice.ts'
import { type Money, canonicalMoney, compare, formatAmount, isZero, moneyOf } from '../../domain/money/money.ts'
import { type Tx, sql, within } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { dueOf, wakeCandidates } from './allocations.ts'
import { type Editor, type LockedInvoice, lockInvoice, requireState } from './locked.ts'
import { claimAttachments } from './attachments.ts'
import { type WrittenInvoice, columnsOf, proveAdded, proveTexts } from './columns.ts'
import type { OwnOnly } from './invoices.ts'
import { countRecipients, requireRoomToResend, sendInvoiceMails } from './mails.ts'
import { documentOf, requireComplete, sendInvoice } from './sending.ts'

async function lockDraft(tx: Tx, { own }: Pick<Editor, 'own'>, id: InvoiceId): Promise<LockedInvoice> {
  const invoice = await lockInvoice(tx, id, own)
  requireState(invoice, 'draft')
  return invoice
}

const EMPTY = {
  comments: null,
  internal_description: null,
  internal_reference_number: null,
  buyer_reference: null,
  delivery_date: null,
  order_number: null,
  period: null,
  discounts: null,
  charges: null,
  payment_terms: null,
  attachments: null,
}

export async function createInvoice(tx: Tx, person: Person, id: InvoiceId, wanted: NewInvoice): Promise<void> {
  const issued = wanted.issue_date ?? (await today(tx))
  const attached = await claimAttachments(tx, [], wanted.attachments ?? [])
  const columns = await columnsOf(tx, { ...EMPTY, ...wanted, issue_date: issued } as WrittenInvoice, attached) // JSON has no undefined
  const row = { id, organization_id: tx.organizationId, status: 'draft', created_by: person.userId }
  await tx`insert into invoices ${sql({ ...row, ...columns, ...toExternalRow(wanted) })}`
  const payload = { ...payloadOf(columns), ...externalInEvent(wanted) }
  await record(tx, invoiceEvents.created, { subjectId: id, cause: `request:${id}`, payload })
}

/** Reads the organization's day. */
export async function today(tx: Tx): Promise<string> {
  const [now] = await tx<{ today: string }[]>`select local_date(${tx.organizationId}, business_now()) as today`
  if (!now) throw new Error('it is always some day')
  return now.today
}

/** Changes a draft, or external id and metadata in any state: an absent field stays. */
export async function changeInvoice(tx: Tx, editor: Editor, id: InvoiceId, wanted: InvoiceChange): Promise<void> {
  const parts = splitExternal(wanted)
  const { external, own } = parts
  const isOfDraft = !isExternalAlone(parts)
  const before = isOfDraft ? await lockDraft(tx, editor, id) : await lockInvoice(tx, id, editor.own)
  const { changed, logged } = await changeExternal(tx, 'invoices', id, external)
  if (isOfDraft) return changeDraft(tx, editor, before, own, { changed, logged })
  if (changed.length === 0) return
  const payload = { changed, ...payloadOf(before), ...logged }
  await record(tx, invoiceEvents.updated, { subjectId: id, cause: editor.cause, payload })
}

async function changeDraft(
  tx: Tx,
  editor: Editor,
  before: LockedInvoice,
  change: InvoiceChange,
  { changed, logged }: ExternalOutcome,
): Promise<void> {
  const { id } = before
  const { attachments: given, ...rest } = change
  const kept = before.attachments
  const attached = given === undefined ? kept : await claimAttachments(tx, kept, given ?? [])
  const columns = await columnsOf(tx, { ...before, ...rest, attachments: null } as WrittenInvoice, attached) // as above
  await tx`update invoices set ${sql({ ...columns })}, updated_at = business_now() where id = ${id}`
  await record(tx, invoiceEvents.updated, {
    subjectId: id,
    cause: editor.cause,
    payload: { changed: [...Object.keys(change), ...changed], ...payloadOf(columns), ...logged },
  })
}

export async function deleteInvoice(tx: Tx, own: OwnOnly, id: InvoiceId): Promise<void> {
  const { attachments } = await lockDraft(tx, { own }, id)
  await claimAttachments(tx, attachments, [])
  await tx`update invoices set deleted_at = business_now(), updated_at = business_now() where id = ${id}`
  await record(tx, invoiceEvents.deleted, { subjectId: id, cause: `deletion:${id}` })
}

type LoggedInvoice = Pick<LockedInvoice, 'billing_contact_id' | 'currency' | 'due_date' | 'total'>

/** Selects the payload of the log, which is kept for ever: without personal data of the customer. */
const payloadOf = ({ billing_contact_id, currency, due_date, total }: LoggedInvoice) => ({
  billing_contact_id,
  currency,
  due_date,
  total,
})

/** Sends a draft, or requests the approval that the policy asks for first. */
export async function submitInvoice(tx: Tx, editor: Editor, id: InvoiceId): Promise<void> {
  const invoice = await lockDraft(tx, editor, id)
  const { currency, due_date, line_items, inserted_at: created_at } = invoice
  const { cause } = editor
  const contact = await lockContact(tx, invoice.billing_contact_id)
  const { company_name, emails } = contact
  const policy = await policyFor(tx, { action_type: 'billing_invoice', amount: { amount: invoice.total, currency } })
  if (!policy) return sendInvoice(tx, id, cause)
  requireComplete(await documentOf(within(tx), id, 'INV'))
  const approvalId = newId<'approval'>()
  const { userId } = editor.person
  await transition(tx, invoiceMoves, id, { events: ['submit'], cause, set: sql`submitted_by = ${userId}` })
  const total = formatAmount(invoice.total, currency)
  await requestApproval(tx, {
    id: approvalId,
    target_type: 'billing_invoice',
    target_id: id,
    requester_id: userId,
    policy,
    // approvers see this, and their step-up is bound to it
    subject: {
      target_id: id,
      contact: { id: contact.id, company_name, emails },
      total,
      currency,
      due_date,
      line_items,
      ...proveTexts(invoice),
      ...proveAdded(invoice),
      number: null,
      created_at,
    },
    content: { kind: 'invoice', name: company_name, total: { amount: total, currency }, due_date },
    cause,
  })
  await tx`update invoices set approval_request_id = ${approvalId} where id = ${id}`
}

/** Records the amount that the customer accepted, by default the total. It is paid if nothing of that is due. */
export async function finalizeInvoice(
  tx: Tx,
  { own, cause }: Editor,
  id: InvoiceId,
  { accepted_amount: given }: Finalization,
): Promise<void> {
  const invoice = await lockInvoice(tx, id, own)
  requireState(invoice, 'sent')
  const { currency, total, allocated } = invoice
  const whole = moneyOf(total, currency)
  const accepted: Money = given === undefined ? whole : canonicalMoney({ amount: given, currency })
  if (compare(accepted, whole) > 0) refuse('accepted_amount_exceeds_total', { total: whole.amount })
  // a discount that is accepted, in time or not
  const discount = earlyOffers({ ...invoice, allocated: '0' }).find(({ payable }) => payable === accepted.amount)
  await transition(tx, invoiceMoves, id, {
    events: ['finalize'],
    cause,
    set: sql`accepted_amount = ${accepted.amount}, early_percentage = ${discount?.percentage ?? null}, finalized_at = business_now(), completed_at = business_now()`,
    payload: { accepted_amount: accepted.amount, total: whole.amount },
  })
  if (!isZero(dueOf({ ...invoice, status: 'finalized', accepted_amount: accepted.amount }))) return
  await wakeCandidates(tx, { invoiceId: id })
  const isPaid = compare(moneyOf(allocated, currency), accepted) >= 0
  const settled = !isPaid ? 'credit' : discount ? 'early_payment' : null
  await transition(tx, invoiceMoves, id, {
    events: ['pay'],
    cause,
    set: sql`paid_at = business_now(), settled_by = ${settled}`,
    payload: {
      elsewhere: false,
      transaction_id: null,
      paid_at: null,
      ...(settled && { settled_by: settled }),
    },
  })
}

/** Mails a sent invoice again, by default to its customer; at most five times an hour. */
export async function resendInvoice(tx: Tx, editor: Editor, id: InvoiceId, { emails }: MailRepeat): Promise<void> {
  const { status, number } = await lockInvoice(tx, id, editor.own)
  if (number === null) refuse('invalid_state', { current: status, allowed: ['submit'] })
  const [found] = await tx<{ written: boolean }[]>`
    select pdf_file_id is not null as written from invoices where id = ${id}`
  if (!found?.written) refuse('invalid_state', { current: status, allowed: [], reason: 'documents_pending' })
  await requireRoomToResend(tx, id, invoiceEvents.resent)
  const to = await countRecipients(tx, id, emails)
  await sendInvoiceMails(tx, id, { kind: 'resend', to, by: editor })
}

/** Revokes the public page of an invoice for good. Refuses `not_found` if it has none. */
export async function revokePublicLink(tx: Tx, own: OwnOnly, id: InvoiceId): Promise<void> {
  await lockInvoice(tx, id, own)
  const revoked = await tx`
    update invoices set page_token_hash = null, page_token_sealed = null, updated_at = business_now()
    where id = ${id} and page_token_hash is not null returning id`
  if (revoked.length === 0) refuse('not_found')
  await record(tx, invoiceEvents.link_revoked, { subjectId: id, cause: `revocation:${id}` })
}
