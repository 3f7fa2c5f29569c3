/** The documents of an invoice that was sent: PDF, and XML if its profile asks for it, written once. */
import { askAgain } from '../asking.ts'
import { config } from '../../platform/config.ts'
import { record } from '../events.ts'
import { bytesOf, keep, reserve } from '../files/files.ts'
import { type Key, type Stored, keyOf } from '../../platform/storage/storage.ts'
import { refuse } from '../../domain/errors.ts'
import { invoiceFlow } from '../../domain/flows/invoice.ts'
import { type FileId, type InvoiceId, newId } from '../../domain/ids.ts'
import type { InvoiceDocument } from '../../domain/invoices/document.ts'
import { invoiceEvents } from '../../domain/invoices/events.ts'
import { type Reader, type Tx, first, sql } from '../sql.ts'
import { wake } from '../wakes.ts'
import { pageUrl } from './page-token.ts'

/** Which of the two. */
export type Format = 'pdf' | 'xml'
const CONTENT_TYPES = { pdf: 'application/pdf', xml: 'application/xml' } as const

/** An invoice whose documents are to be written. */
export type Unwritten = { readonly id: InvoiceId; readonly document: InvoiceDocument; readonly logo: Buffer | null }

/** Reads what the documents of an invoice are written from; undefined if it was not sent, or has them. */
export async function findUnwritten(reader: Reader, id: InvoiceId): Promise<Unwritten | undefined> {
  const row = await first(
    reader<Unwritten & { readonly page_token: string | null }>(sql`
      select i.id, i.document, encode(i.page_token_sealed, 'hex') as page_token, l.image as logo from invoices i left join logos l on l.organization_id = i.organization_id
      where i.id = ${id} and i.organization_id = ${reader.organizationId} and i.document is not null
        and i.pdf_file_id is null`),
  )
  if (!row) return undefined
  const { page_token: token, document, ...rest } = row
  return { ...rest, document: { ...document, page_url: pageUrl(id, token) } }
}

/** Notes the file that is about to be put in storage; what comes to nothing is purged after a day. */
export async function reserveDocument(tx: Tx, { id, document }: Unwritten, format: Format): Promise<FileId> {
  const fileId = newId<'file'>()
  const filename = filenameOf(document.number, format)
  await reserve(tx, { id: fileId, purpose: 'invoice', ownerId: id, filename, contentType: CONTENT_TYPES[format] })
  return fileId
}

/** The number without what no file is called. */
const filenameOf = (number: string, format: Format): string => `${number.replaceAll(/[^A-Za-z0-9-]/g, '-')}.${format}`

type Put = Stored & { readonly fileId: FileId; readonly key: Key }

/** Records the documents, which are in storage, as those of the invoice, unless another try was there first. */
export async function recordWritten(tx: Tx, id: InvoiceId, { pdf, xml }: { pdf: Put; xml: Put | null }): Promise<void> {
  const written = await tx`
    update invoices set pdf_file_id = ${pdf.fileId}, xml_file_id = ${xml?.fileId ?? null}, ask_at = null, asks = 0,
      ask_note = null, unclear_since = null
    where id = ${id} and pdf_file_id is null returning id`
  if (written.length === 0) return
  for (const file of xml ? [pdf, xml] : [pdf]) await keep(tx, { ...file, days: 'for good' })
  await record(tx, invoiceEvents.written, {
    subjectId: id,
    cause: `file:${pdf.fileId}`,
    payload: { pdf: sizeOf(pdf), xml: xml && sizeOf(xml) },
  })
  wake(tx, invoiceFlow, { ids: [id], why: 'written' })
}

const sizeOf = ({ sha256, byteSize }: Put) => ({ sha256, byte_size: byteSize })

/** Notes that a try failed: another one follows after a pause that doubles. */
export async function noteUnwritten(tx: Tx, id: InvoiceId, note: string): Promise<void> {
  await tx`${askAgain('invoices', config.partnerPollSeconds, note)} where id = ${id} and pdf_file_id is null`
  wake(tx, invoiceFlow, { ids: [id], why: 'not written' })
}

type File = { readonly id: FileId; readonly stored_as: string; readonly sha256: string }

type DocumentRow = {
  readonly state: string
  readonly number: string | null
  readonly profile: string
  readonly pdf: File | null
  readonly xml: File | null
}

/** Documents are written within this time, but on a busy machine. */
const PENDING_SECONDS = 5

/** A document of an invoice that was sent: its name, and its bytes as they were written. */
export type WrittenDocument = { readonly filename: string; readonly bytes: Uint8Array<ArrayBuffer> }

/**
 * Reads one document. Refuses `not_found`, `invalid_state` before the invoice is sent and while it is being written,
 * `invoice_incomplete` for XML without a profile, and `service_unavailable` if storage has lost it.
 */
export async function findDocument(reader: Reader, id: InvoiceId, format: Format): Promise<WrittenDocument> {
  const file = (column: string) => sql`(
    select json_build_object('id', f.id, 'stored_as', f.stored_as, 'sha256', f.sha256) from files f
    where f.id = ${sql(`i.${column}`)})`
  const row = await first(
    reader<DocumentRow>(sql`
      select i.status as state, i.number, i.profile, ${file('pdf_file_id')} as pdf, ${file('xml_file_id')} as xml
      from invoices i where i.id = ${id} and i.organization_id = ${reader.organizationId} and i.deleted_at is null`),
  )
  if (!row) refuse('not_found')
  const { state, number, profile, pdf } = row
  if (format === 'xml' && profile === 'none') refuse('invoice_incomplete', { fields: ['profile'] })
  if (number === null) refuse('invalid_state', { current: state, allowed: ['submit'] })
  if (!pdf)
    refuse('invalid_state', {
      current: state,
      allowed: [],
      reason: 'documents_pending',
      retry_after_seconds: PENDING_SECONDS,
    })
  const found = row[format] ?? refuse('not_found')
  const bytes = await bytesOf({ key: keyOf(found.id, found.stored_as), sha256: found.sha256 })
  if (!bytes) refuse('service_unavailable', { retry_after_seconds: 60 })
  return { filename: filenameOf(number, format), bytes: Uint8Array.from(bytes) }
}
