/** Currencies, tax numbers and accounts of printed bills, recognized by place and country. */
import { describe, expect, test } from 'vitest'
import type { BillField } from '../../domain/bills/fields.ts'
import { readPages } from '../../domain/bills/text/reading.ts'
import { typedPage } from '../support/bills/typed-page.ts'

const read = (lines: readonly string[]) => readPages([typedPage(lines)], 'text-layer')
const fieldOn = (lines: readonly string[], wanted: BillField) =>
  read(lines).fields.find(({ field }) => field === wanted)
const valueOn = (lines: readonly string[], wanted: BillField) => fieldOn(lines, wanted)?.value ?? null
const HEAD = ['Invoice', 'Invoice number: R-4711', '']
const IBAN = 'DE02120300000000202051'

describe('the currency of a bill', () => {
  test.each([
    ['All amounts in US Dollars', 'USD'],
    ['Total payable in U.S. dollars', 'USD'],
    ['Alle Beträge in US-Dollar', 'USD'],
    ['Montants en dollars américains', 'USD'],
    ['Importes en dólares estadounidenses', 'USD'],
    ['Australian dollars', 'AUD'],
    ['Canadian dollars', 'CAD'],
    ['Pounds sterling', 'GBP'],
    ['Schweizer Franken', 'CHF'],
    ['Montants en francs suisses', 'CHF'],
    ['Belopp i svenska kronor', 'SEK'],
    ['Beløb i danske kroner', 'DKK'],
    ['Kwoty w złotych', 'PLN'],
    ['Tutti gli importi in euro', 'EUR'],
  ])('is named in words: %s', (words, code) => {
    expect(valueOn([...HEAD, 'Total: 119.00', '', words], 'currency')).toBe(code)
  })

  test('is not that of words beside a code', () => {
    expect(valueOn([...HEAD, 'Euro Trans Ltd', 'Total: 119.00 CHF'], 'currency')).toBe('CHF')
  })

  test.each([
    ['USD', ['Routing number: 021000021', 'Account number: 123456789']],
    ['USD', ['EIN: 12-3456789']],
    ['USD', ['12 Main Street', 'Springfield, IL 62704']],
    ['AUD', ['ABN: 51 824 753 556']],
    ['CAD', ['12 Rideau Street', 'Ottawa ON K1N 5Y3']],
    ['NZD', ['Wellington', 'New Zealand']],
  ])('is a dollar of the only country that the bill is from: %s', (code, lines) => {
    expect(valueOn([...HEAD, ...lines, '', 'Total: $119.00'], 'currency')).toBe(code)
  })

  test.each([
    ['of no country', []],
    ['of two countries', ['Springfield, IL 62704', 'ABN: 51 824 753 556']],
    ['of the country of its customer', ['Bill to', 'Brunnwart Inc', 'Springfield, IL 62704']],
    ['of a country with pesos', ['Ciudad de México, México', 'Springfield, IL 62704']],
  ])('is in doubt for a dollar %s', (_, lines) => {
    const { fields, doubts } = read([...HEAD, ...lines, '', 'Total: $119.00'])
    expect(fields.find(({ field }) => field === 'currency')).toBe(undefined)
    expect(fields.find(({ field }) => field === 'amount')?.value).toBe('119.00')
    expect(doubts.map(({ code, fields: of }) => [code, ...of])).toEqual([['ambiguous_currency', 'currency']])
  })

  test('is marked at its code, and not at its label', () => {
    const beside = fieldOn([...HEAD, 'Währung   CHF', 'Gesamtbetrag: 119,00'], 'currency')
    expect([beside?.text, beside?.box?.[0]]).toEqual(['CHF', 50 + 10 * 5])
    const within = fieldOn([...HEAD, 'Währung: CHF', 'Gesamtbetrag: 119,00'], 'currency')
    expect([within?.text, within?.box?.[0]]).toEqual(['CHF', 50 + 9 * 5])
  })
})

describe('a tax number', () => {
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
  ])('may have dashes: %s', (line, number) => {
    expect(valueOn([...HEAD, line], 'supplier_tax_id')).toBe(number)
  })
})

describe('an account', () => {
  test.each([
    'Kundennummer: 4711',
    'Klantnummer: 4711',
    'Customer number: 4711',
    'N° client: 4711',
    'Cod. cliente: 4711',
  ])('is the supplier’s beside a number of the customer in another column: %s', (number) => {
    expect(valueOn([...HEAD, `${number}          IBAN: ${IBAN}`], 'iban')).toBe(IBAN)
    expect(valueOn([...HEAD, `${number}          Brunnwart GmbH`, `                     IBAN: ${IBAN}`], 'iban')).toBe(
      IBAN,
    )
  })

  test.each(['Kunde', 'Uw rekening', 'Your account', 'Kunde: Brunnwart GmbH', 'Customer'])(
    'is the customer’s beside a word for its own: %s',
    (word) => {
      expect(valueOn([...HEAD, `${word}          IBAN: ${IBAN}`], 'iban')).toBe(null)
    },
  )

  test.each(['Bankgiro: 123-4567', 'Plusgiro: 12 34 56-7', 'Kontonummer: 123-4567', 'Giro account number: 5555-1234'])(
    'is no giro of Sweden, whatever code stands beside it: %s',
    (line) => {
      expect(valueOn([...HEAD, line, 'Routing number: 021000021'], 'account_number')).toBe(null)
    },
  )
})
