/** An export as CSV: RFC 4180, UTF-8 with a byte order mark, so that spreadsheets read it as what it is. */
import { inert, isPlain, quoteCell } from '../../domain/csv.ts'
import { type Report, type Row, tableOf } from '../../domain/exports/report.ts'

const BYTE_ORDER_MARK = '\ufeff'
const PIECE_CHARACTERS = 64 * 1024

/** Writes a report in pieces of about 64 KiB; an apostrophe stands before text that could begin a formula. */
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

/** Joins plain cells without quoting each: that halves the time of a million rows. */
function lineOf(row: Row, texts: readonly number[]): string {
  if (texts.every((index) => isPlain(row[index] ?? ''))) return row.join(',')
  const cells = [...row]
  for (const index of texts) cells[index] = quoteCell(inert(row[index] ?? ''))
  return cells.join(',')
}
