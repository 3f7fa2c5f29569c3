import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { errorsOf } from '../../domain/destinations/check.ts'
import { canonicalCoordinates } from '../../domain/destinations/coordinates.ts'
import { type Given, account, check, codeOf, isValid } from '../support/contacts/bank-coordinates.ts'
import { listed } from '../support/listed.ts'
import { always } from '../support/property.ts'
import { readFileSync, readdirSync } from 'node:fs'
import { passesModulusCheck } from '../../domain/destinations/uk-modulus.ts'
import { modulusTable } from '../../dev/uk-modulus.ts'

/** Examples from the registry of ISO 13616. */
const IBANS = `
  AL47212110090000000235698741 AD1200012030200359100100 AT611904300234573201 AZ21NABZ00000000137010001944
  BH67BMAG00001299123456 BE68539007547034 BA391290079401028494 BR9700360305000010009795493P1 BG80BNBG96611020345678
  BI4210000100010000332045181 CR05015202001026284066 HR1210010051863000160 CY17002001280000001200527600
  CZ6508000000192000145399 DK5000400440116243 DJ2100010000000154000100186 DO28BAGR00000001212453611324
  EE382200221020145685 EG380019000500000000263180002 FI2112345600000785 FK88SC123456789012 FO6264600001631634
  FR1420041010050500013M02606 GE29NB0000000101904917 DE89370400440532013000 GI75NWBK000000007099453
  GL8964710001000206 GR1601101250000000012300695 GT82TRAJ01020000001210029690 HN88CABF00000000000250005469
  HU42117730161111101800000000 IS140159260076545510730339 IE29AIBK93115212345678 IL620108000000099999999
  IT60X0542811101000000123456 JO94CBJO0010000000000131000302 KZ86125KZT5004100100 XK051212012345678906
  KW81CBKU0000000000001234560101 LV80BANK0000435195001 LB62099900000001001901229114 LI21088100002324013AA
  LT121000011101001000 LU280019400644750000 MK07250120000058984 MT84MALT011000012345MTLCAST001S
  MR1300020001010000123456753 MU17BOMM0101101030300200000MUR MD24AG000225100013104168 MC5811222000010123456789030
  ME25505000012345678951 MN121234123456789123 NI45BAPR00000013000003558124 NL91ABNA0417164300 NO9386011117947
  OM810180000001299123456 PK36SCBL0000001123456702 PS92PALS000000000400123456702 PL61109010140000071219812874
  PT50000201231234567890154 QA58DOHB00001234567890ABCDEFG RO49AAAA1B31007593840000 SM86U0322509800000000270100
  SA0380000000608010167519 RS35260005601001611379 SK3112000000198742637541 SI56191000000123438
  ES9121000418450200051332 SE4550000000058398257466 CH9300762011623852957 TL380080012345678910157
  TN5910006035183598478831 TR330006100519786457841326 UA213996220000026007233566001 AE070331234567890123456
  GB29NWBK60161331926819 VA59001123000012345678 VG96VPVG0000012345678901 BY13NBRB3600900000002Z00AB00
  SV62CENR00000000000000700025 IQ98NBIQ850123456789012 SD2129010501234001 SO211000001001000100141
  RU0304452522540817810538091310419 YE15CBYE0001018861234567891234`
  .trim()
  .split(/\s+/)

const ibanCheck = (iban: string) => codeOf(check(iban.slice(0, 2), 'EUR', { iban, swift_code: 'DEUTDEFF' }), 'iban')

/** ISO 7064, digit by digit. */
function withCheckDigits(country: string, bban: string): string {
  const digits = Array.from(`${bban}${country}00`, (sign) => parseInt(sign, 36)).join('')
  const rest = Array.from(digits, Number).reduce((sum, digit) => (sum * 10 + digit) % 97, 0)
  return `${country}${String(98 - rest).padStart(2, '0')}${bban}`
}

describe('IBAN', () => {
  test('the examples of the registry pass, however they are written', () => {
    expect(new Set(IBANS.map((iban) => iban.slice(0, 2))).size).toBeGreaterThan(75)
    for (const iban of IBANS) {
      const printed = iban.toLowerCase().replaceAll(/(.{4})/g, '$1\u00A0')
      for (const written of [iban, printed])
        expect(codeOf(check(iban.slice(0, 2), 'EUR', { iban: written }), 'iban'), written).toBe('ok')
      expect(canonicalCoordinates(account('DE', 'EUR', { iban: printed })).iban).toBe(iban)
    }
  })

  test('any other digit or letter in its place is caught', () => {
    const changed = fc.tuple(fc.constantFrom(...IBANS), fc.nat(), fc.integer({ min: 1, max: 25 }))
    always(2000, changed, ([iban, at, by]) => {
      const place = 2 + (at % (iban.length - 2))
      const from = iban[place] ?? ''
      const alphabet = /[0-9]/.test(from) ? '0123456789' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
      const to = alphabet[(alphabet.indexOf(from) + 1 + (by % (alphabet.length - 1))) % alphabet.length]
      const wrong = `${iban.slice(0, place)}${to}${iban.slice(place + 1)}`
      expect(ibanCheck(wrong), `${iban} ${wrong}`).toBe('checksum')
    })
  })

  test.each([
    ['too short', 'DE', 'DE8937040044053201300', 'malformed'],
    ['too long', 'DE', 'DE893704004405320130000', 'malformed'],
    ['letters for check digits', 'DE', 'DEAA370400440532013000', 'malformed'],
    ['letters where the country has digits', 'DE', 'DE89AA0400440532013000', 'malformed'],
    ['wrong check digits', 'DE', 'DE99370400440532013000', 'checksum'],
    ['check digits that only look right modulo 97', 'GB', 'GB01BARC20714583608387', 'checksum'],
    ['of another country', 'DE', 'FR1420041010050500013M02606', 'country_mismatch'],
    ['a letter that only becomes one of ASCII in capitals', 'DE', 'DE8937040044053201300ı', 'malformed'],
    ['a wrong check digit of Belgium under a right one of ISO 13616', 'BE', 'BE41539007547035', 'national_checksum'],
  ])('%s', (_, country, iban, code) => expect(codeOf(check(country, 'EUR', { iban }), 'iban')).toBe(code))

  test('letters pass in every place where the country has them', () => {
    const banks = [
      ['PK', /^[A-Z]{4}[A-Z0-9]{16}$/],
      ['PS', /^[A-Z]{4}[A-Z0-9]{21}$/],
      ['BY', /^[A-Z0-9]{4}[0-9]{4}[A-Z0-9]{16}$/],
      ['DO', /^[A-Z0-9]{4}[0-9]{20}$/],
      ['BR', /^[A-Z0-9]{8}[0-9]{15}[A-Z0-9]{2}$/],
    ] as const
    const made = fc
      .constantFrom(...banks)
      .chain(([country, bban]) => fc.tuple(fc.constant(country), fc.stringMatching(bban)))
    always(100, made, fc.integer({ min: 1, max: 96 }), ([country, bban], by) => {
      const iban = withCheckDigits(country, bban)
      expect([iban, ibanCheck(iban)]).toEqual([iban, 'ok'])
      const wrong = (Number(iban.slice(2, 4)) - 2 + by) % 97
      expect(ibanCheck(`${country}${String(wrong + 2).padStart(2, '0')}${bban}`)).toBe('checksum')
    })
    expect(ibanCheck('PK36S1BL0000001123456702')).toBe('malformed')
    expect(ibanCheck('DO28BAGR0000000121245361132A')).toBe('malformed')
  })

  test('a check digit of the country itself that is wrong under right ones of ISO 13616 is a warning', () => {
    const national = IBANS.filter((iban) => /^(FI|IT|SM|MR|TL|TN)/.test(iban)).concat('FI5542345670000081')
    expect(new Set(national.map((iban) => iban.slice(0, 2))).size).toBe(6)
    for (const iban of national) {
      const last = (Number(iban.at(-1)) + 1) % 10
      const wrong = withCheckDigits(iban.slice(0, 2), `${iban.slice(4, -1)}${last}`)
      expect([wrong, ibanCheck(wrong)]).toEqual([wrong, 'national_checksum'])
      expect(isValid(check(wrong.slice(0, 2), 'EUR', { iban: wrong, swift_code: 'DEUTDEFF' }))).toBe(true)
    }
    expect(ibanCheck('IT40S0542811101000000123456')).toBe('national_checksum')
  })

  test('territories have the IBAN of their country', () => {
    expect(isValid(check('GP', 'EUR', { iban: 'FR1420041010050500013M02606' }))).toBe(true)
    expect(isValid(check('JE', 'EUR', { iban: 'GB29NWBK60161331926819' }))).toBe(true)
    expect(codeOf(check('FR', 'EUR', { iban: 'GP1420041010050500013M02606' }), 'iban')).toBe('country_mismatch')
  })

  test('beside it a BIC is needed, but for euros in the SEPA', () => {
    const iban = 'DE89370400440532013000'
    expect(codeOf(check('DE', 'EUR', { iban }), 'swift_code')).toBeUndefined()
    expect(codeOf(check('DE', 'USD', { iban }), 'swift_code')).toBe('required')
    expect(codeOf(check('AE', 'EUR', { iban: 'AE070331234567890123456' }), 'swift_code')).toBe('required')
  })
})

describe('SWIFT code', () => {
  test.each(listed`
    ok DEUTDEFF | ok deut de ff 500 | ok DEUTDEFFXXX | malformed DEUTDEF | malformed DEUTDEFF50 | malformed DEU1DEFF
    unknown_country DEUTZZFF | test_code DEUTDEF0 | country_mismatch NWBKGB2L
  `)('%s', (row) => {
    const [code, ...parts] = row.split(' ')
    const given = { iban: 'DE89370400440532013000', swift_code: parts.join(' ') }
    expect(codeOf(check('DE', 'EUR', given), 'swift_code')).toBe(code)
  })

  test('one of a head office has 8 characters', () => {
    expect(canonicalCoordinates(account('DE', 'EUR', { swift_code: 'deutdeffxxx' })).swift_code).toBe('DEUTDEFF')
    expect(canonicalCoordinates(account('DE', 'EUR', { swift_code: 'DEUTDEFF500' })).swift_code).toBe('DEUTDEFF500')
  })
})

describe.each([
  ['ABA routing number', 'US', 'USD', 'aba_code', { account_number: '12345678' }],
  ['CLABE', 'MX', 'MXN', 'account_number', {}],
] as const)('%s', (_, country, currency, field, beside) => {
  const isAba = field === 'aba_code'
  const codeOfOne = (given: string) => codeOf(check(country, currency, { ...beside, [field]: given }), field)
  const known = isAba
    ? listed`021000021 | 011401533 | 091000019 | 122105155 | 026009593 | 111000025 | 322271627 | 000000518`
    : listed`032180000118359719 | 002180032240946700 | 002010077777777771 | 103150124152345786`

  test('published ones pass; with one digit changed none does', () => {
    for (const one of known) expect(codeOfOne(one), one).toBe('ok')
    const change = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 9 }))
    always(1000, fc.constantFrom(...known), change, (one, [at, by]) => {
      const place = at % one.length
      const digit = (Number(one[place]) + by) % 10
      expect(codeOfOne(`${one.slice(0, place)}${digit}${one.slice(place + 1)}`)).toBe('checksum')
    })
  })

  test('others are malformed, or of no bank', () => {
    const malformed = isAba ? ['02100002', '02100002A'] : ['03218000011835971']
    for (const one of malformed) expect(codeOfOne(one), one).toBe('malformed')
    const unknown = isAba ? ['000000000', '401000010', '991000012'] : []
    for (const one of unknown) expect(codeOfOne(one), one).toBe('unknown_bank')
  })
})

describe('by country', () => {
  const good: [string, string, Given][] = [
    ['AU', 'AUD', { bsb_code: '062-000', account_number: '12345678' }],
    ['IN', 'INR', { ifsc_code: 'hdfc0000001', account_number: '50100012345678' }],
    ['CN', 'CNY', { cnaps: '102100099996', account_number: '6222021234567890123' }],
    ['CA', 'CAD', { bank_code: '003', branch_code: '00010', account_number: '1234567' }],
    ['US', 'USD', { aba_code: '021000021', account_number: '1234' }],
    ['JP', 'JPY', { swift_code: 'BOTKJPJT', bank_code: '0005', branch_code: '001', account_number: '1234567' }],
    ['ZA', 'ZAR', { swift_code: 'SBZAZAJJ', branch_code: '051001', account_number: '123456789' }],
    ['HK', 'HKD', { swift_code: 'HSBCHKHH', account_number: '123-456789-001' }],
    ['SG', 'SGD', { swift_code: 'DBSSSGSG', account_number: '0012345678' }],
    ['NZ', 'NZD', { swift_code: 'ASBBNZ2A', account_number: '01-0902-0068389-00' }],
    ['BR', 'BRL', { swift_code: 'BRASBRRJ', bank_code: '001', branch_code: '1234-5', account_number: '123456-7' }],
    ['KE', 'KES', { swift_code: 'KCBLKENX', account_number: '1234567890', bank_name: 'KCB' }],
    ['US', 'EUR', { swift_code: 'CHASUS33', account_number: '12345678' }],
  ]
  test.each(good)(
    '%s in %s: what is needed is enough, and nothing of it may be left out',
    (country, currency, given) => {
      expect(check(country, currency, given).filter(({ status }) => status !== 'ok')).toEqual([])
      for (const field of Object.keys(given)) {
        const less = check(country, currency, { ...given, [field]: null })
        expect(less.filter(({ status }) => status !== 'ok')).toEqual([{ field, status: 'invalid', code: 'required' }])
      }
    },
  )

  test('a country or a currency that does not exist, or neither', () => {
    expect(check('ZZ', 'EUR', {})).toEqual([{ field: 'country_code', status: 'invalid', code: 'unknown_country' }])
    expect(check('DE', 'BTC', {})).toEqual([{ field: 'currency', status: 'invalid', code: 'unsupported_currency' }])
    expect(check('ZZ', 'BTC', {}).map(({ field }) => field)).toEqual(['country_code', 'currency'])
  })

  test('all that is invalid is told, each in a sentence; a warning is not', () => {
    const checks = check('US', 'USD', { aba_code: '021000022', swift_code: 'NWBKGB2L', iban: 'GB29NWBK60161331926819' })
    expect(checks.filter(({ status }) => status === 'warning').map(({ field }) => field)).toEqual(['swift_code'])
    const told = [
      ['iban', 'not_applicable', 'does not belong to this account'],
      ['account_number', 'required', 'is needed for this account'],
      ['aba_code', 'checksum', 'has wrong check digits'],
    ].map(([field, code, message]) => ({ path: `destinations.3.${field}`, field, code, message }))
    expect(errorsOf(checks, 'destinations.3.')).toEqual(told)
  })
})

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
