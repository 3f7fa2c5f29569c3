/** Addresses of suppliers on pages: read where they are sure, else left out. */
import { expect, test } from 'vitest'
import { readPages } from '../../documents/bills/text/reading.ts'
import type { Word } from '../../domain/bills/page.ts'

/** A page of rows, each of cells at their left edge. */
function read(rows: readonly (readonly [x: number, text: string][])[], confidence: number | null = null) {
  const words = rows.flatMap((row, index) =>
    row.flatMap(([x, text]) => {
      let left = x
      return text.split(' ').map((part): Word => {
        const box = [left, 60 + index * 14, part.length * 5, 10] as const
        left += part.length * 5 + 4
        return { text: part, box, confidence }
      })
    }),
  )
  const { fields } = readPages([{ number: 1, width: 595, height: 842, words }], 'text-layer', 'de')
  const found = fields.filter(({ field }) => field.startsWith('address_'))
  return Object.fromEntries(found.map(({ field, value }) => [field.replace('address_', ''), value]))
}

const NAME = 'Müller & Söhne GmbH'
const REST: [number, string][][] = [
  [[40, 'Rechnung']],
  [[40, 'Rechnungsnummer: RE-2026-7']],
  [[40, 'Rechnungsdatum: 01.03.2026']],
  [[40, 'Gesamtbetrag: 119,00 EUR']],
  [[40, 'USt-IdNr.: DE136695976']],
]
const block = (...lines: string[]): [number, string][][] => [NAME, ...lines].map((line) => [[40, line]])
const BERLIN = { street: 'Lindenstr. 5', postal_code: '10969', town: 'Berlin', country: 'DE' }

test.each([
  ['beneath its name', block('Lindenstr. 5', '10969 Berlin'), BERLIN],
  [
    'with its country named',
    block('Lindenstr. 5', '1010 Wien', 'Österreich'),
    { ...BERLIN, postal_code: '1010', town: 'Wien', country: 'AT' },
  ],
  ['with the letter of its country', block('Lindenstr. 5', 'D-10969 Berlin'), BERLIN],
  ['on one line', block().map(() => [[40, `${NAME} · Lindenstr. 5 · 10969 Berlin`] as [number, string]]), BERLIN],
  ['twice the same', [...block('Lindenstr. 5', '10969 Berlin'), [], ...block('Lindenstr. 5', '10969 Berlin')], BERLIN],
] as const)('an address is read %s', (_, rows, wanted) => {
  expect(read([...rows, ...REST] as never)).toEqual(wanted)
})

test.each([
  ['two addresses', [...block('Lindenstr. 5', '10969 Berlin'), [], ...block('Domplatz 1', '50667 Köln')]],
  ['a postal code of another country than the VAT number', block('Lindenstr. 5', '1010 Wien')],
  ['no street', block('Tel. 030 123456', '10969 Berlin')],
  [
    'the customer’s',
    [...block(), [[40, 'Rechnungsempfänger']], [[40, 'Kunde AG']], [[40, 'Domplatz 1']], [[40, '50667 Köln']]],
  ],
] as const)('no address is read of %s', (_, rows) => {
  expect(read([...rows, ...REST] as never)).toEqual({})
})

test('a recognized address is no sure one', () => {
  expect(read([...block('Lindenstr. 5', '10969 Berlin'), ...REST] as never, 0.99)).toEqual({})
})
