/**
 * Cells of CSV (RFC 4180) that we write, and that people open in spreadsheets. A spreadsheet may take another separator
 * than the file's, as that is a matter of its country. Then quotes hold nothing together: `a;=1+1` is two cells.
 */

/** What stands between the cells of a file. */
export const SEPARATORS = [',', ';'] as const
export type Separator = (typeof SEPARATORS)[number]

/** Signs that begin a formula (CWE-1236), in full width, too, and what a spreadsheet may pass over before them. */
const BEGINS = String.raw`[[\s\p{Cc}\p{Cf}"']--[\t\r\n]]*[=+\-@＝＋－＠]`
/** Where another reader may begin a cell: behind a separator that is not the file's, behind a tab and a line end. */
const STARTS = { ',': String.raw`(?<=^|[;\t\r\n])`, ';': String.raw`(?<=^|[,;\t\r\n])` } as const
const LEADING_TAB = String.raw`(?='*[\t\r])`

/** Text as spreadsheets may see it. Each step of a pattern ends at the next separator: no text takes long. */
const patternsOf = (separator: Separator) => ({
  formula: new RegExp(`${STARTS[separator]}(?=${BEGINS})|^${LEADING_TAB}`, 'gv'),
  inert: new RegExp(`${STARTS[separator]}'(?=${BEGINS})|^'${LEADING_TAB}`, 'gv'),
})
const PATTERNS = { ',': patternsOf(','), ';': patternsOf(';') } as const

/** Makes a text no formula for any spreadsheet: an apostrophe stands where a formula would begin. */
export const inert = (text: string, separator: Separator = ','): string =>
  text.replaceAll(PATTERNS[separator].formula, "'")

/** Takes the apostrophes away that inert() has set, and no others. */
export const withoutGuards = (text: string, separator: Separator): string =>
  text.includes("'") ? text.replaceAll(PATTERNS[separator].inert, '') : text

const QUOTED = /[",;\t\r\n]/

/** Writes a cell, in quotes if it has to be for any separator. */
export const quotedCell = (cell: string): string => (QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** As most texts are: no formula, and nothing that has to be in quotes. */
const PLAIN = /^(?![\s\p{Cc}\p{Cf}'=+\-@＝＋－＠])[^",;\t\r\n]*$/u

/** Says of a text, quickly, that it is a cell as it stands. */
export const isPlain = (text: string): boolean => text === '' || PLAIN.test(text)
