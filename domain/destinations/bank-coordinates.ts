/** The coordinates of bank accounts: one way to write each, and what is wrong with it. */
import {
  BANK_FIELDS,
  type BankField,
  homeOf,
  isBankCurrency,
  isCountry,
  needsOf,
  patternOf,
} from './bank-requirements.ts'
import type { Check, InvalidCode } from './check.ts'
import type { BankCoordinates } from './coordinates.ts'
import { hasCheckDigits, hasNationalCheckDigits } from './iban.ts'
import { passesNewZealandCheck } from './nz-modulus.ts'
import { passesModulusCheck } from './uk-modulus.ts'

/** The fault of a coordinate; null if there is none. */
type Fault = { status: 'invalid'; code: InvalidCode } | { status: 'warning'; code: string } | null

const invalid = (code: InvalidCode): Fault => ({ status: 'invalid', code })
const warning = (code: string): Fault => ({ status: 'warning', code })

/** Blanks, dots and dashes, with those that come along when text is copied. */
const SEPARATORS = /[\s.\-\u2010-\u2015\u2212\u200B-\u200D\u2060]+/g
const NAMES: ReadonlySet<BankField> = new Set(['account_holder_name', 'bank_name'])

/**
 * Normalizes bank coordinates: codes and numbers without blanks and dashes and in capitals, a BIC of a head office with
 * 8 characters (ISO 9362), names without surplus blanks. What is null or absent stays so.
 */
export function canonicalBankCoordinates<Coordinates extends BankCoordinates>(coordinates: Coordinates): Coordinates {
  const written = { ...coordinates }
  for (const field of BANK_FIELDS) {
    const value = coordinates[field]
    if (typeof value === 'string') written[field] = canonicalField(field, value)
  }
  return written
}

const CANONICAL_CODE = /^[A-Z0-9]*$/

function canonicalField(field: BankField, value: string): string {
  if (NAMES.has(field)) return value.normalize('NFC').trim().replaceAll(/\s+/g, ' ')
  if (CANONICAL_CODE.test(value) && field !== 'swift_code') return value
  // Only the letters of ASCII: others become them in capitals, such as the dotless i.
  const code = value.replaceAll(SEPARATORS, '').replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())
  return field === 'swift_code' && code.length === 11 ? code.replace(/XXX$/, '') : code
}

/** Checks each coordinate that the account needs or names; country and currency only if they do not exist. */
export function checkBankCoordinates(coordinates: BankCoordinates): Check[] {
  const { country_code: country, currency } = coordinates
  const wanted = needsOf(country, currency)
  if (!wanted) {
    const faults: Check[] = []
    if (!isCountry(country)) faults.push({ field: 'country_code', status: 'invalid', code: 'unknown_country' })
    if (!isBankCurrency(currency)) faults.push({ field: 'currency', status: 'invalid', code: 'unsupported_currency' })
    return faults
  }
  const account = canonicalBankCoordinates(coordinates)
  return BANK_FIELDS.flatMap((field): Check[] => {
    const needed = wanted.needs.includes(field)
    const value = account[field] ?? null
    if (value === null || (needed && value === '')) {
      return needed ? [{ field, status: 'invalid', code: 'required' }] : []
    }
    const fault =
      needed || wanted.takes.includes(field) ? coordinateFault(field, value, account) : invalid('not_applicable')
    return [{ field, ...(fault ?? { status: 'ok', code: 'ok' }) }]
  })
}

/** Finds the fault of a canonical coordinate, which has to agree with others of its account. */
export function coordinateFault(field: BankField, value: string, account: BankCoordinates): Fault {
  const pattern = patternOf(field, account.country_code)
  if (value === '' || (pattern !== undefined && !compile(pattern).test(value))) {
    const elsewhere =
      field === 'iban' && /^[A-Z]{2}[0-9]{2}/.test(value) && !value.startsWith(homeOf(account.country_code))
    return invalid(elsewhere ? 'country_mismatch' : 'malformed')
  }
  switch (field) {
    case 'iban':
      return ibanFault(value, account)
    case 'swift_code':
      return swiftFault(value, account)
    case 'aba_code':
      return abaFault(value)
    case 'account_number':
      return accountNumberFault(value, account)
    default:
      return null
  }
}

const expressions = new Map<string, RegExp>()
function compile(pattern: string): RegExp {
  const found = expressions.get(pattern) ?? new RegExp(pattern)
  expressions.set(pattern, found)
  return found
}

/** Checks mod 97 (ISO 13616). A wrong national check digit is a warning: some banks number accounts without. */
function ibanFault(iban: string, account: BankCoordinates): Fault {
  if (!hasCheckDigits(iban)) return invalid('checksum')
  // A British IBAN ends in sort code and account number.
  const { sort_code: sortCode, account_number: number } = account
  const others = (sortCode && iban.slice(-14, -8) !== sortCode) || (number && iban.slice(-8) !== number)
  if (iban.startsWith('GB') && others) return invalid('mismatch')
  return hasNationalCheckDigits(iban) ? null : warning('national_checksum')
}

/** Checks country and test code (ISO 9362). Banks serve accounts across borders, though seldom. */
function swiftFault(swift: string, { country_code: country }: BankCoordinates): Fault {
  const named = swift.slice(4, 6)
  if (!isCountry(named)) return invalid('unknown_country')
  if (swift[7] === '0') return warning('test_code')
  return homeOf(named) === homeOf(country) ? null : warning('country_mismatch')
}

/** Checks the ABA checksum, and the first digits that the Federal Reserve has assigned. */
function abaFault(aba: string): Fault {
  if (sumWeighted(aba, [3, 7, 1]) % 10 !== 0) return invalid('checksum')
  const district = Number(aba.slice(0, 2))
  const assigned =
    district <= 12 || (district >= 21 && district <= 32) || (district >= 61 && district <= 72) || district === 80
  return assigned && Number(aba) > 0 ? null : invalid('unknown_bank')
}

function accountNumberFault(number: string, { country_code: country, sort_code: sortCode }: BankCoordinates): Fault {
  switch (homeOf(country)) {
    case 'GB': {
      const checked = sortCode && /^[0-9]{6}$/.test(sortCode)
      return checked && !passesModulusCheck(sortCode, number) ? warning('modulus') : null
    }
    case 'NZ':
      return passesNewZealandCheck(number) ? null : warning('modulus')
    case 'MX':
      return isClabe(number) ? null : invalid('checksum')
    default:
      return null
  }
}

/** Checks the last digit of a CLABE by the rules of the Banco de México. */
const isClabe = (clabe: string): boolean =>
  (10 - (sumWeighted(clabe.slice(0, 17), [3, 7, 1]) % 10)) % 10 === Number(clabe[17])

const sumWeighted = (digits: string, weights: readonly number[]): number =>
  Array.from(digits, (digit, index) => Number(digit) * (weights[index % weights.length] ?? 0)).reduce(
    (sum, product) => sum + product,
    0,
  )
