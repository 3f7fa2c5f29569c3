/**
 * Reads the file of a batch: CSV by RFC 4180 in UTF-8, or UTF-16 with a byte order mark, with `,`, `;` or tabs and any
 * line ends. It is our own, because `csv-parse` cannot cut cells and rows at a limit, so that one row of 5 MB would
 * block the event loop.
 */
import { isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import {
  CELL_KEPT,
  type FileFaultCode,
  type FileRow,
  type FileRows,
  UnreadableFile,
  fileFault,
} from '../../domain/batches/columns.ts'
import type { Separator } from '../../domain/csv.ts'
import { CELLS_MAX, type FileRecord, Table } from './table.ts'
import { isZip } from './zip.ts'

const fail = (code: FileFaultCode, line: number | null): never => {
  throw new UnreadableFile(fileFault(code, line))
}

const BOM = Buffer.from('\uFEFF')
/** Byte order marks of UTF-16, which spreadsheets write as "Unicode text". */
const BOMS_16 = [
  { bytes: Buffer.from([0xff, 0xfe]), encoding: 'utf-16le' },
  { bytes: Buffer.from([0xfe, 0xff]), encoding: 'utf-16be' },
] as const
const [LF, CR, BLANK, QUOTE, DELETE] = [0x0a, 0x0d, 0x20, 0x22, 0x7f]
/** Rows or characters that are read in one turn of the event loop, a few milliseconds. */
const PART = { rows: 500, characters: 64 * 1024 } as const
/** One more than allowed, so that it is noticed. */
const KEPT = CELL_KEPT + 1

/**
 * Reads every data row in the order of the file; an empty line is no row, nor is a row without data. Cells are cut at
 * KEPT, rows at CELLS_MAX, and the event loop gets its turn after each part. Throws UnreadableFile.
 */
export async function* readRows(file: Buffer): AsyncGenerator<FileRows> {
  if (isZip(file)) fail('not_csv', null)
  const text = decode(file)
  const { delimiter, begin, line: firstLine } = beginOf(text)
  const table = new Table(delimiter === '\t' ? ',' : delimiter, false)
  let rows: FileRow[] = []
  let from = 0
  for (const record of recordsOf(text, begin, firstLine, delimiter.charCodeAt(0))) {
    const row = table.take(record)
    if (row) rows.push(row)
    if (rows.length < PART.rows && record.end - from < PART.characters) continue
    yield { ...table.form, rows }
    rows = []
    from = record.end
    await setImmediate()
  }
  table.end()
  yield { ...table.form, rows }
}

/** Reads every record of a file, the header first. Throws UnreadableFile. */
export function* readRecords(file: Buffer): Generator<FileRecord & { readonly separator: Separator }> {
  if (isZip(file)) fail('not_csv', null)
  const text = decode(file)
  const { delimiter, begin, line } = beginOf(text)
  const separator = delimiter === '\t' ? ',' : delimiter
  for (const record of recordsOf(text, begin, line, delimiter.charCodeAt(0))) yield { ...record, separator }
}

function decode(file: Buffer): string {
  const wide = BOMS_16.find(({ bytes }) => file.subarray(0, bytes.length).equals(bytes))
  if (wide) {
    try {
      return new TextDecoder(wide.encoding, { fatal: true }).decode(file)
    } catch {
      fail('not_utf8', null) // it ends within a character, or has half of one
    }
  }
  const bytes = file.subarray(0, BOM.length).equals(BOM) ? file.subarray(BOM.length) : file
  if (!isUtf8(bytes)) fail('not_utf8', firstLineNotUtf8(bytes))
  return bytes.toString()
}

type Delimiter = ',' | ';' | '\t'

/** Reads the line `sep=;` of spreadsheets; without it, the separator is the most frequent one in the header. */
function beginOf(text: string): { delimiter: Delimiter; begin: number; line: number } {
  const [said, sign = ''] = /^"?sep=(.)"?[,;\t]*(?:\r\n|\r|\n|$)/i.exec(text) ?? []
  if (said === undefined) return { delimiter: mostFrequentIn(text), begin: 0, line: 1 }
  if (sign !== ',' && sign !== ';' && sign !== '\t') return fail('unsupported_separator', 1)
  return { delimiter: sign, begin: said.length, line: 2 }
}

function mostFrequentIn(text: string): Delimiter {
  const [header = ''] = /[^\r\n]{1,65536}/.exec(text) ?? [] // of a longer one, a part says as much
  const countOf = (delimiter: Delimiter) => header.split(delimiter).length
  const [first] = ([',', ';', '\t'] as const).toSorted((a, b) => countOf(b) - countOf(a))
  return first ?? ','
}

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

/** Splits a file into records, each with its end in the file. */
function* recordsOf(
  text: string,
  begin: number,
  firstLine: number,
  delimiter: number,
): Generator<FileRecord & { readonly end: number }> {
  let [at, line] = [begin, firstLine]
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
    if (rest !== undefined) cells.push(restOf(text.slice(rest, Math.min(at, rest + KEPT)), delimiter))
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

/** Empties the rest of a row if it has separators alone. */
const restOf = (rest: string, delimiter: number): string =>
  rest.length < KEPT && rest.split(String.fromCharCode(delimiter)).every((cell) => /^(?:\s*|"")$/.test(cell))
    ? ''
    : rest
