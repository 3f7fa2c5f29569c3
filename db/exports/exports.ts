/** Exports: asked for, found by their creator, tried, completed or given up. */
import { askAgain } from '../asking.ts'
import { config } from '../../platform/config.ts'
import { record } from '../events.ts'
import { downloadLink, keep, reserve } from '../files/files.ts'
import type { Key, Stored } from '../../platform/storage/storage.ts'
import { type Claim, takeClaim } from '../idempotency.ts'
import { refuse } from '../../domain/errors.ts'
import { exportEvents, exportMoves } from '../../domain/exports/events.ts'
import {
  type Export,
  type ExportFailure,
  FAILURES,
  FORMATS,
  type NewExport,
  filenameOf,
} from '../../domain/exports/export.ts'
import { type ExportStatus, exportFlow } from '../../domain/flows/export.ts'
import { type ExportId, type FileId, type UserId, newId } from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import { pageOf } from '../pagination.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../sql.ts'
import { transition } from '../transition.ts'
import { wake } from '../wakes.ts'

/** The file of an export is kept for so long, and a failed one asks for another try. */
export const KEPT_DAYS = 30
/** One that was begun so often, and never ended, is given up. */
const TRIES_MAX = 6

/** Whose exports they are, and whether they may see what others caused. */
export type Creator = { readonly userId: UserId; readonly ownOnly: boolean }

/**
 * Makes an export, which its process writes; false if another request has the claim. Of the creator's own rows only
 * with `ownOnly`.
 */
export async function createExport(tx: Tx, claim: Claim, creator: Creator, order: NewExport): Promise<boolean> {
  if (!(await takeClaim(tx, claim))) return false
  const { type, format, from, to, currency } = order
  await tx`
    insert into exports (id, organization_id, created_by, type, format, range_from, range_to, currency, own_only)
    values (${claim.id}, ${tx.organizationId}, ${creator.userId}, ${type}, ${format}, ${from}, ${to}, ${currency},
      ${creator.ownOnly})`
  await record(tx, exportEvents.requested, {
    subjectId: claim.id,
    cause: `request:${claim.id}`,
    payload: { ...order, own_only: creator.ownOnly },
  })
  wake(tx, exportFlow, { ids: [claim.id], why: 'requested', status: 'pending' })
  return true
}

type ExportRow = Omit<Export, 'filename' | 'failure' | 'download_url' | 'expires_at'> & {
  readonly failure: ExportFailure | null
  readonly own_only: boolean
  readonly file_id: FileId | null
}

const selectExport = (userId: UserId): Fragment => sql`
  select exports.id, exports.organization_id, exports.status, exports.type, exports.format, exports.range_from as from,
    exports.range_to as to, exports.currency, exports.rows_processed, exports.rows_total, exports.failure, exports.own_only,
    case when exports.ended_at > business_now() - make_interval(days => ${KEPT_DAYS}) then exports.file_id end as file_id,
    exports.inserted_at
  from exports where exports.created_by = ${userId}`

/** An export of this person, with a fresh link to its file. Refuses `not_found`, also for those of others. */
export async function findExport(reader: Reader, id: ExportId, creator: Creator): Promise<Export> {
  const row = await first(
    reader<ExportRow>(sql`
      ${selectExport(creator.userId)} and exports.id = ${id} and exports.organization_id = ${reader.organizationId}`),
  )
  return row ? toExport(row, creator) : refuse('not_found')
}

/** The exports of this person, newest first, each with a fresh link. */
export async function listExports(reader: Reader, page: PageRequest, creator: Creator): Promise<Page<Export>> {
  const found = await pageOf<ExportRow>(reader, 'exports', page, selectExport(creator.userId))
  return { ...found, data: found.data.map((row) => toExport(row, creator)) }
}

/** Who saw everything when they made it, and does not any more, gets no link to it. */
function toExport({ own_only: madeOfOwn, file_id: fileId, failure, ...row }: ExportRow, { ownOnly }: Creator): Export {
  const link = fileId && (madeOfOwn || !ownOnly) ? downloadLink(fileId) : null
  return {
    ...row,
    filename: filenameOf(row),
    failure: failure && { code: failure, message: FAILURES[failure] },
    download_url: link?.url ?? null,
    expires_at: link?.expiresAt.toISOString() ?? null,
  }
}

/**
 * Has a failed export of this person tried again. Refuses `not_found`, and `invalid_state` for one that has not failed.
 */
export async function retryExport(tx: Tx, id: ExportId, userId: UserId, cause: string): Promise<void> {
  const [own] = await tx`select id from exports where id = ${id} and created_by = ${userId} for no key update`
  if (!own) refuse('not_found')
  const set = sql`tries = 0, ask_at = null, asks = 0, ask_note = null, unclear_since = null, failure = null,
    ended_at = null`
  await transition(tx, exportMoves, id, { events: ['retry'], cause, set })
}

/** A try that has begun: `fileId` is the file that it writes, which no other one has. */
export type Try = NewExport & Creator & { readonly id: ExportId; readonly number: number; readonly fileId: FileId }

type TryRow = NewExport & { status: ExportStatus; created_by: UserId; own_only: boolean; tries: number }

/**
 * Begins a try, which no earlier one of the same export outlives: what that writes is of no use. Null if there is
 * nothing left to write, or the export is given up because too many tries have ended nowhere.
 */
export async function beginTry(tx: Tx, id: ExportId): Promise<Try | null> {
  const [row] = await tx<TryRow[]>`
    update exports set tries = tries + 1, updated_at = business_now()
    where id = ${id} and status = 'pending'
    returning status, type, format, range_from as from, range_to as to, currency, created_by, own_only, tries`
  if (!row) return null
  if (row.tries > TRIES_MAX) {
    await giveUp(tx, { id, number: row.tries }, 'interrupted')
    return null
  }
  const fileId = newId<'file'>()
  await reserve(tx, {
    id: fileId,
    purpose: 'export',
    ownerId: id,
    filename: filenameOf(row),
    contentType: FORMATS[row.format].contentType,
  })
  const { type, format, from, to, currency, tries: number, created_by: userId, own_only: ownOnly } = row
  return { id, number, fileId, userId, ownOnly, type, format, from, to, currency }
}

type TryRef = Pick<Try, 'id' | 'number'>

/** Locks the export of a try; false if the try is not the last one any more, or the export has ended. */
async function lockTry(tx: Tx, { id, number }: TryRef): Promise<boolean> {
  const locked = await tx`
    select id from exports where id = ${id} and tries = ${number} and status = 'pending' for no key update`
  return locked.length === 1
}

const giveUp = (tx: Tx, { id, number }: TryRef, failure: ExportFailure): Promise<void> =>
  transition(tx, exportMoves, id, {
    events: ['fail'],
    cause: `tries:${id}:${number}:${newId()}`,
    set: sql`failure = ${failure}, ended_at = business_now()`,
    payload: { failure },
  })

/** How far a try is, if no other one came further. An earlier one says nothing any more. */
export async function noteProgress(
  tx: Tx,
  { id, number }: Try,
  rows: { readonly processed: number; readonly total: number },
): Promise<void> {
  await tx`
    update exports set rows_processed = greatest(rows_processed, ${rows.processed}),
      rows_total = greatest(rows_total, ${rows.total})
    where id = ${id} and tries = ${number} and status = 'pending'`
}

/** The file is whole: it is kept, and its creator can fetch it. Nothing if another try has begun meanwhile. */
export async function completeExport(
  tx: Tx,
  { id, number, fileId }: Try,
  file: Stored & { readonly key: Key; readonly rows: number },
): Promise<void> {
  if (!(await lockTry(tx, { id, number }))) return
  const { key, byteSize, sha256, rows } = file
  await keep(tx, { key, byteSize, sha256, days: KEPT_DAYS })
  await transition(tx, exportMoves, id, {
    events: ['complete'],
    cause: `file:${fileId}`,
    set: sql`file_id = ${fileId}, rows_processed = ${rows}, rows_total = ${rows}, ended_at = business_now()`,
    payload: { byte_size: byteSize, sha256, rows },
  })
}

/**
 * The try brought no file: another one follows after a pause that doubles, or the export is given up, at once if no try
 * can write it.
 */
export async function noteFailedTry(
  tx: Tx,
  { id, number }: Try,
  { failure, forGood = false }: { readonly failure: ExportFailure; readonly forGood?: boolean },
): Promise<void> {
  if (!(await lockTry(tx, { id, number }))) return
  if (forGood || number >= TRIES_MAX) return giveUp(tx, { id, number }, failure)
  await tx`${askAgain('exports', config.partnerPollSeconds, 'no file')} where id = ${id}`
  wake(tx, exportFlow, { ids: [id], why: 'tried' })
}
