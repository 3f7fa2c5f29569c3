/** Sentences about cells that are wrong: what would be right. */
import { homeOf, patternOf } from '../destinations/bank-requirements.ts'
import type { InvalidCode } from '../destinations/check.ts'
import { digitsOf, isCurrency } from '../money/currencies.ts'
import { MAX_WHOLE_DIGITS } from '../money/money.ts'
import type { Column } from './columns.ts'

const DIGITS = /^\^\[0-9\]\{([0-9]+)(?:,([0-9]+))?\}\$$/
/** Classes of characters, each with its count. */
const IBAN_PARTS = /\](?:\{([0-9]+)\})?/g
const COUNTRY_LETTERS = 2

/** Says what would be right in a column that has this fault, and what probably happened; null if no more is known. */
export function howToWrite(column: Column, code: InvalidCode, value: string, country: string): string | null {
  switch (code) {
    case 'malformed':
      return howToForm(column, value, country)
    case 'checksum':
      return 'has wrong check digits: please compare each digit with the original'
    case 'required':
      return `is needed for an account in ${country}`
    case 'not_applicable':
      return `does not belong to an account in ${country}: leave it empty`
    case 'country_mismatch':
      return `must be of ${country}, as bank_country is`
    case 'unknown_country':
      return column === 'bank_country' ? 'must be a country of ISO 3166-1, such as DE' : null
    default:
      return null
  }
}

function howToForm(column: Column, value: string, country: string): string | null {
  const code = value.replaceAll(/[\s.-]/g, '')
  if (column === 'swift_code') return 'must have 8 or 11 letters and digits, such as DEUTDEFF'
  if (column === 'iban') return ofIban(code, country)
  if (column !== 'account_number' && column !== 'aba_code' && column !== 'sort_code') return null
  const [, least, most = least] = DIGITS.exec(patternOf(column, country) ?? '') ?? []
  if (least === undefined || most === undefined) return null
  const wanted = least === most ? `${least} digits` : `${least} to ${most} digits`
  if (!/^[0-9]+$/.test(code)) return `must have ${wanted}, and nothing else`
  if (code.length >= Number(least)) return `must have ${wanted}, and has ${code.length}`
  return (
    `must have ${wanted}, and has ${code.length}: a spreadsheet drops zeros at the beginning of a number. ` +
    'Format the column as text, and write all digits'
  )
}

function ofIban(iban: string, country: string): string | null {
  const home = homeOf(country)
  const length = ibanLength(home)
  if (length === null) return null
  return iban.length === length
    ? `must be an IBAN of ${home}: ${home}, two check digits, then the account`
    : `must have ${length} characters as an IBAN of ${home}, and has ${iban.length}`
}

/** Adds up the parts of the country's pattern; null for a country without IBAN. */
function ibanLength(home: string): number | null {
  const pattern = patternOf('iban', home)
  if (pattern === undefined) return null
  const parts = Array.from(pattern.matchAll(IBAN_PARTS), ([, count = '1']) => Number(count))
  return pattern.startsWith(`^${home}`) ? parts.reduce((sum, count) => sum + count, COUNTRY_LETTERS) : null
}

/** Says what would be right where the money of a row is refused; null if the refusal says it. */
export function howToPay(refusal: string, currency: string): string | null {
  const code = currency.toUpperCase()
  if (refusal === 'unsupported_currency')
    return `must be the code of a currency, such as ${isCurrency(code) ? code : 'EUR'}`
  if (refusal === 'amount_precision') return `must have at most ${digitsOf(currency)} decimals in ${currency}`
  return refusal === 'amount_too_large' ? `must have at most ${MAX_WHOLE_DIGITS} digits before the point` : null
}
