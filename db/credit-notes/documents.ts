/** Documents of a sent credit note: its PDF and XML, written once; its customer fetches them by the invoice's page. */
import { config } from '../../platform/config.ts'
import { creditNoteEvents } from '../../domain/credit-notes/events.ts'
import { refuse } from '../../domain/errors.ts'
import { creditNoteFlow } from '../../domain/flows/credit-notes/credit-note.ts'
import type { CreditNoteId, InvoiceId } from '../../domain/ids.ts'
import { askAgain } from '../asking.ts'
import { record } from '../events.ts'
import {
  type DocumentRow,
  type Files,
  type Format,
  type Unwritten,
  type WrittenDocument,
  documentColumns,
  findByToken,
  keepFiles,
  openDocument,
  pageUrl,
} from '../invoices/documents.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../sql.ts'
import { wake } from '../wakes.ts'

type Source = Unwritten<CreditNoteId> & { readonly invoice_id: InvoiceId; readonly page_token: string | null }

/** Reads the source of a credit note's documents; undefined if it was not sent, or has them. */
export async function findUnwritten(reader: Reader, id: CreditNoteId): Promise<Unwritten<CreditNoteId> | undefined> {
  const row = await first(
    reader<Source>(sql`
      select n.id, n.document, n.invoice_id, encode(i.page_token_sealed, 'hex') as page_token, l.image as logo
      from credit_notes n join invoices i on i.id = n.invoice_id left join logos l on l.organization_id = n.organization_id
      where n.id = ${id} and n.organization_id = ${reader.organizationId} and n.document is not null
        and n.pdf_file_id is null`),
  )
  if (!row) return undefined
  const { invoice_id: invoiceId, page_token: token, document, logo } = row
  return { id, logo, document: { ...document, page_url: pageUrl(invoiceId, token) } }
}

/** Records the stored documents as those of the credit note, unless another try was first. */
export async function recordWritten(tx: Tx, id: CreditNoteId, files: Files): Promise<void> {
  const { pdf, xml } = files
  const written = await tx`
    update credit_notes set pdf_file_id = ${pdf.fileId}, xml_file_id = ${xml?.fileId ?? null}, ask_at = null, asks = 0,
      ask_note = null, unclear_since = null
    where id = ${id} and pdf_file_id is null returning id`
  if (written.length === 0) return
  const payload = await keepFiles(tx, files)
  await record(tx, creditNoteEvents.written, { subjectId: id, cause: `file:${pdf.fileId}`, payload })
  wake(tx, creditNoteFlow, { ids: [id], why: 'written' })
}

/** Schedules another try after a failed one, with backoff. */
export async function noteUnwritten(tx: Tx, id: CreditNoteId, note: string): Promise<void> {
  await tx`${askAgain('credit_notes', config.partnerPollSeconds, note)} where id = ${id} and pdf_file_id is null`
  wake(tx, creditNoteFlow, { ids: [id], why: 'not written' })
}

async function findRow(reader: Reader, id: CreditNoteId, which: Fragment = sql``): Promise<DocumentRow | undefined> {
  return first(
    reader<DocumentRow>(sql`
      select ${documentColumns('n')}, i.profile from credit_notes n join invoices i on i.id = n.invoice_id
      where n.id = ${id} and n.organization_id = ${reader.organizationId} and n.deleted_at is null ${which}`),
  )
}

/** Reads a document. Refuses like that of an invoice. */
export const findCreditNoteDocument = async (
  reader: Reader,
  id: CreditNoteId,
  format: Format,
): Promise<WrittenDocument> => openDocument(await findRow(reader, id), format)

/** Reads a document of a sent credit note of the invoice of a token. Refuses `not_found` for any other. */
export async function findPublicCreditNote(token: string, id: CreditNoteId, format: Format): Promise<WrittenDocument> {
  const { reader, id: invoiceId, profile } = await findByToken(token)
  if (format === 'xml' && profile === 'none') refuse('not_found')
  return openDocument(await findRow(reader, id, sql`and n.invoice_id = ${invoiceId} and n.status = 'sent'`), format)
}
