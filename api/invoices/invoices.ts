import * as v from 'valibot'
import { requireHarmless } from '../../documents/invoices/attachments.ts'
import { drawPreview } from '../../documents/invoices/preview.ts'
import { historyOf, isRecorded } from '../../services/events.ts'
import {
  createAllocation,
  findAllocation,
  listAllocations,
  takeBackAllocation,
} from '../../services/invoices/allocations.ts'
import {
  changeInvoice,
  createInvoice,
  deleteInvoice,
  finalizeInvoice,
  resendInvoice,
  submitInvoice,
} from '../../services/invoices/commands.ts'
import type { Editor } from '../../services/invoices/locked.ts'
import { openSlot, slotOf } from '../../services/files/files.ts'
import { receiveAttachments } from '../../services/invoices/attachments.ts'
import { type Format, findDocument } from '../../services/invoice-delivery/documents.ts'
import {
  type OwnOnly,
  findInvoice,
  listInvoices,
  requireInvoice,
  summarizeInvoices,
} from '../../services/invoices/invoices.ts'
import { findPreview } from '../../services/invoices/sending.ts'
import { payInvoice } from '../../services/invoices/matching.ts'
import type { Tx } from '../../db/postgres/sql.ts'
import { HistoryPage } from '../../domain/event.ts'
import type { InvoiceId } from '../../domain/ids.ts'
import {
  Allocation,
  InvoiceSummary,
  NewAllocation,
  PaidElsewhere,
  SummaryFilters,
} from '../../domain/invoices/allocation.ts'
import {
  Finalization,
  Invoice,
  InvoiceChange,
  InvoiceFilters,
  NewInvoice,
  MailRepeat,
} from '../../domain/invoices/invoice.ts'
import { PdfQuery } from '../../domain/invoice-documents/document.ts'
import { UploadSlot } from '../../domain/files/file.ts'
import { type NewAttachment, NewInvoiceFile } from '../../domain/invoice-documents/attachment.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { can } from '../../domain/permissions.ts'
import { searchOf } from '../http/context.ts'
import { uploadSlots } from '../http/limits.ts'
import { bytes, operations } from '../http/operation.ts'
import type { Context } from '../http/route.ts'

const { command, query } = operations('Invoices')

/** Limits callers without the permission for all invoices to their own. */
export const ownInvoicesOnly = ({ org, person }: Context<'org' | 'person'>): OwnOnly =>
  can(org, 'billing_invoices.list_all') ? undefined : person.userId

type OfInvoice = { readonly params: { readonly invoice_id: InvoiceId } }

export const editorOf = (context: Context<'org' | 'person' | 'claim'>): Editor => ({
  person: context.person,
  own: ownInvoicesOnly(context),
  cause: `request:${context.claim.id}`,
})

/** Changes an invoice and reads it; skips the change if an earlier try was committed and its answer lost. */
async function changeOnce(
  context: Context<'org' | 'person' | 'claim' | 'read', OfInvoice & { readonly tx: Tx }>,
  change: (editor: Editor, id: InvoiceId) => Promise<void>,
): Promise<Invoice> {
  const { tx, read, params } = context
  const { invoice_id: id } = params
  const editor = editorOf(context)
  if (!(await isRecorded(tx, id, editor.cause))) await change(editor, id)
  return findInvoice(read, id, undefined)
}

async function documentOf(
  context: Context<'org' | 'person' | 'read', OfInvoice>,
  format: Format,
): Promise<Uint8Array<ArrayBuffer>> {
  const { invoice_id: id } = context.params
  await requireInvoice(context.read, id, ownInvoicesOnly(context))
  return (await findDocument(context.read, id, format)).bytes
}

const MAILS =
  'Mails to customers are counted by day, as `customer_mails` and `mails_to_customer`: what is over is refused.'

const WRITING = [
  'invalid_state',
  'amount_precision',
  'amount_too_large',
  'invoice_total_negative',
  'file_not_uploaded',
  'upload_size_mismatch',
  'invalid_file',
  'external_id_taken',
] as const

type AttachmentContext = { readonly body: { readonly attachments?: readonly NewAttachment[] | null | undefined } }

async function receiveFiles({ read, person, body }: Context<'read' | 'person', AttachmentContext>): Promise<object> {
  const callers = { organization: read.organizationId, person: person.userId }
  if (body.attachments?.length)
    await receiveAttachments(read, body.attachments, (load) => requireHarmless(callers, load))
  return {}
}

const MAKING_INVOICES = '/organizations/{organization_id}/invoices'

export const invoices = [
  command('post', '/organizations/{organization_id}/invoices/upload', 'createInvoiceUpload')
    .says('Request an upload address for a file of an invoice', 'PUT the file there, then name it in `attachments`.')
    .of('organization')
    .delegates('prepare')
    .can('billing_invoices.create')
    .takes(NewInvoiceFile)
    .limited(uploadSlots)
    .creates(UploadSlot, ({ read, claim }) => slotOf(read, claim.id))
    .does(({ tx, claim, body }) => {
      const { filename, byte_size: byteSize, content_type: contentType } = body
      const slot = { purpose: 'invoice', ownerId: tx.organizationId, filename, byteSize, contentType } as const
      return openSlot(tx, { ...slot, id: claim.id })
    }),
  command('post', MAKING_INVOICES, 'createInvoice')
    .says('Create an invoice', 'A draft, whose totals are computed from its lines.')
    .of('organization')
    .delegates('prepare')
    .can('billing_invoices.create')
    .takes(NewInvoice)
    .refuses(...WRITING)
    .creates(Invoice, ({ read, claim }) => findInvoice(read, claim.id, undefined))
    .prepares((context) => receiveFiles(context))
    .does(({ tx, person, claim, body }) => createInvoice(tx, person, claim.id, body)),
  query('/organizations/{organization_id}/invoices', 'listInvoices')
    .says('List invoices, newest first', 'All of them, or those that you created.')
    .of('organization')
    .delegates('read')
    .can('billing_invoices.list_own')
    .filters(InvoiceFilters)
    .answers(pageOf(Invoice))
    .does((context) => listInvoices(context.read, searchOf(context, MAKING_INVOICES), ownInvoicesOnly(context))),
  query('/invoices/{invoice_id}', 'getInvoice')
    .says('Read an invoice')
    .of('invoice')
    .delegates('read')
    .can('billing_invoices.read')
    .answers(Invoice)
    .does((context) => findInvoice(context.read, context.params.invoice_id, ownInvoicesOnly(context))),
  query('/invoices/{invoice_id}/events', 'listInvoiceEvents')
    .says('List the events of an invoice, oldest first', 'With its mails and payments.')
    .of('invoice')
    .delegates('read')
    .can('billing_invoices.read')
    .filters(v.object(PageQuery))
    .answers(HistoryPage)
    .does(async (context) => {
      await requireInvoice(context.read, context.params.invoice_id, ownInvoicesOnly(context))
      return historyOf(context.read, context.params.invoice_id, context.query)
    }),
  command('patch', '/invoices/{invoice_id}', 'updateInvoice')
    .says(
      'Change a draft; its lines are replaced as a whole',
      'What is absent stays, null empties. External id and metadata change in any state.',
    )
    .of('invoice')
    .delegates('prepare')
    .can('billing_invoices.update')
    .takes(InvoiceChange)
    .refuses(...WRITING)
    .answers(Invoice)
    .prepares((context) => receiveFiles(context))
    .does((context) => changeOnce(context, (editor, id) => changeInvoice(context.tx, editor, id, context.body))),
  command('delete', '/invoices/{invoice_id}', 'deleteInvoice')
    .says('Delete a draft')
    .of('invoice')
    .can('billing_invoices.delete')
    .refuses('invalid_state')
    .deletes()
    .does((context) => deleteInvoice(context.tx, ownInvoicesOnly(context), context.params.invoice_id)),
  command('post', '/invoices/{invoice_id}/allocations', 'createInvoiceAllocation')
    .says(
      'Allocate an incoming transaction to an invoice',
      'To all of it or a part. An invoice that is covered is paid.',
    )
    .of('invoice')
    .can('billing_invoices.allocate')
    .takes(NewAllocation)
    .refuses('invalid_state', 'amount_precision', 'amount_too_large', 'allocation_exceeds')
    .creates(Allocation, ({ read, claim }) => findAllocation(read, claim.id))
    .does((context) => {
      const { tx, claim, params, body } = context
      return createAllocation(tx, editorOf(context), { id: claim.id, invoiceId: params.invoice_id, wanted: body })
    }),
  query('/invoices/{invoice_id}/allocations', 'listInvoiceAllocations')
    .says('List what pays an invoice, newest first')
    .of('invoice')
    .delegates('read')
    .can('billing_invoices.list_allocations')
    .filters(v.object(PageQuery))
    .answers(pageOf(Allocation))
    .does(async (context) => {
      const { read, params, query } = context
      await requireInvoice(read, params.invoice_id, ownInvoicesOnly(context))
      return listAllocations(read, params.invoice_id, query)
    }),
  command('delete', '/invoices/{invoice_id}/allocations/{allocation_id}', 'deleteInvoiceAllocation')
    .says('Remove an allocation', 'An invoice that is no longer covered returns to its previous state.')
    .of('invoice')
    .can('billing_invoices.allocate')
    .deletes()
    .does((context) => {
      const { invoice_id: invoiceId, allocation_id: id } = context.params
      return takeBackAllocation(context.tx, editorOf(context), { invoiceId, id })
    }),
  query('/organizations/{organization_id}/invoices/summary', 'getInvoiceSummary')
    .says(
      'Summarize invoices by currency and month',
      'What is owed, overdue, paid and in draft by currency; what was invoiced and paid by month.',
    )
    .of('organization')
    .delegates('read')
    .can('billing_invoices.view_summary')
    .filters(SummaryFilters)
    .answers(InvoiceSummary)
    .does(({ read, query }) => summarizeInvoices(read, query)),
  command('post', '/invoices/{invoice_id}/submit', 'submitInvoice')
    .says('Submit an invoice', `Sends the draft, or requests the approval that the policy requires first. ${MAILS}`)
    .of('invoice')
    .can('billing_invoices.submit')
    .takes(v.object({}))
    .refuses('invalid_state', 'invoice_incomplete')
    .answers(Invoice)
    .retries('same')
    .does((context) => changeOnce(context, (editor, id) => submitInvoice(context.tx, editor, id))),
  command('post', '/invoices/{invoice_id}/finalize', 'finalizeInvoice')
    .says('Record that the customer accepted an invoice', 'All of it, or less.')
    .of('invoice')
    .can('billing_invoices.update', 'decides')
    .takes(Finalization)
    .refuses('invalid_state', 'amount_precision', 'amount_too_large', 'accepted_amount_exceeds_total')
    .answers(Invoice)
    .retries('same')
    .does((context) => changeOnce(context, (editor, id) => finalizeInvoice(context.tx, editor, id, context.body))),
  command('post', '/invoices/{invoice_id}/mark-paid', 'markInvoicePaid')
    .says('Record that an invoice is paid', 'By a transaction, or elsewhere.')
    .of('invoice')
    .can('billing_invoices.update', 'decides')
    .takes(PaidElsewhere)
    .refuses('invalid_state', 'allocation_exceeds')
    .answers(Invoice)
    .retries('same')
    .does((context) => changeOnce(context, (editor, id) => payInvoice(context.tx, editor, id, context.body))),
  command('post', '/invoices/{invoice_id}/resend', 'resendInvoice')
    .says('Mail an invoice again', `To its customer or to other addresses; at most five times an hour. ${MAILS}`)
    .of('invoice')
    .can('billing_invoices.resend')
    .takes(MailRepeat)
    .refuses('invalid_state')
    .answers(Invoice)
    .retries('same')
    .does((context) => changeOnce(context, (editor, id) => resendInvoice(context.tx, editor, id, context.body))),
  query('/invoices/{invoice_id}/pdf', 'getInvoicePdf')
    .says(
      'Download an invoice as PDF',
      'PDF/A-3, with Factur-X inside if its profile is a standard. Only after it was sent, but for a preview.',
    )
    .of('invoice')
    .delegates('read')
    .can('billing_invoices.read')
    .filters(PdfQuery)
    .refuses('invalid_state')
    .answers(bytes('application/pdf'), ({ invoice_id: id }) => `invoice-${id}.pdf`)
    .does(async (context) => {
      const { read, person, params, query } = context
      if (!query.draft) return documentOf(context, 'pdf')
      await requireInvoice(read, params.invoice_id, ownInvoicesOnly(context))
      const callers = { organization: read.organizationId, person: person.userId }
      return drawPreview(callers, () => findPreview(read, params.invoice_id))
    }),
  query('/invoices/{invoice_id}/xml', 'getInvoiceXml')
    .says('Download an invoice as XML', 'UBL if its profile is XRechnung, CII otherwise. Only after it was sent.')
    .of('invoice')
    .delegates('read')
    .can('billing_invoices.read')
    .refuses('invalid_state', 'invoice_incomplete')
    .answers(bytes('application/xml'), ({ invoice_id: id }) => `invoice-${id}.xml`)
    .does((context) => documentOf(context, 'xml')),
]
