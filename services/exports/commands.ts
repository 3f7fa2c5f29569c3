/** Commands of people on exports: they are requested, and tried again. */
import { record } from '../events.ts'
import { endOfLog, firstFrom } from '../events/log.ts'
import { startOf, timeRange } from '../../db/postgres/filters.ts'
import { refuse } from '../../domain/errors.ts'
import { exportEvents, exportMoves } from '../../domain/exports/events.ts'
import { FORMATS, FORMATS_OF_ALL, type ExportOrder, isBankFormat } from '../../domain/exports/export.ts'
import { exportFlow } from '../../domain/exports/flow.ts'
import type { ExportId, UserId } from '../../domain/ids.ts'
import { isCoin } from '../../domain/money/currencies.ts'
import { type Reader, type Tx, first, sql, values } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { wake } from '../../db/postgres/wakes.ts'
import type { Creator } from './exports.ts'
import { countRows } from './rows.ts'

/**
 * Throws unless the format can hold what is ordered: `range_too_long` for more rows than it takes, and
 * `format_not_supported` for accounts in coins.
 */
export async function requireWritable(reader: Reader, order: ExportOrder, { userId, ownOnly }: Creator): Promise<void> {
  const { format, from, to, currency } = order
  if (isBankFormat(format) && currency === null) await requireNoCoins(reader, order)
  const { rowsMax } = FORMATS[format]
  if (order.type === 'audit_pack') return requireShortLog(reader, order)
  if (rowsMax === null || order.type === 'expenses') return
  const range = { from, to, currency, creator: ownOnly ? userId : null }
  const rows = await countRows(reader, range, { withPending: order.type === 'transactions', most: rowsMax + 1 })
  if (rows > rowsMax) refuse('range_too_long', { max_rows: rowsMax })
}

/** Events of the log that an audit pack has at most; the script reads them all. */
const EVENTS_MAX = 2_000_000

/** Throws `range_too_long` if the log has too many events since the period began. */
async function requireShortLog(reader: Reader, { from }: ExportOrder): Promise<void> {
  const row = await first(
    reader<{ events: number | null }>(sql`
      select (${endOfLog(reader.organizationId)} - ${firstFrom(reader, startOf(from))})::float8 as events`),
  )
  if ((row?.events ?? 0) > EVENTS_MAX) refuse('range_too_long', { max_events: EVENTS_MAX })
}

/** Throws `format_not_supported` if a statement in this format would lack an account. */
async function requireNoCoins(reader: Reader, { format, to }: ExportOrder): Promise<void> {
  const accounts = await reader<{ currency: string }>(sql`
    select distinct a.currency from ledger_accounts a
    where a.organization_id = ${reader.organizationId} and exists (
      select from ledger_entries e where e.account_id = a.id ${timeRange(sql`e.posted_at`, { to })})
    order by a.currency`)
  const coins = accounts.map(({ currency }) => currency).filter(isCoin)
  if (coins.length > 0) refuse('format_not_supported', { format, coins, supported: FORMATS_OF_ALL })
}

/** Creates an export, which its run writes; with `ownOnly`, of the creator's own rows. */
export async function createExport(tx: Tx, id: ExportId, creator: Creator, order: ExportOrder): Promise<void> {
  const { type, format, from, to, currency, sample } = order
  const { userId, ownOnly } = creator
  await tx`
    insert into exports ${values({
      id,
      organization_id: tx.organizationId,
      created_by: userId,
      type,
      format,
      range_from: from,
      range_to: to,
      currency,
      own_only: ownOnly,
      sample_size: sample?.size ?? null,
      sample_seed: sample?.seed ?? null,
    })}`
  const payload = { type, format, from, to, currency, own_only: ownOnly, ...(sample && { sample }) }
  await record(tx, exportEvents.requested, { subjectId: id, cause: `request:${id}`, payload })
  wake(tx, exportFlow, { ids: [id], why: 'requested', status: 'pending' })
}

/** Starts the tries of a failed export again. Throws `not_found`, also for another person's, and `invalid_state`. */
export async function retryExport(tx: Tx, id: ExportId, userId: UserId, cause: string): Promise<void> {
  const [own] = await tx`select id from exports where id = ${id} and created_by = ${userId} for no key update`
  if (!own) refuse('not_found')
  const set = sql`tries = 0, ask_at = null, asks = 0, ask_note = null, unclear_since = null, failure = null,
    ended_at = null`
  await transition(tx, exportMoves, id, { events: ['retry'], cause, set })
}
