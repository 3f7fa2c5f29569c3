/** Random invoices: complete ones, and those that lack something. */
import Big from 'big.js'
import fc from 'fast-check'
import {
  INVOICE_LANGUAGES,
  INVOICE_PROFILES,
  type InvoiceDocument,
  TAX_CATEGORIES,
} from '../../../domain/invoices/document.ts'
import { decimalsOf } from '../../../domain/money/money.ts'
import { documentOf } from './documents.ts'

type Line = InvoiceDocument['lines'][number]
type Tax = InvoiceDocument['taxes'][number]

/** Text that could break markup, an invoice's rules, or a font. */
const HARD = [
  'Kräuter & Söhne <GmbH> "eins" \'zwei\' ]]> <!-- -->',
  'Zeile eins\r\nZeile zwei\rdrei\tvier\n\nfünf',
  '株式会社 例 𝒳 👩‍👩‍👧 ́',
  'Ελληνικά Кириллица ßäöü ﬁ № €',
  'Auftrag #42 #AB#  #ABC# &amp; &#x0; %PDF',
  'a\u0000b\u0001c\u001fd\u007fe\u0085f\u2028g\ufffeh\uffffi\ud800j',
  'x'.repeat(300),
]
const words = fc.oneof(
  fc.constantFrom(...HARD),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).map((text) => `a${text}`),
)
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 5 })

const address = fc.record({
  line1: words,
  line2: maybe(words),
  postal_code: fc.constantFrom('04109', 'D02 X285', ''),
  city: words,
  country_code: fc.constantFrom('DE', 'FR', 'IE', 'US', 'GR'),
})
const party = {
  name: words,
  address: maybe(words),
  postal_address: maybe(address),
  tax_id: maybe(words),
  vat_id: maybe(fc.constantFrom('DE123456789', 'EL123456789', 'FR12345678901', '123456789')),
  phone: maybe(words),
}
const mail = fc.constantFrom('rechnung@lindenhof.example', "o'neil+bill&co@example.ie")

const decimal = (max: number, scale: number) =>
  fc
    .tuple(fc.integer({ min: 0, max }), fc.integer({ min: 0, max: scale }))
    .map(([digits, point]) => new Big(digits).div(new Big(10).pow(point)).toFixed())
const line: fc.Arbitrary<Omit<Line, 'total'>> = fc.record({
  description: words,
  quantity: fc.tuple(fc.constantFrom('', '', '', '-'), decimal(99_999_999, 6)).map(([sign, digits]) => sign + digits),
  price: decimal(99_999_999, 6),
  tax_percentage: fc.constantFrom('19', '7.0', '5.5', '20.00', '0', '0.00'),
  tax_category: fc.constantFrom(...TAX_CATEGORIES),
  tax_exemption_reason: maybe(words),
})
/** A line that mostly fits its category. */
const rightLine = line.map((given): typeof given => {
  const isTaxed = given.tax_category === 'S'
  const rate = isTaxed === Number(given.tax_percentage) > 0 ? given.tax_percentage : isTaxed ? '19' : '0'
  return { ...given, tax_percentage: rate, tax_exemption_reason: given.tax_exemption_reason ?? 'befreit' }
})
/** Lines of an exclusive category, or of categories that combine. */
const lines = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.array(
      rightLine.filter((one) => one.tax_category !== 'O'),
      { minLength: 1, maxLength: 6 },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.array(
      rightLine.map((one) => ({ ...one, tax_category: 'O' as const, tax_percentage: '0' })),
      { minLength: 1, maxLength: 3 },
    ),
  },
  { weight: 1, arbitrary: fc.array(line, { maxLength: 4 }) },
)

const IBANS = ['DE02120300000000202051', 'FR1420041010050500013M02606', 'GB33BUKB20201555555555']
const account: fc.Arbitrary<NonNullable<InvoiceDocument['account']>> = fc.oneof(
  fc.record({
    holder: words,
    iban: fc.constantFrom(...IBANS),
    bic: maybe(fc.constant('BYLADEM1001')),
    account_number: maybe(fc.constant('55555555')),
    bank_name: maybe(words),
    routing_codes: fc.boolean().map((isBritish) => (isBritish ? [{ name: 'sort_code', value: '202015' }] : [])),
  }),
  fc.record({
    holder: words,
    iban: fc.constant(null),
    bic: fc.constant(null),
    account_number: maybe(fc.constant('123456789012')),
    bank_name: maybe(words),
    routing_codes: fc.constant('021000021').map((value) => [{ name: 'aba_code', value }]),
  }),
)

/** Any document, with totals by the standard. */
export const documents: fc.Arbitrary<InvoiceDocument> = fc
  .record({
    currency: fc.constantFrom('EUR', 'EUR', 'USD', 'JPY', 'KWD', 'USDC'),
    delivery_date: maybe(fc.constant('2026-02-27')),
    profile: fc.constantFrom(...INVOICE_PROFILES),
    language: fc.constantFrom(...INVOICE_LANGUAGES),
    seller: fc.record({
      ...party,
      contact_name: maybe(words),
      contact_phone: maybe(fc.constantFrom('+49 341 5550142', 'ext. 4')),
      contact_email: maybe(mail),
    }),
    buyer: fc.record({ ...party, emails: fc.array(mail, { maxLength: 2 }), buyer_reference: maybe(words) }),
    comments: maybe(words),
    notes: maybe(words),
    lines,
    account: maybe(account),
    svc_id: maybe(fc.constant('lindenhof')),
    page_url: maybe(fc.constant('https://app.example/i/k3J9s?a=1&b=(2)')),
  })
  .map(({ lines: given, ...document }) => documentOf({ ...document, ...totalled(given, document.currency) }))

/** Adds totals to lines, computed independently of the service. */
export function totalled(
  given: readonly Omit<Line, 'total'>[],
  currency: string,
): Pick<InvoiceDocument, 'lines' | 'taxes' | 'net_total' | 'tax_total' | 'total'> {
  const decimals = decimalsOf(currency)
  const round = (amount: Big) => amount.round(decimals, Big.roundHalfUp)
  const text = (amount: Big) => amount.toFixed(decimals).replace(/^-(0(\.0*)?)$/, '$1')
  const sum = (amounts: readonly Big[]) => amounts.reduce((all, one) => all.plus(one), new Big(0))
  const lines = given.map((one) => ({ ...one, total: text(round(new Big(one.quantity).times(one.price))) }))
  const keyOf = (line: Line) => `${line.tax_category} ${new Big(line.tax_percentage).toFixed()}`
  const taxes = [...new Set(lines.map(keyOf))].map((key): Tax => {
    const group = lines.filter((line) => keyOf(line) === key)
    // a group has at least one line
    const { tax_category, tax_percentage } = group[0]!
    const reasons = [...new Set(group.flatMap((one) => one.tax_exemption_reason ?? []))]
    const base = sum(group.map(({ total }) => new Big(total)))
    return {
      tax_category,
      tax_percentage,
      tax_exemption_reason: reasons.join('; ') || null,
      base: text(base),
      amount: text(round(base.times(tax_percentage).div(100))),
    }
  })
  const [net, tax] = [sum(lines.map(({ total }) => new Big(total))), sum(taxes.map(({ amount }) => new Big(amount)))]
  return { lines, taxes, net_total: text(net), tax_total: text(tax), total: text(net.plus(tax)) }
}
