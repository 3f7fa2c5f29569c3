import { describe, expect, test } from 'vitest'
import { NewCreditNote } from '../../domain/credit-notes/credit-note.ts'
import { TAX_CATEGORIES } from '../../domain/invoice-documents/document.ts'
import { NewInvoice } from '../../domain/invoices/invoice.ts'
import { pathsOf } from '../support/bodies.ts'

describe('what is taken of an invoice', () => {
  const body = (line: object, more: object = {}) => ({
    billing_contact_id: '0197a3b4-0000-7000-8000-000000000000',
    currency: 'EUR',
    due_date: '2030-01-01',
    line_items: [{ description: 'Work', quantity: '1', price: '1', tax_percentage: '0', ...line }],
    ...more,
  })
  const wrongIn = (given: object) => pathsOf(NewInvoice, given)

  test('decimals are plain, prices not below zero, rates at most 100, categories fit their rate', () => {
    const wrong = {
      price: ['-1', '+1', '1e3', '1.', '.5', '01', '1.0000001', '', ' 1', '1,5', 'NaN'],
      quantity: ['--1', '1e3', '1234567890', '1.0000001', '-', ''],
      tax_percentage: ['-1', '100.1', '101', '1.00001', '007'],
    }
    for (const [field, values] of Object.entries(wrong))
      for (const value of values) expect(wrongIn(body({ [field]: value })), value).toEqual([`line_items.0.${field}`])
    for (const tax_category of TAX_CATEGORIES) {
      const fits = ['19', '0', '0.00'].map((rate) => wrongIn(body({ tax_category, tax_percentage: rate })).length === 0)
      expect(fits, tax_category).toEqual(tax_category === 'S' ? [true, false, false] : [false, true, true])
    }
  })

  const discountsOf = (...days: number[]) => ({
    payment_terms: { early_payment_discounts: days.map((one) => ({ days: one, percentage: '2' })) },
  })
  test.each<[string, object, string]>([
    ['a percentage and an amount', { discounts: [{ percentage: '1', amount: '1' }] }, 'discounts.0.amount'],
    ['neither of them', { charges: [{ reason: 'x' }] }, 'charges.0.amount'],
    ['nothing off', { discounts: [{ percentage: '0.0' }] }, 'discounts.0.percentage'],
    ['another rate', { charges: [{ amount: '1', tax_percentage: '19', tax_category: 'Z' }] }, 'charges.0.tax_category'],
    ['a period that ends before it begins', { period: { from: '2030-02-02', to: '2030-02-01' } }, 'period.to'],
    ['two discounts until the same day', discountsOf(7, 7), 'payment_terms.early_payment_discounts'],
  ])('%s is refused where it is', (_, more, path) => expect(wrongIn(body({}, more))).toEqual([path]))

  test('a line has a known unit, and a discount of one kind', () => {
    expect(wrongIn(body({ unit: 'PIECES' }))).toEqual(['line_items.0.unit'])
    const discount = { percentage: '1', amount: '1' }
    expect(wrongIn(body({ discount }))).toEqual(['line_items.0.discount.amount'])
  })

  test('a line is asked for, and at most 500 of 100,000 characters together; money is of a bank, and days are of the calendar', () => {
    const line = body({}).line_items[0]
    const lines = (length: number) => body({}, { line_items: Array.from({ length }, () => line) })
    expect([lines(0), lines(500), lines(501)].map(wrongIn)).toEqual([['line_items'], [], ['line_items']])
    const long = (characters: number) => ({ ...line, description: 'x'.repeat(characters) })
    const saying = (...lengths: number[]) => body({}, { line_items: lengths.map(long) })
    const most = Array<number>(99).fill(1000)
    expect(wrongIn(saying(...most, 1000))).toEqual([])
    expect(wrongIn(saying(...most, 1001))).toEqual(['line_items.99.description'])
    expect(wrongIn(saying(...most, 1000, 1000))).toEqual(['line_items'])
    for (const currency of ['BTC', 'USDC', 'XAU', 'eur', 'ABC', ''])
      expect(wrongIn(body({}, { currency })), currency).toEqual(['currency'])
    for (const due_date of ['2030-02-30', '0000-01-01', '2030-1-1', '2030-01-01T00:00:00Z', ''])
      expect(new Set(wrongIn(body({}, { due_date }))), due_date).toEqual(new Set(['due_date']))
  })
})

const LINE = { description: 'Work', quantity: '1', price: '1', tax_percentage: '0' }
test.each<[object, string[]]>([
  [{ line_items: [LINE] }, []],
  [{ full: true }, []],
  [{ full: true, line_items: [LINE] }, ['line_items']],
  [{}, ['line_items']],
  [{ full: true, reason: undefined }, ['reason']],
  [{ full: true, reason: '' }, ['reason']],
  [{ full: true, discounts: [{ amount: '1' }] }, ['full']],
  [{ full: true, charges: [{ amount: '1' }] }, ['full']],
])('a credit note has a reason, and either lines or all of its invoice: %j is refused at %j', (given, paths) => {
  expect(pathsOf(NewCreditNote, { reason: 'Wrong', ...given })).toEqual(paths)
})
