/** Amounts and dates of printed bills: the due amount, by the label and column of its row. */
import { describe, expect, test } from 'vitest'
import { codesOf, readTyped, valueOn } from '../support/bills/readings.ts'
import { listed } from '../support/listed.ts'

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
