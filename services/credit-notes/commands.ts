/** Commands on credit notes: write, change, submit and delete drafts; resend sent ones. */
import { policyFor } from '../approvals/policies.ts'
import { requestApproval } from '../approvals/requests.ts'
import { record } from '../events.ts'
import { changeExternal, isExternalAlone, splitExternal, toExternalRow } from '../external.ts'
import {
  type StoredAdjustment,
  type StoredLine,
  adjustmentColumns,
  proveAdded,
  toAdjustments,
} from '../invoices/columns.ts'
import { today } from '../invoices/commands.ts'
import { type Editor, type LockedInvoice, lockInvoice, requireState } from '../invoices/locked.ts'
import { requireCreditable } from '../invoices/credits.ts'
import type { OwnOnly } from '../invoices/invoices.ts'
import { countRecipients, customerEmails, requireRoomToResend } from '../invoices/mails.ts'
import { requireComplete } from '../invoices/sending.ts'
import type { CreditNoteChange, NewCreditNote } from '../../domain/credit-notes/credit-note.ts'
import { creditNoteEvents, creditNoteMoves } from '../../domain/credit-notes/events.ts'
import { refuse } from '../../domain/errors.ts'
import { externalInEvent } from '../../domain/external.ts'
import { type CreditNoteState, creditNoteFlow } from '../../domain/invoices/credit-note-flow.ts'
import { eventsFrom } from '../../domain/flow.ts'
import { type CreditNoteId, type InvoiceId, newId } from '../../domain/ids.ts'
import type { Invoice, MailRepeat } from '../../domain/invoices/invoice.ts'
import { formatAmount, isZero, moneyOf } from '../../domain/money/money.ts'
import { type Tx, sql, within } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { sendCreditNoteMails } from './mails.ts'
import { documentOf, sendCreditNote } from './sending.ts'

type Lines = NonNullable<NewCreditNote['line_items']>
type Adjustments = { readonly [Name in 'discounts' | 'charges']: NonNullable<NewCreditNote[Name]> }

export type LockedCreditNote = {
  readonly id: CreditNoteId
  readonly invoice_id: InvoiceId
  readonly status: CreditNoteState
  readonly number: string | null
  readonly reason: string
  readonly issue_date: string
  readonly line_items: Lines
  readonly discounts: Adjustments['discounts']
  readonly charges: Adjustments['charges']
  readonly total: string
  readonly is_written: boolean
  readonly inserted_at: string
}

/** Locks a credit note, and then its invoice. Refuses `not_found`, with `own` also if another wrote the invoice. */
export async function lockCreditNote(
  tx: Tx,
  id: CreditNoteId,
  own?: OwnOnly,
): Promise<{ readonly note: LockedCreditNote; readonly invoice: LockedInvoice }> {
  const [note] = await tx<LockedCreditNote[]>`
    select id, invoice_id, status, number, reason, issue_date, line_items, discounts, charges, total, pdf_file_id is not null as is_written,
      inserted_at
    from credit_notes where id = ${id} and deleted_at is null for no key update`
  if (!note) refuse('not_found')
  return { note, invoice: await lockInvoice(tx, note.invoice_id, own) }
}

async function lockDraft(tx: Tx, { own }: Pick<Editor, 'own'>, id: CreditNoteId) {
  const locked = await lockCreditNote(tx, id, own)
  const { status: current } = locked.note
  if (current !== 'draft') refuse('invalid_state', { current, allowed: eventsFrom(creditNoteFlow, current) })
  return locked
}

type New = { readonly id: CreditNoteId; readonly invoiceId: InvoiceId; readonly wanted: NewCreditNote }

/** Begins a credit note of a sent invoice. `full` takes all of it, so that nothing may be credited before. */
export async function createCreditNote(tx: Tx, { person, own }: Editor, { id, invoiceId, wanted }: New): Promise<void> {
  const invoice = await lockInvoice(tx, invoiceId, own)
  requireState(invoice, 'sent', 'finalized', 'paid')
  const { reason, line_items, discounts = [], charges = [] } = wanted
  const sums = line_items
    ? adjustmentColumns({ line_items, discounts, charges, currency: invoice.currency })
    : await sumsOfInvoice(tx, invoiceId)
  const now = await today(tx)
  const day = wanted.issue_date ?? (now < invoice.issue_date ? invoice.issue_date : now)
  const { columns, total } = columnsOf(invoice, { reason, issue_date: day, ...sums })
  const row = { id, organization_id: tx.organizationId, status: 'draft', invoice_id: invoiceId }
  await tx`insert into credit_notes ${sql({ ...row, created_by: person.userId, ...columns, ...toExternalRow(wanted) })}`
  const payload = { invoice_id: invoiceId, total, currency: invoice.currency, ...externalInEvent(wanted) }
  await record(tx, creditNoteEvents.created, { subjectId: id, cause: `request:${id}`, payload })
}

/** Changes a draft, or external id and metadata in any state: an absent field stays. */
export async function changeCreditNote(
  tx: Tx,
  editor: Editor,
  id: CreditNoteId,
  wanted: CreditNoteChange,
): Promise<void> {
  const parts = splitExternal(wanted)
  const { external, own: change } = parts
  const isOfDraft = !isExternalAlone(parts)
  const { note, invoice } = await (isOfDraft ? lockDraft(tx, editor, id) : lockCreditNote(tx, id, editor.own))
  const { changed, logged } = await changeExternal(tx, 'credit_notes', id, external)
  if (!isOfDraft && changed.length === 0) return
  const { reason, issue_date, line_items, discounts, charges } = { ...note, ...change } as LockedCreditNote // JSON has no undefined
  const isRepriced = change.line_items ?? change.discounts ?? change.charges
  const { currency } = invoice
  const sums = isRepriced ? adjustmentColumns({ line_items, discounts, charges, currency }) : { total: note.total }
  const { columns, total } = isOfDraft
    ? columnsOf(invoice, { reason, issue_date, ...sums })
    : { columns: null, ...note }
  if (columns) await tx`update credit_notes set ${sql({ ...columns })}, updated_at = business_now() where id = ${id}`
  const names = [...Object.keys(change), ...changed]
  const payload = { changed: names, invoice_id: invoice.id, total, currency: invoice.currency, ...logged }
  await record(tx, creditNoteEvents.updated, { subjectId: id, cause: editor.cause, payload })
}

export async function deleteCreditNote(tx: Tx, own: OwnOnly, id: CreditNoteId): Promise<void> {
  await lockDraft(tx, { own }, id)
  await tx`update credit_notes set deleted_at = business_now(), updated_at = business_now() where id = ${id}`
  await record(tx, creditNoteEvents.deleted, { subjectId: id, cause: `deletion:${id}` })
}

type NoteInput = { readonly reason: string; readonly issue_date: string; readonly total: string }

/** Reads lines and sums of an invoice as they were charged: rules of rounding may have changed. */
async function sumsOfInvoice(tx: Tx, id: InvoiceId) {
  const [row] = await tx<InvoiceSums[]>`
    select line_items, discounts, charges, taxes, discount_total, charge_total, net_total, tax_total, total
    from invoices where id = ${id}`
  if (!row) throw new Error('the invoice is locked')
  const { line_items, discounts, charges, taxes, ...totals } = row
  const json = { line_items: sql.json(line_items), discounts: sql.json(discounts), charges: sql.json(charges) }
  return { ...json, taxes: sql.json(taxes), ...totals }
}
type InvoiceSums = Pick<Invoice, 'taxes' | 'discount_total' | 'charge_total' | 'net_total' | 'tax_total' | 'total'> & {
  readonly line_items: readonly StoredLine[]
  readonly discounts: readonly StoredAdjustment[]
  readonly charges: readonly StoredAdjustment[]
}

/** Checks the columns of a draft. Refuses what exceeds the invoice, and a date before that of the invoice. */
function columnsOf<Input extends NoteInput>(invoice: LockedInvoice, columns: Input) {
  const { currency } = invoice
  const { issue_date, total } = columns
  if (issue_date < invoice.issue_date) {
    const message = 'is before the issue date of the invoice'
    refuse('invalid_request', { errors: [{ path: 'issue_date', code: 'before_invoice', message }] })
  }
  if (total.startsWith('-') || isZero(moneyOf(total, currency))) refuse('credit_total_not_positive', { total })
  requireCreditable(invoice, moneyOf(total, currency))
  return { columns, total }
}

/** Sends a draft, or requests the approval that the policy asks for first. */
export async function submitCreditNote(tx: Tx, editor: Editor, id: CreditNoteId): Promise<void> {
  const locked = await lockDraft(tx, editor, id)
  const { note, invoice } = locked
  const { cause, person } = editor
  const total = moneyOf(note.total, invoice.currency)
  requireCreditable(invoice, total)
  const policy = await policyFor(tx, { action_type: 'billing_invoice', amount: total })
  if (!policy) return sendCreditNote(tx, locked, cause)
  const document = await documentOf(within(tx), note, 'CN')
  requireComplete(document)
  const { currency } = invoice
  const approvalId = newId<'approval'>()
  await transition(tx, creditNoteMoves, id, {
    events: ['submit'],
    cause,
    set: sql`submitted_by = ${person.userId}`,
  })
  await requestApproval(tx, {
    id: approvalId,
    target_type: 'credit_note',
    target_id: id,
    requester_id: person.userId,
    policy,
    // approvers see this, and their step-up is bound to it; the target is the one that answers name
    subject: {
      target_id: invoice.id,
      billing_invoice: {
        id: invoice.id,
        contact: {
          id: invoice.billing_contact_id,
          company_name: document.buyer.name,
          emails: await customerEmails(tx, invoice.id),
        },
        total: formatAmount(invoice.total, currency),
        currency,
        due_date: invoice.due_date,
        line_items: invoice.line_items,
        ...proveAdded(invoice),
        number: null,
        created_at: invoice.inserted_at,
      },
      credit_note: {
        id,
        invoice_number: invoice.number,
        total: total.amount,
        currency,
        issue_date: note.issue_date,
        reason: note.reason,
        line_items: note.line_items,
        ...(note.discounts.length > 0 && { discounts: toAdjustments(note.discounts) }),
        ...(note.charges.length > 0 && { charges: toAdjustments(note.charges) }),
        created_at: note.inserted_at,
      },
    },
    content: { kind: 'credit_note', name: document.buyer.name, total, number: invoice.number ?? '' },
    cause,
  })
  await tx`update credit_notes set approval_request_id = ${approvalId} where id = ${id}`
}

/** Mails a sent credit note again, by default to the customer; at most five times an hour. */
export async function resendCreditNote(
  tx: Tx,
  editor: Editor,
  id: CreditNoteId,
  { emails }: MailRepeat,
): Promise<void> {
  const { note, invoice } = await lockCreditNote(tx, id, editor.own)
  const { status: current } = note
  if (current !== 'sent') refuse('invalid_state', { current, allowed: ['submit'] })
  if (!note.is_written) refuse('invalid_state', { current, allowed: [], reason: 'documents_pending' })
  await requireRoomToResend(tx, id, creditNoteEvents.resent)
  const to = await countRecipients(tx, invoice.id, emails)
  await sendCreditNoteMails(tx, id, { kind: 'resend', to, by: editor })
}
