import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { currencyDigits, digitsOf } from '../../domain/money/currencies.ts'
import { Refusal } from '../../domain/errors.ts'
import {
  add,
  allocate,
  canonicalMoney,
  compare,
  formatAmount,
  fromMinor,
  isZero,
  Money,
  subtract,
  toMinor,
} from '../../domain/money/money.ts'
import { propertyRuns } from '../support/model-runs.ts'

const money = (amount: string, currency = 'USD'): Money => ({ amount, currency })
const issuesOf = (input: unknown) => v.safeParse(Money, input).issues?.map((issue) => issue.message) ?? []

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
  for (const amount of [
    '1',
    '10',
    '10.5',
    '10.50',
    '0.01',
    '0.000000000000000001',
    '9'.repeat(255),
    `0.${'1'.repeat(253)}`,
  ]) {
    expect(issuesOf(money(amount)), amount).toEqual([])
  }
})

test('an amount that is no plain decimal of at most 255 characters is refused', () => {
  const amounts = [
    '--1',
    '-',
    '1e3',
    '1E3',
    '1,000.00',
    '1.000,00',
    '1_000',
    '+1',
    '.5',
    '5.',
    '.',
    '',
    '01',
    '00.5',
    '1.2.3',
  ]
  amounts.push(
    ' 1',
    '1 ',
    '1\n',
    '\t1',
    ' ',
    '1 000',
    '١٢',
    '１２',
    '1.५',
    '²',
    '0x10',
    'NaN',
    'Infinity',
    '1\0',
    '$1',
    '−1',
  )
  amounts.push('9'.repeat(256), `0.${'0'.repeat(255)}`)
  for (const amount of amounts) {
    const issues = issuesOf(money(amount))
    expect(issues, amount).not.toEqual([])
    expect(
      issues.filter((issue) => issue !== 'not_positive'),
      amount,
    ).not.toEqual([])
  }
})

test('zero and less are refused with the code not_positive and nothing else', () => {
  for (const amount of ['0', '0.0', '0.00', '0.000000', '-0', '-1', '-10.50', '-0.001'])
    expect(issuesOf(money(amount)), amount).toEqual(['not_positive'])
})

test('money of another shape is refused', () => {
  const shapes: unknown[] = [
    null,
    '10',
    10,
    [],
    {},
    { amount: '1' },
    { currency: 'USD' },
    { amount: 1, currency: 'USD' },
  ]
  shapes.push({ amount: null, currency: 'USD' }, { amount: '1', currency: 840 }, money('1', ''), money('1', 'U\0D'))
  shapes.push(money('1', 'X'.repeat(17)), money('1', ' '))
  for (const shape of shapes) expect(issuesOf(shape), JSON.stringify(shape)).not.toEqual([])
  expect(issuesOf(money('1', 'X'.repeat(16)))).toEqual([])
  expect(v.parse(Money, { amount: '1', currency: 'USD', extra: true })).toEqual(money('1'))
})

test('an accepted amount is written at the precision of its currency', () => {
  const examples = [
    ['10', 'USD', '10.00'],
    ['10.5', 'USD', '10.50'],
    ['0.01', 'USD', '0.01'],
    ['10', 'JPY', '10'],
    ['1.5', 'KWD', '1.500'],
    ['0.1', 'USDC', '0.100000'],
    ['1', 'ETH', '1.000000000000000000'],
    ['9'.repeat(15), 'USD', `${'9'.repeat(15)}.00`],
  ] as const
  for (const [given, currency, answered] of examples) {
    expect(canonicalMoney(money(given, currency))).toEqual(money(answered, currency))
  }
})

test('an amount that its currency does not take is refused by the first rule it breaks', () => {
  const huge = '1'.repeat(16)
  const examples = [
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
  ] as const
  for (const [amount, currency, type] of examples) {
    expect(
      refusalOf(() => canonicalMoney(money(amount, currency))),
      `${amount} ${currency}`,
    ).toBe(type)
  }
})

test('an amount that never passed the schema is a bug, not a refusal', () => {
  for (const amount of ['-1', '', '1e3', ' 1', '01']) expect(() => canonicalMoney(money(amount))).toThrow('schema')
})

test('a Postgres numeric is written at the precision of its currency', () => {
  const examples = [
    ['0', 'USD', '0.00'],
    ['100', 'USD', '100.00'],
    ['10.5', 'USD', '10.50'],
    ['-3.20', 'USD', '-3.20'],
    ['-0.05', 'USD', '-0.05'],
    ['10.500000000000000000', 'USD', '10.50'],
    ['7.000', 'JPY', '7'],
    ['0.000000000000000001', 'ETH', '0.000000000000000001'],
    ['-0', 'USD', '0.00'],
  ] as const
  for (const [numeric, currency, answered] of examples) expect(formatAmount(numeric, currency)).toBe(answered)
})

test('a numeric that would lose digits, or is no decimal, throws', () => {
  for (const numeric of ['0.001', '10.005', '-0.001', 'NaN', 'Infinity', '', '1e5', '.5', '1.']) {
    expect(() => formatAmount(numeric, 'USD'), numeric).toThrow(Error)
    expect(
      refusalThrown(() => formatAmount(numeric, 'USD')),
      numeric,
    ).toBe(false)
  }
  expect(() => formatAmount('1.5', 'JPY')).toThrow('JPY')
  expect(() => formatAmount('1', 'XXX')).toThrow('XXX')
})

function refusalThrown(deed: () => unknown): boolean {
  try {
    deed()
  } catch (error) {
    return error instanceof Refusal
  }
  return false
}

test('currencies do not mix', () => {
  for (const deed of [add, subtract, compare]) expect(() => deed(money('1'), money('1', 'EUR'))).toThrow('do not mix')
})

test('weights must be positive in sum and negative in none', () => {
  for (const weights of [[], [0n], [0n, 0n], [2n, -1n], [-1n]]) expect(() => allocate(money('1'), weights)).toThrow()
})

test('what cannot be divided goes to the largest remainders, the earlier first', () => {
  const shares = (amount: string, ...weights: bigint[]) => allocate(money(amount), weights).map((share) => share.amount)
  expect(shares('0.10', 1n, 1n, 1n)).toEqual(['0.04', '0.03', '0.03'])
  expect(shares('-0.10', 1n, 1n, 1n)).toEqual(['-0.04', '-0.03', '-0.03'])
  expect(shares('1.00', 1n, 2n, 3n)).toEqual(['0.17', '0.33', '0.50'])
  expect(shares('0.01', 1n, 0n, 98n)).toEqual(['0.00', '0.00', '0.01'])
  expect(shares('0', 1n, 1n)).toEqual(['0.00', '0.00'])
})

const currency = fc.constantFrom(...Object.keys(currencyDigits))
const minor = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n })

test('minor units and amounts are two spellings of one value', () => {
  fc.assert(
    fc.property(minor, currency, (units, code) => {
      const written = fromMinor(units, code)
      expect(toMinor(written)).toBe(units)
      expect(formatAmount(written.amount, code)).toBe(written.amount)
      expect(written.amount.split('.')[1]?.length ?? 0).toBe(digitsOf(code))
      expect(isZero(written)).toBe(units === 0n)
    }),
  )
})

test('adding and subtracting amounts is adding and subtracting minor units', () => {
  fc.assert(
    fc.property(minor, minor, currency, (a, b, code) => {
      const [x, y] = [fromMinor(a, code), fromMinor(b, code)]
      expect(toMinor(add(x, y))).toBe(a + b)
      expect(subtract(add(x, y), y)).toEqual(x)
      expect(add(x, y)).toEqual(add(y, x))
      expect(isZero(subtract(x, x))).toBe(true)
    }),
  )
})

test('comparing is a total order, the order of minor units', () => {
  const near = fc.bigInt({ min: -3n, max: 3n })
  fc.assert(
    fc.property(fc.oneof(minor, near), near, near, currency, (a, b, c, code) => {
      const [x, y, z] = [fromMinor(a, code), fromMinor(b, code), fromMinor(c, code)]
      expect(compare(x, y)).toBe(a < b ? -1 : a > b ? 1 : 0)
      expect(compare(x, y) + compare(y, x)).toBe(0)
      if (compare(x, y) <= 0 && compare(y, z) <= 0) expect(compare(x, z)).toBeLessThanOrEqual(0)
    }),
  )
})

test('shares sum exactly to the whole, and each is less than one unit from its proportion', () => {
  const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 20 })
  const positive = weights.filter((all) => all.some((weight) => weight > 0n))
  fc.assert(
    fc.property(minor, currency, positive, (units, code, all) => {
      const total = all.reduce((sum, weight) => sum + weight, 0n)
      const shares = allocate(fromMinor(units, code), all).map(toMinor)
      expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(units)
      shares.forEach((share, index) => {
        const error = share * total - units * (all[index] ?? 0n)
        expect(error < total && -error < total).toBe(true)
      })
    }),
  )
})

const requested = currency.chain((code) =>
  fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), fc.array(fc.nat(9), { maxLength: digitsOf(code) ?? 0 }))
    .map(([whole, decimals]) => money(decimals.length === 0 ? `${whole}` : `${whole}.${decimals.join('')}`, code)),
)

test('a canonical amount is of the same value, passes the schema, and is canonical already', () => {
  fc.assert(
    fc.property(requested, (request) => {
      const once = canonicalMoney(request)
      expect(canonicalMoney(once)).toEqual(once)
      expect(toMinor(once)).toBe(toMinor(request))
      expect(issuesOf(request)).toEqual(isZero(once) ? ['not_positive'] : [])
    }),
  )
})

test('any text as an amount is refused as a request, refused by its currency, or taken', () => {
  const amount = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789.-+eE, '.split('')) }))
  fc.assert(
    fc.property(amount, currency, (given, code) => {
      if (issuesOf(money(given, code)).length > 0) return
      const type = refusalOf(() => canonicalMoney(money(given, code)))
      expect(['none', 'amount_precision', 'amount_too_large']).toContain(type)
    }),
    { numRuns: propertyRuns(1000) },
  )
})
