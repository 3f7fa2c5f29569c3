/** Arithmetic of discounts and charges, in minor units of a currency. */
import { decimalOf, roundHalfAway, tenTo } from '../money/decimal.ts'
import type { AdjustmentItem, Share, Tax } from './adjustment.ts'

/** Sum of lines at one tax. */
export type Group = { readonly key: string; readonly tax: Tax; readonly base: bigint }
export type Part = { readonly key: string; readonly tax: Tax; readonly base: bigint; readonly amount: bigint }

/** Computes a percentage of an amount. */
export function percentOf(base: bigint, percentage: string): bigint {
  const { digits, scale } = decimalOf(percentage)
  return roundHalfAway(base * digits, 100n * tenTo(scale))
}

function minorOf(amount: string, decimals: number): bigint {
  const { digits, scale } = decimalOf(amount)
  return roundHalfAway(digits * tenTo(decimals), tenTo(scale))
}

/** Line that a discount or charge is on, before both. */
type Gross = { readonly base: bigint; readonly isCredit: boolean; readonly decimals: number }

/** Computes the discount of a line. It is negative on a credit line, which mirrors what it credits. */
export function discountOfLine({ percentage, amount }: Share, { base, isCredit, decimals }: Gross): bigint {
  if (percentage !== null) return percentOf(base, percentage)
  const minor = minorOf(amount ?? '0', decimals)
  return isCredit ? -minor : minor
}

/** Computes the charge of a line. It is owed by the customer on a credit line, too, such as for taking goods back. */
export function chargeOfLine(share: Share, line: Gross): bigint {
  const charge = discountOfLine(share, line)
  return charge < 0n ? -charge : charge
}

/**
 * Splits a discount or charge by tax. Without a tax of its own it is shared out over the taxes of the lines, by their
 * sums, so that nothing is lost by rounding: the parts of a percentage add up to that of all lines.
 */
export function partsOf(
  item: AdjustmentItem,
  groups: readonly Group[],
  decimals: number,
  keyOf: (tax: Tax) => string,
): Part[] {
  const { percentage, amount, tax } = item
  const whole = groups.reduce((sum, { base }) => sum + base, 0n)
  if (tax) {
    const own = percentage === null ? minorOf(amount ?? '0', decimals) : percentOf(whole, percentage)
    return [{ key: keyOf(tax), tax, base: whole, amount: own }]
  }
  const parts =
    percentage === null ? distribute(minorOf(amount ?? '0', decimals), groups) : distributePercent(percentage, groups)
  return parts.filter((part) => part.amount !== 0n)
}

/** Takes a percentage of each sum: each part is the rounded percentage up to it, less the one before. */
function distributePercent(percentage: string, groups: readonly Group[]): Part[] {
  let [passed, given] = [0n, 0n]
  return groups.map((group) => {
    passed += group.base
    const part = percentOf(passed, percentage) - given
    given += part
    return { ...group, amount: part }
  })
}

/** Distributes an amount by the sums above zero; all of it to the first group if none is. */
function distribute(amount: bigint, groups: readonly Group[]): Part[] {
  const weights = groups.map(({ base }) => (base > 0n ? base : 0n))
  const whole = weights.reduce((sum, weight) => sum + weight, 0n)
  if (whole === 0n) return groups.map((group, index) => ({ ...group, amount: index === 0 ? amount : 0n }))
  let [passed, given] = [0n, 0n]
  return groups.map((group, index) => {
    passed += weights[index] ?? 0n
    const part = roundHalfAway(amount * passed, whole) - given
    given += part
    return { ...group, amount: part }
  })
}
