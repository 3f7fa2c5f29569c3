/**
 * CSV cells for spreadsheets (RFC 4180). A spreadsheet may split by another separator than the file's, depending on its
 * country, and then ignores quotes: `a;=1+1` is two cells.
 */

export const SEPARATORS = [',', ';'] as const
export type Separator = (typeof SEPARATORS)[number]

/** Start of a formula (CWE-1236), also in full width, after characters that are skipped. */
const BEGINS = String.raw`[[\s\p{Cc}\p{Cf}"']--[\t\r\n]]*[=+\-@＝＋－＠]`
/** Positions where another reader may start a cell: after another separator, a tab or a line end. */
const STARTS = { ',': String.raw`(?<=^|[;\t\r\n])`, ';': String.raw`(?<=^|[,;\t\r\n])` } as const
const LEADING_TAB = String.raw`(?='*[\t\r])`

/** Builds the patterns of formulas. They are linear in the text: each step ends at the next separator. */
const patternsOf = (separator: Separator) => ({
  formula: new RegExp(`${STARTS[separator]}(?=${BEGINS})|^${LEADING_TAB}`, 'gv'),
  inert: new RegExp(`${STARTS[separator]}'(?=${BEGINS})|^'${LEADING_TAB}`, 'gv'),
})
const PATTERNS = { ',': patternsOf(','), ';': patternsOf(';') } as const

/** Puts an apostrophe before each formula that a spreadsheet would run. */
export const inert = (text: string, separator: Separator = ','): string =>
  text.replaceAll(PATTERNS[separator].formula, "'")

/** Removes the apostrophes that inert() has put, and no others. */
export const withoutGuards = (text: string, separator: Separator): string =>
  text.includes("'") ? text.replaceAll(PATTERNS[separator].inert, '') : text

const QUOTED = /[",;\t\r\n]/

/** Writes a cell, quoted if any separator needs it. */
export const quoteCell = (cell: string): string => (QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

const PLAIN = /^(?![\s\p{Cc}\p{Cf}'=+\-@＝＋－＠])[^",;\t\r\n]*$/u

/** Tells whether a text needs neither guard nor quotes. */
export const isPlain = (text: string): boolean => text === '' || PLAIN.test(text)
