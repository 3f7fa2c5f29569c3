import { type StoredAdjustment, toAdjustments } from '../invoices/columns.ts'
import { type DraftDocument, previewOf } from '../invoice-delivery/documents.ts'
import { takeNumber } from '../invoice-delivery/numbers.ts'
import { countInvoiceMails, customerEmails } from '../invoices/mails.ts'
import { creditInvoice } from '../invoices/credits.ts'
import type { LockedInvoice } from '../invoices/locked.ts'
import { requireComplete } from '../invoices/sending.ts'
import { creditNoteMoves } from '../../domain/credit-notes/events.ts'
import { creditNoteFlow } from '../../domain/invoices/credit-note-flow.ts'
import type { CreditNoteId } from '../../domain/ids.ts'
import type { InvoiceDocument } from '../../domain/invoice-documents/document.ts'
import { formatAmount, moneyOf } from '../../domain/money/money.ts'
import { type Reader, type Tx, first, sql, within } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { wake } from '../../db/postgres/wakes.ts'
import type { LockedCreditNote } from './commands.ts'

type LockedNote = { readonly note: LockedCreditNote; readonly invoice: LockedInvoice }

/**
 * Sends a credit note and credits its invoice; the caller has locked both. Concurrent sends of the organization wait
 * for the commit, so its numbers have no gap. Refuses `credit_exceeds`, `invoice_incomplete`, and
 * `rate_limited` if the customer cannot be mailed today.
 */
export async function sendCreditNote(tx: Tx, { note, invoice }: LockedNote, cause: string): Promise<void> {
  const { id } = note
  const { currency } = invoice
  const recipients = await customerEmails(tx, invoice.id)
  await countInvoiceMails(tx, recipients)
  const { sequence, number } = await takeNumber(tx, 'credit_note')
  const document = await documentOf(within(tx), note, number)
  requireComplete(document)
  const amount = moneyOf(note.total, currency)
  await transition(tx, creditNoteMoves, id, {
    events: ['send'],
    cause,
    set: sql`sequence = ${sequence}, number = ${number}, document = ${sql.json(document)},
      sent_at = business_now(), mail_to = ${[...recipients]}`,
    payload: { invoice_id: invoice.id, number, total: amount.amount, currency },
  })
  wake(tx, creditNoteFlow, { ids: [id], why: 'sent' }) // its run writes and mails, though nothing drives the state
  await creditInvoice(tx, invoice, { creditNoteId: id, number, amount, cause })
}

type StoredAdjustments = Readonly<Record<'discounts' | 'charges', readonly StoredAdjustment[]>>
type Row = StoredAdjustments &
  Pick<InvoiceDocument, 'lines' | 'taxes' | 'net_total' | 'tax_total' | 'total' | 'issue_date'> & {
    readonly reason: string
    readonly corrected: InvoiceDocument
  }

/** Builds the document of a credit note that is there: parties, order and period are those of the invoice as sent. */
export async function documentOf(
  reader: Reader,
  { id }: { readonly id: CreditNoteId },
  number: string,
): Promise<InvoiceDocument> {
  const row = await first(
    reader<Row>(sql`
      select n.line_items as lines, n.discounts, n.charges, n.taxes, n.net_total, n.tax_total, n.total, n.issue_date, n.reason,
        i.document as corrected
      from credit_notes n join invoices i on i.id = n.invoice_id where n.id = ${id} and n.organization_id = ${reader.organizationId}`),
  )
  if (!row) throw new Error('the credit note is there')
  const { reason, lines, discounts, charges, taxes, issue_date } = row
  const {
    discounts: _less,
    charges: _more,
    early_payment_discounts: _terms,
    attachments: _files,
    ...corrected
  } = row.corrected
  const text = (amount: string) => formatAmount(amount, corrected.currency)
  return {
    ...corrected,
    number,
    corrects: { number: corrected.number, issue_date: corrected.issue_date },
    issue_date,
    due_date: issue_date,
    comments: reason,
    lines,
    ...(discounts.length > 0 && { discounts: toAdjustments(discounts) }),
    ...(charges.length > 0 && { charges: toAdjustments(charges) }),
    taxes,
    net_total: text(row.net_total),
    tax_total: text(row.tax_total),
    total: text(row.total),
  }
}

/** Reads a draft as it would be sent now. Refuses like previewOf(). */
export async function findPreview(reader: Reader, id: CreditNoteId): Promise<DraftDocument> {
  const row = await first(
    reader<{ state: string; number: string | null; logo: Buffer | null }>(sql`
      select n.status as state, n.number, l.image as logo
      from credit_notes n left join logos l on l.organization_id = n.organization_id
      where n.id = ${id} and n.organization_id = ${reader.organizationId} and n.deleted_at is null`),
  )
  return previewOf(row, () => documentOf(reader, { id }, ''))
}
