/** An invoice as it is sent: written down whole, so that nothing that changes later changes it. */
import type { InvoiceId } from '../../domain/ids.ts'
import type { InvoiceDocument } from '../../domain/invoices/document.ts'
import { formatAmount } from '../../domain/money/money.ts'
import { type Tx, first, sql, within } from '../sql.ts'

type Account = { readonly account: string; readonly details: Readonly<Record<string, string>>; readonly holder: string }

type Row = Omit<InvoiceDocument, 'account' | 'page_url' | 'lines'> & {
  readonly lines: InvoiceDocument['lines']
  readonly account: Account | null
}

/**
 * What a customer is sent of an invoice with this number, as seller, customer and receiving account are now; without
 * the address of its page, which opens it and is kept sealed. The caller has locked the invoice.
 */
export async function documentOf(tx: Tx, id: InvoiceId, number: string): Promise<InvoiceDocument> {
  const row = await first(
    within(tx)<Omit<Row, 'number'>>(sql`
      select i.currency, i.issue_date, i.delivery_date, i.due_date, i.profile, c.language, i.comments,
        o.invoice_notes as notes, i.line_items as lines, i.taxes, i.net_total, i.tax_total, i.total, o.svc_id,
        json_build_object('name', coalesce(o.invoice_name, o.name), 'address', o.company_address,
          'postal_address', o.postal_address, 'tax_id', o.tax_id, 'vat_id', o.vat_id, 'phone', null,
          'contact_name', o.contact_name, 'contact_phone', o.contact_phone, 'contact_email', o.contact_email) as seller,
        json_build_object('name', c.company_name, 'address', c.address, 'postal_address', c.postal_address,
          'tax_id', c.tax_id, 'vat_id', c.vat_id, 'phone', c.phone_number, 'emails', coalesce(to_json(c.emails), '[]'),
          'buyer_reference', i.buyer_reference) as buyer,
        (select json_build_object('account', r.account, 'details', r.details, 'holder', coalesce(r.holder, o.name))
          from receiving_accounts r
          where r.organization_id = i.organization_id and r.rail = 'fiat' and r.currency = i.currency
            and r.status = 'active') as account
      from invoices i join organizations o on o.id = i.organization_id
      join billing_contacts c on c.id = i.billing_contact_id
      where i.id = ${id}`),
  )
  if (!row) throw new Error('the invoice is locked')
  const text = (amount: string) => formatAmount(amount, row.currency)
  return {
    ...row,
    number,
    net_total: text(row.net_total),
    tax_total: text(row.tax_total),
    total: text(row.total),
    account: row.account && accountOf(row.account),
    page_url: null,
  }
}

/** By the names that the bank gives the details of an account: docs/partners.md. */
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
