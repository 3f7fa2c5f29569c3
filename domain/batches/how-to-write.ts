/** Sentences about cells with coordinates of bank accounts: what would be right. */
import { homeOf, patternOf } from '../contacts/bank-requirements.ts'
import type { Column } from './columns.ts'

const DIGITS = /^\^\[0-9\]\{([0-9]+)(?:,([0-9]+))?\}\$$/
/** Classes of characters, each with its count. */
const IBAN_PARTS = /\](?:\{([0-9]+)\})?/g
const COUNTRY_LETTERS = 2

/** Says what would be right in a column, and what probably happened; null if its pattern says no more. */
export function howToWrite(column: Column, value: string, country: string): string | null {
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
