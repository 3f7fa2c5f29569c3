/** Sums of a bill, checked by EN 16931 (BR-CO-10 and 13 to 16). */
import { digitsOf } from '../money/currencies.ts'
import { MAX_WHOLE_DIGITS, canonicalMoney } from '../money/money.ts'
import { refuse } from '../errors.ts'
import type { BillChange } from './bill.ts'
import type { BillFields } from './fields.ts'
import { decimalOf, digitsAt, toFixedText, shortText, tenTo } from '../money/decimal.ts'

export type Totals = {
  /** Net amounts of lines, and their sum. */
  readonly lines: readonly string[]
  readonly lineTotal: string | null
  readonly allowances: string | null
  readonly charges: string | null
  readonly net: string | null
  /** Taxes by rate, and their sum. */
  readonly taxes: readonly string[]
  readonly tax: string | null
  /** Tax on income that is deducted within the total. */
  readonly retained: string | null
  readonly gross: string | null
  readonly prepaid: string | null
  /** Tax that the payer pays to the state. */
  readonly withheld: string | null
  readonly rounding: string | null
  /** Other additions, such as collections for others; deductions with `-`. */
  readonly others: readonly string[]
  readonly payable: string | null
}

/**
 * Tells whether every stated sum is that of its parts. Each separately rounded part allows a hundredth, except in the
 * payable amount.
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

export const sumOf = (decimals: readonly string[]): string =>
  shortText({ digits: decimals.reduce((sum, decimal) => sum + unitsOf(decimal), 0n), scale: SCALE })

const minus = (decimal: string | null): string | null =>
  decimal === null ? null : decimal.startsWith('-') ? decimal.slice(1) : `-${decimal}`

/** Scale of all sums: finer than any currency. */
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
 * Writes the changed amount at its currency's precision. Refuses `amount_precision` and `amount_too_large`, also for a
 * new currency that does not fit the present amount.
 */
export function withPrecision(before: BillFields, change: BillChange): BillChange {
  const { amount = before.amount, currency = before.currency } = change
  if (!amount || (change.amount === undefined && change.currency === undefined)) return change
  const magnitude = amount.replace('-', '') // a file may state a credit note with `-`
  if ((magnitude.split('.')[0] ?? '').length > MAX_WHOLE_DIGITS) {
    refuse('amount_too_large', { max_whole_digits: MAX_WHOLE_DIGITS })
  }
  if (!currency) return change
  const canonical = canonicalMoney({ amount: magnitude, currency })
  return change.amount ? { ...change, amount: canonical.amount } : change
}

/** Writes the amount for storage; unchanged while its currency is unknown or does not fit. */
export function amountForStorage({ amount, currency }: BillFields): string | null {
  const scale = currency ? digitsOf(currency) : undefined
  if (!amount || scale === undefined) return amount ?? null
  const digits = digitsAt(decimalOf(amount), scale)
  return digits === null ? amount : toFixedText({ digits, scale })
}
