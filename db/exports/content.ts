/** What a file cannot hold, known before it is written. */
import { timeRange } from '../filters.ts'
import { refuse } from '../../domain/errors.ts'
import { FORMATS, type NewExport, formatsBut } from '../../domain/exports/export.ts'
import { isCoin } from '../../domain/money/currencies.ts'
import { type Reader, sql } from '../sql.ts'
import type { Creator } from './exports.ts'
import { countRows } from './rows.ts'

/**
 * Refuses `range_too_long` for more rows than anybody reads, or opens, in this format, and `format_not_supported` for
 * accounts in coins, whose statements a format does not have.
 */
export async function checkContent(reader: Reader, order: NewExport, { userId, ownOnly }: Creator): Promise<void> {
  const { format, from, to, currency } = order
  if (format === 'camt053' && currency === null) await refuseCoins(reader, order)
  const { rowsMax } = FORMATS[format]
  if (rowsMax === null || order.type === 'expenses') return
  const range = { from, to, currency, creator: ownOnly ? userId : null }
  const rows = await countRows(reader, range, { withPending: order.type === 'transactions', most: rowsMax + 1 })
  if (rows > rowsMax) refuse('range_too_long', { max_rows: rowsMax })
}

/** Nobody takes a file for whole that lacks an account. */
async function refuseCoins(reader: Reader, { format, to }: NewExport): Promise<void> {
  const accounts = await reader<{ currency: string }>(sql`
    select distinct a.currency from ledger_accounts a
    where a.organization_id = ${reader.organizationId} and exists (
      select from ledger_entries e where e.account_id = a.id ${timeRange(sql`e.posted_at`, { to })})
    order by a.currency`)
  const coins = accounts.map(({ currency }) => currency).filter(isCoin)
  if (coins.length > 0) refuse('format_not_supported', { format, coins, supported: formatsBut(format) })
}
