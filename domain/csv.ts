/**
 * Cells of CSV (RFC 4180) for spreadsheets. A spreadsheet may split by another separator than the file's, depending on
 * its country, and then ignores quotes: `a;=1+1` is two cells.
 */

/** Separators of cells. */
export const SEPARATORS = [',', ';'] as const
export type Separator = (typeof SEPARATORS)[number]

/** Begin of a formula (CWE-1236), also in full width, after characters that are skipped. */
const BEGINS = String.raw`[[\s\p{Cc}\p{Cf}"']--[\t\r\n]]*[=+\-@＝＋－＠]`
/** Places where another reader may begin a cell: after another separator, a tab or a line end. */
const STARTS = { ',': String.raw`(?<=^|[;\t\r\n])`, ';': String.raw`(?<=^|[,;\t\r\n])` } as const
const LEADING_TAB = String.raw`(?='*[\t\r])`

/** Patterns of formulas, linear in the text: each step ends at the next separator. */
const patternsOf = (separator: Separator) => ({
  formula: new RegExp(`${STARTS[separator]}(?=${BEGINS})|^${LEADING_TAB}`, 'gv'),
  inert: new RegExp(`${STARTS[separator]}'(?=${BEGINS})|^'${LEADING_TAB}`, 'gv'),
})
const PATTERNS = { ',': patternsOf(','), ';': patternsOf(';') } as const

/** Puts an apostrophe wherever a spreadsheet would begin a formula. */
export const inert = (text: string, separator: Separator = ','): string =>
  text.replaceAll(PATTERNS[separator].formula, "'")

/** Removes the apostrophes that inert() has set, and no others. */
export const withoutGuards = (text: string, separator: Separator): string =>
  text.includes("'") ? text.replaceAll(PATTERNS[separator].inert, '') : text

const QUOTED = /[",;\t\r\n]/

/** Writes a cell, quoted if any separator needs it. */
export const quotedCell = (cell: string): string => (QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** Text without a formula and without need for quotes. */
const PLAIN = /^(?![\s\p{Cc}\p{Cf}'=+\-@＝＋－＠])[^",;\t\r\n]*$/u

/** Tells if a text is a cell as it is. */
export const isPlain = (text: string): boolean => text === '' || PLAIN.test(text)
