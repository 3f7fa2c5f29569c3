/** A trade closes an own position: it fixes one side, what the customer was promised; the other floats. */
import { decimalOf, product, tenTo } from '../money/decimal.ts'
import { type Money, subtract, toMinor } from '../money/money.ts'

/** Own position of an exchange: what came in is to be sold, and what went out is to be bought. */
export type OpenPosition = { readonly sell: Money; readonly buy: Money }

/** Amounts of a trade, and the day on which both are exchanged; null: they are already. */
export type Trade = { readonly sold: Money; readonly bought: Money; readonly settlesOn: string | null }

/** Basis points that the floating side of a trade may be from the quote, or from the market. */
const FLOAT_MAX_BP = 500

/**
 * Basis points that a dealing by hand may be from what was quoted. A payment may come back after weeks, in which coins
 * move by half, and two people look at it: the limit catches a misplaced decimal point.
 */
export const DEALT_MAX_BP = 8000

type Amounts = Pick<Trade, 'sold' | 'bought'>

/** Tells if a desk has bought exactly what was promised. */
export const keepsPromise = ({ sell, buy }: OpenPosition, { sold, bought }: Amounts): boolean =>
  sold.currency === sell.currency && bought.currency === buy.currency && bought.amount === buy.amount

/**
 * Tells if what was sold is near the quote. A trade follows its quote by seconds to a weekend, in which even a rough
 * market moves less than 5 %. What is further away is a mistake of the desk, or the quote is old (`isNearMarket`).
 */
export const isNearQuote = ({ sell }: OpenPosition, { sold }: Amounts): boolean =>
  isWithin(subtract(sold, sell), sell, FLOAT_MAX_BP)

/** Tells if what was sold is near a middle rate of now: the quote of a payment that comes back may be weeks old. */
export function isNearMarket({ sold, bought }: Amounts, rate: string): boolean {
  const [worth, got] = [decimalOf(product(sold.amount, rate)), decimalOf(bought.amount)]
  const scale = Math.max(worth.scale, got.scale)
  const [one, other] = [worth.digits * tenTo(scale - worth.scale), got.digits * tenTo(scale - got.scale)]
  return distance(one - other) * tenTo(4) <= other * BigInt(FLOAT_MAX_BP)
}

/** Tells if a difference is at most some basis points of an amount, or its smallest unit. */
export function isWithin(difference: Money, amount: Money, basisPoints: number): boolean {
  const [apart, whole] = [distance(toMinor(difference)), toMinor(amount)]
  return apart <= 1n || apart * tenTo(4) <= whole * BigInt(basisPoints)
}

const distance = (difference: bigint): bigint => (difference < 0n ? -difference : difference)

/** Computes the result of a trade in each of its currencies: above zero is a gain. */
export const resultsOf = ({ sell, buy }: OpenPosition, { sold, bought }: Amounts): Money[] => [
  subtract(sell, sold),
  subtract(bought, buy),
]
