/** Number, date and supplier of a printed bill, and two bills in one file. */
import { describe, expect, test } from 'vitest'
import { BILL_FIELDS } from '../../domain/bills/fields.ts'
import { chooseReading } from '../../documents/bills/text/agreed.ts'
import { pagesRead } from '../../documents/bills/text/reading.ts'
import { readTyped, valueOf, valueOn } from '../support/bills/readings.ts'
import { typedPage } from '../support/bills/typed-page.ts'
import { listed } from '../support/listed.ts'

const BODY = ['', 'Pos   Text   Betrag', '1   Wartung   100,00 EUR', '', 'Gesamtbetrag: 119,00 EUR']
const FOOT = Array<string>(30).fill('')

describe('the number of a bill', () => {
  test.each([
    ['Handelsrechnung (380) Nr. 471102 vom 05.03.2018', '471102', '2018-03-05'],
    ['Mietrechnung Nr. 2018-77 vom 5. März 2018', '2018-77', '2018-03-05'],
    ['Rechnung 4711-18, 05.03.2018', '4711-18', '2018-03-05'],
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
    ['Stromrechnung VK 4711/18', 'VK 4711/18'],
    ['Stromrechnungsnummer: 99812', '99812'],
    ['Ihre Rechnung 471102', '471102'],
    ['Faktura VAT nr FV/118/03/2018', 'FV/118/03/2018'],
    ['Numer faktury: FV-118', 'FV-118'],
    ['Receipt number: R-4711', 'R-4711'],
    ...listed`
      Fakturanummer: 4711 | Faktura nr. 4711 | Regning nr. 4711 | Fatura n.º 4711 | Lasku nro 4711 | Kvitto nr 4711
      Abrechnung Nr. 4711
    `.map((line) => [line, '4711']),
  ])('stands in the line of its title, and its date behind it: %s', (line = '', number, date) => {
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
  ])('stands behind a bare label at the head: %s, %s', (...lines) =>
    expect(valueOn([...lines, ...BODY, ...FOOT, 'Brunnwart GmbH'], 'bill_number')).toBe('4711'),
  )

  test.each(listed`
    Rechnung vom 05.03.2018 | Rechnung 05.03.2018 | Stromrechnung 2018 | Mietrechnung 03/2018 | Rechnung 1/2
    Rechnung 12. März 2018 | zu Rechnung Nr. 4700 | Replaces invoice 4700 | Originalrechnung Nr. 4700
    Ursprungsrechnung Nr. 4700 | Bezugsrechnung Nr. 4700 vom 05.03.2018 | Original invoice number: 4700
    Berechnung 4700 | Kunde   Nummer: 4700 | Bestellung Nr. 4700
  `)('is no page, period, date, or number of another bill: %s', (line) =>
    expect(valueOn([line, ...BODY], 'bill_number')).toBe(null),
  )

  test('is that of a credit note, and not of the bill that it is about', () => {
    const lines = ['Gutschrift Nr. 88 zu Rechnung Nr. 4700 vom 01.02.2018', ...BODY]
    expect([valueOn(lines, 'bill_number'), valueOn(lines, 'issue_date')]).toEqual(['88', null])
  })
})

describe('two bills in one file', () => {
  const FIRST = ['Rechnung Nr. 4711 vom 05.03.2018', ...BODY]
  const SECOND = ['Rechnung Nr. 4712 vom 06.03.2018', 'Gesamtbetrag: 250,00 EUR']

  test.each([
    [FIRST, SECOND],
    [FIRST, ['Seite 2'], SECOND],
    [listed`Invoice number: A-1 | Total: 5.00 EUR`, listed`Invoice number: A-2 | Total: 6.00 EUR`],
    [listed`Stromrechnung 47110 | Zu zahlen: 5,00 EUR`, listed`Gasrechnung 47120 | Zu zahlen: 6,00 EUR`],
  ])('have no field, and a doubt about each', (...pages) => {
    const { fields, doubts } = readTyped(...pages)
    expect(fields).toEqual([])
    expect(doubts.at(-1)).toMatchObject({ code: 'several_bills', fields: BILL_FIELDS })
  })

  test.each([
    [FIRST, ['Rechnung Nr. 4711', 'Seite 2 von 2', 'Wir danken']],
    [FIRST, ['Lieferschein Nr. 990', 'zu Rechnung Nr. 4711']],
    [FIRST, ['Vorherige Rechnung', 'Nummer: 4700']],
  ])('are not what the pages of one are', (...pages) => {
    const reading = readTyped(...pages)
    expect([valueOf(reading, 'bill_number'), reading.doubts]).toEqual(['4711', []])
  })

  test('are two if one of several recognitions sees both', () => {
    const of = (...pages: (readonly string[])[]) => {
      const typed = pages.map((lines, index) => typedPage(lines, { number: index + 1, confidence: 0.9 }))
      return pagesRead(typed, 'tesseract-5', 'de')
    }
    const { fields, doubts } = chooseReading(of(FIRST, ['Gesamtbetrag: 250,00 EUR']), [of(FIRST, SECOND)])
    expect([fields, doubts.map(({ code }) => code)]).toEqual([[], ['several_bills']])
  })
})

const supplierUnder = (heading: string) =>
  valueOn([`# ${heading}`, '', 'Rechnungsnummer: R-7', ...BODY], 'supplier_name')

test.each(listed`
    Nummer | Nummer   4711 | GmbH | GmbH & Co. KG | IBAN | IBAN BIC | S.r.l. | Sp. z o.o. | Aps | Numéro | Seite 1 / 2
    Page 1 of 2 | Original | Handelsrechnung | Stromrechnung 2018 | Mietrechnung | Commercial Invoice | Ihre Rechnung
    Your invoice | Votre facture | La sua fattura | Su factura | Uw factuur | Din faktura | Faktura VAT | Faktura nr
    Quittung | Kassenbon | Receipt | Kvitto | Lieferschein | Vielen Dank | März 2018 | 5. Mai 2018 | Berlin, 05.03.2018
    Berlin, den 5. März 2018 | Total TTC | Deutschland | Zahlungsempfänger | Bankverbindung | Telefon
  `)('in large letters at the head of a bill %s is no supplier', (heading) => expect(supplierUnder(heading)).toBe(null))

test.each(listed`
    Brunnwart GmbH | Nordlicht Handels AG | Data Berg Ltd | Total Fenster GmbH | Bäckerei Sonnenhof
    Fjällräven Bygg AB | Zielony Las Sp. z o.o. | Møbelhuset ApS | Officina Bianchi S.r.l. | Électricité Dubreuil SARL
  `)('in large letters at the head of a bill %s is one', (name) => expect(supplierUnder(name)).toBe(name))

test('a legal form that a line break parts from its name is no supplier of its own', () => {
  const lines = ['# Rechnung', 'Rechnungsnummer: R-7', ...BODY, ...FOOT, 'Brunnwart Handels-', 'GmbH']
  expect(valueOn(lines, 'supplier_name')).not.toBe('GmbH')
})
