import { data } from 'currency-codes'
import * as dineroCurrencies from 'dinero.js/currencies'
import { expect, test } from 'vitest'
import { currencyDigits, digitsOf, isCoin, isCurrency } from '../../domain/money/currencies.ts'

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
