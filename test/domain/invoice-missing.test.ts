import { describe, expect, test } from 'vitest'
import { listUndrawable } from '../../domain/invoice-documents/letters.ts'
import { InvoiceDocument, TAX_CATEGORIES } from '../../domain/invoice-documents/document.ts'
import * as v from 'valibot'
import { missingFor } from '../../domain/invoices/missing.ts'
import { documentOf, lineOf } from '../support/invoices/documents.ts'

const whole = documentOf()
const { seller, buyer } = whole
const missing = (given: Partial<InvoiceDocument>) => missingFor(documentOf(given))
const sold = (...lines: Partial<InvoiceDocument['lines'][number]>[]) => ({ lines: lines.map(lineOf) })
const vat = { buyer: { ...buyer, vat_id: 'FR12345678901' } }

test('a whole invoice lacks nothing in any profile or tax category, and is as its schema says', () => {
  expect(v.parse(InvoiceDocument, whole)).toEqual(whole)
  for (const profile of ['none', 'en16931', 'xrechnung'] as const) expect(missing({ profile })).toEqual([])
  for (const category of TAX_CATEGORIES.filter((one) => one !== 'S')) {
    const tax_exemption_reason = category === 'E' ? 'Heilbehandlung' : null
    expect(missing({ ...sold({ ...untaxed(category), tax_exemption_reason }), ...vat }), category).toEqual([])
  }
})

test.each(['Ελλάς', 'e\u0301', '①', '?!', '€ ½', ' '])('%j is drawn', (comments) =>
  expect(listUndrawable(documentOf({ comments }))).toEqual([]),
)

test.each(['שלום', '日本', '😀', '\ue000', 'A\ue000', 'A\u{e0fff}', '\u0489', '\u0903\u093e'])(
  '%j would be lost on a page',
  (comments) => {
    expect(listUndrawable(documentOf({ comments }))).toEqual(['comments'])
  },
)

const noSeller = { ...seller, postal_address: null }
const noBuyer = { ...buyer, postal_address: null }
const noTaxId = { ...seller, tax_id: null }
const untaxed = (tax_category: (typeof TAX_CATEGORIES)[number]) => ({ tax_category, tax_percentage: '0' })

test.each<[string, Partial<InvoiceDocument>, string[]]>([
  ['postal addresses', { seller: noSeller }, ['seller.postal_address']],
  ['that of the customer', { buyer: noBuyer }, ['billing_contact.postal_address']],
  ['a number of the tax office', { seller: { ...seller, vat_id: null, tax_id: null } }, ['seller.vat_id']],
  ['a VAT number that begins with a country', { seller: { ...seller, vat_id: '123456789' } }, ['seller.vat_id']],
  ['the same of the customer', { buyer: { ...buyer, vat_id: '123' } }, ['billing_contact.vat_id']],
  ['a currency of two decimals', { currency: 'KWD' }, ['currency']],
  ['a currency of ISO 4217', { currency: 'USDC' }, ['currency']],
  ['a line', { lines: [] }, ['line_items']],
  ['a rate of what is taxed', sold({}, { tax_percentage: '0.0' }), ['line_items[1].tax_percentage']],
  ['no rate of what is not', sold({ tax_category: 'Z' }), ['line_items[0].tax_percentage']],
  ['the reason of an exemption', sold({}, untaxed('E')), ['line_items[1].tax_exemption_reason']],
  ['nothing beside what no VAT is for', sold({}, untaxed('O')), ['line_items[1].tax_category']],
  ['both VAT numbers, as the customer owes the tax', sold(untaxed('AE')), ['billing_contact.vat_id']],
  ['the VAT number of who exports', { ...sold(untaxed('G')), seller: { ...seller, vat_id: null } }, ['seller.vat_id']],
  ['what names a seller without VAT', { ...sold(untaxed('O')), svc_id: null, seller: noTaxId }, ['seller.tax_id']],
])('EN 16931 asks for %s', (_, given, fields) => {
  expect(missing({ profile: 'en16931', ...given })).toEqual(fields)
  expect(missing({ profile: 'none', ...given })).toEqual([])
})

test('a supply within the EU asks for the VAT numbers of both', () => {
  const given = sold(untaxed('K'))
  expect(missing(given)).toEqual(['billing_contact.vat_id'])
  expect(missing({ ...given, ...vat })).toEqual([])
  expect(missing({ ...given, ...vat, seller: { ...seller, vat_id: null } })).toEqual(['seller.vat_id'])
})

test.each<[string, Partial<InvoiceDocument>, string[]]>([
  [
    'totals that are near quantity by price, also in whole yen',
    { currency: 'JPY', ...sold({ quantity: '3', price: '33.3' }, { quantity: '3', price: '33.33' }) },
    ['line_items[0].price'],
  ],
  [
    'whom to ask',
    { seller: { ...seller, contact_name: null, contact_phone: null, contact_email: null } },
    ['seller.contact_name', 'seller.contact_phone', 'seller.contact_email'],
  ],
  ['a number that can be called', { seller: { ...seller, contact_phone: 'ext. 4' } }, ['seller.contact_phone']],
  ['where the customer takes invoices', { buyer: { ...buyer, emails: [] } }, ['billing_contact.emails']],
  ['the Leitweg-ID', { buyer: { ...buyer, buyer_reference: null } }, ['buyer_reference']],
  ['an account', { account: null }, ['receiving_account']],
  [
    'city and post code',
    { buyer: { ...buyer, postal_address: { ...whole.buyer.postal_address!, city: '', postal_code: '' } } },
    ['billing_contact.postal_address.city', 'billing_contact.postal_address.postal_code'],
  ],
])('XRechnung asks for %s, EN 16931 does not', (_, given, fields) => {
  expect(missing(given)).toEqual(fields)
  expect(missing({ profile: 'en16931', ...given })).toEqual([])
})

describe('signs that no font of the pages has', () => {
  const HAN = '株式会社'
  const line = { ...lineOf({ description: HAN, tax_exemption_reason: HAN }) }
  const share = { reason: HAN, percentage: '1', amount: null, total: '1.00' }

  test('each field that has one is named, in any profile', () => {
    const named = listUndrawable(
      documentOf({
        profile: 'none',
        seller: { ...seller, name: HAN, address: HAN, contact_name: HAN },
        buyer: {
          ...buyer,
          name: `Müller ${HAN}`,
          address: null,
          postal_address: { ...buyer.postal_address!, city: HAN },
        },
        lines: [lineOf(), { ...line, discount: { ...share, base: '100.00' } }],
        discounts: [{ ...share, taxes: [] }],
        comments: '😀',
        order_number: 'مرحبا',
      }),
    )
    expect(named).toEqual([
      'seller.invoice_name',
      'seller.company_address',
      'seller.contact_name',
      'billing_contact.company_name',
      'billing_contact.postal_address',
      'comments',
      'order_number',
      'line_items[1].description',
      'line_items[1].tax_exemption_reason',
      'line_items[1].discount.reason',
      'discounts[0].reason',
    ])
  })

  test('Latin, Greek and Cyrillic are drawn, a question mark is one, and accents that no font has are left out', () => {
    const comments = 'Really? Ελληνικά, Кириллица, ßäöü Ọ̀ṣun € – „“ 5 m² ﬁ\nnext\tline'
    expect(listUndrawable(documentOf({ comments, seller: { ...seller, postal_address: null } }))).toEqual([])
  })

  test('are of a credit note if it can still lose them: not of what was sent with its invoice', () => {
    const corrects = { number: 'INV-1', issue_date: '2026-01-01' }
    const buyer = { ...documentOf().buyer, name: '株式会社' }
    const sent = documentOf({ corrects, buyer, notes: '例' })
    expect(listUndrawable(sent)).toEqual([])
    expect(listUndrawable({ ...sent, comments: '例' })).toEqual(['reason'])
    const lines = sent.lines.map((line) => ({ ...line, description: '例' }))
    expect(listUndrawable({ ...sent, lines: lines.slice(0, 1) })).toEqual(['line_items[0].description'])
  })
})
