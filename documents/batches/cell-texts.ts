/** Texts of the numbers of a workbook, whose format alone tells a day from an amount. */

/** Form of a number: a day, or digits with zeros before them. */
export type CellForm = { readonly isDate: boolean; readonly zeros?: number }

/** Tells if a number format of days and times needs no code (ECMA-376, 18.8.30). */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
/** Quoted, escaped and bracketed text of a code. */
const LITERALS = /"[^"]*"|\\.|_.|\*.|\[[^[\]]*\]/g

/** Most characters of the code of a number format, as spreadsheets have it. */
const CODE_MAX = 255
/** Code of days and times: their letters alone. `Standard` is none, nor is `#,##0.00 USD`. */
const DAYS = /^(?=.*[ymdhs])(?:[ymdhsegb]|am\/pm|a\/p|\P{L})*$/iu
const [DATE, OTHER]: [CellForm, CellForm] = [{ isDate: true }, { isDate: false }]

/** Returns the form of a number format that has no code of its own. */
export const builtInForm = (id: number): CellForm => (isBuiltInDate(id) ? DATE : OTHER)

/** Reads the code of a number format; undefined if it is too long to be one. */
export function formOf(code: string): CellForm | undefined {
  if (code.length > CODE_MAX) return undefined
  const bare = code.replaceAll(LITERALS, '')
  return /^0{2,}$/.test(bare) ? { isDate: false, zeros: bare.length } : { isDate: DAYS.test(bare) }
}

/** Number as XML Schema writes a double; any other text is no number, as `0x10`. */
const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i

/** Significant digits of a double. */
const DIGITS_MAX = 15

/**
 * Writes a number as a spreadsheet shows it: 0.1 for `0.10000000000000001`. A spreadsheet has made zeros of the digits
 * that a double cannot hold: such a number has an exponent, by which they are found to be lost.
 */
export function numberText(value: string, zeros = 0): string {
  const number = Number(value)
  if (!NUMBER.test(value) || !Number.isFinite(number)) return value
  if (Math.abs(number) >= 10 ** DIGITS_MAX) return number.toExponential().toUpperCase()
  const text = String(Number(number.toPrecision(DIGITS_MAX)))
  return (text.includes('e') ? value : text).padStart(zeros, '0')
}

const DAY_MS = 86_400_000
/** Days from day 0 to 1970, and those of files that count from 1904. The first have a 29 February 1900. */
const [EPOCH, EPOCH_1904] = [25_569, 24_107]
const LEAP_BUG = 60

/** Writes a day as ISO 8601, with its time if it has one. */
export function dateText(value: string, is1904: boolean): string {
  const days = Number(value)
  if (!NUMBER.test(value) || !Number.isFinite(days)) return value
  const real = !is1904 && days < LEAP_BUG ? days + 1 : days
  const instant = new Date(Math.round(((real - (is1904 ? EPOCH_1904 : EPOCH)) * DAY_MS) / 1000) * 1000)
  if (Number.isNaN(instant.getTime())) return value
  const [day = '', time = ''] = instant.toISOString().split('T')
  return Number.isInteger(days) ? day : `${day}T${time.slice(0, 8)}`
}
