/** The arithmetic of exchange: exact decimals as whole numbers. What is not a whole unit goes to the house. */
import { type Decimal, decimalOf, shortText, tenTo } from './decimal.ts'
import { type Money, decimalsOf, fromMinor, toMinor } from './money.ts'

const RATE = /^(0|[1-9][0-9]*)(\.[0-9]+)?$/
/** Beyond what the amounts need, so that a rate of small amounts says more than their last digit. */
const SPARE_DECIMALS = 8
const BASIS_POINTS = 4 // decimals of a ten-thousandth

/** What the desk asks: its middle rate, in units of target for one of source, and our part of it. */
export type Terms = { readonly mid: string; readonly spreadBps: number }
/** `source.amount` × `rate`, rounded half up to the precision of the target, is `target.amount`, to the last digit. */
export type Exchange = { readonly source: Money; readonly target: Money; readonly rate: string }

/** A quotient that is not rounded yet. */
type Ratio = { readonly of: bigint; readonly by: bigint }

/**
 * What a source amount brings. Null if that is less than the smallest unit of the target. The target is never worth
 * more than the source at the middle rate: otherwise whoever exchanged cents again and again would live on the
 * rounding.
 */
export function exchangeSource(source: Money, currency: string, terms: Terms): Exchange | null {
  const [mid, rate] = [rateOf(terms.mid), withSpread(terms)]
  const rounded = halfUp(worth(toMinor(source), source.currency, currency, rate))
  const most = roundedDown(worth(toMinor(source), source.currency, currency, mid))
  const given = rounded < most ? rounded : most
  if (given === 0n) return null
  const target = fromMinor(given, currency)
  return { source, target, rate: rateBetween(source, target, rate) }
}

/** What a target amount costs, rounded up: a part of the smallest unit of the source is a whole one. */
export function exchangeTarget(target: Money, currency: string, terms: Terms): Exchange {
  const rate = withSpread(terms)
  // one target for one of source, turned round
  const { of, by } = worth(1n, currency, target.currency, rate)
  const source = fromMinor(roundedUp({ of: toMinor(target) * by, by: of }), currency)
  return { source, target, rate: rateBetween(source, target, rate) }
}

/** The rate that is offered at so many basis points below the market's middle rate, exactly. */
export const allInRate = (mid: string, basisPoints: number): string =>
  shortText(withSpread({ mid, spreadBps: basisPoints }))

/** The amount times the rate in another currency, rounded down to its precision. */
export const exchange = (money: Money, rate: string, target: string): Money =>
  fromMinor(roundedDown(worth(toMinor(money), money.currency, target, rateOf(rate))), target)

/** The agreed rate if it gives the target; else the one between the two amounts, with as many digits as that takes. */
function rateBetween(source: Money, target: Money, agreed: Decimal): string {
  const [from, to] = [toMinor(source), toMinor(target)]
  if (halfUp(worth(from, source.currency, target.currency, agreed)) === to) return shortText(agreed)
  // an error of half a digit, times the source, must stay below half a unit of the target
  const wholeDigits = from.toString().length - decimalsOf(source.currency)
  const scale = Math.max(0, wholeDigits + decimalsOf(target.currency)) + SPARE_DECIMALS
  const digits = halfUp({
    of: to * tenTo(decimalsOf(source.currency) + scale),
    by: from * tenTo(decimalsOf(target.currency)),
  })
  return shortText({ digits, scale })
}

/** Minor units of one currency in minor units of another. */
const worth = (minor: bigint, from: string, to: string, rate: Decimal): Ratio => ({
  of: minor * rate.digits * tenTo(decimalsOf(to)),
  by: tenTo(decimalsOf(from) + rate.scale),
})

/** The middle rate less our part, exactly. */
function withSpread({ mid, spreadBps }: Terms): Decimal {
  const { digits, scale } = rateOf(mid)
  return { digits: digits * BigInt(10 ** BASIS_POINTS - spreadBps), scale: scale + BASIS_POINTS }
}

const halfUp = ({ of, by }: Ratio): bigint => (2n * of + by) / (2n * by)
const roundedDown = ({ of, by }: Ratio): bigint => of / by
const roundedUp = ({ of, by }: Ratio): bigint => (of + by - 1n) / by

function rateOf(text: string): Decimal {
  if (!RATE.test(text) || !/[1-9]/.test(text)) throw new Error('a rate is a positive decimal number')
  return decimalOf(text)
}
