/** Supplier of a bill on pages: its name, and its tax id. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTyped, valueOf } from '../support/bills/readings.ts'
import { listed } from '../support/listed.ts'
import { always } from '../support/property.ts'

const BILL = ['', 'Invoice number: R-4711', 'Invoice date: 1 March 2026', '', 'Total   119.00 EUR']
const nameOn = (...lines: string[]) => valueOf(readTyped([...lines, ...BILL]), 'supplier_name')
const idOn = (...lines: string[]) => valueOf(readTyped([...lines, ...BILL]), 'supplier_tax_id')

describe('the name of the supplier', () => {
  test.each([
    [
      'at the head, without a legal form',
      ['# Northmoor Joinery', '14 Tanner Row', 'Leeds LS1 4AP', 'info@northmoor.com'],
    ],
    ['behind a label', ['# Invoice', 'Seller: Northmoor Joinery', '14 Tanner Row']],
    ['beneath a label', ['# Invoice', 'From', 'Northmoor Joinery', '14 Tanner Row', 'Leeds LS1 4AP']],
    ['on the line of its address', ['Northmoor Joinery · 14 Tanner Row · Leeds LS1 4AP · www.northmoor.com']],
    [
      'beside the block of the customer',
      [
        '# Invoice',
        'BILL TO             Northmoor Joinery',
        'Kestrel Holdings    14 Tanner Row',
        '5 Harbor St         Leeds LS1 4AP',
        '                    info@northmoor.com',
      ],
    ],
    [
      'in a form',
      [
        '# Invoice',
        'Service Provider              Client',
        'Name:   Northmoor Joinery     Name:   Kestrel Holdings',
        'City:   Leeds                 City:   Salem',
      ],
    ],
    [
      'above a customer without a label',
      [
        '# Northmoor Joinery',
        '14 Tanner Row',
        'Leeds LS1 4AP',
        'Tel. 0113 496 0000',
        '',
        '',
        '',
        'Kestrel Holdings',
        '5 Harbor St',
        'Salem 01970',
      ],
    ],
  ] as const)('is read %s', (_, lines) => expect(nameOn(...lines)).toBe('Northmoor Joinery'))

  test.each([
    ['Αιγαίο Τεχνική Α.Ε.', 'Ερμού 12', '10563 Αθήνα'],
    ['Рила Дизайн ЕООД', 'бул. Витоша 15', '1000 София'],
    ['株式会社青葉製作所', '大阪府大阪市北区梅田2-4-9', '〒100-0005'],
    ['Janne Osterkamp – Grafik', 'Lindenallee 18', '39104 Magdeburg'],
    ['Le Petit Café', '12 rue des Tilleuls', '69002 Lyon'],
    ["Bill's Garage", '14 Tanner Row', 'Leeds LS1 4AP'],
  ])('is read in any script: %s', (name, ...address) => expect(nameOn(`# ${name}`, ...address)).toBe(name))

  test('is known by the domain of its mail among two names', () => {
    const names = [
      'Kestrel Holdings      Northmoor Joinery',
      '5 Harbor St           14 Tanner Row',
      'Salem 01970           Leeds LS1 4AP',
      '',
    ]
    expect(nameOn(...names, '', 'Questions? info@northmoorjoinery.com')).toBe('Northmoor Joinery')
    expect(nameOn(...names)).toBe(null)
  })

  test.each(listed`
    Bill to | Billed to: | Invoice to | Sold to | Rechnung an | Rechnungsempfänger | Facturé à | Facturar a | Faturar a | Spett.le | Factuur aan
    Faktureras till | Faktureres til | Laskutusosoite | Arve saaja | Pircējs | Pirkėjas | Nabywca | Odběratel | Odberateľ | Vevő | Cumpărător
    Получател | Πελάτης | Kupac | Kupec | Klijent | Custaiméir | Customer | Client | Ship to
  `)('is never that of the customer beneath its label: %s', (label) => {
    expect(nameOn('# Invoice', label, 'Kestrel & Vale Holdings GmbH', '5 Harbor St', 'Salem 01970')).toBe(null)
  })

  test.each(listed`
    INVOICE | Rechnung | Tax Invoice | Facture | Statement of account | Angebot | Lieferschein | Kundennummer: | Project name: | Ihr Zeichen:
    Thank you for your business | Vielen Dank | Datum | Total | Bankverbindung | Kontakt | Deutschland | März 2026 | Ermou 12
  `)('is no title, label or thanks: %s', (text) => {
    expect(nameOn(`# ${text}`, '14 Tanner Row', 'Leeds LS1 4AP', 'info@northmoor.com')).toBe(null)
  })
})

describe('the tax id of the supplier', () => {
  const HEAD = ['# Northmoor Joinery', '14 Tanner Row', 'Leeds LS1 4AP']

  test.each(
    listed`RO-2024-6290 | SE-2024-6290 | FI-20774740 | DK-13585628 | PL-8567346215 | CZ-25123891 | LU15027442 | DE-136695976 | MT-11679112 | HU-12892312 | SI-2024-6290`,
  )('is never the number of the bill: %s', (number) => {
    const lines = [...HEAD, `Invoice #: ${number}`, 'Total   119.00 EUR']
    expect(valueOf(readTyped(lines), 'supplier_tax_id')).toBe(null)
    expect(valueOf(readTyped([...lines, 'Tax ID: 55-6677889']), 'supplier_tax_id')).toBe('55-6677889')
  })

  test.each(
    listed`Order no. DE136695976 | Customer number: DE136695976 | Contract: DE136695976 | Kundennummer   DE136695976`,
  )('is never another number: %s', (line) => expect(idOn(...HEAD, line)).toBe(null))

  test.each([
    ['VAT No. DE136695976', 'DE136695976'],
    ['DE136695976', 'DE136695976'],
    ['DE136695977', null],
    ['Momsreg.nr: SE123456789701', 'SE123456789701'],
    ['GST/HST No.: 443023318 RT9971', '443023318 RT9971'],
    ['GSTIN: 27KDCTO5156W1Z9', '27KDCTO5156W1Z9'],
    ['Tax ID: 55-6677889', '55-6677889'],
  ])('is read with its label, and without one by its check digits: %s', (line, id) =>
    expect(idOn(...HEAD, line)).toBe(id),
  )

  test('is never the number of the bill, whatever that is', () =>
    always(300, fc.stringMatching(/^(?:RO|SE|FI|DK|PL|CZ|LU|DE|MT|HU|SI|FR|IT)-?\d{4}-?\d{4,8}$/), (number) => {
      const found = readTyped([...HEAD, `Invoice number: ${number}`, 'Total   119.00 EUR'])
      expect(valueOf(found, 'supplier_tax_id')).toBe(null)
    }))
})
