/** Amounts as people type them on a page: read as they mean them, or not at all. */
import { expect, test } from 'vitest'
import { readAmount } from '../../pages/frame/forms/amounts.ts'

test.each([
  ['1250', '1250', '1250'],
  ['1,250.00', '1250.00', '1250.00'],
  ['1.250,50', '1250.50', '1250.50'],
  ['1 250,5', '1250.5', '1250.5'],
  ["1'250.50", '1250.50', '1250.50'],
  ['12,50', '12.50', '12.50'],
  ['12.5', '12.5', '12.5'],
  ['1,250', '1250', null],
  ['1.250', null, '1250'],
  ['0.125', '0.125', '0.125'],
  ['0,125', '0.125', '0.125'],
  ['0.125.000', null, null],
  ['1.250.000', '1250000', '1250000'],
  ['1,25,000', null, null],
  ['1.250.00', null, null],
  ['1,250,00', null, null],
  ['1,250.000,00', null, null],
  ['-5', null, null],
  ['', null, null],
  ['12 EUR', null, null],
])('%j is %j on an English page, and %j on a German one', (text, english, german) => {
  expect([readAmount(text, 'en'), readAmount(text, 'de')]).toEqual([english, german])
})
