/** An export as CSV: RFC 4180, UTF-8 with a byte order mark, so that spreadsheets read it as what it is. */
import { type Report, type Row, tableOf } from '../../../db/model/exports/report.ts'

const BYTE_ORDER_MARK = '\ufeff'
const PIECE_CHARACTERS = 64 * 1024
const QUOTED = /[",\r\n]/
/** What a spreadsheet takes for a formula (CWE-1236). */
const FORMULA = /^[=+\-@\t\r]/

/** The bytes of the file, about 64 KiB at a time. Text that looks like a formula begins with an apostrophe. */
export async function* csvOf(report: Report): AsyncGenerator<Uint8Array> {
  const { columns, pages } = tableOf(report)
  const isText = columns.map(({ kind }) => kind === 'text')
  yield Buffer.from(`${BYTE_ORDER_MARK}${columns.map(({ name }) => name).join(',')}\r\n`)
  let piece = ''
  for await (const page of pages) {
    for (const row of page) {
      piece += lineOf(row, isText)
      if (piece.length < PIECE_CHARACTERS) continue
      yield Buffer.from(piece)
      piece = ''
    }
  }
  if (piece) yield Buffer.from(piece)
}

function lineOf(row: Row, isText: readonly boolean[]): string {
  let line = ''
  for (let i = 0; i < row.length; i += 1) {
    const cell = row[i] ?? ''
    line += i === 0 ? '' : ','
    line += isText[i] && cell ? textCell(cell) : cell
  }
  return `${line}\r\n`
}

function textCell(text: string): string {
  const inert = FORMULA.test(text) ? `'${text}` : text
  return QUOTED.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
