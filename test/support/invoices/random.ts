/** Random invoices: complete ones, and those that lack something. */
import Big from 'big.js'
import fc from 'fast-check'
import {
  INVOICE_LANGUAGES,
  INVOICE_PROFILES,
  type InvoiceDocument,
  TAX_CATEGORIES,
} from '../../../domain/invoice-documents/document.ts'
import type { AdjustmentItem, Share } from '../../../domain/invoice-documents/adjustment.ts'
import { UNITS } from '../../../domain/invoice-documents/unit.ts'
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
export const share = fc.oneof(
  fc.record({
    reason: maybe(words),
    percentage: fc.constantFrom('10', '2.5', '0.0001', '100'),
    amount: fc.constant(null),
  }),
  fc.record({
    reason: maybe(words),
    percentage: fc.constant(null),
    amount: fc.integer({ min: 1, max: 99_999 }).map(String),
  }),
)
export const sometimes = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 })

export type Given = Omit<Line, 'total' | 'discount' | 'charge'> & {
  readonly discount?: Share | undefined
  readonly charge?: Share | undefined
}

const line: fc.Arbitrary<Given> = fc.record({
  description: words,
  quantity: fc.tuple(fc.constantFrom('', '', '', '-'), decimal(99_999_999, 6)).map(([sign, digits]) => sign + digits),
  price: decimal(99_999_999, 6),
  tax_percentage: fc.constantFrom('19', '7.0', '5.5', '20.00', '0', '0.00'),
  tax_category: fc.constantFrom(...TAX_CATEGORIES),
  tax_exemption_reason: maybe(words),
  unit: sometimes(fc.constantFrom(...UNITS)),
  discount: sometimes(share),
  charge: sometimes(share),
})
const ownTax = fc.oneof(
  fc.constant({ tax_percentage: '19', tax_category: 'S' as const, tax_exemption_reason: null }),
  fc.constantFrom(...TAX_CATEGORIES.filter((category) => category !== 'S')).chain((tax_category) =>
    fc.record({
      tax_percentage: fc.constant('0'),
      tax_category: fc.constant(tax_category),
      tax_exemption_reason: maybe(words),
    }),
  ),
)
/** Discounts and charges of a whole invoice; a charge may have a tax of its own. */
export const adjustments = fc.record({
  discounts: fc.array(
    share.map((one) => ({ ...one, tax: null })),
    { maxLength: 2 },
  ),
  charges: fc.array(
    fc.tuple(share, fc.option(ownTax, { freq: 2 })).map(([one, tax]) => ({ ...one, tax })),
    { maxLength: 2 },
  ),
})
/** A line that mostly fits its category. */
const rightLine = line.map((given): typeof given => {
  const isTaxed = given.tax_category === 'S'
  const rate = isTaxed === Number(given.tax_percentage) > 0 ? given.tax_percentage : isTaxed ? '19' : '0'
  return { ...given, tax_percentage: rate, tax_exemption_reason: given.tax_exemption_reason ?? 'befreit' }
})
/** Lines of an exclusive category, or of categories that combine. */
const lines: fc.Arbitrary<Given[]> = fc.oneof(
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
    order_number: sometimes(words),
    period: sometimes(
      fc.constantFrom({ from: '2026-02-01', to: '2026-02-28' }, { from: '2026-03-01', to: '2026-03-01' }),
    ),
    early_payment_discounts: sometimes(
      fc.constant<NonNullable<InvoiceDocument['early_payment_discounts']>>([
        { percentage: '3', days: 7, until: '2026-03-09', amount: '115.43' },
        { percentage: '0.5', days: 14, until: '2026-03-16', amount: '118.41' },
      ]),
    ),
    adjustments: fc.option(adjustments, { nil: undefined }),
  })
  .map(({ lines: given, adjustments: adjusted, ...document }) =>
    documentOf({
      ...defined(document),
      ...totalled(
        given.map((one): Given => defined(one)),
        document.currency,
        adjusted,
      ),
    }),
  )

/** Removes members without a value, as JSON has none. */
const defined = <Members extends object>(members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members // less the absent

type Adjusted = { readonly discounts: readonly AdjustmentItem[]; readonly charges: readonly AdjustmentItem[] }
type Totalled = Pick<InvoiceDocument, 'lines' | 'taxes' | 'net_total' | 'tax_total' | 'total' | 'discounts' | 'charges'>

/** Adds totals to lines, discounts and charges, computed independently of the service. */
export function totalled(given: readonly Given[], currency: string, adjusted?: Adjusted): Totalled {
  const decimals = decimalsOf(currency)
  const round = (amount: Big) => amount.round(decimals, Big.roundHalfUp)
  const text = (amount: Big) => amount.toFixed(decimals).replace(/^-(0(\.0*)?)$/, '$1')
  const sum = (amounts: readonly Big[]) => amounts.reduce((all, one) => all.plus(one), new Big(0))
  const percent = (base: Big, rate: string) => round(base.times(rate).div(100))
  const lines = given.map(({ discount, charge, ...one }): Line => {
    const gross = round(new Big(one.quantity).times(one.price))
    const shareOf = ({ percentage, amount }: Share) =>
      percentage === null
        ? round(new Big(amount ?? 0)).times(one.quantity.startsWith('-') ? -1 : 1)
        : percent(gross, percentage)
    const charged = charge ? shareOf(charge).abs() : new Big(0)
    const adjust = (share: Share, amount: Big) => ({ ...share, base: text(gross), total: text(amount) })
    const total = gross.minus(discount ? shareOf(discount) : 0).plus(charged)
    return {
      ...one,
      ...(discount && { discount: adjust(discount, shareOf(discount)) }),
      ...(charge && { charge: adjust(charge, charged) }),
      total: text(total),
    }
  })
  type Summand = Pick<Line, 'tax_category' | 'tax_percentage' | 'tax_exemption_reason'> & { readonly on: Big }
  const keyOf = (tax: Omit<Summand, 'on'>) => `${tax.tax_category} ${new Big(tax.tax_percentage).toFixed()}`
  const grouped = (summands: readonly Summand[]) =>
    [...new Set(summands.map(keyOf))].map((key) => {
      const group = summands.filter((one) => keyOf(one) === key)
      // a group has at least one summand
      const { tax_category, tax_percentage } = group[0]!
      const reasons = [...new Set(group.flatMap((one) => one.tax_exemption_reason ?? []))]
      const reason = reasons.join('; ') || null
      return { tax_category, tax_percentage, tax_exemption_reason: reason, on: sum(group.map(({ on }) => on)) }
    })
  const sold = lines.map((line) => ({ ...line, on: new Big(line.total) }))
  const groups = grouped(sold)
  const whole = sum(groups.map(({ on }) => on))
  const upTo = (end: number) => sum(groups.slice(0, end).map(({ on }) => on))
  const split = ({ tax, reason, percentage, amount }: AdjustmentItem) => {
    const own = (base: Big) => (percentage === null ? round(new Big(amount ?? 0)) : percent(base, percentage))
    const parts = tax
      ? [{ ...tax, on: whole, part: own(whole) }]
      : percentage === null
        ? groups.map((group, index) => ({ ...group, part: portion(index, own(whole)) }))
        : groups.map((group, index) => ({ ...group, part: own(upTo(index + 1)).minus(own(upTo(index))) }))
    const kept = tax ? parts : parts.filter(({ part }) => !part.eq(0))
    const taxes = kept.map(({ on, part, ...rest }) => ({ ...rest, base: text(on), amount: text(part) }))
    return { tax, kept, written: { reason, percentage, amount, total: text(sum(kept.map(({ part }) => part))), taxes } }
  }
  /** Gives a group its part: the rounded part up to it, less the one before. */
  const portion = (index: number, amount: Big): Big => {
    const weights = groups.map(({ on }) => (on.gt(0) ? on : new Big(0)))
    const all = sum(weights)
    if (all.eq(0)) return index === 0 ? amount : new Big(0)
    const upTo = (end: number) => round(amount.times(sum(weights.slice(0, end))).div(all))
    return upTo(index + 1).minus(upTo(index))
  }
  const [discounts, charges] = [(adjusted?.discounts ?? []).map(split), (adjusted?.charges ?? []).map(split)]
  const summands = (all: typeof discounts, sign: number): Summand[] =>
    all.flatMap(({ tax, kept }) =>
      kept.map(({ part, ...one }) => ({ ...one, on: part.times(sign), ...(!tax && { tax_exemption_reason: null }) })),
    )
  const taxes = grouped([...sold, ...summands(discounts, -1), ...summands(charges, 1)]).map(({ on, ...tax }): Tax => {
    return { ...tax, base: text(on), amount: text(percent(on, tax.tax_percentage)) }
  })
  const [net, tax] = [sum(taxes.map((one) => new Big(one.base))), sum(taxes.map(({ amount }) => new Big(amount)))]
  return {
    lines,
    taxes,
    ...(discounts.length > 0 && { discounts: discounts.map(({ written }) => written) }),
    ...(charges.length > 0 && { charges: charges.map(({ written }) => written) }),
    net_total: text(net),
    tax_total: text(tax),
    total: text(net.plus(tax)),
  }
}
