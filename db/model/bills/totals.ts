/** Whether the amounts of a bill add up, by the rules of EN 16931 (BR-CO-10 and 13 to 16). */
import { decimalOf, shortText, tenTo } from '../money/decimal.ts'

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

/** The sum of plain decimals, as one. */
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
