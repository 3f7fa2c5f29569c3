/** Frozen documents of invoices. None of their companies and accounts exists. */
import type { InvoiceDocument } from '../../../domain/invoice-documents/document.ts'

type Line = InvoiceDocument['lines'][number]

export const lineOf = (given: Partial<Line> = {}): Line => ({
  description: 'Beratung',
  quantity: '1',
  price: '100',
  tax_percentage: '19',
  tax_category: 'S',
  tax_exemption_reason: null,
  total: '100.00',
  ...given,
})

/** An invoice of one line, 119.00 EUR with tax, complete for XRechnung. */
export const documentOf = (given: Partial<InvoiceDocument> = {}): InvoiceDocument => ({
  number: 'INV-000042',
  currency: 'EUR',
  issue_date: '2026-03-02',
  due_date: '2026-04-01',
  delivery_date: null,
  profile: 'xrechnung',
  language: 'de',
  seller: {
    name: 'Lindenhof Werkstätten GmbH',
    address: 'Lindenstraße 12\n04109 Leipzig',
    postal_address: {
      line1: 'Lindenstraße 12',
      line2: null,
      postal_code: '04109',
      city: 'Leipzig',
      country_code: 'DE',
    },
    tax_id: '231/456/78901',
    vat_id: 'DE123456789',
    phone: null,
    contact_name: 'Marta Vogel',
    contact_phone: '+49 341 5550142',
    contact_email: 'rechnung@lindenhof.example',
  },
  buyer: {
    name: 'Stadt Musterhafen',
    address: 'Rathausplatz 1\n26122 Oldenburg',
    postal_address: {
      line1: 'Rathausplatz 1',
      line2: 'Kämmerei',
      postal_code: '26122',
      city: 'Oldenburg',
      country_code: 'DE',
    },
    tax_id: null,
    vat_id: null,
    phone: '+49 441 5550100',
    emails: ['eingang@musterhafen.example'],
    buyer_reference: '04011000-12345-34',
  },
  comments: null,
  notes: null,
  lines: [lineOf()],
  taxes: [{ tax_percentage: '19', tax_category: 'S', tax_exemption_reason: null, base: '100.00', amount: '19.00' }],
  net_total: '100.00',
  tax_total: '19.00',
  total: '119.00',
  account: {
    holder: 'Lindenhof Werkstätten GmbH',
    iban: 'DE02120300000000202051',
    bic: 'BYLADEM1001',
    account_number: null,
    bank_name: 'Sandbox Bank',
    routing_codes: [],
  },
  svc_id: 'lindenhof',
  page_url: 'https://app.example/i/k3J9sQ2mZ8',
  ...given,
})

/** The fields that a bill takes from an invoice, in any form. */
export const billFieldsOf = (document: InvoiceDocument): Readonly<Record<string, string | null | undefined>> => ({
  bill_number: document.number,
  issue_date: document.issue_date,
  due_date: document.due_date,
  currency: document.currency,
  amount: document.total,
  tax_total: document.tax_total,
  supplier_name: document.seller.name,
  supplier_tax_id: document.seller.vat_id,
  payment_reference: document.number,
  iban: document.account?.iban,
  swift_code: document.account?.bic,
  account_holder_name: document.account?.holder,
  bank_country_alpha2: document.account?.iban?.slice(0, 2),
  address_street: document.seller.postal_address?.line1,
  address_postal_code: document.seller.postal_address?.postal_code,
  address_town: document.seller.postal_address?.city,
  address_country: document.seller.postal_address?.country_code,
})
