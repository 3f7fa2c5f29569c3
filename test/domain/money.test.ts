import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { currencyDigits, digitsOf, isCoin, isCurrency } from '../../domain/money/currencies.ts'
import { Refusal } from '../../domain/errors.ts'
import * as m from '../../domain/money/money.ts'
import { always } from '../support/property.ts'
import Big from 'big.js'
import { compareDecimals, decimalOf, product, shortText, toFixedText } from '../../domain/money/decimal.ts'
import { data } from 'currency-codes'
import * as dineroCurrencies from 'dinero.js/currencies'

const { add, allocate, canonicalMoney, compare, formatAmount, fromMinor, isZero, subtract, toMinor } = m
const money = (amount: string, currency = 'USD'): m.Money => ({ amount, currency })
const issuesOf = (input: unknown) => v.safeParse(m.Money, input).issues?.map((issue) => issue.message) ?? []

function refusalOf(deed: () => unknown): unknown {
  try {
    deed()
  } catch (error) {
    if (error instanceof Refusal) return error.type
    throw error
  }
  return 'none'
}

test('a request may carry a plain positive decimal', () => {
  const long = ['9'.repeat(255), `0.${'1'.repeat(253)}`]
  for (const amount of ['1', '10', '10.5', '10.50', '0.01', '0.000000000000000001', ...long])
    expect(issuesOf(money(amount)), amount).toEqual([])
})

test('an amount that is no plain decimal of at most 255 characters is refused', () => {
  const plain = '--1 - 1e3 1E3 1,000.00 1.000,00 1_000 +1 .5 5. . 01 00.5 1.2.3 ١٢ １２ 1.५ ² 0x10 NaN Infinity $1 −1'
  const blank = ['', ' 1', '1 ', '1\n', '\t1', ' ', '1 000', '1\0']
  for (const amount of [...plain.split(' '), ...blank, '9'.repeat(256), `0.${'0'.repeat(255)}`])
    expect(
      issuesOf(money(amount)).map((issue) => issue === 'not_positive'),
      amount,
    ).toContain(false)
})

test('zero and less are refused with the code not_positive and nothing else', () => {
  for (const amount of ['0', '0.0', '0.00', '0.000000', '-0', '-1', '-10.50', '-0.001'])
    expect(issuesOf(money(amount)), amount).toEqual(['not_positive'])
})

test('money of another shape is refused', () => {
  const shapes = [null, '10', 10, [], {}, { amount: '1' }, { currency: 'USD' }, { amount: 1, currency: 'USD' }]
  const members = [
    { amount: null, currency: 'USD' },
    { amount: '1', currency: 840 },
  ]
  const codes = ['', 'U\0D', 'X'.repeat(17), ' '].map((code) => money('1', code))
  for (const shape of [...shapes, ...members, ...codes]) expect(issuesOf(shape), JSON.stringify(shape)).not.toEqual([])
  expect(issuesOf(money('1', 'X'.repeat(16)))).toEqual([])
  expect(v.parse(m.Money, { amount: '1', currency: 'USD', extra: true })).toEqual(money('1'))
})

const huge = '1'.repeat(16)
test.each([
  ['1', 'XXX', 'unsupported_currency'],
  ['1', 'usd', 'unsupported_currency'],
  ['1', '__proto__', 'unsupported_currency'],
  [`${huge}.123`, 'DOGE', 'unsupported_currency'],
  ['0.001', 'USD', 'amount_precision'],
  ['1.000', 'USD', 'amount_precision'],
  ['1.0', 'JPY', 'amount_precision'],
  ['1.0000001', 'USDC', 'amount_precision'],
  [`${huge}.123`, 'USD', 'amount_precision'],
  [huge, 'USD', 'amount_too_large'],
  ['9'.repeat(255), 'ETH', 'amount_too_large'],
])('an amount of %s %s is refused by the first rule that it breaks: %s', (amount, currency, type) =>
  expect(refusalOf(() => canonicalMoney(money(amount, currency)))).toBe(type),
)

test('an amount that never passed the schema is a bug, not a refusal', () => {
  for (const amount of ['-1', '', '1e3', ' 1', '01']) expect(() => canonicalMoney(money(amount))).toThrow('schema')
})

test.each([
  ['10.5', 'USD', '10.50'],
  ['-0.05', 'USD', '-0.05'],
  ['1.5', 'KWD', '1.500'],
  ['10.500000000000000000', 'USD', '10.50'],
  ['7.000', 'JPY', '7'],
  ['-0', 'USD', '0.00'],
])('a Postgres numeric of %s %s is written at the precision of its currency: %s', (numeric, currency, answered) =>
  expect(formatAmount(numeric, currency)).toBe(answered),
)

test('a numeric that would lose digits, or is no decimal, throws, and is no refusal', () => {
  for (const numeric of ['0.001', '10.005', '-0.001', 'NaN', 'Infinity', '', '1e5', '.5', '1.'])
    expect(() => refusalOf(() => formatAmount(numeric, 'USD')), numeric).toThrow(Error)
  expect(() => formatAmount('1.5', 'JPY')).toThrow('JPY')
  expect(() => formatAmount('1', 'XXX')).toThrow('XXX')
})

test('currencies do not mix, and weights must be positive in sum and negative in none', () => {
  for (const deed of [add, subtract, compare]) expect(() => deed(money('1'), money('1', 'EUR'))).toThrow('do not mix')
  for (const weights of [[], [0n], [0n, 0n], [2n, -1n], [-1n]]) expect(() => allocate(money('1'), weights)).toThrow()
})

test.each<[string, bigint[], string[]]>([
  ['0.10', [1n, 1n, 1n], ['0.04', '0.03', '0.03']],
  ['-0.10', [1n, 1n, 1n], ['-0.04', '-0.03', '-0.03']],
  ['1.00', [1n, 2n, 3n], ['0.17', '0.33', '0.50']],
  ['0.01', [1n, 0n, 98n], ['0.00', '0.00', '0.01']],
  ['0', [1n, 1n], ['0.00', '0.00']],
])('what cannot be divided goes to the largest remainders, the earlier first: %s', (amount, weights, shares) =>
  expect(allocate(money(amount), weights).map((share) => share.amount)).toEqual(shares),
)

/** Currencies, those of each number of decimals as often as those of another. */
const currency = fc.oneof(
  ...[0, 2, 3, 4, 6, 8, 18].map((digits) =>
    fc.constantFrom(...Object.keys(currencyDigits).filter((code) => digitsOf(code) === digits)),
  ),
)
const minor = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n })

test('minor units and amounts are two spellings of one value', () =>
  always(1000, minor, currency, (units, code) => {
    const written = fromMinor(units, code)
    expect([toMinor(written), isZero(written)]).toEqual([units, units === 0n])
    expect(formatAmount(written.amount, code)).toBe(written.amount)
    expect(written.amount.split('.')[1]?.length ?? 0).toBe(digitsOf(code))
  }))

test('adding and subtracting amounts is adding and subtracting minor units', () =>
  always(1000, minor, minor, currency, (a, b, code) => {
    const [x, y] = [fromMinor(a, code), fromMinor(b, code)]
    expect(toMinor(add(x, y))).toBe(a + b)
    expect(subtract(add(x, y), y)).toEqual(x)
    expect(add(x, y)).toEqual(add(y, x))
    expect(isZero(subtract(x, x))).toBe(true)
  }))

test('comparing is the order of minor units', () => {
  const near = fc.bigInt({ min: -3n, max: 3n })
  always(1000, fc.oneof(minor, near), near, currency, (a, b, code) => {
    const [x, y] = [fromMinor(a, code), fromMinor(b, code)]
    const order = a < b ? -1 : a > b ? 1 : 0
    expect([compare(x, y), compare(y, x) + order]).toEqual([order, 0])
  })
})

test('shares sum exactly to the whole, and each is less than one unit from its proportion', () => {
  const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 20 })
  const positive = weights.filter((all) => all.some((weight) => weight > 0n))
  const sum = (all: readonly bigint[]) => all.reduce((one, other) => one + other, 0n)
  always(1000, minor, currency, positive, (units, code, all) => {
    const shares = allocate(fromMinor(units, code), all).map(toMinor)
    expect(sum(shares)).toBe(units)
    for (const [index, share] of shares.entries()) {
      const error = share * sum(all) - units * (all[index] ?? 0n)
      expect(error < sum(all) && -error < sum(all)).toBe(true)
    }
  })
})

test('a canonical amount is of the same value, passes the schema, and is canonical already', () => {
  const requested = currency.chain((code) => {
    const decimals = fc.array(fc.nat(9), { maxLength: digitsOf(code) ?? 0 }).map((digits) => digits.join(''))
    return fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), decimals)
      .map(([whole, rest]) => money(rest === '' ? `${whole}` : `${whole}.${rest}`, code))
  })
  always(1000, requested, (request) => {
    const once = canonicalMoney(request)
    expect(canonicalMoney(once)).toEqual(once)
    expect(once).toEqual(fromMinor(toMinor(request), request.currency))
    expect(issuesOf(request)).toEqual(isZero(once) ? ['not_positive'] : [])
  })
})

test('any text as an amount is refused as a request, refused by its currency, or taken', () => {
  const amount = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789.-+eE, '.split('')) }))
  always(1000, amount, currency, (given, code) => {
    if (issuesOf(money(given, code)).length > 0) return
    const type = refusalOf(() => canonicalMoney(money(given, code)))
    expect(['none', 'amount_precision', 'amount_too_large']).toContain(type)
  })
})

/** Plain decimals of every length, also with trailing zeros. */
const decimal = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 20 }))
  .map(([digits, scale]) => toFixedText({ digits, scale }))

test('a product is exact, and written as short as it can be', () =>
  always(1000, decimal, decimal, (a, b) => expect(product(a, b)).toBe(new Big(a).times(b).toFixed())))

test('two decimals compare as numbers, however they are written', () =>
  always(1000, decimal, decimal, fc.boolean(), (a, b, same) => {
    const other = same ? shortText(decimalOf(a)) : b
    expect(compareDecimals(a, other)).toBe(new Big(a).cmp(other))
  }))

test.each(['', '.5', '5.', '1e5', '+1', ' 1', '1,5', 'NaN'])('%j is no decimal', (text) =>
  expect(() => decimalOf(text)).toThrow('not a decimal number'),
)

/** Codes on which a source and the table differ, and why the table is right; null: the code is absent. */
type Known = Record<string, [source: number | null, table: number | null, reason: string]>

const BGN: Known[string] = [2, null, 'withdrawn 2026-01-01 for EUR (amendment 180)']
const knownOfDinero: Known = {
  BGN,
  MGA: [1, 2, 'counts fifths of an ariary; ISO 4217 says two decimals'],
  MRU: [1, 2, 'counts fifths of an ouguiya; ISO 4217 says two decimals'],
}
const units = 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' ')
const knownOfCurrencyCodes: Known = {
  ANG: [2, null, 'withdrawn 2025-03-31 for XCG (amendment 176)'],
  BGN,
  CUC: [2, null, 'withdrawn 2021-06-30 (amendment 178)'],
  XAD: [null, 2, 'added 2025-05-12 (amendment 179), after the source was made'],
  XCG: [null, 2, 'added 2025-03-31 (amendment 176), after the source was made'],
  ...Object.fromEntries(
    units.map((code): [string, Known[string]] => [code, [0, null, 'ISO 4217 gives no minor unit']]),
  ),
}

const table = Object.fromEntries(Object.entries(currencyDigits).filter(([code]) => !isCoin(code)))

const differences = (source: Record<string, number>) =>
  [...new Set([...Object.keys(source), ...Object.keys(table)])]
    .map((code) => [code, source[code] ?? null, table[code] ?? null] as const)
    .filter(([, theirs, ours]) => theirs !== ours)
    .sort()

test.each([
  ['dinero.js', Object.values(dineroCurrencies).map(({ code, exponent }) => [code, exponent]), knownOfDinero],
  ['currency-codes', data.map(({ code, digits }) => [code, digits]), knownOfCurrencyCodes],
] as const)('the table differs from %s only where that is known to be wrong', (_, entries, known) => {
  expect(entries.length).toBeGreaterThan(150)
  const listed = Object.entries(known).map(([code, [source, ours]]) => [code, source, ours])
  expect(differences(Object.fromEntries(entries))).toEqual(listed.sort())
})

test('the table has 165 currencies, and four coins with the decimals of their chains', () => {
  expect(Object.keys(table)).toHaveLength(165)
  const coins = Object.entries(currencyDigits).filter(([code]) => isCoin(code))
  expect(Object.fromEntries(coins)).toEqual({ USDC: 6, USDT: 6, BTC: 8, ETH: 18 })
})

test('a code outside the table is no currency', () => {
  for (const code of ['', 'usd', 'XXX', 'XTS', 'XAU', 'BGN', 'DOGE', ' USD', 'toString', '__proto__', 'constructor']) {
    expect(digitsOf(code), code).toBeUndefined()
    expect(isCurrency(code), code).toBe(false)
    expect(isCoin(code), code).toBe(false)
  }
  expect([isCurrency('USD'), isCoin('USD'), isCurrency('BTC'), isCoin('BTC')]).toEqual([true, false, true, true])
})
