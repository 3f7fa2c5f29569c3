/** Currencies, tax numbers and accounts of printed bills, recognized by place and country. */
import { describe, expect, test } from 'vitest'
import { codesOf, readTyped, valueOf, valueOn } from '../support/bills/readings.ts'
import { listed } from '../support/listed.ts'

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
