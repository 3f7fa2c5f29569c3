/**
 * Totals of an invoice, computed only from its lines. EN 16931: BR-CO-10 (sum of the lines), BR-CO-13 to 15 and 17 (tax
 * by category and rate).
 */
import { digitsOf } from '../money/currencies.ts'
import { decimalOf, toFixedText, roundHalfAway, shortText, tenTo } from '../money/decimal.ts'
import type { InvoiceDocument } from './document.ts'

/** Line without its total; `price` is the net price of one unit. */
export type Item = Omit<InvoiceDocument['lines'][number], 'description' | 'total'>

/** Amounts at the precision of the currency; `lines` has the total of each item, in their order. */
export type Totals = {
  readonly lines: readonly string[]
  readonly taxes: readonly InvoiceDocument['taxes'][number][]
  readonly net: string
  readonly tax: string
  readonly total: string
}

/** Computes quantity × price in minor units of a currency with these decimals. */
function lineTotal({ quantity, price }: Item, decimals: number): bigint {
  const [count, unit] = [decimalOf(quantity), decimalOf(price)]
  return roundHalfAway(count.digits * unit.digits * tenTo(decimals), tenTo(count.scale + unit.scale))
}

/** Computes a percentage of an amount in minor units. */
function taxOn(base: bigint, percentage: string): bigint {
  const { digits, scale } = decimalOf(percentage)
  return roundHalfAway(base * digits, 100n * tenTo(scale))
}

const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((all, one) => all + one, 0n)

/** Writes a rate in one form: `19` for `19.0` and `19.00`. */
export const rateOf = (percentage: string): string => shortText(decimalOf(percentage))

/** Computes the totals of items. Each rate of each category is rounded once, over all of its lines. */
export function totalsOf(items: readonly Item[], currency: string): Totals {
  const decimals = digitsOf(currency)
  if (decimals === undefined) throw new Error('the currency was checked before')
  const text = (minor: bigint) => toFixedText({ digits: minor, scale: decimals })
  const lines = items.map((item) => lineTotal(item, decimals))
  const groups = new Map<string, Pick<Item, 'tax_category' | 'tax_percentage'> & { base: bigint; reasons: string[] }>()
  for (const [index, { tax_category, tax_percentage, tax_exemption_reason: reason }] of items.entries()) {
    const rate = rateOf(tax_percentage)
    const known = groups.get(`${tax_category} ${rate}`) ?? { tax_category, tax_percentage: rate, base: 0n, reasons: [] }
    const reasons = reason === null || known.reasons.includes(reason) ? known.reasons : [...known.reasons, reason]
    groups.set(`${tax_category} ${rate}`, { ...known, base: known.base + (lines[index] ?? 0n), reasons })
  }
  const taxes = [...groups.values()].map((group) => ({ ...group, amount: taxOn(group.base, group.tax_percentage) }))
  const net = sum(lines)
  const tax = sum(taxes.map(({ amount }) => amount))
  return {
    lines: lines.map(text),
    taxes: taxes.map(({ base, amount, reasons, ...group }) => ({
      ...group,
      tax_exemption_reason: reasons.join('; ') || null,
      base: text(base),
      amount: text(amount),
    })),
    net: text(net),
    tax: text(tax),
    total: text(net + tax),
  }
}
