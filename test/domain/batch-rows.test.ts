import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import type { Cells } from '../../domain/batches/columns.ts'
import { readCells, readMisaligned } from '../../domain/batches/row.ts'
import { line } from '../../domain/text.ts'
import { always } from '../support/property.ts'
import { listed } from '../support/listed.ts'

const TERMS = { amount: '10', currency: 'USD', payout_reason: 'services', statement_description: 'Invoice 1' }
const HANDLE = { payee_svc_id: 'payee', ...TERMS }
const GERMAN = { account_holder_name: 'Payee', iban: 'de02 1203 0000 0000 2020 51', ...TERMS, currency: 'EUR' }
const BANK = { account_number: '123456789', aba_code: '021000021', bank_country: 'US' }
const AMERICAN = { account_holder_name: 'Payee', ...BANK, ...TERMS }

const saidOf = (cells: Cells) => {
  const { errors } = readCells(cells)
  return errors.map(({ column, code }) => `${column} ${code}`).join(', ')
}
const errorsIn = (cells: Cells) => readCells(cells).errors.map(({ column, code }) => [column, code])

describe('a row in order says whom it pays, and how much', () => {
  test('by service ID, with blanks around its cells taken off', () => {
    const texts = { payout_reason: 'services', statement_description: 'Invoice 1' }
    const padded = { ...HANDLE, amount: ' 10 ', internal_notes: ' two\nlines ', reference: '' }
    expect(readCells(padded)).toEqual({
      payee: { way: 'svc_id', svcId: 'payee' },
      currency: 'USD',
      money: { amount: '10.00', currency: 'USD' },
      texts: { ...texts, internal_notes: 'two\nlines', reference: null },
      errors: [],
    })
  })

  test('by the id of a contact, in any case', () => {
    const id = '0192F3A4-0000-7000-8000-00000000ABCD'
    const { payee, errors } = readCells({ ...TERMS, payment_contact_id: id })
    expect([payee, errors]).toEqual([{ way: 'contact', contactId: id.toLowerCase() }, []])
  })

  test('by an IBAN, which tells the country, or by account number and routing number', () => {
    expect(readCells(GERMAN)).toMatchObject({
      payee: { way: 'bank', account: { country_code: 'DE', currency: 'EUR', iban: 'DE02120300000000202051' } },
      money: { amount: '10.00', currency: 'EUR' },
      errors: [],
    })
    expect(readCells(AMERICAN)).toMatchObject({ payee: { account: { aba_code: '021000021' } }, errors: [] })
  })
})

test('a plain line of 64 characters, whichever they are, is in order in each column of text, and by its schema', () => {
  const character = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCodePoint(code))
  const plain = fc.string({ unit: character, minLength: 1, maxLength: 64 }).filter((text) => text.trim() !== '')
  const columns = ['payout_reason', 'statement_description', 'internal_notes', 'reference'] as const
  always(1000, plain, (text) => {
    expect(v.is(line(1, 64), text)).toBe(true)
    for (const column of columns) expect(errorsIn({ ...HANDLE, [column]: text })).toEqual([])
  })
  for (const column of ['payee_svc_id', 'payment_contact_id', 'amount', 'currency', 'bank_country'] as const)
    expect(errorsIn({ ...HANDLE, [column]: '~' })).not.toEqual([])
})

describe('what is wrong with a row is named by column and code', () => {
  const LOST = { ...AMERICAN, bank_country: 'NZ', aba_code: '', swift_code: 'ANZBNZ22' }
  const JAPANESE = { bank_country: 'JP', iban: '', account_number: '1234567', swift_code: 'BOTKJPJT', currency: 'JPY' }

  test.each<[Cells, string]>([
    [{}, ['payee_svc_id', ...Object.keys(TERMS)].map((column) => `${column} required`).join(', ')],
    [{ ...HANDLE, payout_reason: ' \u200b ' }, 'payout_reason required'],
    [{ ...HANDLE, payee_svc_id: 'Not A Handle' }, 'payee_svc_id malformed'],
    [{ ...TERMS, payment_contact_id: '17' }, 'payment_contact_id malformed'],
    [{ ...HANDLE, statement_description: 'two\nlines' }, 'statement_description malformed'],
    [{ ...HANDLE, reference: 'a\0b' }, 'reference malformed'],
    [{ ...HANDLE, iban: GERMAN.iban }, 'iban ambiguous_payee'],
    [
      { ...HANDLE, payment_contact_id: 'x', sort_code: '1' },
      'payment_contact_id malformed, payment_contact_id ambiguous_payee',
    ],
    [{ ...HANDLE, currency: 'EUR' }, 'currency unsupported_currency'],
    [{ ...HANDLE, currency: 'usd' }, 'currency unsupported_currency'],
    [{ ...HANDLE, currency: 'XYZ', amount: 'x' }, 'amount malformed, currency unsupported_currency'],
    [{ ...HANDLE, amount: '10.001' }, 'amount amount_precision'],
    [{ ...HANDLE, amount: `1${'0'.repeat(15)}` }, 'amount amount_too_large'],
    [{ ...HANDLE, amount: '9'.repeat(256) }, 'amount too_long'],
    ...['-1', '-0.01', '0', '0.00'].map((amount): [Cells, string] => [{ ...HANDLE, amount }, 'amount not_positive']),
    [{ ...GERMAN, currency: 'BTC' }, 'currency unsupported_currency'],
    [{ ...GERMAN, bank_country: 'ZZ' }, 'bank_country invalid_bank_details'],
    [{ ...GERMAN, bank_country: 'FR' }, 'iban invalid_bank_details'],
    [{ ...GERMAN, iban: 'DE03120300000000202051' }, 'iban invalid_bank_details'],
    [{ ...GERMAN, iban: 'x'.repeat(65) }, 'iban too_long'],
    [{ ...GERMAN, account_holder_name: '' }, 'account_holder_name required'],
    [{ ...GERMAN, iban: '', account_number: '1' }, 'bank_country required'],
    [{ ...GERMAN, iban: '', bank_country: 'DE' }, 'iban invalid_bank_details'],
    [{ ...GERMAN, ...JAPANESE }, 'bank_country invalid_bank_details'],
    [{ ...AMERICAN, aba_code: '021000022' }, 'aba_code invalid_bank_details'],
    // numbers that a spreadsheet has shortened
    [{ ...LOST, account_number: '1.23457E+11' }, 'account_number invalid_bank_details'],
    [{ ...LOST, account_number: '1,23457E+11' }, 'account_number invalid_bank_details'],
    [{ ...LOST, account_number: '1.5E8' }, 'account_number invalid_bank_details'],
    [{ ...LOST, account_number: '2E+8' }, 'account_number invalid_bank_details'],
    [{ ...HANDLE, reference: '2.1E+26' }, 'reference malformed'],
    [{ ...HANDLE, statement_description: '1,23457E+11' }, 'statement_description malformed'],
    // errors of formulas, in other languages and programs
    ...['#NV', '#BEZUG!', '#¿NOMBRE?', '#SPILL!', 'Err:502'].map((reference): [Cells, string] => [
      { ...HANDLE, reference },
      'reference malformed',
    ]),
    [{ ...HANDLE, reference: '#12!' }, ''],
  ])('%#: %s', (cells, errors) => expect(saidOf(cells)).toBe(errors))

  test.each(listed`
    1E+05 | 1e5 | 1,000 | 1.000 | 1.500 | 150.000 | 1,00.00 | 1,000,00 | 1.000.00 | 10, | 1 00 | 1 000'000 | =10 | $10 | 10 USD | .5 | 5. | 007 | １０
  `)('an amount of %s is malformed', (amount) => {
    expect(errorsIn({ ...HANDLE, amount })).toEqual([['amount', 'malformed']])
    expect(readCells({ ...HANDLE, amount }).money).toBeNull()
  })

  test.each([...listed`1,234.50 | 1.234,50 | 1 234,50 | 1'234.50 | 1234,50`, '1\u00a0234.50'])(
    'an amount of %s has one reading',
    (amount) => {
      const { money, errors } = readCells({ ...HANDLE, amount })
      expect([money?.amount, errors]).toEqual(['1234.50', []])
    },
  )

  test.each([
    ['1,234,567', '1234567.00'],
    ['1.234.567', '1234567.00'],
    ['0,5', '0.50'],
    ['0.500', '0.50'],
    ['1000.000', '1000.00'],
    ['1.234.567,8', '1234567.80'],
  ])('an amount of %s is %s', (amount, read) => expect(readCells({ ...HANDLE, amount }).money?.amount).toBe(read))

  test('no amount of two decimals or none is paid that a person of some country would read in another way', () => {
    const digits = fc.oneof(fc.constantFrom('0', '00', '000', '500'), fc.stringMatching(/^[0-9]{1,4}$/))
    const signed = fc.tuple(fc.constantFrom(',', '.', ' ', "'"), digits).map((two) => two.join(''))
    const text = fc.tuple(digits, fc.array(signed, { maxLength: 3 })).map(([first, more]) => first + more.join(''))
    const readings = [',.', '.,', ' ,', "'."].map(([thousands = '', point = '']) => {
      const form = new RegExp(`^([0-9]+|[1-9][0-9]{0,2}(?:[${thousands}][0-9]{3})+)(?:[${point}][0-9]+)?$`)
      return (amount: string) =>
        form.test(amount) ? Number(amount.replaceAll(thousands, '').replace(point, '.')) : undefined
    })
    always(20_000, text, fc.constantFrom('USD', 'JPY'), (amount, currency) => {
      const { money } = readCells({ ...TERMS, payment_contact_id: randomUUID(), currency, amount })
      if (!money) return
      for (const read of readings) expect(read(amount) ?? Number(money.amount)).toBe(Number(money.amount))
    })
  })

  test('yen with zeros behind the point are whole yen; other decimals are too many', () => {
    const yen = { ...GERMAN, currency: 'JPY' }
    expect(readCells({ ...yen, amount: '1,000.00' }).money).toEqual({ amount: '1000', currency: 'JPY' })
    expect(saidOf({ ...yen, amount: '1000.50' })).toContain('amount amount_precision')
    expect(readCells({ ...HANDLE, amount: '10.5000' }).money?.amount).toBe('10.50')
  })

  test.each<[Cells, string]>([
    [{ ...HANDLE, amount: '1,000' }, 'can be read as 1000 and as 1: write one of them'],
    [{ ...HANDLE, amount: '1.000' }, 'can be read as 1000 and as 1: write one of them'],
    [{ ...HANDLE, amount: '20.500' }, 'can be read as 20500 and as 20.5: write one of them'],
    [
      { ...TERMS, payment_contact_id: randomUUID(), currency: 'JPY', amount: '150.000' },
      'can be read as 150000 and as 150: write one of them',
    ],
    [{ ...HANDLE, amount: '1.005' }, 'must have at most 2 decimals in USD'],
    [{ ...HANDLE, amount: `1${'0'.repeat(15)}` }, 'must have at most 15 digits before the point'],
    [{ ...HANDLE, currency: 'usd' }, 'must be the code of a currency, such as USD'],
    [{ ...GERMAN, bank_country: 'ZZ' }, 'must be a country of ISO 3166-1, such as DE'],
    [{ ...GERMAN, bank_country: 'FR' }, 'must be of FR, as bank_country is'],
    [{ ...AMERICAN, aba_code: '' }, 'is needed for an account in US'],
    [{ ...AMERICAN, sort_code: '202015' }, 'does not belong to an account in US: leave it empty'],
    [{ ...HANDLE, reference: '#N/A' }, 'is an error of a formula: mend the formula, or write the value itself'],
    [
      { ...AMERICAN, aba_code: '21000021' },
      'must have 9 digits, and has 8: a spreadsheet drops zeros at the beginning of a number. ' +
        'Format the column as text, and write all digits',
    ],
    [{ ...AMERICAN, aba_code: '0210000210' }, 'must have 9 digits, and has 10'],
    [{ ...AMERICAN, account_number: '12-34x' }, 'must have 4 to 17 digits, and nothing else'],
    [{ ...GERMAN, iban: 'DE0212030000000020205' }, 'must have 22 characters as an IBAN of DE, and has 21'],
    [{ ...GERMAN, iban: 'DE0212030000000020205X' }, 'must be an IBAN of DE: DE, two check digits, then the account'],
    [{ ...GERMAN, swift_code: 'DEUT' }, 'must have 8 or 11 letters and digits, such as DEUTDEFF'],
    [
      { ...LOST, account_number: '1.23457E+11' },
      'is written as a number: format the column as text, and write all digits',
    ],
  ])('the message says what would be right: %#', (cells, message) => {
    expect(readCells(cells).errors.map((error) => error.message)).toEqual([message])
  })

  const COLOGNE = { address_street: 'Domstraße 5', address_town: 'Köln', address_country: 'DE' }
  test.each<[Cells, string]>([
    [{ ...GERMAN, ...COLOGNE }, ''],
    [{ ...GERMAN, ...COLOGNE, address_town: ' ' }, 'address_town required'],
    [{ ...GERMAN, address_town: 'Köln' }, 'address_country required'],
    [{ ...GERMAN, ...COLOGNE, address_country: 'XX' }, 'address_country malformed'],
    [{ ...GERMAN, ...COLOGNE, address_town: 'x'.repeat(141) }, 'address_town too_long'],
    [{ ...GERMAN, ...COLOGNE, address_town: '東京' }, 'address_town malformed'],
    [{ ...GERMAN, ...COLOGNE, address_street: 'Dom\u0007straße' }, 'address_street malformed'],
    [{ ...HANDLE, ...COLOGNE }, 'address_street ambiguous_payee'],
    [{ ...TERMS, payment_contact_id: randomUUID(), ...COLOGNE }, 'address_street ambiguous_payee'],
    [{ ...TERMS, ...COLOGNE }, 'payee_svc_id required'],
  ])('an address in %j: %s', (cells, errors) => expect(saidOf(cells)).toBe(errors))

  test('an IBAN beside an account number that is not its own: both are named', () => {
    const both = 'iban invalid_bank_details, account_number invalid_bank_details'
    expect(saidOf({ ...GERMAN, account_number: '202052' })).toBe(both)
    const british = { ...GERMAN, iban: 'GB33BUKB20201555555555', sort_code: '202015', account_number: '55555556' }
    expect(saidOf({ ...british, currency: 'GBP' })).toBe(both)
    expect(errorsIn({ ...british, currency: 'GBP', account_number: '55555555' })).toEqual([])
  })

  test('a cell of 100,000 characters is too long, whichever it is', () => {
    const long = 'x'.repeat(100_000)
    for (const column of ['payout_reason', 'statement_description', 'internal_notes', 'reference', 'amount'] as const)
      expect(errorsIn({ ...HANDLE, [column]: long })).toEqual([[column, 'too_long']])
    expect(errorsIn({ ...TERMS, payee_svc_id: long })).toEqual([['payee_svc_id', 'too_long']])
    expect(errorsIn({ ...TERMS, payment_contact_id: long })).toEqual([['payment_contact_id', 'too_long']])
  })

  test('what a formula would be is text, and computes nothing', () => {
    const formulas = { statement_description: '=HYPERLINK("http://x")', reference: '@SUM(1)' }
    const { texts, errors } = readCells({ ...HANDLE, ...formulas })
    expect([texts.statement_description, texts.reference, errors]).toEqual(['=HYPERLINK("http://x")', '@SUM(1)', []])
  })

  test('a row with fewer or more cells than the header has no other fault: what stands where is not known', () => {
    for (const code of ['too_few_cells', 'too_many_cells'] as const)
      expect(readMisaligned(code).errors.map(({ column, code: found }) => [column, found])).toEqual([[null, code]])
  })
})
