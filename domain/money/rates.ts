/** Arithmetic of exchange: exact decimals as whole numbers. Fractions of a unit go to the house. */
import { type Decimal, decimalOf, roundHalfAway, shortText, tenTo } from './decimal.ts'
import { type Money, decimalsOf, fromMinor, toMinor } from './money.ts'

const RATE = /^(0|[1-9][0-9]*)(\.[0-9]+)?$/
/** Digits beyond what the amounts need: a rate of small amounts is more exact than their last digit. */
const SPARE_DECIMALS = 8
const BASIS_POINTS = 4 // decimals of a ten-thousandth

/** Middle rate of the desk, in units of target for one of source, and our part of it. */
export type Terms = { readonly mid: string; readonly spreadBps: number }
/** Exchange: `target.amount` is `source.amount` × `rate`, rounded half up. */
export type Exchange = { readonly source: Money; readonly target: Money; readonly rate: string }

/** A quotient that is not rounded yet. */
type Ratio = { readonly of: bigint; readonly by: bigint }

/**
 * Exchanges a source amount; null if that brings less than the smallest unit of the target. The target is never worth
 * more than the source at the middle rate, so that many small exchanges gain nothing by rounding.
 */
export function exchangeSource(source: Money, currency: string, terms: Terms): Exchange | null {
  const [mid, rate] = [rateOf(terms.mid), withSpread(terms)]
  const bought = halfUp(worth(toMinor(source), source.currency, currency, rate))
  const most = roundDown(worth(toMinor(source), source.currency, currency, mid))
  const given = bought < most ? bought : most
  if (given === 0n) return null
  const target = fromMinor(given, currency)
  return { source, target, rate: rateBetween(source, target, rate) }
}

/** Exchanges for a target amount; the source is rounded up. */
export function exchangeTarget(target: Money, currency: string, terms: Terms): Exchange {
  const rate = withSpread(terms)
  // one target for one of source, turned round
  const { of, by } = worth(1n, currency, target.currency, rate)
  const source = fromMinor((toMinor(target) * by + of - 1n) / of, currency) // rounded up
  return { source, target, rate: rateBetween(source, target, rate) }
}

/** Computes the rate that is offered, in basis points below the middle rate, exactly. */
export const allInRate = (mid: string, basisPoints: number): string =>
  shortText(withSpread({ mid, spreadBps: basisPoints }))

/** Converts an amount at a rate, rounded down to the target's precision. */
export const exchange = (money: Money, rate: string, target: string): Money =>
  fromMinor(roundDown(worth(toMinor(money), money.currency, target, rateOf(rate))), target)

/** Computes the least amount that brings at least `target` at a rate. */
export function exchangeFor(target: Money, rate: string, source: string): Money {
  const { of, by } = worth(1n, source, target.currency, rateOf(rate))
  return fromMinor((toMinor(target) * by + of - 1n) / of, source)
}

/** Gives the agreed rate if it yields the target; else the one between the amounts, with the digits that it takes. */
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

/** Converts minor units of one currency to those of another, not rounded. */
const worth = (minor: bigint, from: string, to: string, rate: Decimal): Ratio => ({
  of: minor * rate.digits * tenTo(decimalsOf(to)),
  by: tenTo(decimalsOf(from) + rate.scale),
})

/** Subtracts our part from the middle rate, exactly. */
function withSpread({ mid, spreadBps }: Terms): Decimal {
  const { digits, scale } = rateOf(mid)
  return { digits: digits * BigInt(10 ** BASIS_POINTS - spreadBps), scale: scale + BASIS_POINTS }
}

const halfUp = ({ of, by }: Ratio): bigint => roundHalfAway(of, by)
const roundDown = ({ of, by }: Ratio): bigint => of / by

function rateOf(text: string): Decimal {
  if (!RATE.test(text) || !/[1-9]/.test(text)) throw new Error('a rate is a positive decimal number')
  return decimalOf(text)
}
