/** Amounts on printed bills: digits by the currency beside them, and what is no amount or in doubt. */
import { describe, expect, test } from 'vitest'
import { type Notation, UNKNOWN, amountsIn, decimalText } from '../../documents/bills/text/money/amounts.ts'
import { pagesRead } from '../../documents/bills/text/reading.ts'
import { codesOf, readTyped, valuesOf } from '../support/bills/readings.ts'
import { typedPage } from '../support/bills/typed-page.ts'

const readText = (text: string, notation: Notation = UNKNOWN) =>
  amountsIn(text, notation).map((one) => (one.isUnclear ? 'unclear' : `${decimalText(one)} ${one.currency ?? '-'}`))

const COMMA: Notation = { decimal: ',', digits: null }

test.each<[string, string[], Notation?]>([
  ['12,500 TND', ['12.500 TND']],
  ['TND 1 250,500', ['1250.500 TND']],
  ['KWD 3.250', ['3.250 KWD']],
  ['12,500 EUR', ['12500.00 EUR']],
  ['12.500 €', ['12500.00 EUR']],
  ['12,500', ['unclear']],
  ['12,500', ['12.500 -'], { decimal: null, digits: 3 }],
  ['12,500', ['12500.00 -'], { decimal: null, digits: 2 }],
  ['1.234', ['1234.00 -'], COMMA],
  ['1,234', ['unclear'], COMMA],
  ['12,500 KWD', ['unclear'], { decimal: '.', digits: 3 }],
  ['JPY 12,340', ['12340.00 JPY']],
  ['¥12,340', ['12340.00 -']],
  ['￥１２，３４０', ['12340.00 -']],
  ['12,340円', ['12340.00 JPY']],
  ['KRW 550,000', ['550000.00 KRW']],
  ['CLP 123.456', ['123456.00 CLP']],
  ['ISK 45.900', ['45900.00 ISK']],
  ['$ 12.50', ['12.50 -']],
  ['US$ 12.50', ['12.50 USD']],
  ['$1,234', ['1234.00 -']],
  ['1,23,456.00', ['123456.00 -']],
  ['4,72,000/-', ['472000.00 -']],
  ['₹ 1,00,000', ['100000.00 INR']],
  ["1'234.50 CHF", ['1234.50 CHF']],
  ['1’234.50', ['1234.50 -']],
  ['1 234,50 €', ['1234.50 EUR']],
  ['1\u202f234\u202f567,50 €', ['1234567.50 EUR']],
  ['١٬٢٣٤٫٥٠٠ د.ك', ['1234.500 KWD']],
  ['MAD 1 234,50', ['1234.50 MAD']],
  ['12,50 Euro', ['12.50 EUR']],
  ['350 Kč', ['350.00 CZK']],
  ['-12,50 €', ['-12.50 EUR']],
  ['(12.50)', ['-12.50 -']],
  ['12,50- EUR', ['-12.50 EUR']],
  ['350,- kr', ['350.00 -']],
  ['350,00 kr. 70,00 kr.', ['350.00 -', '70.00 -']],
  ['EUR 100,00 EUR 19,00', ['100.00 EUR', '19.00 EUR']],
  ['100,00 EUR 19,00 EUR', ['100.00 EUR', '19.00 EUR']],
  ['2024 EUR 350,00', ['2024.00 -', '350.00 EUR']],
  ['1,00,00.00', ['unclear']],
  ['1.23.456,00', ['unclear']],
  ['19,00 %', []],
  ['2.00 kg', []],
  ['0.500', []],
  ['3 October 2024', []],
  ['October 2, 2024 USD 20.00', ['20.00 USD']],
  ['October 2 350.00', ['350.00 -']],
  ['1. Januar 2026 1.234,50', ['1234.50 -']],
  ['2026年3月1日 1,200円', ['1200.00 JPY']],
  ['12:30 4.50', ['4.50 -']],
  ['R-100,00', []],
])('an amount is read by the currency beside it: %s', (text, amounts, notation) =>
  expect(readText(text, notation)).toEqual(amounts),
)

const TITLE = ['Invoice', 'Invoice number: R-7788', 'Invoice date: 2026-03-03']
const readLines = (...lines: string[]) => readTyped([...TITLE, ...lines])

test.each<[lines: string, amount: string, currency: string | null]>([
  ['Total TTC : 12,500 TND//Tél : 71.12.34.56', '12.500', 'TND'],
  ['Total TTC : 12,500 TND//Taux 19.00 %', '12.500', 'TND'],
  ['Total TTC : 12,500 TND//Qty   2.00', '12.500', 'TND'],
  ['Qty   Price//2.00   12,500//Total   12,500   TND', '12.500', 'TND'],
  ['Total : 12,500 TND', '12.500', 'TND'],
  ['Amounts in KWD//Total   12.500', '12.500', 'KWD'],
  ['Total amount   JPY 12,340', '12340', 'JPY'],
  ['Amount due   ¥12,340//Nihon Trading, Minato-ku, Tokyo', '12340', 'JPY'],
  ['Total   KRW 550,000', '550000', 'KRW'],
  ['Currency: KRW//Total   550,000', '550000', 'KRW'],
  ['Total   CLP 123.456', '123456', 'CLP'],
  ['Total   ISK 45.900', '45900', 'ISK'],
  ['Total   1,23,456.00   INR', '123456.00', 'INR'],
  ['Grand total   Rs. 4,72,000/-   INR', '472000.00', 'INR'],
  ['Gesamtbetrag 2024 EUR   350,00', '350.00', 'EUR'],
  ['TOTAL AMOUNT DUE ON October 2, 2024 USD 20.00', '20.00', 'USD'],
  ['Total for October 2024 EUR   20.00', '20.00', 'EUR'],
  ['Total October 2 EUR   20.00', '20.00', 'EUR'],
  ['Total | 1,00,000.00   18,000.00   1,18,000.00', '118000.00', null],
  ['Total   100.00   19.00   119.00 EUR', '119.00', 'EUR'],
])('the amount of a page is its total: %s', (lines, amount, currency) =>
  expect(valuesOf(readLines(...lines.split('//')), 'amount', 'currency')).toEqual([amount, currency]),
)

describe('an amount is in doubt', () => {
  test.each([
    ['if it could be a thousand or one', ['Total   12,500'], 'ambiguous_amount'],
    ['beside money that was not parsed', ['Total   1,00,00.00   18,000.00 INR'], 'ambiguous_amount'],
    ['if letters stand in a number beside it', ['Total   l19,00   12,00 EUR'], 'ambiguous_amount'],
    ['if its label has another one', ['Total   18,000.00   118,000.00 INR'], 'contradicted'],
    ['if it stands there in two currencies', ['Total: 119.00 EUR (130.00 USD)'], 'contradicted'],
  ])('%s', (_, lines, code) => {
    const reading = readLines(...lines)
    expect(valuesOf(reading, 'amount')).toEqual([null])
    expect(codesOf(reading)).toContainEqual([code, 'amount'])
  })

  test('unless net and tax prove it', () =>
    expect(valuesOf(readLines('Subtotal   100.00', 'VAT   19.00', 'Total   119.00   130.00 EUR'), 'amount')).toEqual([
      null,
    ]))
})

test.each([
  'Le montant restant dû après cette mensualité sera de 128,00€',
  'Der Restbetrag beträgt nach dieser Rate noch 128,00 EUR',
  'The outstanding balance after this instalment will be 128.00 EUR',
  'Ab einem Gesamtbetrag von 500,00 EUR liefern wir kostenlos frei Haus und ohne Aufpreis.',
  'Please note that orders with a total of 500.00 EUR are shipped free.',
])('a label within a sentence is none: %s', (sentence) => {
  expect(valuesOf(readLines(sentence), 'amount')).toEqual([null])
  expect(valuesOf(readLines('Total   12.99 EUR', sentence), 'amount')).toEqual(['12.99'])
})

test('a sentence that goes on over two lines has no label either', () =>
  expect(
    valuesOf(readLines('If you pay within ten days of the day above, your', 'total amount 116.62 EUR'), 'amount'),
  ).toEqual([null]))

describe('on a recognized page', () => {
  const recognized = (...lines: string[]) =>
    pagesRead([typedPage(['Invoice', ...lines], { confidence: 0.9 })], 'tesseract-5', 'en').reading

  test('the label of a net amount may stand on two lines', () => {
    const both = recognized('Sub', 'Total   100.00 EUR', '', 'Tax   19.00 EUR', '', 'Total   119.00 EUR')
    expect(valuesOf(both, 'amount')).toEqual(['119.00'])
    expect(valuesOf(recognized('Sub-', 'total   100.00 EUR'), 'amount')).toEqual([null])
    expect(valuesOf(recognized('Total   100.00 EUR', 'excl. VAT'), 'amount')).toEqual([null])
  })

  test('a total is in doubt beside the label of another one that was not recognized', () => {
    const reading = recognized('Total   100.00 EUR', 'Tax', '', 'Grand total')
    expect([valuesOf(reading, 'amount'), codesOf(reading)]).toEqual([[null], [['does_not_add_up', 'amount']]])
  })

  test('rows of rates of which one was read in part have no sum', () => {
    const row = (...cells: string[]) => cells.map((cell) => cell.padEnd(20)).join('')
    const rows = [row('Rate', 'Net amount', 'VAT', 'Gross total'), row('7 %', '100.00 EUR', '7.00 EUR', '107.00 EUR')]
    const second = row('19 %', '200.00 EUR', '38.00 EUR', 'Z3B.OO')
    expect(valuesOf(recognized(...rows, second, row('', '300.00 EUR', '45.00 EUR', '')), 'amount')).toEqual([null])
  })
})
