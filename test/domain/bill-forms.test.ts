/** Forms of bills: numbered boxes, values beneath headings, letters with spaces between. */
import { expect, test } from 'vitest'
import { readTyped, valueOf, valuesOf } from '../support/bills/readings.ts'

const BLANKS = Array.from({ length: 8 }, () => '')

test.each([
  [['1 Invoice no.               2 Date', 'A-7781                      2026-03-01'], 'A-7781'],
  [['1 Invoice no. 2 Date 3 Customer no.', 'A-7781        2026-03-01  77123'], 'A-7781'],
  [['1. Facture n°   2. Date', 'F 2026 004      01/03/2026'], 'F 2026 004'],
  [['Invoice number        : 2026 0044 12    Order number     : 45001'], '2026 0044 12'],
  [['Faktura nr                  Data wystawienia', 'FV 26/10/2025               26.10.2025'], 'FV 26/10/2025'],
  [['Faktura nr FV 26/10/2025', 'Data wystawienia: 26.10.2025'], 'FV 26/10/2025'],
  [['Facture N°                  TVA CHE-123.456.788', '4711'], '4711'],
  [['N.º da fatura   Data de', 'SI-2025-        emissão', '5407            17/04/2025'], 'SI-2025-5407'],
  [['Invoice number: SI-20250983'], 'SI-20250983'],
  [['Invoice no. 2 Date'], null],
  [['Rechnungsnummer', 'TVA CHE-123.456.788'], null],
  [['Facture                     8001 Zürich'], null],
])('the number of a bill is no box, tax id or postcode beside it: %s', (head, number) =>
  expect(valueOf(readTyped(['Invoice', '', ...head, ...BLANKS, 'Total   119,00 EUR']), 'bill_number')).toBe(number),
)

test('a day in a row of values is that of the label above it', () => {
  const head = ['1. Facture n°   2. Date    3. Échéance', 'F 2026 004      01/03/2026  31/03/2026']
  const reading = readTyped(['Facture', '', ...head, ...BLANKS, 'Total   119,00 EUR'])
  expect(valuesOf(reading, 'issue_date', 'due_date')).toEqual(['2026-03-01', '2026-03-31'])
})
