/** Splits of an amount: by amounts or by shares, to the smallest unit of its currency. */
import { type Money, fromMinor, moneyOf, toMinor } from '../money/money.ts'

/** Ten thousandths of a percent. */
const WHOLE = 1_000_000n

/** Reads a percentage as ten thousandths of a percent. */
export function shareOf(percent: string): bigint {
  const [whole = '0', fraction = ''] = percent.replace('-', '').split('.')
  const share = BigInt(whole + fraction.padEnd(4, '0'))
  return percent.startsWith('-') ? -share : share
}

/** Writes ten thousandths of a percent as a percentage. */
export const percentOf = (share: bigint): string => {
  const digits = `${share < 0n ? -share : share}`.padStart(5, '0')
  const fraction = digits.slice(-4).replace(/(?<!0)0+$/, '')
  return `${share < 0n ? '-' : ''}${digits.slice(0, -4)}${fraction && `.${fraction}`}`
}

/** Tells whether shares are the whole. */
export const isWhole = (shares: readonly bigint[]): boolean => shares.reduce((sum, share) => sum + share, 0n) === WHOLE

/** Splits an amount by shares of the whole: what rounding leaves goes to the largest remainders, the first ones first. */
export function splitByShares({ amount, currency }: Money, shares: readonly bigint[]): Money[] {
  const minor = toMinor({ amount, currency })
  const sign = minor < 0n ? -1n : 1n
  const parts = shares.map((share, at) => {
    const exact = minor * sign * share
    const rest = ((exact % WHOLE) + WHOLE) % WHOLE // of a negative part too: each is rounded down
    return { at, minor: (exact - rest) / WHOLE, rest }
  })
  let left = minor * sign - parts.reduce((sum, part) => sum + part.minor, 0n)
  for (const part of parts.toSorted((a, b) => (a.rest === b.rest ? a.at - b.at : a.rest > b.rest ? -1 : 1))) {
    if (left === 0n) break
    part.minor += 1n
    left -= 1n
  }
  return parts.map((part) => fromMinor(part.minor * sign, currency))
}

/** Computes the shares of parts of an amount, in whole; equal ones of a zero. */
export function sharesOf(parts: readonly Money[]): bigint[] {
  const minors = parts.map((part) => toMinor(part))
  const sum = minors.reduce((all, minor) => all + minor, 0n)
  const shares = minors.map((minor) => (sum === 0n ? WHOLE / BigInt(parts.length) : (minor * WHOLE) / sum))
  const rest = WHOLE - shares.reduce((all, share) => all + share, 0n)
  return shares.map((share, at) => (at === 0 ? share + rest : share))
}

/** Tells whether parts are of one sign: only those are shares of the next amount too. */
export const areShares = (parts: readonly Money[]): boolean => {
  const minors = parts.map((part) => toMinor(part))
  return minors.every((minor) => minor >= 0n) || minors.every((minor) => minor <= 0n)
}

/** Tells whether parts add up to an amount. */
export const addUp = (parts: readonly Money[], whole: Money): boolean =>
  parts.reduce((sum, part) => sum + toMinor(part), 0n) === toMinor(moneyOf(whole.amount, whole.currency))
