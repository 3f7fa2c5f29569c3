import * as v from 'valibot'
import {
  changeCreditNote,
  createCreditNote,
  deleteCreditNote,
  resendCreditNote,
  submitCreditNote,
} from '../../services/credit-notes/commands.ts'
import { findCreditNote, listCreditNotes, requireCreditNote } from '../../services/credit-notes/credit-notes.ts'
import { findPreview } from '../../services/credit-notes/sending.ts'
import { drawPreview } from '../../documents/invoices/preview.ts'
import { findCreditNoteDocument, findPublicCreditNote } from '../../services/credit-notes/documents.ts'
import { historyOf, isRecorded } from '../../services/events.ts'
import type { Editor } from '../../services/invoices/locked.ts'
import { CONTENT_TYPES, type Format } from '../../services/invoice-delivery/documents.ts'
import { requireInvoice } from '../../services/invoices/invoices.ts'
import type { Tx } from '../../db/postgres/sql.ts'
import {
  CreditNote,
  CreditNoteChange,
  CreditNoteFilters,
  NewCreditNote,
} from '../../domain/credit-notes/credit-note.ts'
import { HistoryPage } from '../../domain/event.ts'
import { type CreditNoteId, id } from '../../domain/ids.ts'
import { PdfQuery } from '../../domain/invoice-documents/document.ts'
import { MailRepeat } from '../../domain/invoices/invoice.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { searchOf } from '../http/context.ts'
import { publicPages } from '../http/limits.ts'
import { bytes, download, operations } from '../http/operation.ts'
import type { Context } from '../http/route.ts'
import { editorOf, ownInvoicesOnly } from '../invoices/invoices.ts'
import { refusalPage } from '../invoices/page.ts'
import { downloadOf } from '../invoices/public-page.ts'

const { command, query } = operations('Credit notes')

/** Any token: a malformed one is looked up like a right one, and answered alike. */
const Named = v.object({ token: v.string(), credit_note_id: id<'credit_note'>() })

type OfCreditNote = { readonly params: { readonly credit_note_id: CreditNoteId } }

/** Changes a credit note and reads it; skips the change if an earlier try was committed and its answer lost. */
async function changeOnce(
  context: Context<'org' | 'person' | 'claim' | 'read', OfCreditNote & { readonly tx: Tx }>,
  change: (editor: Editor, id: CreditNoteId) => Promise<void>,
): Promise<CreditNote> {
  const { tx, read, params } = context
  const { credit_note_id: id } = params
  const editor = editorOf(context)
  if (!(await isRecorded(tx, id, editor.cause))) await change(editor, id)
  return findCreditNote(read, id, undefined)
}

async function documentOf(
  context: Context<'org' | 'person' | 'read', OfCreditNote>,
  format: Format,
): Promise<Uint8Array<ArrayBuffer>> {
  const { credit_note_id: id } = context.params
  await requireCreditNote(context.read, id, ownInvoicesOnly(context))
  return (await findCreditNoteDocument(context.read, id, format)).bytes
}

const MAILS =
  'Mails to customers are counted by day, as `customer_mails` and `mails_to_customer`: what is over is refused.'

const MAKING_CREDIT_NOTES = '/invoices/{invoice_id}/credit-notes'

/** Refusals of what a draft says. */
const WRITING = [
  'invalid_state',
  'amount_precision',
  'amount_too_large',
  'credit_exceeds',
  'credit_total_not_positive',
  'external_id_taken',
] as const

export const creditNotes = [
  command('post', MAKING_CREDIT_NOTES, 'createCreditNote')
    .says(
      'Create a credit note of an invoice',
      'A draft, of a sent, finalized or paid invoice: with its own lines, or with `full` all lines of the invoice, as ' +
        'long as nothing of it is credited yet.',
    )
    .of('invoice')
    .delegates('prepare')
    .can('billing_invoices.create')
    .takes(NewCreditNote)
    .refuses(...WRITING)
    .creates(CreditNote, ({ read, claim }) => findCreditNote(read, claim.id, undefined))
    .does((context) => {
      const { tx, claim, params, body } = context
      return createCreditNote(tx, editorOf(context), { id: claim.id, invoiceId: params.invoice_id, wanted: body })
    }),
  query('/invoices/{invoice_id}/credit-notes', 'listInvoiceCreditNotes')
    .says('List the credit notes of an invoice, newest first', 'Drafts too.')
    .of('invoice')
    .delegates('read')
    .can('billing_invoices.read')
    .filters(v.object(PageQuery))
    .answers(pageOf(CreditNote))
    .does(async (context) => {
      const { read, params, query } = context
      const own = ownInvoicesOnly(context)
      await requireInvoice(read, params.invoice_id, own)
      return listCreditNotes(read, { ...query, invoice_id: params.invoice_id }, own)
    }),
  query('/organizations/{organization_id}/credit-notes', 'listCreditNotes')
    .says('List credit notes, newest first', 'All of them, or those of the invoices that you created.')
    .of('organization')
    .delegates('read')
    .can('billing_invoices.list_own')
    .filters(CreditNoteFilters)
    .answers(pageOf(CreditNote))
    .does((context) => listCreditNotes(context.read, searchOf(context, MAKING_CREDIT_NOTES), ownInvoicesOnly(context))),
  query('/credit-notes/{credit_note_id}', 'getCreditNote')
    .says('Read a credit note')
    .of('credit_note')
    .delegates('read')
    .can('billing_invoices.read')
    .answers(CreditNote)
    .does((context) => findCreditNote(context.read, context.params.credit_note_id, ownInvoicesOnly(context))),
  query('/credit-notes/{credit_note_id}/events', 'listCreditNoteEvents')
    .says('List the events of a credit note, oldest first', 'With its mails.')
    .of('credit_note')
    .delegates('read')
    .can('billing_invoices.read')
    .filters(v.object(PageQuery))
    .answers(HistoryPage)
    .does(async (context) => {
      await requireCreditNote(context.read, context.params.credit_note_id, ownInvoicesOnly(context))
      return historyOf(context.read, context.params.credit_note_id, context.query)
    }),
  command('patch', '/credit-notes/{credit_note_id}', 'updateCreditNote')
    .says(
      'Change a draft; its lines are replaced as a whole',
      'What is absent stays. External id and metadata change in any state.',
    )
    .of('credit_note')
    .delegates('prepare')
    .can('billing_invoices.update')
    .takes(CreditNoteChange)
    .refuses(...WRITING)
    .answers(CreditNote)
    .does((context) => changeOnce(context, (editor, id) => changeCreditNote(context.tx, editor, id, context.body))),
  command('delete', '/credit-notes/{credit_note_id}', 'deleteCreditNote')
    .says('Delete a draft')
    .of('credit_note')
    .can('billing_invoices.delete')
    .refuses('invalid_state')
    .deletes()
    .does((context) => deleteCreditNote(context.tx, ownInvoicesOnly(context), context.params.credit_note_id)),
  command('post', '/credit-notes/{credit_note_id}/submit', 'submitCreditNote')
    .says(
      'Submit a credit note',
      `Sends the draft, or requests the approval that the policy requires first; sent, it is never taken back. ${MAILS}`,
    )
    .of('credit_note')
    .can('billing_invoices.submit')
    .takes(v.object({}))
    .refuses('invalid_state', 'invoice_incomplete', 'credit_exceeds')
    .answers(CreditNote)
    .retries('same')
    .does((context) => changeOnce(context, (editor, id) => submitCreditNote(context.tx, editor, id))),
  command('post', '/credit-notes/{credit_note_id}/resend', 'resendCreditNote')
    .says('Mail a credit note again', `To its customer or to other addresses; at most five times an hour. ${MAILS}`)
    .of('credit_note')
    .can('billing_invoices.resend')
    .takes(MailRepeat)
    .refuses('invalid_state')
    .answers(CreditNote)
    .retries('same')
    .does((context) => changeOnce(context, (editor, id) => resendCreditNote(context.tx, editor, id, context.body))),
  query('/credit-notes/{credit_note_id}/pdf', 'getCreditNotePdf')
    .says(
      'Download a credit note as PDF',
      'PDF/A-3, with Factur-X inside if the profile of its invoice is a standard. Only after it was sent, but for a ' +
        'preview.',
    )
    .of('credit_note')
    .delegates('read')
    .can('billing_invoices.read')
    .filters(PdfQuery)
    .refuses('invalid_state')
    .answers(bytes('application/pdf'), ({ credit_note_id: one }) => `credit-note-${one}.pdf`)
    .does(async (context) => {
      const { read, person, params, query } = context
      if (!query.draft) return documentOf(context, 'pdf')
      await requireCreditNote(read, params.credit_note_id, ownInvoicesOnly(context))
      const callers = { organization: read.organizationId, person: person.userId }
      return drawPreview(callers, () => findPreview(read, params.credit_note_id))
    }),
  query('/credit-notes/{credit_note_id}/xml', 'getCreditNoteXml')
    .says(
      'Download a credit note as XML',
      'Of type 381: UBL if the profile is XRechnung, CII otherwise. Only after it was sent.',
    )
    .of('credit_note')
    .delegates('read')
    .can('billing_invoices.read')
    .refuses('invalid_state', 'invoice_incomplete')
    .answers(bytes('application/xml'), ({ credit_note_id: one }) => `credit-note-${one}.xml`)
    .does((context) => documentOf(context, 'xml')),
  query('/i/{token}/credit-notes/{credit_note_id}/pdf', 'getPublicCreditNotePdf')
    .says('Download the PDF of a credit note as its customer')
    .for('anyone')
    .named(Named)
    .limited(publicPages)
    .refuses('invalid_state')
    .atRoot()
    .answers(download(CONTENT_TYPES.pdf, refusalPage))
    .does(({ params }) =>
      downloadOf('pdf', (format) => findPublicCreditNote(params.token, params.credit_note_id, format)),
    ),
  query('/i/{token}/credit-notes/{credit_note_id}/xml', 'getPublicCreditNoteXml')
    .says('Download the XML of a credit note as its customer', 'If its profile is a standard.')
    .for('anyone')
    .named(Named)
    .limited(publicPages)
    .refuses('invalid_state', 'invoice_incomplete')
    .atRoot()
    .answers(download(CONTENT_TYPES.xml, refusalPage))
    .does(({ params }) =>
      downloadOf('xml', (format) => findPublicCreditNote(params.token, params.credit_note_id, format)),
    ),
]
