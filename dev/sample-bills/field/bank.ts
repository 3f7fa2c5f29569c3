/** Bank details by country. */
import { type Random, ibanOf, pick } from '../random.ts'
import type { Country } from './countries.ts'
import { digits } from './formats.ts'
import type { Pair, Scene } from './scene.ts'

export type Bank = { readonly bank: Pair[]; readonly fields: Scene['fields'] }

/** Countries whose accounts have IBANs. */
const IBAN_COUNTRIES: ReadonlySet<string> = new Set(
  'DE AT CH FR BE NL LU IT ES PT IE PL CZ SK RO HU SE DK FI NO SI HR BG GR EE LV LT TN KW TR'.split(' '),
)

/** Groups the digits of an IBAN by four. */
export const byFour = (iban: string): string => iban.replaceAll(/(.{4})(?=.)/g, '$1 ')

/** Makes the account of a payer, which is a distraction. */
export const payerIbanOf = (random: Random, code: string): string =>
  ibanOf(random, IBAN_COUNTRIES.has(code) ? code : 'DE')

/** Writes bank details as a country has them, with their truth. */
export function bankOf(random: Random, { code, currency }: Country, name: string, word: Scene['word']): Bank {
  const bank: Pair[] = []
  const fields: Bank['fields'] = {}
  if (random() < 0.5) {
    bank.push([word('holder'), name])
    fields.account_holder_name = name
  }
  if (IBAN_COUNTRIES.has(code)) {
    const iban = ibanOf(random, code)
    bank.push(['IBAN', random() < 0.8 ? byFour(iban) : iban])
    fields.iban = iban
    const bic = `${pick(random, ['KRED', 'NORD', 'SPAR', 'HAND'])}${code}${pick(random, ['2L', 'MM', 'TT'])}`
    if (random() < 0.6) {
      bank.push([pick(random, ['BIC', 'BIC/SWIFT', 'SWIFT']), bic])
      fields.swift_code = bic
    }
  } else if (currency === 'GBP') {
    bank.push(['Sort code', '08-99-99'], ['Account number', '66374958'])
    Object.assign(fields, { sort_code: '089999', account_number: '66374958' })
  } else if (code === 'US') {
    const number = digits(random, 9)
    bank.push(['Routing number', '021000021'], ['Account number', number])
    Object.assign(fields, { aba_code: '021000021', account_number: number })
  } else if (code === 'AU') {
    const number = digits(random, 8)
    bank.push(['BSB', '062-000'], ['Account No.', number])
    Object.assign(fields, { bsb_code: '062000', account_number: number })
  } else {
    const number = digits(random, 10)
    bank.push([pick(random, ['Account number', 'A/C No.']), number])
    fields.account_number = number
  }
  return { bank, fields }
}
