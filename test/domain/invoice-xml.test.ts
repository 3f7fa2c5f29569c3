import Big from 'big.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readXml } from '../../documents/bills/xml/read.ts'
import { ciiOf } from '../../documents/invoices/cii.ts'
import { SPECIFICATIONS } from '../../documents/invoices/terms.ts'
import { ublOf } from '../../documents/invoices/ubl.ts'
import { sayable } from '../../documents/xml/text.ts'
import { type InvoiceDocument, INVOICE_LANGUAGES } from '../../domain/invoice-documents/document.ts'
import { WORDS, dayIn, moneyIn, rateIn } from '../../domain/invoice-documents/words.ts'
import { decimalsOf } from '../../domain/money/money.ts'
import { billFieldsOf, documentOf, lineOf } from '../support/invoices/documents.ts'
import { documents, totalled } from '../support/invoices/random.ts'
import { type Written, writtenIn } from '../support/invoices/written.ts'
import { always } from '../support/property.ts'

const SYNTAXES = { ubl: ublOf, cii: ciiOf } as const
type Syntax = keyof typeof SYNTAXES
const PROFILES = ['en16931', 'xrechnung'] as const

const written = (document: InvoiceDocument, syntax: Syntax, profile: (typeof PROFILES)[number]): Written =>
  writtenIn(Buffer.from(SYNTAXES[syntax](document, profile)))

/** A text as XML can express it; null for none. */
const said = (text: string | null): string | null => sayable(text ?? '').trim() || null

const sumOf = ({ currency }: InvoiceDocument, all: readonly { readonly total: string }[]): string =>
  all.reduce((sum, { total }) => sum.plus(total), new Big(0)).toFixed(decimalsOf(currency))

const REASONS: Record<string, string> = { AE: 'VATEX-EU-AE', K: 'VATEX-EU-IC', G: 'VATEX-EU-G', O: 'VATEX-EU-O' }

const shareOf = (
  document: InvoiceDocument,
  isCharge: boolean,
  given: Omit<AdjustmentOf, 'total'>,
  base: string,
  amount: string,
) => ({
  isCharge: String(isCharge),
  reason: said(given.reason) ?? WORDS[document.language][isCharge ? 'charge' : 'discount'],
  ...nearOf(given.percentage, base, amount),
  amount,
})
/** The percentage and its base, unless rounding has moved the amount too far from both. */
const nearOf = (percentage: string | null, base: string, amount: string) =>
  percentage !== null && new Big(base).times(percentage).div(100).minus(amount).abs().lte(0.02)
    ? { percentage, base }
    : { percentage: null, base: null }
type AdjustmentOf = NonNullable<InvoiceDocument['discounts']>[number]

function adjustmentsOf(document: InvoiceDocument) {
  const written = (all: AdjustmentOf[] | undefined, isCharge: boolean) =>
    (all ?? []).flatMap((one) =>
      one.taxes.map((tax) => ({
        ...shareOf(document, isCharge, one, tax.base, tax.amount),
        category: tax.tax_category,
        rate: tax.tax_category === 'O' ? null : tax.tax_percentage,
      })),
    )
  return [...written(document.discounts, false), ...written(document.charges, true)]
}

function lineAdjustmentsOf(document: InvoiceDocument, line: InvoiceDocument['lines'][number]) {
  const written = (one: typeof line.discount, isCharge: boolean) =>
    one
      ? [
          {
            ...shareOf(document, isCharge, { ...one, taxes: [] }, one.base, one.total),
            category: null,
            rate: null,
          },
        ]
      : []
  return [...written(line.discount, false), ...written(line.charge, true)]
}

/** The terms of the two discounts for early payment that a document may have. */
function termsOf(
  { language, currency, early_payment_discounts: early }: InvoiceDocument,
  profile: (typeof PROFILES)[number],
) {
  if (!early) return null
  const words = early.map(({ percentage, until, amount }) => {
    const money = moneyIn({ language, currency }, amount)
    return WORDS[language].early(rateIn({ language }, percentage), dayIn({ language }, until), money)
  })
  const forms = ['#SKONTO#TAGE=7#PROZENT=3.00#', '#SKONTO#TAGE=14#PROZENT=0.50#']
  return profile === 'xrechnung' ? [...words, ...forms, ''].join('\n') : words.join('\n')
}

function statedOf(document: InvoiceDocument, syntax: Syntax, profile: (typeof PROFILES)[number]): Written {
  const { seller, buyer, lines, account } = document
  const charged = (document.charges ?? []).flatMap(({ taxes }) => taxes)
  const [isOutside, isWithinEu] = ['O', 'K'].map((category) =>
    [...lines, ...charged].some((one) => one.tax_category === category),
  )
  const addressOf = (address: (typeof seller)['postal_address']) =>
    address &&
    [address.line1, address.line2, address.postal_code, address.city, address.country_code].map((one) => said(one))
  const id = account && (account.iban ?? account.account_number)
  const note = said([document.comments, document.notes].flatMap((one) => said(one) ?? []).join('\n\n'))
  const bic = account?.bic ?? (syntax === 'ubl' ? (account?.routing_codes[0]?.value ?? null) : null)
  const code = document.currency === 'EUR' && account?.iban ? '58' : '30'
  const means = id && { code, reference: document.number, account: id, holder: said(account.holder), bic }
  const { net_total: net, tax_total: tax, total: gross } = document
  return {
    specification: SPECIFICATIONS[profile],
    process: 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0',
    number: document.number,
    issued: document.issue_date,
    due: document.due_date,
    typeCode: '380',
    currency: document.currency,
    noteCode: syntax === 'ubl' && note?.includes('#') ? 'AAI' : null,
    note,
    buyerReference: said(buyer.buyer_reference),
    order: said(document.order_number ?? null),
    period: [document.period?.from ?? null, document.period?.to ?? null],
    terms: termsOf(document, profile),
    adjustments: adjustmentsOf(document),
    seller: {
      name: said(seller.name),
      id: said(document.svc_id ?? seller.tax_id),
      vatId: isOutside ? null : seller.vat_id,
      taxId: said(seller.tax_id),
      address: addressOf(seller.postal_address),
      endpoint: seller.contact_email,
      contact: [said(seller.contact_name), said(seller.contact_phone ?? seller.phone), seller.contact_email],
    },
    buyer: {
      name: said(buyer.name),
      id: said(buyer.tax_id),
      vatId: isOutside ? null : buyer.vat_id,
      taxId: null,
      address: addressOf(buyer.postal_address),
      endpoint: buyer.emails[0] ?? null,
      contact: [null, said(buyer.phone), buyer.emails[0] ?? null],
    },
    delivered: document.delivery_date ?? (document.period ? null : document.issue_date),
    deliveredTo: isWithinEu ? addressOf(buyer.postal_address) : null,
    means: means ? [means] : [],
    taxes: document.taxes.map((tax) => ({
      category: tax.tax_category,
      rate: tax.tax_percentage,
      base: tax.base,
      amount: tax.amount,
      reason: ['S', 'Z'].includes(tax.tax_category) ? null : said(tax.tax_exemption_reason),
      reasonCode: REASONS[tax.tax_category] ?? null,
    })),
    totals: {
      lines: sumOf(document, lines),
      discounts: document.discounts?.some(({ taxes }) => taxes.length > 0) ? sumOf(document, document.discounts) : null,
      charges: document.charges?.some(({ taxes }) => taxes.length > 0) ? sumOf(document, document.charges) : null,
      net,
      tax,
      gross,
      payable: gross,
    },
    lines: lines.map((line, index) => ({
      id: String(index + 1),
      name: said(line.description),
      quantity: line.quantity,
      unit: line.unit ?? 'C62',
      adjustments: lineAdjustmentsOf(document, line),
      price: line.price,
      total: line.total,
      category: line.tax_category,
      rate: line.tax_category === 'O' ? null : line.tax_percentage,
    })),
    empty: [],
  }
}

test.each(['ubl', 'cii'] as const)('whatever an invoice says is in its %s, and nothing else', (syntax) =>
  always(100, documents, fc.constantFrom(...PROFILES), (document, profile) =>
    expect(written(document, syntax, profile)).toEqual(statedOf(document, syntax, profile)),
  ),
)

test.each(['ubl', 'cii'] as const)('our own reader of bills reads an invoice in %s to the last field', (syntax) => {
  const sold = fc.record({ quantity: fc.integer({ min: 1, max: 9999 }), price: fc.integer({ min: 1, max: 999_999 }) })
  const rates = fc.constantFrom('19', '7', '5.5')
  const lines = fc.array(fc.tuple(sold, rates), { minLength: 1, maxLength: 5 })
  always(40, lines, fc.constantFrom('EUR', 'JPY', 'CHF'), fc.constantFrom(...PROFILES), (given, currency, profile) => {
    const items = given.map(([{ quantity, price }, tax_percentage]) =>
      lineOf({ quantity: String(quantity), price: String(price / 100), tax_percentage }),
    )
    const document = documentOf({ currency, profile, ...totalled(items, currency) })
    const { fields, doubts, notPayable } = readXml(Buffer.from(SYNTAXES[syntax](document, profile)), 'file')
    expect([doubts, notPayable]).toEqual([[], null])
    expect(Object.fromEntries(fields.map(({ field, value }) => [field, value]))).toEqual(billFieldsOf(document))
  })
})

test.each(INVOICE_LANGUAGES)(
  'our own reader of bills takes discounts, charges and early payment in %s for what they are',
  (language) => {
    const share = { reason: null, percentage: '10', amount: null }
    const items = [{ ...lineOf(), discount: share, charge: share }, lineOf({ tax_percentage: '7', unit: 'HUR' })]
    const adjusted = { discounts: [{ ...share, tax: null }], charges: [{ ...share, tax: null }] }
    const early = [{ percentage: '2', days: 14, until: '2026-03-16', amount: '100.00' }]
    const more = {
      order_number: 'PO-77',
      period: { from: '2026-02-01', to: '2026-02-28' },
      early_payment_discounts: early,
    }
    const document = documentOf({ language, ...totalled(items, 'EUR', adjusted), ...more })
    for (const syntax of ['ubl', 'cii'] as const)
      for (const profile of PROFILES) {
        const { fields, doubts, notPayable } = readXml(Buffer.from(SYNTAXES[syntax](document, profile)), 'file')
        expect([doubts, notPayable]).toEqual([[], null])
        expect(Object.fromEntries(fields.map(({ field, value }) => [field, value]))).toEqual(billFieldsOf(document))
      }
  },
)

test('an account in the United States is read back with the code of its bank', () => {
  const account = {
    holder: 'Lindenhof Inc.',
    iban: null,
    bic: null,
    account_number: '123456789012',
    bank_name: null,
    routing_codes: [{ name: 'aba_code', value: '021000021' }],
  }
  const { fields } = readXml(Buffer.from(ublOf(documentOf({ currency: 'USD', account }), 'en16931')), 'file')
  expect(Object.fromEntries(fields.map(({ field, value }) => [field, value]))).toMatchObject({
    account_number: '123456789012',
    aba_code: '021000021',
    account_holder_name: 'Lindenhof Inc.',
  })
})
