/** Documents of a sent credit note: its PDF and XML, written once; its customer fetches them by the invoice's page. */
import { refuse } from '../../domain/errors.ts'
import type { CreditNoteId, InvoiceId } from '../../domain/ids.ts'
import {
  type DocumentRow,
  type Format,
  type UnwrittenDocument,
  type WrittenDocument,
  documentColumns,
  findByToken,
  openDocument,
  pageUrl,
} from '../invoice-delivery/documents.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'

type Source = UnwrittenDocument<CreditNoteId> & { readonly invoice_id: InvoiceId; readonly page_token: string | null }

/** Reads the source of a credit note's documents; undefined if it was not sent, or has them. */
export async function findUnwritten(
  reader: Reader,
  id: CreditNoteId,
): Promise<UnwrittenDocument<CreditNoteId> | undefined> {
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
