/** Whether the amounts of a bill add up, by the rules of EN 16931 (BR-CO-10 and 13 to 16). */
import { digitsOf } from '../money/currencies.ts'
import { MAX_WHOLE_DIGITS, canonicalMoney } from '../money/money.ts'
import { refuse } from '../errors.ts'
import type { BillChange } from './bill.ts'
import type { BillFields } from './fields.ts'
import { decimalOf, digitsAt, fixedText, shortText, tenTo } from '../money/decimal.ts'

/** Plain decimals of one currency as the bill states them; null if it does not. */
export type Totals = {
  /** Net amounts of lines, and what they sum to. */
  readonly lines: readonly string[]
  readonly lineTotal: string | null
  readonly allowances: string | null
  readonly charges: string | null
  readonly net: string | null
  /** The tax of each rate, and what they sum to. */
  readonly taxes: readonly string[]
  readonly tax: string | null
  /** Tax on income that is taken off within the total. */
  readonly retained: string | null
  readonly gross: string | null
  readonly prepaid: string | null
  /** Tax that the payer pays to the state himself. */
  readonly withheld: string | null
  readonly rounding: string | null
  /** What else comes on top of the bill, as what is collected for others does; with `-` what comes off. */
  readonly others: readonly string[]
  readonly payable: string | null
}

/**
 * Whether every sum that the bill states is that of its parts. A sum may be off by a hundredth for each part that was
 * rounded by itself, except in what is payable. What is not stated is not asked for.
 */
export function addsUp(totals: Totals): boolean {
  const { lines, lineTotal, allowances, charges, net, taxes, tax, retained, gross } = totals
  const { prepaid, withheld, rounding, others, payable } = totals
  return (
    (lines.length === 0 || isSum(lineTotal, lines, lines.length)) &&
    (lineTotal === null || isSum(net, [lineTotal, minus(allowances), charges], 1)) &&
    (taxes.length === 0 || isSum(tax, taxes, taxes.length)) &&
    (net === null || tax === null || isSum(gross, [net, tax, minus(retained)], 1)) &&
    (gross === null || isSum(payable, [gross, minus(prepaid), minus(withheld), rounding, ...others], 0))
  )
}

/** Sums plain decimals. */
export const sumOf = (decimals: readonly string[]): string =>
  shortText({ digits: decimals.reduce((sum, decimal) => sum + unitsOf(decimal), 0n), scale: SCALE })

const minus = (decimal: string | null): string | null =>
  decimal === null ? null : decimal.startsWith('-') ? decimal.slice(1) : `-${decimal}`

/** Scale in which everything is summed: finer than any currency. */
const SCALE = 18

function isSum(total: string | null, parts: readonly (string | null)[], hundredths: number): boolean {
  if (total === null) return true
  const sum = parts.reduce((sum, part) => sum + (part === null ? 0n : unitsOf(part)), 0n)
  const difference = unitsOf(total) - sum
  const tolerance = BigInt(hundredths) * tenTo(SCALE - 2)
  return difference <= tolerance && -difference <= tolerance
}

function unitsOf(decimal: string): bigint {
  const { digits, scale } = decimalOf(decimal)
  return digits * tenTo(Math.max(SCALE - scale, 0))
}

/**
 * The change with its amount at the precision of the currency that the bill has with it. Refuses `amount_precision` and
 * `amount_too_large`, also for a currency that does not take the amount which the bill has already.
 */
export function withPrecision(before: BillFields, change: BillChange): BillChange {
  const { amount = before.amount, currency = before.currency } = change
  if (!amount || (change.amount === undefined && change.currency === undefined)) return change
  const magnitude = amount.replace('-', '') // of what a file says of a credit note
  if ((magnitude.split('.')[0] ?? '').length > MAX_WHOLE_DIGITS) {
    refuse('amount_too_large', { max_whole_digits: MAX_WHOLE_DIGITS })
  }
  if (!currency) return change
  const canonical = canonicalMoney({ amount: magnitude, currency })
  return change.amount ? { ...change, amount: canonical.amount } : change
}

/** The amount as it is kept; as it stands while its currency is not known, or does not take it. */
export function keptAmount({ amount, currency }: BillFields): string | null {
  const scale = currency ? digitsOf(currency) : undefined
  if (!amount || scale === undefined) return amount ?? null
  const digits = digitsAt(decimalOf(amount), scale)
  return digits === null ? amount : fixedText({ digits, scale })
}
