/**
 * Totals of an invoice, computed only from its lines, discounts and charges. EN 16931: BR-CO-10 to BR-CO-13 (sums of
 * lines, discounts and charges), BR-CO-14, 15 and 17 (tax by category and rate).
 */
import { digitsOf } from '../money/currencies.ts'
import { decimalOf, roundHalfAway, shortText, tenTo, toFixedText } from '../money/decimal.ts'
import type { Adjustment, AdjustmentItem, LineAdjustment, Share, Tax } from '../invoice-documents/adjustment.ts'
import { type Group, type Part, chargeOfLine, discountOfLine, partsOf, percentOf } from '../invoice-documents/shares.ts'
import type { InvoiceDocument } from '../invoice-documents/document.ts'

/** Line without its total; `price` is the net price of one unit. */
export type Item = Omit<InvoiceDocument['lines'][number], 'description' | 'total' | 'discount' | 'charge'> & {
  readonly discount?: Share | undefined
  readonly charge?: Share | undefined
}

export type Adjustments = {
  readonly discounts: readonly AdjustmentItem[]
  readonly charges: readonly AdjustmentItem[]
}

/** Amounts at the precision of the currency; `lines` and `adjusted` have the results of each item, in their order. */
export type Totals = {
  readonly lines: readonly string[]
  readonly adjusted: readonly { readonly discount?: LineAdjustment; readonly charge?: LineAdjustment }[]
  readonly discounts: readonly Adjustment[]
  readonly charges: readonly Adjustment[]
  readonly taxes: readonly InvoiceDocument['taxes'][number][]
  /** Sums of the discounts, and of the charges, of the whole invoice (BT-107, BT-108). */
  readonly discounted: string
  readonly charged: string
  readonly net: string
  readonly tax: string
  readonly total: string
}

/** Computes quantity × price in minor units of a currency with these decimals. */
function grossOf({ quantity, price }: Item, decimals: number): bigint {
  const [count, unit] = [decimalOf(quantity), decimalOf(price)]
  return roundHalfAway(count.digits * unit.digits * tenTo(decimals), tenTo(count.scale + unit.scale))
}

const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((all, one) => all + one, 0n)

/** Writes a rate in one form: `19` for `19.0` and `19.00`. */
export const rateOf = (percentage: string): string => shortText(decimalOf(percentage))

const keyOf = ({ tax_category: category, tax_percentage: rate }: Tax): string => `${category} ${rateOf(rate)}`

const NONE: Adjustments = { discounts: [], charges: [] }

/** Computes the totals of items. Each rate of each category is rounded once, over all that it is on. */
export function totalsOf(items: readonly Item[], currency: string, adjustments: Adjustments = NONE): Totals {
  const decimals = digitsOf(currency)
  if (decimals === undefined) throw new Error('the currency was checked before')
  const text = (minor: bigint) => toFixedText({ digits: minor, scale: decimals })
  const lines = items.map((item) => lineOf(item, decimals, text))
  const taxed = items.map((tax, index) => ({ key: keyOf(tax), tax, base: lines[index]?.total ?? 0n }))
  const groups = groupsOf(taxed)
  const split = (all: readonly AdjustmentItem[]) => all.map((item) => partsOf(item, groups, decimals, keyOf))
  const [discounts, charges] = [split(adjustments.discounts), split(adjustments.charges)]
  const less = summandsOf(adjustments.discounts, discounts).map((one) => ({ ...one, base: -one.base }))
  const taxes = groupsOf([...taxed, ...less, ...summandsOf(adjustments.charges, charges)]).map(({ tax, base }) => {
    return { tax, base, amount: percentOf(base, tax.tax_percentage) }
  })
  const net = sum(taxes.map(({ base }) => base))
  const tax = sum(taxes.map(({ amount }) => amount))
  const amountsOf = (parts: readonly (readonly Part[])[]) => sum(parts.flat().map(({ amount }) => amount))
  const written = (all: readonly AdjustmentItem[], parts: readonly (readonly Part[])[]) =>
    all.map((item, index) => writeAdjustment(item, parts[index] ?? [], text))
  return {
    lines: lines.map(({ total }) => text(total)),
    adjusted: lines.map(({ adjusted }) => adjusted),
    discounts: written(adjustments.discounts, discounts),
    charges: written(adjustments.charges, charges),
    taxes: taxes.map((one) => ({ ...one.tax, base: text(one.base), amount: text(one.amount) })),
    discounted: text(amountsOf(discounts)),
    charged: text(amountsOf(charges)),
    net: text(net),
    tax: text(tax),
    total: text(net + tax),
  }
}

/** Adds parts to the sums by tax. A part without a tax of its own has the reasons of its lines, which are there. */
const summandsOf = (items: readonly AdjustmentItem[], parts: readonly (readonly Part[])[]): Group[] =>
  items.flatMap((item, index) =>
    (parts[index] ?? []).map(({ key, tax, amount }) => {
      return { key, tax: item.tax ? tax : { ...tax, tax_exemption_reason: null }, base: amount }
    }),
  )

type Write = (minor: bigint) => string

function lineOf(item: Item, decimals: number, text: Write) {
  const gross = grossOf(item, decimals)
  const line = { base: gross, isCredit: item.quantity.startsWith('-'), decimals }
  const share = (given: Share | undefined, computed: typeof discountOfLine) => {
    if (!given) return { minor: 0n, adjustment: undefined }
    const minor = computed(given, line)
    const { reason, percentage, amount } = given
    return { minor, adjustment: { reason, percentage, amount, base: text(gross), total: text(minor) } }
  }
  const [discount, charge] = [share(item.discount, discountOfLine), share(item.charge, chargeOfLine)]
  const adjusted = {
    ...(discount.adjustment && { discount: discount.adjustment }),
    ...(charge.adjustment && { charge: charge.adjustment }),
  }
  return { total: gross - discount.minor + charge.minor, adjusted }
}

function writeAdjustment(item: AdjustmentItem, parts: readonly Part[], text: Write): Adjustment {
  const { reason, percentage, amount } = item
  return {
    reason,
    percentage,
    amount,
    total: text(sum(parts.map((part) => part.amount))),
    taxes: parts.map((part) => ({ ...taxOf(part.tax), base: text(part.base), amount: text(part.amount) })),
  }
}

const taxOf = ({ tax_percentage: rate, tax_category, tax_exemption_reason }: Tax): Tax => ({
  tax_category,
  tax_percentage: rateOf(rate),
  tax_exemption_reason,
})

/** Adds up amounts by category and rate; joins their distinct reasons. */
function groupsOf(taxed: readonly Group[]): Group[] {
  const groups = new Map<string, { tax: Tax; base: bigint; reasons: readonly string[] }>()
  for (const { key, tax, base } of taxed) {
    const known = groups.get(key) ?? { tax: taxOf(tax), base: 0n, reasons: [] }
    const reason = tax.tax_exemption_reason
    const isKnown = reason === null || known.reasons.includes(reason)
    groups.set(key, {
      ...known,
      base: known.base + base,
      reasons: isKnown ? known.reasons : [...known.reasons, reason],
    })
  }
  return [...groups].map(([key, { tax, base, reasons }]) => {
    return { key, base, tax: { ...tax, tax_exemption_reason: reasons.join('; ') || null } }
  })
}
