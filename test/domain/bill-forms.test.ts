/** Forms of bills: numbered boxes, values beneath headings, letters with spaces between. */
import { expect, test } from 'vitest'
import { readTyped, valueOf, valuesOf } from '../support/bills/readings.ts'
import { listed } from '../support/listed.ts'
import { typedPage } from '../support/bills/typed-page.ts'
import { linesOf } from '../../documents/bills/text/words.ts'

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

const spaced = (text: string): string => Array.from(text).join(' ')

test.each([
  ['TATRANS KFT', 'Invoice', 'Invoice No.', 'Total due'],
  ['NORDLICHT GMBH', 'Rechnung', 'Rechnungsnummer', 'Gesamtbetrag'],
  ['LUMIÈRE NORD SAS', 'Facture', 'Facture n°', 'Net à payer'],
])('letters with spaces between are words: %s', (name, title, number, total) => {
  const party = ['Acme Widgets Ltd', '12 High Street']
  const head = [spaced(name), '1051 Budapest', '', spaced(title.toUpperCase()), '']
  const lines = [...head, `${spaced(number)}   4711`, '', ...party, '', `${spaced(total)}   119,00 EUR`]
  const found = valuesOf(readTyped(lines), 'supplier_name', 'bill_number', 'amount')
  expect(found).toEqual([name, '4711', '119.00'])
})

test('single letters of three, of columns or of a picture stay as they are', () => {
  const cellsOf = (line: string, confidence: number | null = null) =>
    linesOf(typedPage([line], { confidence })).flatMap(({ cells }) => cells.map(({ text }) => text))
  expect(cellsOf('a . s b')).toEqual(['a . s b'])
  expect(cellsOf('A    B    C    D    E')).toEqual(['A', 'B', 'C', 'D', 'E'])
  expect(cellsOf('T O T A L', 0.9)).toEqual(['T O T A L'])
  expect(cellsOf('T O T A L    4 7')).toEqual(['TOTAL', '4 7'])
})

test.each(['', '-'])('the tax of a credit note has the sign of its amount: %s100,00', (sign) => {
  const lines = ['Gutschrift R-7', '', `Netto   ${sign}100,00 EUR`, `MwSt. 19 %   ${sign}19,00 EUR`]
  const reading = readTyped([...lines, `Gesamtbetrag   ${sign}119,00 EUR`])
  expect(valuesOf(reading, 'amount', 'tax_total')).toEqual(['-119.00', '-19.00'])
})

test.each([
  [['Payee', 'Acme GmbH'], null],
  [['Payée'], 'paid'],
  [['# Lieferschein / Rechnung'], null],
  [['# Delivery note and invoice'], null],
  [['# Lieferschein'], 'not_a_bill'],
  [['# Auftragsbestätigung', 'Rechnung folgt'], 'not_a_bill'],
])('a label of a party and a second title leave a bill payable: %s', (head, reason) =>
  expect(readTyped(['Acme GmbH', '', head.join('   '), '', 'Total   119,00 EUR']).notPayable).toBe(reason),
)

test('the day of a payment is no day of the bill', () => {
  const lines = ['Rechnung R-7', 'Zahlungsdatum   3.3.2026', ...BLANKS, 'Gesamtbetrag   119,00 EUR']
  expect(valueOf(readTyped(lines), 'issue_date')).toBe(null)
})

test.each(listed`
  Bezahlt am 3.3.2026 mit VISA, endend auf 5796 | Pagato il 3 marzo 2026 con Visa che termina con 5796
  Zapłacono 3.03.2026 kartą Visa kończącą się na 5796 | Pago em 3 de março de 2026 com Visa terminado em 5796
  Maksettu 3.3.2026 Visa-kortilla, joka päättyy 5796 | Betalt 3.3.2026 med Visa som slutter på 5796
  Pagado el 3 de marzo de 2026 con Visa acabada en 5796 | Zaplaceno 3. 3. 2026 kartou Visa končící na 5796
`)('a card by its last digits has paid: %s', (line) =>
  expect(readTyped(['Invoice R-7', '', 'Total   119,00 EUR', '', line]).notPayable).toBe('card'),
)

test.each([
  [['Net amount      VAT amount     Amount due', 'EUR 100.00      EUR 19.00      EUR 119.00'], '19.00'],
  [
    ['VAT rate   Net       VAT       Gross', '19 %       100.00    19.00     119.00', '', 'Total due   119.00 EUR'],
    '19.00',
  ],
  [['Total       119.00 EUR', 'of which VAT 19 %    19.00 EUR'], '19.00'],
  [['Total TTC   119,00 EUR', 'dont TVA 19 %   19,00 EUR'], '19.00'],
  [['Total       119.00 EUR', 'of which VAT 7 %    19.00 EUR'], null],
  [['Total       119.00 EUR', 'VAT 19 %    12.00 EUR', 'VAT 7 %    3.40 EUR'], null],
  [['VAT        Item        Price', '19.00      55.00       74.00', '', 'Total due   119.00 EUR'], null],
])('the tax is that under its heading, or of its rate, if the total has it: %s', (sums, tax) =>
  expect(valueOf(readTyped(['Invoice R-7', '', ...sums]), 'tax_total')).toBe(tax),
)

test.each([
  ['Variabilní symbol: 20260001', '20260001'],
  ['OCR-nummer   1234567897', '1234567897'],
  ['Variable symbol: 20260001', '20260001'],
  ['Referință plată: 20260001', '20260001'],
  ['Αιτιολογία: 20260001', '20260001'],
  ['Mokėjimo paskirtis: 20260001', '20260001'],
  ['Основание: договор 12', null],
  ['KID: 1234567897', '1234567897'],
  ['Reference: RF18 5390 0754 7034', 'RF18 5390 0754 7034'],
  ['Gestructureerde mededeling   +++090/9337/55493+++', '+++090/9337/55493+++'],
  ['Viitenumero: 1234561', '1234561'],
  ['Közlemény: 13741807', '13741807'],
  ['Poziv na broj: HR00 123-456', 'HR00 123-456'],
  ['Mededeling: geleverd op 12 maart', null],
  ['Kid bike 3', null],
  ['Reference: 4711', null],
  ['Sklic na naročilo 4711', null],
])('the reference of a payment has its own labels: %s', (line, reference) =>
  expect(valueOf(readTyped(['Invoice R-7', '', line, '', 'Total   119.00 EUR']), 'payment_reference')).toBe(reference),
)

test.each(listed`
  R.U.T. 76.123.456-0 | NIT: 900.123.456-7 | C.U.I.T. Nro: 30-71234567-1 | TIN 12345678-0001 | KRA PIN: P051234567X
  SST No: W10-1808-32000123 | NPWP: 01.234.567.8-901.000 | RFC: ABC010203AB9 | CNPJ: 12.345.678/0001-95
`)('a tax id stands in the foot behind its label: %s', (written) => {
  const foot = `Tel. +1 555 010 7788 | info@acme.example | ${written}`
  const lines = ['Acme Trading', '', 'Invoice R-7', ...BLANKS, 'Total   119.00 EUR', '', foot]
  expect(valueOf(readTyped(lines), 'supplier_tax_id')).toBe(written.split(' ').at(-1))
})

test('terms above their days are no name of the supplier', () => {
  const lines = ['Invoice date     Terms        Due date', '2026-03-01       30 days      2026-03-31']
  expect(valueOf(readTyped(['Invoice', '', ...lines, '', 'Total   119.00 EUR']), 'supplier_name')).toBe(null)
})
