/** The account of a payee, whatever names it: one account is one payee. */
import { BANK_COORDINATES, homeOf, needsOf } from './bank-requirements.ts'
import type { Coordinates } from './destination.ts'

/** Codes that name a bank wherever they are needed; a branch alone is one of many banks. */
export const BANK_CODES = ['aba_code', 'sort_code', 'bsb_code', 'ifsc_code', 'cnaps', 'bank_code'] as const

/** Scheme and number of an account. Equal numbers of one scheme are one account. */
export type AccountNumber = { readonly scheme: string; readonly bank: readonly string[]; readonly number: string }

/**
 * Names an account without currency, coin, holder and contact. By IBAN; a British one is the sort code and account
 * number in it. Else by country, national bank code and account number. The institution of a BIC stands for the bank
 * where no code does. Ethereum's addresses are those of all EVM chains. A memo names the customer of an exchange, whose
 * address is that of all its customers.
 */
export function accountNumberOf(coordinates: Coordinates): AccountNumber {
  const { network, address, memo, country_code: country, currency, iban, account_number: number } = coordinates
  if (network && address) {
    const scheme = network === 'ethereum' ? 'evm' : network
    return memo ? { scheme, bank: [address], number: memo } : { scheme, bank: [], number: address }
  }
  const needs = needsOf(country ?? '', currency ?? '')?.needs ?? BANK_COORDINATES
  if (iban && (needs.includes('iban') || !number)) return ofIban(iban)
  const home = homeOf(country ?? '')
  const named = BANK_CODES.some((code) => needs.includes(code))
  const branch = needs.includes('branch_code') ? [coordinates['branch_code']] : []
  const codes = named
    ? [...BANK_CODES.filter((code) => needs.includes(code)).map((code) => coordinates[code]), ...branch]
    : [coordinates['swift_code']?.slice(0, INSTITUTION), ...branch]
  const bank = OWN_BANK.has(home) ? [] : codes.map((code) => withoutPadding(code ?? ''))
  return { scheme: home, bank, number: numberIn(home, number ?? '') }
}

/** Length of the institution and its country in a BIC (ISO 9362); place and branch follow. */
const INSTITUTION = 6
/** Countries whose account numbers contain the bank: the CLABE of Mexico, and those of New Zealand. */
const OWN_BANK: ReadonlySet<string> = new Set(['MX', 'NZ'])

/** Reads a British IBAN as `GBkk bank(4) sort code(6) account(8)`. No other country's has all that its own form has. */
function ofIban(iban: string): AccountNumber {
  const [, sortCode, number] = /^GB[0-9]{2}[A-Z]{4}([0-9]{6})([0-9]{8})$/.exec(iban) ?? []
  return sortCode && number
    ? { scheme: 'GB', bank: [withoutPadding(sortCode)], number: withoutPadding(number) }
    : { scheme: 'iban', bank: [], number: iban }
}

/** Writes a number in one way. The suffix of New Zealand's has two or three digits, and 15 or 16 are written. */
function numberIn(home: string, number: string): string {
  const whole = home === 'NZ' && number.length === 15 ? `${number.slice(0, 13)}0${number.slice(13)}` : number
  return withoutPadding(whole)
}

const withoutPadding = (text: string): string => (/^[0-9]+$/.test(text) ? text.replace(/^0+(?=.)/, '') : text)
