/** Suppliers of printed bills: a name, never a label, legal form or date in the place of a name. */
import { expect, test } from 'vitest'
import { readPages } from '../../domain/bills/text/reading.ts'
import { typedPage } from '../support/bills/typed-page.ts'

const supplierOn = (lines: readonly string[]): string | null =>
  readPages([typedPage(lines)], 'text-layer').fields.find(({ field }) => field === 'supplier_name')?.value ?? null

const BODY = ['', 'Pos   Text   Betrag', '1   Wartung der Anlage   100,00 EUR', '', 'Gesamtbetrag: 119,00 EUR']

test.each([
  'Nummer',
  'Nummer   4711',
  'GmbH',
  'GmbH & Co. KG',
  'IBAN',
  'IBAN BIC',
  'S.r.l.',
  'Sp. z o.o.',
  'Aps',
  'Numéro',
  'Seite 1 / 2',
  'Page 1 of 2',
  'Original',
  'Handelsrechnung',
  'Stromrechnung 2018',
  'Mietrechnung',
  'Commercial Invoice',
  'Ihre Rechnung',
  'Your invoice',
  'Votre facture',
  'La sua fattura',
  'Su factura',
  'Uw factuur',
  'Din faktura',
  'Faktura VAT',
  'Faktura nr',
  'Quittung',
  'Kassenbon',
  'Receipt',
  'Kvitto',
  'Lieferschein',
  'Vielen Dank',
  'März 2018',
  '5. Mai 2018',
  'Berlin, 05.03.2018',
  'Berlin, den 5. März 2018',
  'Total TTC',
  'Deutschland',
  'Zahlungsempfänger',
  'Bankverbindung',
  'Telefon',
])('%s in large letters at the head of a bill is no supplier', (heading) => {
  expect(supplierOn([`# ${heading}`, '', 'Rechnungsnummer: R-7', ...BODY])).toBe(null)
})

test.each([
  'Brunnwart GmbH',
  'Nordlicht Handels AG',
  'Data Berg Ltd',
  'Total Fenster GmbH',
  'Bäckerei Sonnenhof',
  'Fjällräven Bygg AB',
  'Zielony Las Sp. z o.o.',
  'Møbelhuset ApS',
  'Officina Bianchi S.r.l.',
  'Électricité Dubreuil SARL',
])('%s in the same place is one', (name) => {
  expect(supplierOn([`# ${name}`, '', 'Rechnungsnummer: R-7', ...BODY])).toBe(name)
})

test('a legal form that a line break parts from its name is no supplier of its own', () => {
  const lines = [
    '# Rechnung',
    'Rechnungsnummer: R-7',
    ...BODY,
    ...Array<string>(30).fill(''),
    'Brunnwart Handels-',
    'GmbH',
  ]
  expect(supplierOn(lines)).not.toBe('GmbH')
})
