/** Amounts as people and spreadsheets write them. */
import { decimalOf, shortText } from '../money/decimal.ts'
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

/** An amount, and both its readings if it has two. */
type AmountReading = { readonly amount: string; readonly ways?: readonly [string, string] }

/**
 * Reads an amount that can be read in one way: `1,234.50` and `1.234,50` as `1234.50`, `10,5` as `10.5`. One that can
 * be read in two ways has both; any other text stays as it is. A point alone is a decimal
 * point; fitDecimals() finds one that may separate thousands.
 */
export function readAmount(text: string): AmountReading {
  if (AMBIGUOUS.test(text)) return { amount: text, ways: waysOf(text) }
  if (DECIMAL_COMMA.test(text)) return { amount: text.replace(',', '.') }
  const form = GROUPED.findIndex((one) => one.test(text))
  if (form < 0) return { amount: text }
  if (form === 2 || form === 3) return { amount: text.replaceAll(/[.,]/g, '') }
  const [, whole = '', decimals = ''] = /^(.*?)(?:[.,]([0-9]+))?$/.exec(groupsAlone(text, form)) ?? []
  return { amount: decimals === '' ? whole : `${whole}.${decimals}` }
}

/** Writes both readings, each so that it has no other: `1,500` and `1.500` as `1500` and `1.5`. */
const waysOf = (text: string): readonly [string, string] => [
  text.replace(/[.,]/, ''),
  shortText(decimalOf(text.replace(',', '.'))),
]

/** Removes the signs between thousands. */
const groupsAlone = (text: string, form: number): string =>
  text.replaceAll(form === 0 ? ',' : form === 1 ? '.' : /[ '’\u00a0\u202f]/g, '')

/** Thousands to some people: a point before three digits, of which the currency lacks at least one. */
const POINT_BEFORE_THREE = /^[1-9][0-9]{0,2}\.[0-9]{3}$/

/**
 * Removes decimals that the currency lacks, if they are zeros: `100.00` of JPY is `100`. One that is as well written for
 * thousands, such as `1.500` of EUR, has both ways.
 */
export function fitDecimals(amount: string, currency: string): AmountReading {
  const [whole = '', decimals = ''] = amount.split('.')
  const digits = digitsOf(currency)
  if (digits === undefined || decimals.length <= digits || !/^0+$/.test(decimals.slice(digits))) return { amount }
  if (POINT_BEFORE_THREE.test(amount)) return { amount, ways: waysOf(amount) }
  return { amount: digits === 0 ? whole : `${whole}.${decimals.slice(0, digits)}` }
}
