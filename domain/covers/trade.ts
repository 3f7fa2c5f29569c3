/** A trade closes an own position: it fixes one side, what the customer was promised; the other floats. */
import { decimalOf, tenTo } from '../money/decimal.ts'
import { type Money, subtract } from '../money/money.ts'

/** Own position of an exchange: what came in is to be sold, and what went out is to be bought. */
export type OpenPosition = { readonly sell: Money; readonly buy: Money }

/** Amounts of a trade, and the day on which both are exchanged; null: they are already. */
export type Trade = { readonly sold: Money; readonly bought: Money; readonly settlesOn: string | null }

/** Basis points that the floating side of a desk's trade may be from what was quoted. */
export const FLOAT_MAX_BP = 500

/**
 * Basis points that a dealing by hand may be from what was quoted. Covers may be open for days, coins move by a tenth a
 * day, and two people look at it: the limit catches a misplaced decimal point.
 */
export const DEALT_MAX_BP = 5000

/**
 * Tells if a desk's trade is believed: what was promised is bought exactly, and what is sold for it is near the quote.
 * A trade follows its quote by seconds to a weekend, in which even a rough market moves less than 5 %. What is further
 * away is a mistake of the desk: booked, it would be a loss that nobody has looked at.
 */
export const isBelievable = ({ sell, buy }: OpenPosition, { sold, bought }: Pick<Trade, 'sold' | 'bought'>): boolean =>
  isEqual(bought, buy) && isNear(sold, sell, FLOAT_MAX_BP)

const isEqual = (one: Money, other: Money): boolean => one.currency === other.currency && one.amount === other.amount

/** Tells if an amount is within basis points of another one, in its currency. */
export function isNear(amount: Money, quoted: Money, basisPoints: number): boolean {
  if (amount.currency !== quoted.currency) return false
  return isWithin(subtract(amount, quoted), quoted, basisPoints)
}

/** Tells if a difference is at most some basis points of an amount. */
export function isWithin(difference: Money, amount: Money, basisPoints: number): boolean {
  const [apart, whole] = [decimalOf(difference.amount), decimalOf(amount.amount)] // of one currency, so of one scale
  const distance = apart.digits < 0n ? -apart.digits : apart.digits
  return distance * tenTo(4) <= whole.digits * BigInt(basisPoints)
}

/** Computes the result of a trade in each of its currencies: above zero is a gain. */
export const resultsOf = ({ sell, buy }: OpenPosition, { sold, bought }: Pick<Trade, 'sold' | 'bought'>): Money[] => [
  subtract(sell, sold),
  subtract(bought, buy),
]
