/** The page that a customer opens without signing in: found by the hash of its token, and taken back. */
import { tokenHash } from '../../platform/encryption.ts'
import { record } from '../events.ts'
import { refuse } from '../../domain/errors.ts'
import type { InvoiceId, OrganizationId } from '../../domain/ids.ts'
import { dueAmount } from '../../domain/invoices/due.ts'
import type { InvoiceDocument } from '../../domain/invoices/document.ts'
import { invoiceEvents } from '../../domain/invoices/events.ts'
import type { PublicInvoice } from '../../domain/invoices/public-invoice.ts'
import { formatAmount } from '../../domain/money/money.ts'
import { type Reader, type Tx, first, readerOf, sql } from '../sql.ts'
import { type Editor, lockInvoice } from './drafts.ts'
import { type Format, type WrittenDocument, findDocument } from './writing.ts'

type Found = { readonly reader: Reader; readonly id: InvoiceId; readonly profile: string }

/**
 * Whose invoice a token opens. Refuses `not_found`, with the same work for a token that is wrong, was taken back or
 * never was, and for one of an organization that is banned or deleted.
 */
async function findByToken(token: string): Promise<Found> {
  const found = await first(
    sql<{ organization_id: OrganizationId; id: InvoiceId; profile: string }[]>`
      select organization_id, id, profile from invoice_of_page(${tokenHash(token)})`,
  )
  if (!found) refuse('not_found')
  const { organization_id: organizationId, id, profile } = found
  return { reader: readerOf(organizationId), id, profile }
}

type Row = {
  readonly document: InvoiceDocument
  readonly state: string
  readonly total: string
  readonly accepted_amount: string | null
  readonly allocated: string
  readonly paid_on: string | null
  readonly is_overdue: boolean
  readonly logo_id: string | null
  readonly has_pdf: boolean
  readonly has_xml: boolean
}

/** The invoice that a token opens, as it was sent, and what has become of it. Refuses `not_found`. */
export async function findPublicInvoice(token: string): Promise<PublicInvoice> {
  const { reader, id } = await findByToken(token)
  const row = await first(
    reader<Row>(sql`
      select i.document, i.status as state, i.total, i.accepted_amount, i.allocated, i.paid_at::date as paid_on,
        i.status = 'sent' and i.due_date < business_now()::date as is_overdue, l.id as logo_id,
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
    due: dueAmount({ ...row, currency }),
    logoId: row.logo_id,
    files: { pdf: row.has_pdf, xml: row.has_xml },
  }
}

/**
 * A file of the invoice that a token opens. Refuses `not_found`, also for XML of an invoice that has none,
 * `invalid_state` while it is being written, and `service_unavailable` if storage has lost it.
 */
export async function findPublicDocument(token: string, format: Format): Promise<WrittenDocument> {
  const { reader, id, profile } = await findByToken(token)
  if (format === 'xml' && profile === 'none') refuse('not_found')
  return findDocument(reader, id, format)
}

/** Takes the page of an invoice back: its address opens nothing any more. Refuses `not_found` if there is none. */
export async function revokePublicLink(tx: Tx, editor: Editor, id: InvoiceId): Promise<void> {
  await lockInvoice(tx, editor, id, 'billing_invoices.update')
  const revoked = await tx`
    update invoices set page_token_hash = null, page_token_sealed = null, updated_at = business_now()
    where id = ${id} and page_token_hash is not null returning id`
  if (revoked.length === 0) refuse('not_found')
  await record(tx, invoiceEvents.link_revoked, { subjectId: id, cause: `revocation:${id}` })
}
