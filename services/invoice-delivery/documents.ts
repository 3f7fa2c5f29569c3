/** Documents of a sent invoice: its PDF and XML, written once, and its public page behind a secret token. */
import { config } from '../../platform/config.ts'
import { decryptForRow, encryptForRow, tokenHash } from '../../platform/encryption.ts'
import { log } from '../../platform/log.ts'
import { type Key, type StoredObject, keyOf } from '../../platform/storage/storage.ts'
import { refuse } from '../../domain/errors.ts'
import { type FileId, type InvoiceId, type OrganizationId, newId } from '../../domain/ids.ts'
import type { InvoiceDocument } from '../../domain/invoice-documents/document.ts'
import { WORDS } from '../../domain/invoice-documents/words.ts'
import { dueAmount, reductionOf } from '../../domain/invoices/due.ts'
import { type EarlyOwed, earlyOffers } from '../../domain/invoices/early-payment.ts'
import type { PublicInvoice } from '../../domain/invoices/public-invoice.ts'
import { formatAmount, fromMinor } from '../../domain/money/money.ts'
import { bytesOf, keep, reserve } from '../files/files.ts'
import { type Fragment, type Reader, type Tx, first, readerOf, sql } from '../../db/postgres/sql.ts'

export type Format = 'pdf' | 'xml'
export const CONTENT_TYPES = { pdf: 'application/pdf', xml: 'application/xml' } as const

export type UnwrittenDocument<Id extends string = InvoiceId> = {
  readonly id: Id
  readonly document: InvoiceDocument
  readonly logo: Buffer | null
}

/** Reads the source of an invoice's documents; undefined if it was not sent, or has them. */
export async function findUnwritten(reader: Reader, id: InvoiceId): Promise<UnwrittenDocument | undefined> {
  const row = await first(
    reader<UnwrittenDocument & { readonly page_token: string | null }>(sql`
      select i.id, i.document, encode(i.page_token_sealed, 'hex') as page_token, l.image as logo
      from invoices i left join logos l on l.organization_id = i.organization_id
      where i.id = ${id} and i.organization_id = ${reader.organizationId} and i.document is not null
        and i.pdf_file_id is null`),
  )
  if (!row) return undefined
  const { page_token: token, document, logo } = row
  return { id, logo, document: { ...document, page_url: pageUrl(id, token) } }
}

/** Reserves the file of a document: it is purged after a day unless recordDocuments() keeps it. */
export async function reserveDocument(
  tx: Tx,
  { id, document }: UnwrittenDocument<string>,
  format: Format,
): Promise<FileId> {
  const fileId = newId<'file'>()
  const filename = filenameOf(document.number, format)
  await reserve(tx, { id: fileId, purpose: 'invoice', ownerId: id, filename, contentType: CONTENT_TYPES[format] })
  return fileId
}

const filenameOf = (number: string, format: Format): string => `${number.replaceAll(/[^A-Za-z0-9-]/g, '-')}.${format}`

type Put = StoredObject & { readonly fileId: FileId; readonly key: Key }
export type Files = { readonly pdf: Put; readonly xml: Put | null }

/** Keeps the files of a document for good; answers their sizes and hashes. */
export async function keepFiles(tx: Tx, { pdf, xml }: Files) {
  for (const file of xml ? [pdf, xml] : [pdf]) await keep(tx, { ...file, days: 'for good' })
  const sizeOf = ({ sha256, byteSize }: Put) => ({ sha256, byte_size: byteSize })
  return { pdf: sizeOf(pdf), xml: xml && sizeOf(xml) }
}

type DraftRow = { readonly state: string; readonly number: string | null; readonly logo: Buffer | null }
export type DraftDocument = { readonly document: InvoiceDocument; readonly logo: Buffer | null }

/** Marks the document of a draft as one: it has no number yet. Refuses `not_found`, and `invalid_state` once it is sent. */
export async function previewOf(
  row: DraftRow | undefined,
  documentOf: () => Promise<InvoiceDocument>,
): Promise<DraftDocument> {
  if (!row) refuse('not_found')
  const { state: current, number, logo } = row
  if (number !== null) refuse('invalid_state', { current, allowed: [] })
  const document = await documentOf()
  return { logo, document: { ...document, number: WORDS[document.language].draft } }
}

type File = { readonly id: FileId; readonly stored_as: string; readonly sha256: string }
export type DocumentRow = Readonly<Record<Format, File | null>> & {
  readonly state: string
  readonly number: string | null
  readonly profile: string
}

/** Seconds within which documents are written, except on a busy machine. */
const PENDING_SECONDS = 5

export type WrittenDocument = { readonly filename: string; readonly bytes: Uint8Array<ArrayBuffer> }

/**
 * Reads a document. Refuses `not_found`, `invalid_state` before it is written, `invoice_incomplete` for XML without a
 * profile, and `service_unavailable` if storage has lost it.
 */
export async function findDocument(reader: Reader, id: InvoiceId, format: Format): Promise<WrittenDocument> {
  const row = await first(
    reader<DocumentRow>(sql`
      select ${documentColumns('i')}, i.profile
      from invoices i where i.id = ${id} and i.organization_id = ${reader.organizationId} and i.deleted_at is null`),
  )
  return openDocument(row, format)
}

/** Selects the columns of a DocumentRow but its profile. */
export function documentColumns(table: 'i' | 'n'): Fragment {
  const file = (column: string) => sql`(
    select json_build_object('id', f.id, 'stored_as', f.stored_as, 'sha256', f.sha256) from files f
    where f.id = ${sql(`${table}.${column}`)})`
  return sql`${sql(table)}.status as state, ${sql(table)}.number, ${file('pdf_file_id')} as pdf,
    ${file('xml_file_id')} as xml`
}

/** Reads the bytes of a document. Refuses like findDocument(). */
export async function openDocument(row: DocumentRow | undefined, format: Format): Promise<WrittenDocument> {
  if (!row) refuse('not_found')
  const { state: current, number, profile, pdf } = row
  if (format === 'xml' && profile === 'none') refuse('invoice_incomplete', { fields: ['profile'] })
  if (number === null) refuse('invalid_state', { current, allowed: ['submit'] })
  const pending = { reason: 'documents_pending', retry_after_seconds: PENDING_SECONDS }
  if (!pdf) refuse('invalid_state', { current, allowed: [], ...pending })
  const found = row[format] ?? refuse('not_found')
  const bytes = await bytesOf({ key: keyOf(found.id, found.stored_as), sha256: found.sha256 })
  if (!bytes) refuse('service_unavailable', { retry_after_seconds: 60 })
  return { filename: filenameOf(number, format), bytes: Uint8Array.from(bytes) }
}

export const sealPageToken = (id: string, token: string): Buffer => encryptForRow(id, { token })

/**
 * Builds the address of the public page; null without a page, or, logged, if its token does not open.
 * @param sealed in hexadecimal
 */
export function pageUrl(id: string, sealed: string | null): string | null {
  if (sealed === null) return null
  try {
    const { token } = decryptForRow(id, Buffer.from(sealed, 'hex')) as { token: string } // as sealPageToken() seals
    return `${config.publicUrl}/i/${token}`
  } catch (error) {
    log.error({ err: error, invoice_id: id }, 'the token of a public page could not be decrypted')
    return null
  }
}

/**
 * Finds the invoice of a token. Refuses `not_found`, with the same work for a wrong, revoked or unknown token, and for
 * a banned or deleted organization.
 */
export async function findByToken(token: string): Promise<{ reader: Reader; id: InvoiceId; profile: string }> {
  const found = await first(
    sql<{ organization_id: OrganizationId; id: InvoiceId; profile: string }[]>`
      select organization_id, id, profile from invoice_of_page(${tokenHash(token)})`,
  )
  if (!found) refuse('not_found')
  return { ...found, reader: readerOf(found.organization_id) }
}

type PublicRow = Omit<EarlyOwed, 'currency'> & {
  readonly state: string
  readonly early_percentage: string | null
  readonly document: InvoiceDocument
  readonly paid_on: string | null
  readonly is_overdue: boolean
  readonly logo_id: string | null
  readonly has_pdf: boolean
  readonly has_xml: boolean
  readonly credit_notes: PublicInvoice['creditNotes']
  readonly settled_by: string | null
}

/** Reads the invoice of a token as it was sent, with its payments since. Refuses `not_found`. */
export async function findPublicInvoice(token: string): Promise<PublicInvoice> {
  const { reader, id } = await findByToken(token)
  const row = await first(
    reader<PublicRow>(sql`
      select i.document, i.status as state, i.total, i.accepted_amount, i.allocated, i.credited, i.settled_by,
        i.issue_date, i.payment_terms, ${earlyPercentage(sql`i`)} as early_percentage,
        ${creditNotesOf(sql`i`, sql`and n.pdf_file_id is not null`)} as credit_notes, i.paid_at::date as paid_on,
        ${isOverdue(sql`i`)} as is_overdue, l.id as logo_id,
        i.pdf_file_id is not null as has_pdf, i.xml_file_id is not null as has_xml
      from invoices i left join logos l on l.organization_id = i.organization_id
      where i.id = ${id} and i.organization_id = ${reader.organizationId}`),
  )
  if (!row) refuse('not_found')
  const { document, accepted_amount: accepted } = row
  const { currency } = document
  return {
    document,
    paidOn: row.paid_on,
    isOverdue: row.is_overdue,
    accepted: accepted === null ? null : formatAmount(accepted, currency),
    settled: formatAmount(row.allocated, currency),
    credited: formatAmount(row.credited, currency),
    isCredited: row.settled_by === 'credit',
    creditNotes: row.credit_notes.map((note) => ({ ...note, total: formatAmount(note.total, currency) })),
    due: dueAmount({ ...row, currency }),
    early: earlyOffers({ ...row, currency }),
    discount: row.early_percentage === null ? null : fromMinor(reductionOf({ ...row, currency }), currency).amount,
    logoId: row.logo_id,
    files: { pdf: row.has_pdf, xml: row.has_xml },
  }
}

/** Selects the sent credit notes of an invoice, in the order of their numbers. */
export const creditNotesOf = (invoice: Fragment, which: Fragment = sql``): Fragment => sql`(
  select coalesce(json_agg(json_build_object('id', n.id, 'number', n.number, 'total', n.total::text)
    order by n.sequence), '[]')
  from credit_notes n where n.invoice_id = ${invoice}.id and n.status = 'sent' and n.deleted_at is null ${which})`

/** Selects what credit notes leave of the accepted amount of an invoice: afterCredit() of domain/invoices/due.ts. */
export const afterCredits = (invoice: Fragment): Fragment => sql`
  least(coalesce(${invoice}.accepted_amount, ${invoice}.total), ${invoice}.total - ${invoice}.credited)`

/** Selects the discount in percent by which an early payment settled an invoice; null for none. */
export const earlyPercentage = (invoice: Fragment): Fragment => sql`
  case when ${invoice}.settled_by = 'early_payment'
      and coalesce(${invoice}.accepted_amount, ${invoice}.total) = ${invoice}.total
    then ${invoice}.early_percentage::text end`

/** Builds a condition: the invoice is past its due date, neither accepted nor paid. */
export const isOverdue = (invoice: Fragment): Fragment =>
  sql`(${invoice}.status = 'sent' and ${invoice}.due_date < (select business_now()::date))`

/** Reads a document of the invoice of a token. Refuses like findDocument(); `not_found` without a profile. */
export async function findPublicDocument(token: string, format: Format): Promise<WrittenDocument> {
  const { reader, id, profile } = await findByToken(token)
  if (format === 'xml' && profile === 'none') refuse('not_found')
  return findDocument(reader, id, format)
}
