/** Amounts and dates of printed bills: the due amount, by the label and column of its row. */
import { describe, expect, test } from 'vitest'
import { codesOf, readTyped, valueOf, valueOn } from '../support/bills/readings.ts'
import { listed } from '../support/listed.ts'
import { BILL_FIELDS } from '../../domain/bills/fields.ts'
import { chooseReading } from '../../documents/bills/text/agreed.ts'
import { pagesRead } from '../../documents/bills/text/reading.ts'
import { typedPage } from '../support/bills/typed-page.ts'

test('a first row of sums that could be two amounts is in doubt', () => {
  const sums = ['Subtotal        VAT 20 %       Total', 'KWD 100,000     KWD 20,000     KWD 120,000']
  const reading = readTyped(['Invoice', ...sums, '', 'The balance after this instalment will be 128.00 EUR'])
  expect([valueOf(reading, 'amount'), codesOf(reading)]).toEqual([null, [['ambiguous_amount', 'amount']]])
})

describe('a bill of which a part was paid before', () => {
  test.each(listed`
    Gesamtbetrag/Anzahlung/Verbleibender Betrag | Gesamtbetrag/Bereits gezahlt/Noch zu zahlen
    Bruttobetrag/Vorauszahlung/Restforderung | Invoice total/Paid before/Residual
    Grand total/Prepaid amount/Residual amount | Total amount/Payments received/Remaining balance
    Total TTC/Acompte versé/Solde restant dû | Montant total/Déjà réglé/Restant à payer
    Total factura/Anticipo/Pendiente de pago | Importe total/Pagado/Importe pendiente
    Totale fattura/Acconto/Residuo da pagare | Totale documento/Già pagato/Importo residuo
    Totaalbedrag/Aanbetaling/Resterend bedrag | Totaal incl. btw/Reeds betaald/Openstaand bedrag
    Totalt/Redan betalt/Kvar att betala | Totalbelopp/Förskott/Att betala
    Total/Betalt/Til betaling | Totalbeløb/Forudbetalt/Restbeløb | Razem brutto/Zapłacono/Pozostało do zapłaty
    Total/Amount paid/Open | Total/Amount paid/Difference | Total/Amount paid/Rest | Total/Amount paid/Nog
  `)('asks for what is left, whatever it is called: %s', (labels) => {
    const [gross, paid, left] = labels.split('/')
    const lines = ['Invoice', `${gross}   500,00 EUR`, `${paid}   200,00 EUR`, `${left}   300,00 EUR`]
    expect(valueOn(lines, 'amount')).toBe('300.00')
  })

  test('has no amount if it does not say what is left, and asks for all of it if nothing was paid', () => {
    const lines = (paid: string) => ['Invoice', 'Total   500.00 EUR', `Amount paid   ${paid} EUR`, 'Thank you']
    expect(valueOn(lines('200.00'), 'amount')).toBe(null)
    expect(codesOf(readTyped(lines('200.00')))).toContainEqual(['does_not_add_up', 'amount'])
    expect(valueOn(lines('0.00'), 'amount')).toBe('500.00')
  })

  test('whose total says that the deposit is taken off asks for that total', () => {
    const lines = ['Invoice', 'Subtotal   500.00 EUR', 'Deposit   200.00 EUR', 'Total   300.00 EUR']
    expect(valueOn(lines, 'amount')).toBe('300.00')
  })
})

test.each([
  ['Satz', 'Netto', 'MwSt.', 'Brutto'],
  ['Rate', 'Net amount', 'VAT', 'Gross total'],
  ['Taux', 'Total HT', 'TVA', 'Total TTC'],
  ['Aliquota', 'Imponibile', 'Imposta', 'Totale documento'],
  ['Tipo', 'Base imponible', 'Cuota', 'Importe total'],
  ['Tarief', 'Nettobedrag', 'Btw', 'Totaalbedrag'],
])('a table of rates has the sum in its last row, and not in its first: %s, %s, %s, %s', (...heads) => {
  const row = (...cells: string[]) => cells.map((cell) => cell.padEnd(20)).join('')
  const euros = (first: string, ...amounts: string[]) => row(first, ...amounts.map((amount) => `${amount} EUR`))
  const rows = [euros('7 %', '100,00', '7,00', '107,00'), euros('19 %', '200,00', '38,00', '238,00')]
  const lines = ['Rechnung', row(...heads), ...rows]
  expect(valueOn([...lines, euros('', '300,00', '45,00', '345,00')], 'amount')).toBe('345.00')
  expect(valueOn(lines, 'amount')).toBe(null)
  expect(valueOn(['Rechnung', row(...heads), ...rows.slice(1)], 'amount')).toBe('238.00')
})

test.each([
  ['Brutto              Netto               MwSt.', '345,00 EUR          300,00 EUR          45,00 EUR'],
  ['Netto               MwSt.', '300,00 EUR          45,00 EUR'],
])('a table of rates gives each sum of a row to the column that it stands in: %s', (heading, sums) => {
  const lines = ['Rechnung', `                    ${heading}`, `Summe               ${sums}`]
  expect([null, '345.00']).toContain(valueOn(lines, 'amount'))
  expect(valueOn([...lines, 'Rechnungsbetrag   345,00 EUR'], 'amount')).toBe('345.00')
})

test.each([
  ['Nettobetrag', 'MwSt. 19 %', 'Gesamtbetrag'],
  ['Subtotal', 'VAT', 'Total'],
  ['Total HT', 'TVA 19 %', 'Total TTC'],
  ['Imponibile', 'IVA', 'Totale fattura'],
])('the tax of a bill is what its row says, if net and tax make the total: %s, %s, %s', (net, tax, gross) => {
  const taxIf = (cents: string) =>
    valueOn(['Invoice', `${net}   100,00 EUR`, `${tax}   ${cents} EUR`, `${gross}   119,00 EUR`], 'tax_total')
  expect([taxIf('19,00'), taxIf('18,00')]).toEqual(['19.00', null])
})

test('the tax of a bill is none of several rates whose sum is not printed', () => {
  const taxes = ['VAT 7 %   7.00 EUR', 'VAT 19 %   38.00 EUR']
  const lines = ['Invoice', 'Subtotal   300.00 EUR', ...taxes, 'Total   345.00 EUR']
  expect([valueOn(lines, 'amount'), valueOn(lines, 'tax_total')]).toEqual(['345.00', null])
  expect(valueOn([...lines, 'VAT in all   45.00 EUR'], 'tax_total')).toBe('45.00')
})

const due = 'Gesamtbetrag: 119,00 EUR'

test.each(listed`
    Datum der zugehörigen Rechnung: 01.02.2018 | Rechnungsdatum (Bezug): 01.02.2018
    Rechnungsdatum der vorherigen Rechnung: 01.02.2018 | Ursprüngliches Rechnungsdatum: 01.02.2018
    Preceding invoice date: 01.02.2018 | Invoice date of the associated invoice: 01.02.2018
    Original invoice: 4711, dated 01.02.2018 | Date de facture antérieure: 01.02.2018
    Date de la facture d’origine: 01.02.2018 | Fecha de factura rectificada: 01.02.2018
    Data fattura collegata: 01.02.2018 | Factuurdatum vorige factuur: 01.02.2018
    zu Rechnung Nr. 4711 vom 01.02.2018 | Bestelldatum: 01.02.2018 | Lieferdatum: 01.02.2018
  `)('the date of a bill is not that of another one: %s', (line) => {
  expect(valueOn(['Rechnung', line, due], 'issue_date')).toBe(null)
  expect(valueOn(['Rechnung', 'Rechnungsdatum: 05.03.2018', line, due], 'issue_date')).toBe('2018-03-05')
})

test.each(listed`Vorherige Rechnung | Preceding invoice | Facture d’origine | Fattura collegata | Föregående faktura`)(
  'the date of a bill does not stand under the heading of another bill: %s',
  (heading) => {
    const lines = ['Rechnung', '', '', heading, 'Nummer: 4711', 'Datum: 01.02.2018', due]
    expect(valueOn(lines, 'issue_date')).toBe(null)
  },
)

const HEAD = ['Invoice', 'Invoice number: R-4711', '']
const IBAN = 'DE02120300000000202051'

describe('the currency of a bill', () => {
  test.each(listed`
    USD: All amounts in US Dollars | USD: Total payable in U.S. dollars | USD: Alle Beträge in US-Dollar
    USD: Montants en dollars américains | USD: Importes en dólares estadounidenses | AUD: Australian dollars
    CAD: Canadian dollars | GBP: Pounds sterling | CHF: Schweizer Franken | CHF: Montants en francs suisses
    SEK: Belopp i svenska kronor | DKK: Beløb i danske kroner | PLN: Kwoty w złotych | EUR: Tutti gli importi in euro
  `)('is named in words: %s', (said) => {
    const [code, words = ''] = said.split(': ')
    expect(valueOn([...HEAD, 'Total: 119.00', '', words], 'currency')).toBe(code)
  })

  test('is not that of words beside a code', () =>
    expect(valueOn([...HEAD, 'Euro Trans Ltd', 'Total: 119.00 CHF'], 'currency')).toBe('CHF'))

  test.each([
    ['USD', ['Routing number: 021000021', 'Account number: 123456789']],
    ['USD', ['EIN: 12-3456789']],
    ['USD', ['12 Main Street', 'Springfield, IL 62704']],
    ['AUD', ['ABN: 51 824 753 556']],
    ['CAD', ['12 Rideau Street', 'Ottawa ON K1N 5Y3']],
    ['NZD', ['Wellington', 'New Zealand']],
  ])('is a dollar of the only country that the bill is from: %s', (code, lines) =>
    expect(valueOn([...HEAD, ...lines, '', 'Total: $119.00'], 'currency')).toBe(code),
  )

  test.each([
    ['of no country', []],
    ['of two countries', ['Springfield, IL 62704', 'ABN: 51 824 753 556']],
    ['of the country of its customer', ['Bill to', 'Brunnwart Inc', 'Springfield, IL 62704']],
    ['of a country with pesos', ['Ciudad de México, México', 'Springfield, IL 62704']],
  ])('is in doubt for a dollar %s', (_, lines) => {
    const reading = readTyped([...HEAD, ...lines, '', 'Total: $119.00'])
    expect([valueOf(reading, 'currency'), valueOf(reading, 'amount')]).toEqual([null, '119.00'])
    expect(codesOf(reading)).toEqual([['ambiguous_currency', 'currency']])
  })

  test.each([
    ['Währung   CHF', 10],
    ['Währung: CHF', 9],
  ])('is marked at its code, and not at its label: %s', (line, column) => {
    const { fields } = readTyped([...HEAD, line, 'Gesamtbetrag: 119,00'])
    const { text, box } = fields.find(({ field }) => field === 'currency') ?? {}
    expect([text, box?.[0]]).toEqual(['CHF', 50 + column * 5])
  })
})

test.each([
  ['VAT No.: DE-136695976', 'DE136695976'],
  ['VAT No.: ATU-13585627', 'ATU-13585627'],
  ['USt-IdNr.: DE–136695976', 'DE136695976'],
  ['CIF: B-58378431', 'B-58378431'],
  ['NIF: 54362315-K', '54362315-K'],
  ['NIP: 856-734-62-15', '856-734-62-15'],
  ['NIP: 856-73-46-215', '856-73-46-215'],
  ['Org.nr: 556012-5790', '556012-5790'],
  ['EIN: 12-3456789', '12-3456789'],
])('a tax number may have dashes: %s', (line, number) =>
  expect(valueOn([...HEAD, line], 'supplier_tax_id')).toBe(number),
)

describe('an account', () => {
  test.each(
    listed`Kundennummer: 4711 | Klantnummer: 4711 | Customer number: 4711 | N° client: 4711 | Cod. cliente: 4711`,
  )('is the supplier’s beside a number of the customer in another column: %s', (number) => {
    const below = [`${number}          Brunnwart GmbH`, `                     IBAN: ${IBAN}`]
    for (const lines of [[`${number}          IBAN: ${IBAN}`], below])
      expect(valueOn([...HEAD, ...lines], 'iban')).toBe(IBAN)
  })

  test.each(['Kunde', 'Uw rekening', 'Your account', 'Kunde: Brunnwart GmbH', 'Customer'])(
    'is the customer’s beside a word for its own: %s',
    (word) => expect(valueOn([...HEAD, `${word}          IBAN: ${IBAN}`], 'iban')).toBe(null),
  )

  test.each(['Bankgiro: 123-4567', 'Plusgiro: 12 34 56-7', 'Kontonummer: 123-4567', 'Giro account number: 5555-1234'])(
    'is no giro of Sweden, whatever code stands beside it: %s',
    (line) => expect(valueOn([...HEAD, line, 'Routing number: 021000021'], 'account_number')).toBe(null),
  )
})

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
