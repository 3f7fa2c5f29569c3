/** Money: decimal text at the edges, whole minor units in between. Nothing here rounds. */
import * as v from 'valibot'
import { digitsOf } from './currencies.ts'
import { decimalOf, digitsAt, toFixedText, signOf } from './decimal.ts'
import { type Blocker, refuseFirst } from '../errors.ts'
import { model, line } from '../text.ts'

const AMOUNT = /^(0|[1-9][0-9]*)(\.[0-9]+)?$/
const SIGNED = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/
const ZERO = /^0(\.0+)?$/
const MAX_AMOUNT_LENGTH = 255
/** Digits before the point. */
export const MAX_WHOLE_DIGITS = 15

/** Money of a request: a positive plain decimal, and a currency; canonicalMoney() checks one against the other. */
export const Money = model('RequestMoney', {
  amount: v.pipe(
    v.string(),
    v.maxLength(MAX_AMOUNT_LENGTH, `too_long:${MAX_AMOUNT_LENGTH}`),
    v.regex(SIGNED, 'must be a plain decimal number such as 10.50'),
    v.check((amount) => !ZERO.test(amount) && !amount.startsWith('-'), 'not_positive'),
    v.metadata({ jsonSchema: { type: 'string', pattern: AMOUNT.source, maxLength: MAX_AMOUNT_LENGTH } }),
  ),
  currency: line(1, 16),
})

/** Amount with its currency: a decimal at the precision of `currency`, `-` if negative. */
export type Money = v.InferOutput<typeof Money>

/**
 * Finds the first fault of a request's money: an unknown currency, more decimals than it has, or more than 15 digits
 * before the point.
 */
export function moneyBlockers({ amount, currency }: Money): Blocker[] {
  const digits = digitsOf(currency)
  if (digits === undefined) return [{ type: 'unsupported_currency', details: { currency } }]
  const point = amount.indexOf('.')
  const whole = point < 0 ? amount.length : point
  if (amount.length - whole - 1 > digits)
    return [{ type: 'amount_precision', details: { currency, max_decimals: digits } }]
  if (whole <= MAX_WHOLE_DIGITS) return []
  return [{ type: 'amount_too_large', details: { max_whole_digits: MAX_WHOLE_DIGITS } }]
}

/** Writes a request's money at its currency's precision (`10` becomes `10.00`). Refuses what moneyBlockers() finds. */
export function canonicalMoney({ amount, currency }: Money): Money {
  if (!AMOUNT.test(amount)) throw new Error('the amount has not passed the schema')
  refuseFirst(moneyBlockers({ amount, currency }))
  return moneyOf(amount, currency)
}

/** Converts an amount to minor units, signed. Throws if a digit other than zero would be lost. */
export function toMinor({ amount, currency }: Money): bigint {
  const minor = digitsAt(decimalOf(amount), decimalsOf(currency))
  if (minor === null) throw new Error(`${amount} has more decimals than ${currency}`)
  return minor
}

/** Converts minor units, signed, to Money at the currency's precision. */
export function fromMinor(minor: bigint, currency: string): Money {
  return { amount: toFixedText({ digits: minor, scale: decimalsOf(currency) }), currency }
}

/** Adds two amounts of one currency. */
export const add = (a: Money, b: Money): Money => fromMinor(toMinor(a) + toMinor(b), commonCurrency(a, b))

/** Adds an amount to the sum of its currency. */
export function addTo(sums: Map<string, Money>, money: Money): void {
  const sum = sums.get(money.currency)
  sums.set(money.currency, sum ? add(sum, money) : money)
}

/** Subtracts the second amount from the first, both of one currency. */
export const subtract = (a: Money, b: Money): Money => fromMinor(toMinor(a) - toMinor(b), commonCurrency(a, b))

/** Compares two amounts of one currency: -1, 0 or 1. */
export function compare(a: Money, b: Money): -1 | 0 | 1 {
  commonCurrency(a, b)
  return signOf(toMinor(a) - toMinor(b))
}

export const isSameMoney = (a: Money, b: Money): boolean => a.currency === b.currency && compare(a, b) === 0

export const isZero = (money: Money): boolean => toMinor(money) === 0n

const PLAIN = /^(?:0|[1-9]\d*)(?:\.\d+)?$/

/** Writes a numeric of Postgres (`0`, `-3.200000`) at the currency's precision. Throws if a digit would be lost. */
export function formatAmount(numeric: string, currency: string): string {
  const point = numeric.indexOf('.')
  const lacking = decimalsOf(currency) - (point < 0 ? 0 : numeric.length - point - 1)
  // the fast path of nearly all amounts, which are read by the million
  if (lacking < 0 || !PLAIN.test(numeric)) return fromMinor(toMinor({ amount: numeric, currency }), currency).amount
  return lacking === 0 ? numeric : `${numeric}${point < 0 ? '.' : ''}${'0'.repeat(lacking)}`
}

/** Makes Money of a numeric of Postgres and its currency. */
export const moneyOf = (numeric: string, currency: string): Money => ({
  amount: formatAmount(numeric, currency),
  currency,
})

/**
 * Splits money in proportion to weights, exactly: every share is rounded towards zero, and the units left over go one
 * each to the largest remainders, the earlier first. Weights are not negative, and one is positive.
 */
export function allocate(money: Money, weights: readonly bigint[]): Money[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n)
  if (total <= 0n || weights.some((weight) => weight < 0n)) throw new Error('weights must be positive')
  const minor = toMinor(money)
  const [whole, unit] = minor < 0n ? [-minor, -1n] : [minor, 1n]
  const shares = weights.map((weight) => (whole * weight) / total)
  const leftOver = whole - shares.reduce((sum, share) => sum + share, 0n)
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (whole * weight) % total }))
    .sort((a, b) => signOf(b.remainder - a.remainder)) // stable: the earlier first
  const rounded = new Set(byRemainder.slice(0, Number(leftOver)).map(({ index }) => index))
  return shares.map((share, index) => fromMinor(unit * (share + (rounded.has(index) ? 1n : 0n)), money.currency))
}

function commonCurrency(a: Money, b: Money): string {
  if (a.currency !== b.currency) throw new Error(`${a.currency} and ${b.currency} do not mix`)
  return a.currency
}

/** Looks up the number of decimals of a currency. Throws for an unknown one. */
export function decimalsOf(currency: string): number {
  const digits = digitsOf(currency)
  if (digits === undefined) throw new Error(`no such currency: ${currency}`)
  return digits
}

/** Writes an amount with separators of thousands, for people. */
export function groupThousands(amount: string, separator = ','): string {
  const [whole = '', decimals] = amount.split('.')
  const sign = whole.startsWith('-') ? '-' : ''
  const grouped = sign + groupDigits(whole.slice(sign.length), 3, separator)
  return decimals === undefined ? grouped : `${grouped}.${decimals}`
}

/** Separates digits into groups of a size, counted from the end. */
export function groupDigits(digits: string, size: number, separator: string): string {
  const groups: string[] = []
  for (let end = digits.length; end > 0; end -= size) groups.unshift(digits.slice(Math.max(0, end - size), end))
  return groups.join(separator)
}
