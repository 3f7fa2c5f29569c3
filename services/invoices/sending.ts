import { newToken, tokenHash } from '../../platform/encryption.ts'
import { refuse } from '../../domain/errors.ts'
import type { InvoiceId } from '../../domain/ids.ts'
import { listUndrawable } from '../../domain/invoice-documents/letters.ts'
import type { StoredAttachment } from '../../domain/invoice-documents/attachment.ts'
import { swissReferencesOf } from '../../domain/invoice-documents/swiss-code.ts'
import { warningsOf } from '../../domain/invoices/warnings.ts'
import type { InvoiceDocument } from '../../domain/invoice-documents/document.ts'
import { invoiceMoves } from '../../domain/invoices/events.ts'
import { referenceKeys } from '../../domain/invoices/matching.ts'
import { missingFor } from '../../domain/invoices/missing.ts'
import { searchWords } from '../../domain/invoices/search.ts'
import { formatAmount } from '../../domain/money/money.ts'
import { type Reader, type Tx, first, sql, within } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { type WrittenInvoice, detailColumns, freezeAdded, isEarlierThanSent } from './columns.ts'
import { selectBankAccountIn } from '../accounts/receiving-accounts.ts'
import { selectVerified } from '../payers/payers.ts'
import { takeNumber } from '../invoice-delivery/numbers.ts'
import { type DraftDocument, previewOf, sealPageToken } from '../invoice-delivery/documents.ts'
import { countInvoiceMails, customerEmails } from './mails.ts'

/**
 * Sends an invoice, which the caller has locked. Concurrent sends of the organization wait for the commit, so its
 * numbers have no gap. Refuses `invoice_incomplete`, since seller and customer may have changed during the approval,
 * and `rate_limited` if its customer cannot be mailed today.
 */
export async function sendInvoice(tx: Tx, id: InvoiceId, cause: string): Promise<void> {
  const recipients = await customerEmails(tx, id)
  await countInvoiceMails(tx, recipients)
  const { sequence, number } = await takeNumber(tx, 'invoice')
  const document = await documentOf(within(tx), id, number)
  requireComplete(document)
  const isEarlier = await hasLaterDay(tx, id)
  const token = newToken()
  await transition(tx, invoiceMoves, id, {
    events: ['send'],
    cause,
    set: sql`sequence = ${sequence}, number = ${number}, document = ${sql.json(document)},
      warnings = ${warningsOf(document, { isEarlier })}, sent_at = business_now(), mail_to = ${[...recipients]}, page_token_hash = ${tokenHash(token)},
      page_token_sealed = ${sealPageToken(id, token)},
      reference_keys = reference_keys || ${referenceKeys([number, ...swissReferencesOf(number)])}::text[],
      own_words = own_words || ${searchWords([number]).join(' ')}::tsvector`,
    payload: { number, total: document.total, currency: document.currency },
  })
}

/** Tells if an invoice that was sent before has a later day than this one. */
async function hasLaterDay(tx: Tx, id: InvoiceId): Promise<boolean> {
  const [row] = await tx<{ later: boolean | null }[]>`
    select ${isEarlierThanSent(sql`i`)} as later from invoices i where i.id = ${id}`
  return row?.later ?? false
}

/** Refuses `invoice_incomplete`: `fields` are missing or cannot be drawn, `undrawable` are the latter. */
export function requireComplete(document: InvoiceDocument): void {
  const undrawable = listUndrawable(document)
  const fields = [...new Set([...missingFor(document), ...undrawable])]
  if (fields.length > 0) refuse('invoice_incomplete', { fields, ...(undrawable.length > 0 && { undrawable }) })
}

type Account = { readonly account: string; readonly details: Readonly<Record<string, string>>; readonly holder: string }
type AddedTerm = 'order_number' | 'period' | 'discounts' | 'charges' | 'payment_terms'
type AttachmentList = { readonly attachments: readonly StoredAttachment[] }
type Row = Omit<InvoiceDocument, 'account' | 'page_url' | 'number' | 'attachments' | AddedTerm> &
  Pick<WrittenInvoice, AddedTerm> &
  AttachmentList & { readonly account: Account | null }

/**
 * Reads the document of an invoice from the present seller, customer and account. It lacks the address of the public
 * page, whose token is only stored encrypted.
 */
export async function documentOf(reader: Reader, id: InvoiceId, number: string): Promise<InvoiceDocument> {
  const row = await first(
    reader<Row>(sql`
      select i.currency, i.issue_date, i.delivery_date, i.due_date, i.profile, c.language, i.comments,
        o.invoice_notes as notes, i.line_items as lines, i.taxes, i.net_total, i.tax_total, i.total, o.svc_id,
        ${detailColumns(sql`i`)},
        json_build_object('name', coalesce(o.invoice_name, ${selectVerified(sql`o`)} ->> 'name', o.name), 'address', o.company_address,
          'postal_address', o.postal_address, 'tax_id', o.tax_id, 'vat_id', o.vat_id, 'phone', null,
          'contact_name', o.contact_name, 'contact_phone', o.contact_phone, 'contact_email', o.contact_email) as seller,
        json_build_object('name', c.company_name, 'address', c.address, 'postal_address', c.postal_address,
          'tax_id', c.tax_id, 'vat_id', c.vat_id, 'phone', c.phone_number, 'emails', coalesce(to_json(c.emails), '[]'),
          'buyer_reference', i.buyer_reference) as buyer,
        (select json_build_object('account', r.account, 'details', r.details, 'holder', coalesce(r.holder, o.name))
          from (${selectBankAccountIn(sql`i.organization_id`, sql`i.currency`)}) r) as account
      from invoices i join organizations o on o.id = i.organization_id
      join billing_contacts c on c.id = i.billing_contact_id
      where i.id = ${id} and i.organization_id = ${reader.organizationId}`),
  )
  if (!row) throw new Error('the invoice is there')
  const { order_number, period, discounts, charges, payment_terms, attachments, account, ...rest } = row
  const { currency, issue_date } = row
  const text = (amount: string) => formatAmount(amount, currency)
  const total = text(row.total)
  const totals = { net_total: text(row.net_total), tax_total: text(row.tax_total), total }
  const added = { order_number, period, discounts, charges, payment_terms, attachments }
  const frozen = freezeAdded(added, { issue_date, currency, total })
  return { ...rest, ...frozen, number, ...totals, account: account && accountOf(account), page_url: null }
}

/** Reads a draft as it would be sent now. Refuses like previewOf(). */
export async function findPreview(reader: Reader, id: InvoiceId): Promise<DraftDocument> {
  const row = await first(
    reader<{ state: string; number: string | null; logo: Buffer | null }>(sql`
      select i.status as state, i.number, l.image as logo
      from invoices i left join logos l on l.organization_id = i.organization_id
      where i.id = ${id} and i.organization_id = ${reader.organizationId} and i.deleted_at is null`),
  )
  return previewOf(row, () => documentOf(reader, id, ''))
}

/** Maps the bank's names for the details of an account (docs/partners.md). */
function accountOf({ account, details, holder }: Account): NonNullable<InvoiceDocument['account']> {
  const { iban = null, swift_code: bic = null, account_number: number, bank_name: bank = null, ...others } = details
  const codes = Object.entries(others).filter(([name]) => name.endsWith('_code') && name !== 'country_code')
  return {
    holder: details['account_holder_name'] ?? holder,
    iban,
    bic,
    account_number: number ?? (iban === null ? account : null),
    bank_name: bank,
    routing_codes: codes.map(([name, value]) => ({ name, value })),
  }
}
