import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { currencyDigits, isCoin } from '../../domain/money/currencies.ts'
import { Refusal } from '../../domain/errors.ts'
import { DEFAULT_FEES, type FeeTable, deductingFor, feesOf, parseFees } from '../../domain/money/fees.ts'
import { fromMinor, subtract, toMinor } from '../../domain/money/money.ts'
import { arrivalOf } from '../../domain/payments/business-days.ts'
import { price } from '../../domain/payments/quote.ts'
import { allInRate, exchange } from '../../domain/money/rates.ts'
import { always } from '../support/property.ts'

const codes = Object.keys(currencyDigits)
const fiat = codes.filter((code) => !isCoin(code))

const tables = fc
  .record({
    currency: fc.constantFrom(...codes),
    fixed: fc.bigInt(0n, 10_000n),
    basis_points: fc.integer({ min: 0, max: 9999 }),
    least: fc.bigInt(0n, 10_000n),
    more: fc.option(fc.bigInt(0n, 100_000n)),
  })
  .map(({ currency, fixed, basis_points, least, more }) => {
    const amount = (minor: bigint) => fromMinor(minor, currency).amount
    const rail = isCoin(currency) ? ('crypto' as const) : ('fiat' as const)
    const max = more === null ? null : amount(least + more)
    const rule = { rail, currency, name: 'Fee', fixed: amount(fixed), basis_points, min: amount(least), max }
    const table: FeeTable = { ...DEFAULT_FEES, payments: [rule, ...DEFAULT_FEES.payments.filter(isForOthers)] }
    return { table, rail, currency }
  })
const isForOthers = ({ currency }: { currency: string | null }) => currency === null

/** Undefined if the amounts are refused. */
function unlessRefused<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

describe('the arithmetic of a quote', () => {
  test('what must land lands exactly, and nothing less would do', () =>
    always(2000, tables, fc.bigInt(1n, 10n ** 14n), ({ table, rail, currency }, minor) => {
      parseFees(JSON.stringify(table))
      const net = fromMinor(minor, currency)
      const deducting = deductingFor(table, rail, net)
      const left = (from: bigint) => {
        const [fee] = feesOf(table, rail, fromMinor(from, currency))
        return from - (fee ? toMinor(fee.amount) : 0n)
      }
      expect(left(toMinor(deducting))).toBe(minor)
      expect(left(toMinor(deducting) - 1n)).toBeLessThan(minor)
    }))

  test('(deducting − fees) × rate, rounded down, is landing to the last digit', () => {
    const rates = fc.tuple(fc.bigInt(1n, 10n ** 12n), fc.integer({ min: 0, max: 12 })).map(([digits, scale]) => {
      const all = digits.toString().padStart(scale + 1, '0')
      return scale === 0 ? all : `${all.slice(0, -scale)}.${all.slice(-scale)}`
    })
    const pairs = fc.tuple(fc.constantFrom(...fiat), fc.constantFrom(...fiat))
    always(2000, pairs, rates, fc.bigInt(1n, 10n ** 12n), ([source, target], market, minor) => {
      const rate = allInRate(market, DEFAULT_FEES.exchange.basis_points)
      const amount = fromMinor(minor, source)
      const pricing = { rail: 'fiat', currency: target, amount, side: 'deducting' } as const
      const priced = unlessRefused(() => price(DEFAULT_FEES, pricing, rate))
      if (!priced) return
      const net = subtract(priced.deducting, priced.fee)
      // compared as fractions of integers, independently of exchange()
      const [whole, decimals = ''] = rate.split('.')
      const scaled = BigInt((whole ?? '') + decimals) * toMinor(net)
      const unit = 10n ** BigInt(decimals.length + (currencyDigits[source] ?? 0))
      const landed = toMinor(priced.landing) * unit
      const exact = scaled * 10n ** BigInt(currencyDigits[target] ?? 0)
      expect(landed <= exact && exact < landed + unit).toBe(true)
      expect(exchange(net, rate, target)).toEqual(priced.landing)
    })
  })

  test.each([
    ['1.10', 40, '1.0956'],
    ['147.3', 0, '147.3'],
    ['0.000000000000000001', 1, '0.0000000000000000009999'],
    ['20000', 5000, '10000'],
  ])('a rate of %s less %i basis points is exactly %s', (rate, points, left) =>
    expect(allInRate(rate, points)).toBe(left),
  )

  test.each(['0.20 EUR', '0.19 EUR', '0.50 USD'])('of %s nothing would arrive', (money) => {
    const [amount = '', currency = ''] = money.split(' ')
    const pricing = { rail: 'fiat', currency, amount: { amount, currency }, side: 'deducting' } as const
    expect(() => price(DEFAULT_FEES, pricing, null)).toThrow('The fees would take up the whole amount.')
  })
})

describe('the table', () => {
  test('the one that is there by itself is in order', () =>
    expect(parseFees(JSON.stringify(DEFAULT_FEES))).toEqual(DEFAULT_FEES))

  const [first, ...others] = DEFAULT_FEES.payments
  const withFirst = (change: object) => ({ ...DEFAULT_FEES, payments: [{ ...first, ...change }, ...others] })
  test.each<[string, unknown]>([
    ['no table', []],
    ['an unknown member', { ...DEFAULT_FEES, discount: 1 }],
    ['no arrival', { ...DEFAULT_FEES, arrival: undefined }],
    ['a rail by service ID', withFirst({ rail: 'svc_id' })],
    ['an unknown currency', withFirst({ currency: 'XQZ' })],
    ['a coin by bank', withFirst({ currency: 'BTC' })],
    ['an amount as a number', withFirst({ fixed: 0.2 })],
    ['an amount below zero', withFirst({ fixed: '-0.20' })],
    ['an amount finer than its currency', withFirst({ fixed: '0.001' })],
    ['basis points of everything', withFirst({ basis_points: 10_000 })],
    ['half a basis point', withFirst({ basis_points: 0.5 })],
    ['a minimum above the maximum', withFirst({ min: '2.00', max: '1.00' })],
    ['an unnamed fee', withFirst({ name: '' })],
    ['two rules for one currency', { ...DEFAULT_FEES, payments: [...DEFAULT_FEES.payments, first] }],
    ['amounts in no currency', withFirst({ currency: null, fixed: '1' })],
    ['no rule for all others', { ...DEFAULT_FEES, payments: [first] }],
  ])('%s is refused', (_, table) => expect(() => parseFees(JSON.stringify(table))).toThrow(/./))

  test('the service does not start with one that is refused, and says which variable is at fault', async () => {
    const start = async (fees: string) => {
      vi.stubEnv('FEES', fees)
      vi.resetModules() // it reads the environment when loaded
      return (await import('../../platform/config.ts')).config.fees.exchange
    }
    try {
      await expect(start('{')).rejects.toThrow(/FEES: /)
      await expect(start('{}')).rejects.toThrow(/FEES: .*payments/)
      const exchange = { basis_points: 7 }
      expect(await start(JSON.stringify({ ...DEFAULT_FEES, exchange }))).toMatchObject(exchange)
    } finally {
      vi.unstubAllEnvs()
      vi.resetModules()
    }
  })
})

test.each([
  ['fiat', '2024-03-06T10:00:00Z', '2024-03-07T10:00:00Z'], // Wednesday
  ['fiat', '2024-03-08T23:59:59Z', '2024-03-11T23:59:59Z'], // Friday
  ['fiat', '2024-03-09T10:00:00Z', '2024-03-11T10:00:00Z'], // Saturday
  ['fiat', '2024-03-10T10:00:00Z', '2024-03-11T10:00:00Z'], // Sunday
  ['crypto', '2024-03-09T10:00:00Z', '2024-03-09T10:10:00Z'],
  ['svc_id', '2024-03-09T10:00:00Z', '2024-03-09T10:00:00Z'],
] as const)('%s that leaves %s is there %s', (rail, leaves, arrives) =>
  expect(arrivalOf(DEFAULT_FEES, { rail, currencies: ['EUR'] }, new Date(leaves))).toEqual(new Date(arrives)),
)

test.each([
  [['EUR'], '2026-04-02T10:00:00Z', '2026-04-07T10:00:00Z'], // over Easter: TARGET rests from Friday to Monday
  [['EUR'], '2026-12-24T10:00:00Z', '2026-12-28T10:00:00Z'],
  [['USD'], '2026-12-24T10:00:00Z', '2026-12-28T10:00:00Z'],
  [['USD'], '2026-12-25T10:00:00Z', '2026-12-28T10:00:00Z'],
  [['PLN'], '2026-12-24T10:00:00Z', '2026-12-25T10:00:00Z'],
  [['SAR'], '2026-03-05T10:00:00Z', '2026-03-08T10:00:00Z'], // a Thursday, and the Sunday after it
  [['ILS'], '2026-03-06T10:00:00Z', '2026-03-08T10:00:00Z'],
  [['KWD'], '2026-03-08T10:00:00Z', '2026-03-09T10:00:00Z'],
  [['USD', 'EGP'], '2026-03-05T10:00:00Z', '2026-03-09T10:00:00Z'], // neither Friday nor Sunday
] as const)('by bank in %j what leaves %s is there %s', (currencies, leaves, arrives) =>
  expect(arrivalOf(DEFAULT_FEES, { rail: 'fiat', currencies }, new Date(leaves))).toEqual(new Date(arrives)),
)
