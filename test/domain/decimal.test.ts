import Big from 'big.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareDecimals, decimalOf, toFixedText, product, shortText } from '../../domain/money/decimal.ts'
import { always } from '../support/property.ts'

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
