import { data } from 'currency-codes'
import * as dineroCurrencies from 'dinero.js/currencies'
import { expect, test } from 'vitest'
import { currencyDigits, digitsOf, isCoin, isCurrency } from '../../domain/money/currencies.ts'

const ANG = 'withdrawn 2025-03-31 for XCG (amendment 176)'
const BGN = 'withdrawn 2026-01-01 for EUR (amendment 180)'
const CUC = 'withdrawn 2021-06-30 (amendment 178)'
const noMinorUnit = 'ISO 4217 gives no minor unit ("N.A.")'

/** Known differences between a source and the table, and why the table is right; `null`: the code is absent. */
type Known = Record<string, { source: number | null; table: number | null; reason: string }>

const knownOfDinero: Known = {
  BGN: { source: 2, table: null, reason: BGN },
  MGA: { source: 1, table: 2, reason: 'counts fifths of an ariary; ISO 4217 says two decimals' },
  MRU: { source: 1, table: 2, reason: 'counts fifths of an ouguiya; ISO 4217 says two decimals' },
}

const knownOfCurrencyCodes: Known = {
  ANG: { source: 2, table: null, reason: ANG },
  BGN: { source: 2, table: null, reason: BGN },
  CUC: { source: 2, table: null, reason: CUC },
  XAD: { source: null, table: 2, reason: 'added 2025-05-12 (amendment 179), after the source was made' },
  XCG: { source: null, table: 2, reason: 'added 2025-03-31 (amendment 176), after the source was made' },
  ...Object.fromEntries(
    ['XAG', 'XAU', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XPD', 'XPT', 'XSU', 'XTS', 'XUA', 'XXX'].map((code) => [
      code,
      { source: 0, table: null, reason: noMinorUnit },
    ]),
  ),
}

const table = Object.fromEntries(Object.entries(currencyDigits).filter(([code]) => !isCoin(code)))

function differences(source: Record<string, number>) {
  const codes = [...new Set([...Object.keys(source), ...Object.keys(table)])].sort()
  return codes
    .map((code) => ({ code, source: source[code] ?? null, table: table[code] ?? null }))
    .filter((entry) => entry.source !== entry.table)
}

const listed = (known: Known) =>
  Object.entries(known)
    .map(([code, { source, table: ours }]) => ({ code, source, table: ours }))
    .sort((a, b) => (a.code < b.code ? -1 : 1))

test('the table differs from dinero.js only where dinero.js is known to be wrong', () => {
  const source = Object.fromEntries(Object.values(dineroCurrencies).map(({ code, exponent }) => [code, exponent]))
  expect(Object.keys(source).length).toBeGreaterThan(150)
  expect(differences(source)).toEqual(listed(knownOfDinero))
})

test('the table differs from currency-codes only where currency-codes is known to be wrong', () => {
  const source = Object.fromEntries(data.map(({ code, digits }) => [code, digits]))
  expect(Object.keys(source).length).toBeGreaterThan(150)
  expect(differences(source)).toEqual(listed(knownOfCurrencyCodes))
})

test('the table has 165 currencies and four coins', () => {
  expect(Object.keys(table)).toHaveLength(165)
  expect(Object.keys(table).every((code) => /^[A-Z]{3}$/.test(code))).toBe(true)
  expect(Object.keys(currencyDigits).filter(isCoin)).toEqual(['USDC', 'USDT', 'BTC', 'ETH'])
})

test('currencies and coins have the decimals of their standard', () => {
  const expected = { USD: 2, EUR: 2, JPY: 0, KWD: 3, CLF: 4, ISK: 0, HUF: 2, MGA: 2, USDC: 6, USDT: 6, BTC: 8, ETH: 18 }
  for (const [code, digits] of Object.entries(expected)) expect(digitsOf(code), code).toBe(digits)
})

test('a code outside the table is no currency', () => {
  for (const code of ['', 'usd', 'XXX', 'XTS', 'XAU', 'BGN', 'DOGE', ' USD', 'toString', '__proto__', 'constructor']) {
    expect(digitsOf(code), code).toBeUndefined()
    expect(isCurrency(code), code).toBe(false)
    expect(isCoin(code), code).toBe(false)
  }
  expect([isCurrency('USD'), isCoin('USD'), isCurrency('BTC'), isCoin('BTC')]).toEqual([true, false, true, true])
})
