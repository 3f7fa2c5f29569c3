/** The number of a printed bill, the date behind it, and two bills in one file. */
import { describe, expect, test } from 'vitest'
import { BILL_FIELDS, type BillField } from '../../domain/bills/fields.ts'
import { chooseReading } from '../../domain/bills/text/agreed.ts'
import { pagesRead, readPages } from '../../domain/bills/text/reading.ts'
import { typedPage } from '../support/bills/typed-page.ts'

const read = (...pages: (readonly string[])[]) =>
  readPages(
    pages.map((lines, index) => typedPage(lines, { number: index + 1 })),
    'text-layer',
  )
const valueOn = (lines: readonly string[], wanted: BillField): string | null =>
  read(lines).fields.find(({ field }) => field === wanted)?.value ?? null

const BODY = ['', 'Pos   Text   Betrag', '1   Wartung   100,00 EUR', '', 'Gesamtbetrag: 119,00 EUR']

describe('the number of a bill', () => {
  test.each([
    ['Handelsrechnung (380) Nr. 471102 vom 05.03.2018', '471102', '2018-03-05'],
    ['Mietrechnung Nr. 2018-77 vom 5. März 2018', '2018-77', '2018-03-05'],
    ['Stromrechnung VK 4711/18', 'VK 4711/18', null],
    ['Stromrechnungsnummer: 99812', '99812', null],
    ['Rechnung 4711-18, 05.03.2018', '4711-18', '2018-03-05'],
    ['Ihre Rechnung 471102', '471102', null],
    ['Schlussrechnung Nr.: SR-18-4   vom 05.03.2018', 'SR-18-4', '2018-03-05'],
    ['Gutschrift (381) Nr. 88 vom 05.03.2018', '88', '2018-03-05'],
    ['Commercial invoice no. CI-4711 dated 5 March 2018', 'CI-4711', '2018-03-05'],
    ['Invoice 4711 of 5 March 2018', '4711', '2018-03-05'],
    ['Credit note 4711 dated 5 March 2018', '4711', '2018-03-05'],
    ['Facture n° F-2018-11 du 05/03/2018', 'F-2018-11', '2018-03-05'],
    ["Facture d'acompte n° 2018/44 du 5 mars 2018", '2018/44', '2018-03-05'],
    ['Fattura elettronica n. 12/PA del 05/03/2018', '12/PA', '2018-03-05'],
    ['Factura simplificada nº A-118 de fecha 05/03/2018', 'A-118', '2018-03-05'],
    ['Factuur 2018-0042 van 5 maart 2018', '2018-0042', '2018-03-05'],
    ['Faktura nr 4711 av den 5 mars 2018', '4711', '2018-03-05'],
    ['Fakturanummer: 4711', '4711', null],
    ['Faktura nr. 4711', '4711', null],
    ['Regning nr. 4711', '4711', null],
    ['Faktura VAT nr FV/118/03/2018', 'FV/118/03/2018', null],
    ['Numer faktury: FV-118', 'FV-118', null],
    ['Fatura n.º 4711', '4711', null],
    ['Lasku nro 4711', '4711', null],
    ['Kvitto nr 4711', '4711', null],
    ['Receipt number: R-4711', 'R-4711', null],
    ['Abrechnung Nr. 4711', '4711', null],
  ])('stands in the line of its title, and its date behind it: %s', (line, number, date) => {
    expect(valueOn([line, ...BODY], 'bill_number')).toBe(number)
    if (date) expect(valueOn([line, ...BODY], 'issue_date')).toBe(date)
  })

  test.each([
    ['Rechnung', 'Nummer: 4711', 'Datum: 05.03.2018'],
    ['Invoice', 'Number   4711', 'Date   5 March 2018'],
    ['Facture', 'N° 4711', 'Date 05/03/2018'],
    ['Fattura', 'Numero: 4711', 'Data: 05/03/2018'],
    ['Faktura', 'Nr: 4711', 'Datum: 2018-03-05'],
    ['Rechnung', 'Nummer      Datum', '4711        05.03.2018'],
  ])('stands behind a bare label at the head: %s, %s', (...lines) => {
    const foot = [...Array<string>(30).fill(''), 'Brunnwart GmbH']
    expect(valueOn([...lines, ...BODY, ...foot], 'bill_number')).toBe('4711')
  })

  test.each([
    'Rechnung vom 05.03.2018',
    'Rechnung 05.03.2018',
    'Stromrechnung 2018',
    'Mietrechnung 03/2018',
    'Rechnung 1/2',
    'Rechnung 12. März 2018',
    'zu Rechnung Nr. 4700',
    'Replaces invoice 4700',
    'Originalrechnung Nr. 4700',
    'Ursprungsrechnung Nr. 4700',
    'Bezugsrechnung Nr. 4700 vom 05.03.2018',
    'Original invoice number: 4700',
    'Berechnung 4700',
    'Kunde   Nummer: 4700',
    'Bestellung Nr. 4700',
  ])('is no page, period, date, or number of another bill: %s', (line) => {
    expect(valueOn([line, ...BODY], 'bill_number')).toBe(null)
  })

  test('is that of a credit note, and not of the bill that it is about', () => {
    const lines = ['Gutschrift Nr. 88 zu Rechnung Nr. 4700 vom 01.02.2018', ...BODY]
    expect(valueOn(lines, 'bill_number')).toBe('88')
    expect(valueOn(lines, 'issue_date')).toBe(null)
  })
})

describe('two bills in one file', () => {
  const FIRST = ['Rechnung Nr. 4711 vom 05.03.2018', ...BODY]
  const SECOND = ['Rechnung Nr. 4712 vom 06.03.2018', 'Gesamtbetrag: 250,00 EUR']

  test.each([
    [FIRST, SECOND],
    [FIRST, ['Seite 2'], SECOND],
    [
      ['Invoice number: A-1', 'Total: 5.00 EUR'],
      ['Invoice number: A-2', 'Total: 6.00 EUR'],
    ],
    [
      ['Stromrechnung 47110', 'Zu zahlen: 5,00 EUR'],
      ['Gasrechnung 47120', 'Zu zahlen: 6,00 EUR'],
    ],
  ])('have no field, and a doubt about each', (...pages) => {
    const { fields, doubts } = read(...pages)
    expect(fields).toEqual([])
    expect(doubts.at(-1)).toMatchObject({ code: 'several_bills', fields: BILL_FIELDS })
  })

  test.each([
    [FIRST, ['Rechnung Nr. 4711', 'Seite 2 von 2', 'Wir danken']],
    [FIRST, ['Lieferschein Nr. 990', 'zu Rechnung Nr. 4711']],
    [FIRST, ['Vorherige Rechnung', 'Nummer: 4700']],
  ])('are not what the pages of one are', (...pages) => {
    const { fields, doubts } = read(...pages)
    expect(fields.find(({ field }) => field === 'bill_number')?.value).toBe('4711')
    expect(doubts).toEqual([])
  })

  test('are two if one of several recognitions sees both', () => {
    const of = (...pages: (readonly string[])[]) =>
      pagesRead(
        pages.map((lines, index) => typedPage(lines, { number: index + 1, confidence: 0.9 })),
        'tesseract-5',
        'de',
      )
    const { fields, doubts } = chooseReading(of(FIRST, ['Gesamtbetrag: 250,00 EUR']), [of(FIRST, SECOND)])
    expect([fields, doubts.map(({ code }) => code)]).toEqual([[], ['several_bills']])
  })
})
