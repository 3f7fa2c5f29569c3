/** An export as CSV: RFC 4180, UTF-8 with a byte order mark, so that spreadsheets read it as what it is. */
import { inert, quotedCell } from '../../../db/model/csv.ts'
import { type Report, type Row, tableOf } from '../../../db/model/exports/report.ts'

const BYTE_ORDER_MARK = '\ufeff'
const PIECE_CHARACTERS = 64 * 1024
/** What looks like a formula, or has to be in quotes: hardly any text is. */
const SPECIAL = /^[=+\-@\t]|[",\r\n]/

/** The bytes of the file, about 64 KiB at a time. Text that looks like a formula begins with an apostrophe. */
export async function* csvOf(report: Report): AsyncGenerator<Uint8Array> {
  const { columns, pages } = tableOf(report)
  const texts = columns.flatMap(({ kind }, index) => (kind === 'text' ? [index] : []))
  yield Buffer.from(`${BYTE_ORDER_MARK}${columns.map(({ name }) => name).join(',')}\r\n`)
  let piece = ''
  for await (const page of pages) {
    for (const row of page) {
      piece += `${lineOf(row, texts)}\r\n`
      if (piece.length < PIECE_CHARACTERS) continue
      yield Buffer.from(piece)
      piece = ''
    }
  }
  if (piece) yield Buffer.from(piece)
}

/** Cells are joined at once unless one of them is special: a million rows would take twice as long one by one. */
function lineOf(row: Row, texts: readonly number[]): string {
  if (!texts.some((index) => SPECIAL.test(row[index] ?? ''))) return row.join(',')
  const cells = [...row]
  for (const index of texts) cells[index] = quotedCell(inert(row[index] ?? ''))
  return cells.join(',')
}
