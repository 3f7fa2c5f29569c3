/** British accounts: the modulus check of Vocalink, its table, and IBANs beside sort code and number. */
import { readFileSync, readdirSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalCoordinates } from '../../domain/destinations/coordinates.ts'
import { passesModulusCheck } from '../../domain/destinations/uk-modulus.ts'
import { modulusTable } from '../../dev/uk-modulus.ts'
import { account, check, codeOf, isValid } from '../support/contacts/bank-coordinates.ts'
import { listed } from '../support/listed.ts'
import { always } from '../support/property.ts'

/** The test cases of Vocalink's "Validating account numbers". The last two have rules since its version 8.50. */
const RIGHT = listed`
  089999 66374958 | 107999 88837491 | 202959 63748472 | 871427 46238510 | 872427 46238510 | 871427 09123496
  871427 99123496 | 820000 73688637 | 827999 73988638 | 827101 28748352 | 134020 63849203 | 118765 64371389
  200915 41011166 | 938611 07806039 | 938600 42368003 | 938063 55065200 | 772798 99345694 | 086090 06774744
  309070 02355688 | 309070 12345668 | 309070 12345677 | 309070 99345694 | 074456 12345112 | 070116 34012583
  074456 11104102 | 180002 00000190
  230122 00000007 | 040006 00000008`
const WRONG = listed`
  938063 15764273 | 938063 15764264 | 938063 15763217 | 118765 64371388 | 203099 66831036 | 203099 58716970
  089999 66374959 | 107999 88837493
  230122 00000008 | 040006 00000002`

test.each([...RIGHT, ...WRONG])('%s: its check digits are right, or told to be wrong', (written) => {
  const [sort_code = '', account_number = ''] = written.split(' ')
  const passes = RIGHT.includes(written)
  expect(passesModulusCheck(sort_code, account_number)).toBe(passes)
  const checks = check('GB', 'GBP', { sort_code, account_number })
  expect([codeOf(checks, 'account_number'), isValid(checks)]).toEqual([passes ? 'ok' : 'modulus', true])
})

test('both check digits of exception 4 count: sums that are equal are not enough', () => {
  const codes = fc.integer({ min: 0, max: 999_999 }).map((six) => `134020${String(six).padStart(6, '0')}`)
  always(1000, codes, (start) => {
    const passing = Array.from({ length: 100 }, (_, both) => String(both).padStart(2, '0')).filter((both) =>
      passesModulusCheck(start.slice(0, 6), `${start.slice(6)}${both}`),
    )
    expect(passing.length).toBe(1)
    expect(Number(passing[0])).toBeLessThan(11)
  })
})

test('the table is one, of a version, as the command writes it, which takes no other form', () => {
  const [name = '', ...others] = readdirSync('domain/data').filter((file) => file.startsWith('uk-modulus-'))
  expect([name, others]).toEqual([expect.stringMatching(/^uk-modulus-v\d\.\d\d\.json$/), []])
  const { source: _source, ...table } = JSON.parse(readFileSync(`domain/data/${name}`, 'utf8'))
  const [rules, substitutes]: [string[], string[]] = [table.rules, table.substitutes]
  const published = (lines: string[]) => lines.map((line) => `${line.replaceAll(' ', '    ')}\r\n`).join('')
  expect(modulusTable(published(rules), published(substitutes))).toEqual(table)
  const [rule = ''] = rules
  for (const wrong of [
    [],
    [rule, rule, rule],
    [rule.slice(0, -2)],
    [`${rule} 15`],
    [rule.replace('MOD11', 'MOD97')],
    [rules[1] ?? '', rule],
    ['016715 010004 MOD11 0 0 0 0 0 0 8 7 6 5 4 3 2 1'],
  ])
    expect(() => modulusTable(published(wrong), published(substitutes)), wrong.join()).toThrow()
})

test('accounts are invalid only if they are malformed; dashes are no part of the sort code; an unknown one is presumed right', () => {
  expect(passesModulusCheck('000000', '12345678')).toBe(true)
  const given = { sort_code: '08-99-99', account_number: '66374958' }
  expect(isValid(check('GB', 'GBP', given))).toBe(true)
  expect(canonicalCoordinates(account('GB', 'GBP', given)).sort_code).toBe('089999')
  expect(codeOf(check('GB', 'GBP', { ...given, sort_code: '08999' }), 'sort_code')).toBe('malformed')
  expect(codeOf(check('GB', 'GBP', { ...given, account_number: '6637495' }), 'account_number')).toBe('malformed')
})

test('an IBAN beside sort code and account number is of the same account', () => {
  const given = { iban: 'GB29NWBK60161331926819', sort_code: '601613', account_number: '31926819' }
  expect(isValid(check('GB', 'GBP', given))).toBe(true)
  expect(codeOf(check('GB', 'GBP', { ...given, account_number: '31926818' }), 'iban')).toBe('mismatch')
  for (const [field, other] of [
    ['account_number', '31926818'],
    ['sort_code', '601614'],
  ] as const) {
    const beside = { iban: given.iban, swift_code: 'NWBKGB2L', [field]: given[field] }
    expect(isValid(check('GB', 'EUR', beside))).toBe(true)
    expect(codeOf(check('GB', 'EUR', { ...beside, [field]: other }), 'iban')).toBe('mismatch')
  }
})
