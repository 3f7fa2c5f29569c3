/**
 * What an invoice comes to, computed from its lines alone: EN 16931, BR-CO-10 (sum of the lines), BR-CO-13 to 15 and
 * 17 (tax by category and rate).
 */
import { digitsOf } from '../money/currencies.ts'
import { decimalOf, fixedText, rounded, shortText, tenTo } from '../money/decimal.ts'
import type { TaxCategory } from './document.ts'

/** A line before it is reckoned: decimals as text; `price` is net for one. */
export type Item = {
  readonly quantity: string
  readonly price: string
  readonly tax_percentage: string
  readonly tax_category: TaxCategory
  readonly tax_exemption_reason: string | null
}

/** Its reason is those of its lines, each once. */
export type Tax = {
  readonly tax_percentage: string
  readonly tax_category: TaxCategory
  readonly tax_exemption_reason: string | null
  readonly base: string
  readonly amount: string
}

/** All amounts at the precision of the currency; `lines` has the total of each item, in their order. */
export type Totals = {
  readonly lines: readonly string[]
  readonly taxes: readonly Tax[]
  readonly net: string
  readonly tax: string
  readonly total: string
}

/** Quantity × price in minor units of a currency with so many decimals. */
function lineTotal({ quantity, price }: Item, decimals: number): bigint {
  const [count, unit] = [decimalOf(quantity), decimalOf(price)]
  return rounded(count.digits * unit.digits * tenTo(decimals), tenTo(count.scale + unit.scale))
}

/** So many percent of an amount in minor units. */
function taxOn(base: bigint, percentage: string): bigint {
  const { digits, scale } = decimalOf(percentage)
  return rounded(base * digits, 100n * tenTo(scale))
}

const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((all, one) => all + one, 0n)

/** `19`, `19.0` and `19.00` are one rate. */
export const rateOf = (percentage: string): string => shortText(decimalOf(percentage))

/** The totals of these items. Each rate of each category is rounded once, over all of its lines. */
export function totalsOf(items: readonly Item[], currency: string): Totals {
  const decimals = digitsOf(currency)
  if (decimals === undefined) throw new Error('the currency was checked before')
  const text = (minor: bigint) => fixedText({ digits: minor, scale: decimals })
  const lines = items.map((item) => lineTotal(item, decimals))
  const groups = new Map<
    string,
    { tax_category: TaxCategory; tax_percentage: string; base: bigint; reasons: string[] }
  >()
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
