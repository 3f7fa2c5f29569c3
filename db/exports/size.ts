/** How large a file may become, known before it is written. */
import { refuse } from '../model/errors.ts'
import { FORMATS, type NewExport } from '../model/exports/export.ts'
import type { Reader } from '../sql.ts'
import type { Creator } from './exports.ts'
import { countRows } from './rows.ts'

/** Refuses `range_too_long` for more rows than anybody reads, or opens, in this format. */
export async function checkSize(reader: Reader, order: NewExport, { userId, ownOnly }: Creator): Promise<void> {
  const { rowsMax } = FORMATS[order.format]
  if (rowsMax === null || order.type === 'expenses') return
  const { from, to, currency } = order
  const range = { from, to, currency, creator: ownOnly ? userId : null }
  const rows = await countRows(reader, range, { withPending: order.type === 'transactions', most: rowsMax + 1 })
  if (rows > rowsMax) refuse('range_too_long', { max_rows: rowsMax })
}
