/** Amounts as people and spreadsheets write them. */
import { digitsOf } from '../money/currencies.ts'

/** Thousands separated by one sign, and decimals by another. */
const GROUPED = [
  /^[0-9]{1,3}(?:,[0-9]{3})+\.[0-9]+$/,
  /^[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+$/,
  /^[0-9]{1,3}(?:,[0-9]{3}){2,}$/,
  /^[0-9]{1,3}(?:\.[0-9]{3}){2,}$/,
  /^[0-9]{1,3}(?:([ '’\u00a0\u202f])[0-9]{3})(?:\1[0-9]{3})*(?:[.,][0-9]+)?$/,
] as const
/** Either thousands or three decimals. */
const AMBIGUOUS = /^[1-9][0-9]{0,2},[0-9]{3}$/
const DECIMAL_COMMA = /^[0-9]+,[0-9]+$/

/**
 * Reads an amount that can be read in one way: `1,234.50` and `1.234,50` as `1234.50`, `10,5` as `10.5`. One that can
 * be read in two ways has both; any other text stays as it is. A point alone is a decimal point, as everywhere.
 */
export function readAmount(text: string): { readonly amount: string; readonly ways?: readonly [string, string] } {
  if (AMBIGUOUS.test(text)) return { amount: text, ways: [text.replace(',', ''), text.replace(',', '.')] }
  if (DECIMAL_COMMA.test(text)) return { amount: text.replace(',', '.') }
  const form = GROUPED.findIndex((one) => one.test(text))
  if (form < 0) return { amount: text }
  if (form === 2 || form === 3) return { amount: text.replaceAll(/[.,]/g, '') }
  const [, whole = '', decimals = ''] = /^(.*?)(?:[.,]([0-9]+))?$/.exec(groupsAlone(text, form)) ?? []
  return { amount: decimals === '' ? whole : `${whole}.${decimals}` }
}

/** Removes the signs between thousands. */
const groupsAlone = (text: string, form: number): string =>
  text.replaceAll(form === 0 ? ',' : form === 1 ? '.' : /[ '’\u00a0\u202f]/g, '')

/** Removes decimals that the currency lacks, if they are zeros: `100.00` of JPY is `100`. */
export function withoutSurplusZeros(amount: string, currency: string): string {
  const [whole = '', decimals = ''] = amount.split('.')
  const digits = digitsOf(currency)
  if (digits === undefined || decimals.length <= digits || !/^0+$/.test(decimals.slice(digits))) return amount
  return digits === 0 ? whole : `${whole}.${decimals.slice(0, digits)}`
}
