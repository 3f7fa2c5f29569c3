import Big from 'big.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currencyDigits, isCoin } from '../../domain/money/currencies.ts'
import { weekendEnd } from '../../domain/swaps/market.ts'
import { fromMinor } from '../../domain/money/money.ts'
import { type Exchange, exchangeSource, exchangeTarget } from '../../domain/money/rates.ts'
import { always } from '../support/property.ts'

const Exact = Big()
Exact.DP = 120 // decimals of a quotient: far more than any amount or rate here

const digitsOf = (currency: string): number => currencyDigits[currency] ?? 0
const unitOf = (currency: string) => new Exact(10).pow(-digitsOf(currency))
/** Writes an amount of the currency, rounded half up. */
const rounded = (value: Big, currency: string) =>
  value.round(digitsOf(currency), Big.roundHalfUp).toFixed(digitsOf(currency))

const fiat = Object.keys(currencyDigits).filter((code) => !isCoin(code))
const byDigits = [0, 2, 3, 4].map((digits) => fiat.filter((code) => digitsOf(code) === digits))
const currency = fc.oneof(...byDigits.map((codes) => fc.constantFrom(...codes)))
const amountOf = (code: string) =>
  fc
    .integer({ min: 1, max: 15 + digitsOf(code) })
    .chain((length) => fc.bigInt({ min: 1n, max: 10n ** BigInt(length) - 1n }))
    .map((minor) => fromMinor(minor, code))
/** Rates from 1e-8 to 1e8, with up to 18 decimals. */
const rate = fc
  .record({ digits: fc.bigInt({ min: 1n, max: 10n ** 12n }), power: fc.integer({ min: -18, max: 4 }) })
  .map(({ digits, power }) => new Exact(digits.toString()).times(new Exact(10).pow(power)))
  .filter((value) => value.gte('1e-8') && value.lte('1e8'))
  .map((value) => value.toFixed())
const terms = fc.record({ mid: rate, spreadBps: fc.integer({ min: 0, max: 1000 }) })
const pair = fc.tuple(currency, currency).filter(([from, to]) => from !== to)
const given = pair.chain(([from, to]) => fc.record({ amount: amountOf(from), to: fc.constant(to), terms }))

const agreedRate = ({ mid, spreadBps }: { mid: string; spreadBps: number }) =>
  new Exact(mid).times(10_000 - spreadBps).div(10_000)

/** Checks the contract's rule for swaps: the written rate gives the target to the last digit. */
function reproduces({ source, target, rate: written }: Exchange): void {
  expect(written).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
  expect(rounded(new Exact(source.amount).times(written), target.currency)).toBe(target.amount)
}

/** Checks that the target is worth at most the source at the middle rate. */
function costsTheHouseNothing({ source, target }: Exchange, mid: string): void {
  expect(new Exact(source.amount).times(mid).gte(target.amount)).toBe(true)
}

describe('a source amount', () => {
  test('times the rate, rounded half up, is the target, and the house never pays for the rounding', () => {
    always(2000, given, ({ amount, to, terms: asked }) => {
      const exchange = exchangeSource(amount, to, asked)
      const exact = new Exact(amount.amount).times(agreedRate(asked))
      if (!exchange) {
        // less than the smallest unit, or one only by rounding
        expect(new Exact(rounded(exact, to)).lte(unitOf(to))).toBe(true)
        expect(exact.lt(unitOf(to))).toBe(true)
        return
      }
      expect(exchange.source).toEqual(amount)
      reproduces(exchange)
      costsTheHouseNothing(exchange, asked.mid)
      const unrounded = rounded(exact, to)
      if (exchange.target.amount === unrounded) expect(exchange.rate).toBe(agreedRate(asked).toFixed())
      else expect(new Exact(unrounded).minus(exchange.target.amount).eq(unitOf(to))).toBe(true)
    })
  })

  test('keeps the agreed rate and plain rounding wherever the spread is worth half a unit of the target', () => {
    const large = given.filter(({ amount, to, terms: asked }) =>
      new Exact(amount.amount).times(asked.mid).times(asked.spreadBps).div(10_000).gte(unitOf(to).div(2)),
    )
    always(2000, large, ({ amount, to, terms: asked }) => {
      const exchange = exchangeSource(amount, to, asked)
      const exact = agreedRate(asked)
      if (exchange) expect(exchange.rate).toBe(exact.toFixed())
      expect(exchange?.target.amount ?? rounded(new Exact(0), to)).toBe(
        rounded(new Exact(amount.amount).times(exact), to),
      )
    })
  })
})

test('a target amount is exactly what the source gives by the rate, at the lowest price that does not cost the house', () => {
  always(2000, given, ({ amount: target, to: from, terms: asked }) => {
    const exchange = exchangeTarget(target, from, asked)
    expect(exchange.target).toEqual(target)
    reproduces(exchange)
    costsTheHouseNothing(exchange, asked.mid)
    const agreed = agreedRate(asked)
    const [source, unit] = [new Exact(exchange.source.amount), unitOf(from)]
    expect(source.times(agreed).gte(target.amount)).toBe(true)
    expect(source.minus(unit).times(agreed).lt(target.amount)).toBe(true)
    // better than agreed by at most the rounding of the target
    const better = new Exact(exchange.rate).minus(agreed).times(source).abs()
    expect(better.lte(unit.times(agreed).plus(unitOf(target.currency)))).toBe(true)
  })
})

test.each([
  ['91.54', 'EUR', 'USD', '0.92', 50, '100.00', '0.9154'],
  ['0.01', 'EUR', 'JPY', '0.006', 0, '2', '0.006'], // 1.67 yen become two
  ['100', 'JPY', 'USD', '150', 0, '0.67', '149.25373134'],
])('a target amount %s %s of %s at %s less %i bp', (amount, currency, from, mid, spreadBps, source, written) => {
  const exchange = exchangeTarget({ amount, currency }, from, { mid, spreadBps })
  expect([exchange.source.amount, exchange.rate]).toEqual([source, written])
})

test('to exchange cents there and back, again and again, never pays', () =>
  always(2000, pair, fc.bigInt({ min: 1n, max: 1000n }), rate, fc.boolean(), ([from, to], minor, mid, wanted) => {
    const back = new Exact(1).div(mid).round(18, Big.roundDown)
    fc.pre(back.gte('1e-8'))
    const start = fromMinor(minor, from)
    const there = wanted
      ? exchangeTarget(fromMinor(minor, to), from, { mid, spreadBps: 0 })
      : exchangeSource(start, to, { mid, spreadBps: 0 })
    if (!there) return
    const home = exchangeSource(there.target, from, { mid: back.toFixed(), spreadBps: 0 })
    if (home) expect(new Exact(home.target.amount).lte(there.source.amount)).toBe(true)
  }))

test.each(['0', '0.00', '-1', '1e5', '', 'abc', '01', '.5', '1.'])('a rate of %o is a bug and no price', (mid) => {
  const terms = { mid, spreadBps: 50 }
  expect(() => exchangeSource({ amount: '1.00', currency: 'USD' }, 'EUR', terms)).toThrow('positive decimal')
  expect(() => exchangeTarget({ amount: '1.00', currency: 'USD' }, 'EUR', terms)).toThrow('positive decimal')
})

describe('the weekend', () => {
  test('lasts from Friday to Sunday, 22:00 UTC, in every week', () => {
    const from = Date.parse('2026-11-20T22:00:00.000Z')
    const [length, week] = [48 * 3_600_000, 7 * 86_400_000]
    const instant = fc.oneof(fc.constantFrom(0, length - 1, length, week - 1), fc.integer({ min: 0, max: week - 1 }))
    always(1000, fc.integer({ min: -2000, max: 5000 }), instant, (weeks, at) => {
      const friday = from + weeks * week
      const end = weekendEnd(new Date(friday + at))
      expect(end?.getTime() ?? null).toBe(at < length ? friday + length : null)
    })
  })
})
