/**
 * The file of a batch as rows: CSV by RFC 4180, as spreadsheets write it. Text in UTF-8, with a byte order mark or
 * without, cells between `,` or `;`, and lines that end as they do on any machine.
 */
import { isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import { type Options, parse } from 'csv-parse'
import { parse as parseAtOnce } from 'csv-parse/sync'
import {
  type Column,
  type FileFault,
  type FileFaultCode,
  type FileRow,
  type FileRows,
  ROWS_MAX,
  columnsOf,
  fileFault,
} from '../../../db/model/batches/columns.ts'

/** Thrown for a file that cannot be read, however often one tries. */
export class UnreadableFile extends Error {
  constructor(readonly fault: FileFault) {
    super(fault.message)
  }
}

const fail = (code: FileFaultCode, line: number | null): never => {
  throw new UnreadableFile(fileFault(code, line))
}

const BOM = Buffer.from('\uFEFF')
const [LF, CR] = [0x0a, 0x0d]
/** What is parsed in one turn: a few milliseconds. */
const CHUNK_BYTES = 64 * 1024
/** So many rows are handed on at most: a chunk of lines of one letter has 32,000, and each is sealed. */
const PART_ROWS = 500

/**
 * Every data row in the order of the file: none is left out, merged or changed. Only a line with nothing at all is no
 * row. Lets others have their turn after each part. Throws UnreadableFile.
 */
export async function* readRows(file: Buffer): AsyncGenerator<FileRows> {
  const bytes = file.subarray(0, BOM.length).equals(BOM) ? file.subarray(BOM.length) : file
  if (!isUtf8(bytes)) fail('not_utf8', firstLineNotUtf8(bytes))
  let columns: readonly Column[] | undefined
  let rowNumber = 0
  for await (const records of readRecords(bytes)) {
    const header = columns ? undefined : records.shift()
    if (header) columns = readHeader(header)
    if (!columns || records.length === 0) continue
    const beyond = records[ROWS_MAX - rowNumber]
    if (beyond) fail('too_many_rows', beyond.line)
    const before = rowNumber
    rowNumber += records.length
    for (let at = 0; at < records.length; at += PART_ROWS) {
      if (at > 0) await setImmediate()
      const part = records.slice(at, at + PART_ROWS)
      yield { columns, rows: part.map((record, index) => ({ ...record, rowNumber: before + at + index + 1 })) }
    }
  }
  if (!columns) fail('empty_file', null)
  if (rowNumber === 0) fail('no_rows', null)
}

function readHeader({ cells, line }: FileRecord): readonly Column[] {
  if (cells.some((cell) => cell.includes('\0'))) fail('not_utf8', line) // UTF-16 of plain letters is UTF-8 with these
  const columns = columnsOf(cells, line)
  if ('code' in columns) throw new UnreadableFile(columns)
  return columns
}

/** The line with the first byte that is no UTF-8. No character has the byte of a line end within. */
function firstLineNotUtf8(bytes: Buffer): number {
  for (let start = 0; ;) {
    const end = lineEnd(bytes, start)
    if (!isUtf8(bytes.subarray(start, end))) return lineCounter(bytes)(start)
    start = end + 1
  }
}

/** Where the line ends that this offset is on. */
function lineEnd(bytes: Buffer, from: number): number {
  let offset = from
  while (offset < bytes.length && bytes[offset] !== LF && bytes[offset] !== CR) offset += 1
  return offset
}

/** Answers the line that an offset is on. Each offset is at or after the one that was asked for before. */
function lineCounter(bytes: Buffer): (offset: number) => number {
  let [line, counted] = [1, 0]
  return (offset) => {
    for (; counted < offset; counted += 1) {
      const byte = bytes[counted]
      if (byte === LF || (byte === CR && bytes[counted + 1] !== LF)) line += 1
    }
    return line
  }
}

type FileRecord = Omit<FileRow, 'rowNumber'>

/** What RFC 4180 says, and a quote within a cell that does not begin with one is a character as any other. */
const FORMAT = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: true,
} satisfies Options

/** The records of the file, the header first, as many at once as one chunk ends. */
async function* readRecords(bytes: Buffer): AsyncGenerator<FileRecord[]> {
  const delimiter = delimiterOf(bytes)
  const lineAt = lineCounter(bytes)
  let records: FileRecord[] = []
  let begin = skipLineEnds(bytes, 0)
  const parser = parse({
    ...FORMAT,
    delimiter,
    on_record: (cells: string[], { bytes: end }) => {
      const line = lineAt(begin)
      if (cells.some(mayBeQuoted)) checkQuotes(bytes.subarray(begin, end), delimiter, line)
      records.push({ line, cells })
      begin = skipLineEnds(bytes, end)
      return null // nothing is handed over piece by piece
    },
  })
  parser.on('error', () => {}) // it is thrown below, by who waits for the chunk
  const step = (send: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => send((error) => (error ? reject(error) : resolve())))
  try {
    for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
      await step((done) => parser.write(bytes.subarray(start, start + CHUNK_BYTES), done))
      yield records
      records = []
      await setImmediate()
    }
    await step((done) => parser.end(done))
    yield records
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'CSV_QUOTE_NOT_CLOSED') {
      fail('unbalanced_quotes', lineAt(begin))
    }
    throw error
  } finally {
    parser.destroy()
  }
}

/** A cell that may have begun with a quote, which the parser passes over if text follows the closing one. */
const mayBeQuoted = (cell: string): boolean => cell.trimStart().startsWith('"')

/** Refuses a record whose quotes do not enclose whole cells. */
function checkQuotes(record: Buffer, delimiter: string, line: number): void {
  try {
    parseAtOnce(record, { ...FORMAT, delimiter, relax_quotes: false })
  } catch {
    fail('unbalanced_quotes', line) // of a record that was parsed before, there is nothing else to refuse
  }
}

/** Empty lines are no records: the next one begins behind them. */
function skipLineEnds(bytes: Buffer, from: number): number {
  let offset = from
  while (bytes[offset] === LF || bytes[offset] === CR) offset += 1
  return offset
}

/** What stands between the names of the header more often. */
function delimiterOf(bytes: Buffer): ',' | ';' {
  const begin = skipLineEnds(bytes, 0)
  const header = bytes.toString('utf8', begin, lineEnd(bytes, begin))
  return header.split(';').length > header.split(',').length ? ';' : ','
}
