/** Lines by which a coded bill is posted: they add up to its amount, whatever its lines say. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type SavedLine, condenseLines, linesOf, listPosted } from '../../domain/coding/lines.ts'
import { areShares, percentOf, shareOf, splitByShares } from '../../domain/coding/splits.ts'
import { moneyOf, toMinor } from '../../domain/money/money.ts'
import { always } from '../support/property.ts'

const item = (amount: string, tax_rate: string | null, description = 'One') => ({
  description,
  quantity: null,
  unit: null,
  unit_price: null,
  amount,
  tax_rate,
})
const part = (amount: string, account_code: string) => ({ amount, account_code, tax_code: null, labels: [] })
const savedOf = (line: number, amount: string, ...parts: SavedLine['parts']): SavedLine => ({
  line,
  amount,
  description: 'One',
  parts,
})
const EUR = (amount: string) => moneyOf(amount, 'EUR')

function posted(amount: string, items: ReturnType<typeof item>[], saved: SavedLine[]) {
  const lines = listPosted({ amount: EUR(amount), lines: linesOf(items, 'EUR', amount), saved })
  return lines.map((line) => [line.amount.amount, line.account_code])
}

test('net lines get their tax, what rounding leaves goes to the largest, and what no line says is a line of its own', () => {
  const saved = [savedOf(1, '10', part('6.67', '4900'), part('3.33', '4930'))]
  expect(posted('11.90', [item('10.00', '19')], saved)).toEqual([['7.94', '4900'], ['3.96', '4930']]) // prettier-ignore
  expect(posted('10.00', [item('10.00', '19')], saved)).toEqual([['6.67', '4900'], ['3.33', '4930']]) // prettier-ignore
  expect(posted('15.00', [item('10.00', '19')], saved)).toEqual([['7.94', '4900'], ['3.96', '4930'], ['3.10', null]]) // prettier-ignore
  expect(posted('17.85', [item('10.00', '19'), item('5.00', '19.00')], saved).at(-1)).toEqual(['5.95', null])
  expect(posted('10.00', [item('9.00', '19')], saved)).toEqual([])
})

test('lines add up to the amount of the bill, also if they are summed by their coding', () =>
  always(
    300,
    fc.record({
      nets: fc.array(fc.record({ minor: fc.integer({ min: -5000, max: 90_000 }), rate: fc.constantFrom('19', '7.7', '5.50', null) }), { minLength: 1, maxLength: 700 }), // prettier-ignore
      total: fc.integer({ min: 1, max: 1_000_000 }),
    }),
    ({ nets, total }) => {
      const items = nets.map(({ minor, rate }) => item((minor / 100).toFixed(2), rate))
      const [first] = items
      const amount = (total / 100).toFixed(2)
      const saved = [savedOf(1, first?.amount ?? '0', part(first?.amount ?? '0', '4900'))]
      const lines = listPosted({ amount: EUR(amount), lines: linesOf(items, 'EUR', amount), saved })
      for (const all of [lines, condenseLines(lines)])
        expect(all.reduce((sum, one) => sum + toMinor(one.amount), 0n)).toBe(BigInt(total))
      expect(condenseLines(lines).length).toBeLessThanOrEqual(500)
    },
  ))

test('shares are written and read alike, and split an amount to the cent, also if some are negative', () =>
  always(
    300,
    fc.record({
      shares: fc.array(fc.integer({ min: -2_000_000, max: 2_000_000 }), { maxLength: 6 }),
      total: fc.integer({ min: -1_000_000, max: 1_000_000 }),
    }),
    ({ shares: some, total }) => {
      const shares = [...some, 1_000_000 - some.reduce((sum, one) => sum + one, 0)].map(BigInt)
      expect(shares.map((one) => shareOf(percentOf(one)))).toEqual(shares)
      const parts = splitByShares(EUR((total / 100).toFixed(2)), shares)
      expect(parts.reduce((sum, one) => sum + toMinor(one), 0n)).toBe(BigInt(total))
    },
  ))

test('percentages have no needless zeros, and parts of two signs are no shares', () => {
  expect([1_000_000n, 5000n, -5000n, 333_333n, 0n].map(percentOf)).toEqual(['100', '0.5', '-0.5', '33.3333', '0'])
  expect([['1', '0'], ['-1', '-2'], ['1000.50', '-0.50']].map((all) => areShares(all.map(EUR)))).toEqual([true, true, false]) // prettier-ignore
})
