/**
 * Reads the file of a batch: CSV by RFC 4180 in UTF-8, with `,` or `;` and any line ends. It is our own, because
 * `csv-parse` cannot cut cells and rows at a limit, so that one row of 5 MB would block the event loop.
 */
import { isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import {
  CELL_KEPT,
  COLUMNS,
  type FileFault,
  type FileFaultCode,
  type FileRow,
  type FileRows,
  type Header,
  RESULT_COLUMNS,
  ROWS_MAX,
  fileFault,
  readHeader,
} from '../../domain/batches/columns.ts'
import { type Separator, withoutGuards } from '../../domain/csv.ts'

/** Thrown for a file that no try can read. */
export class UnreadableFile extends Error {
  constructor(readonly fault: FileFault) {
    super(fault.message)
  }
}

const fail = (code: FileFaultCode, line: number | null): never => {
  throw new UnreadableFile(fileFault(code, line))
}

const BOM = Buffer.from('\uFEFF')
const [LF, CR, BLANK, QUOTE, DELETE] = [0x0a, 0x0d, 0x20, 0x22, 0x7f]
/** Rows or characters that are read in one turn of the event loop, a few milliseconds. */
const PART = { rows: 500, characters: 64 * 1024 } as const
/** Cells after which the rest of a row is its last cell. */
export const CELLS_MAX = COLUMNS.length + RESULT_COLUMNS.length
/** One more than allowed, so that it is noticed. */
const KEPT = CELL_KEPT + 1

/**
 * Reads every data row in the order of the file; only an empty line is no row. Cells are cut at KEPT, rows at
 * CELLS_MAX, and the event loop gets its turn after each part. Throws UnreadableFile.
 */
export async function* readRows(file: Buffer): AsyncGenerator<FileRows> {
  const bytes = file.subarray(0, BOM.length).equals(BOM) ? file.subarray(BOM.length) : file
  if (!isUtf8(bytes)) fail('not_utf8', firstLineNotUtf8(bytes))
  const text = bytes.toString()
  const separator = separatorOf(text)
  const records = recordsOf(text, separator.charCodeAt(0))
  const header = records.next()
  if (header.done) return fail('empty_file', null)
  const { columns, skipped } = headerOf(header.value)
  const own = ownCells(skipped, separator)
  let rows: FileRow[] = []
  let [rowNumber, from] = [0, 0]
  for (const { line, cells, end } of records) {
    rowNumber += 1
    if (rowNumber > ROWS_MAX) fail('too_many_rows', line)
    rows.push({ rowNumber, line, cells: own(cells) })
    if (rows.length < PART.rows && end - from < PART.characters) continue
    yield { columns, separator, rows }
    rows = []
    from = end
    await setImmediate()
  }
  if (rowNumber === 0) fail('no_rows', null)
  if (rows.length > 0) yield { columns, separator, rows }
}

function headerOf({ cells, line }: FileRecord): Header {
  if (cells.some((cell) => cell.includes('\0'))) fail('not_utf8', line) // UTF-16 of plain letters is UTF-8 with these
  const header = readHeader(cells, line)
  if ('code' in header) throw new UnreadableFile(header)
  return header
}

/** Drops result columns and, in a file that has them, apostrophes against formulas. A cut cell stays as it is. */
const ownCells =
  (skipped: ReadonlySet<number>, separator: Separator) =>
  (cells: readonly string[]): readonly string[] =>
    skipped.size === 0
      ? cells
      : cells
          .filter((_, index) => !skipped.has(index))
          .map((cell) => (cell.length > CELL_KEPT ? cell : withoutGuards(cell, separator)))

/** Finds the line of the first byte that is not UTF-8; no character contains the byte of a line end. */
function firstLineNotUtf8(bytes: Buffer): number {
  let line = 1
  for (let start = 0; ; line += 1) {
    let end = start
    while (end < bytes.length && bytes[end] !== LF && bytes[end] !== CR) end += 1
    if (!isUtf8(bytes.subarray(start, end))) return line
    start = end + (bytes[end] === CR && bytes[end + 1] === LF ? 2 : 1)
  }
}

/** A record, and its end in the file. */
type FileRecord = Omit<FileRow, 'rowNumber'> & { readonly end: number }

/** Splits a file into records, the header first. */
function* recordsOf(text: string, delimiter: number): Generator<FileRecord> {
  let [at, line] = [0, 1]
  for (;;) {
    for (; isLineEnd(text.charCodeAt(at)); at = behindLineEnd(text, at)) line += 1 // an empty line is no record
    if (at >= text.length) return
    const [first, cells]: [number, string[]] = [line, []]
    let rest: number | undefined
    for (let more = true; more; at += Number(more)) {
      const begin = at
      const quoted = text.charCodeAt(at) === QUOTE
      at = quoted ? behindQuotes(text, at) : cellEnd(text, at, delimiter)
      const next = text.charCodeAt(at)
      const ended = at === text.length || isLineEnd(next)
      const open = quoted ? at < 0 || (!ended && next !== delimiter) : beginsLate(text, begin, at)
      if (open) fail('unbalanced_quotes', first)
      if (quoted) line += lineEndsIn(text.slice(begin, at))
      if (cells.length < CELLS_MAX) {
        cells.push(quoted ? unquoteCell(text, begin + 1, at - 1) : text.slice(begin, Math.min(at, begin + KEPT)))
      } else rest ??= begin
      more = !ended
    }
    if (rest !== undefined) cells.push(text.slice(rest, Math.min(at, rest + KEPT)))
    yield { line: first, cells, end: at }
  }
}

const isLineEnd = (code: number): boolean => code === LF || code === CR
const behindLineEnd = (text: string, at: number): number =>
  at + (text.charCodeAt(at) === CR && text.charCodeAt(at + 1) === LF ? 2 : 1)

/** Finds the end of an unquoted cell. */
function cellEnd(text: string, from: number, delimiter: number): number {
  let at = from
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === delimiter || code === LF || code === CR) break
  }
  return at
}

/** Finds the end of a quoted cell; -1 if its quote is not closed. */
function behindQuotes(text: string, from: number): number {
  let at = text.indexOf('"', from + 1)
  while (at >= 0 && text.charCodeAt(at + 1) === QUOTE) at = text.indexOf('"', at + 2)
  return at < 0 ? at : at + 1
}

/** Unquotes a cell, up to KEPT characters. */
function unquoteCell(text: string, from: number, to: number): string {
  const cell = text.slice(from, Math.min(to, from + 2 * KEPT))
  return (cell.includes('"') ? cell.replaceAll('""', '"') : cell).slice(0, KEPT)
}

/** Tells if blanks precede a quote, which then does not enclose the cell. */
function beginsLate(text: string, begin: number, end: number): boolean {
  const code = text.charCodeAt(begin)
  if (end - begin < 2 || (code > BLANK && code < DELETE)) return false
  return text.slice(begin, end).trimStart().startsWith('"')
}

const lineEndsIn = (cell: string): number => (/[\r\n]/.test(cell) ? (cell.match(/\r\n|\r|\n/g) ?? []).length : 0)

/** Chooses the separator that is more frequent in the header. */
function separatorOf(text: string): Separator {
  const [header = ''] = /[^\r\n]+/.exec(text) ?? []
  return header.split(';').length > header.split(',').length ? ';' : ','
}
