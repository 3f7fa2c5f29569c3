/** Tries of an export: begun, completed, or failed. */
import { config } from '../../platform/config.ts'
import type { Key, StoredObject } from '../../platform/storage/storage.ts'
import { exportMoves } from '../../domain/exports/events.ts'
import { type ExportFailure, FORMATS, type ExportOrder, filenameOf } from '../../domain/exports/export.ts'
import { exportFlow } from '../../domain/exports/flow.ts'
import { type ExportId, type FileId, type UserId, newId } from '../../domain/ids.ts'
import { askAgain } from '../../db/processes/asking.ts'
import { keep, reserve } from '../files/files.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { type Creator, KEPT_DAYS } from './exports.ts'

/** Tries after which an export is given up. */
const TRIES_MAX = 6

/** A try that has begun; `fileId` is the file that it alone writes. */
export type Try = ExportOrder & Creator & { readonly id: ExportId; readonly number: number; readonly fileId: FileId }

type TryRow = ExportOrder & { created_by: UserId; own_only: boolean; tries: number }

/**
 * Begins a try, after which no earlier one of the export records anything. Returns null if nothing is left to write, or
 * if the export is given up because too many tries were interrupted.
 */
export async function beginTry(tx: Tx, id: ExportId): Promise<Try | null> {
  const [row] = await tx<TryRow[]>`
    update exports set tries = tries + 1, updated_at = business_now()
    where id = ${id} and status = 'pending'
    returning type, format, range_from as from, range_to as to, currency, created_by, own_only, tries,
      case when sample_size is not null then jsonb_build_object('size', sample_size, 'seed', sample_seed) end as sample`
  if (!row) return null
  const { tries: number, created_by: userId, own_only: ownOnly, ...order } = row
  if (number > TRIES_MAX) {
    await giveUp(tx, { id, number }, 'interrupted')
    return null
  }
  const fileId = newId<'file'>()
  const { contentType } = FORMATS[order.format]
  await reserve(tx, { id: fileId, purpose: 'export', ownerId: id, filename: filenameOf(order), contentType })
  return { id, number, fileId, userId, ownOnly, ...order }
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

/** Records the progress of the last try, unless an earlier one came further. */
export async function noteProgress(
  tx: Tx,
  { id, number }: TryRef,
  rows: { readonly processed: number; readonly total: number },
): Promise<void> {
  await tx`
    update exports set rows_processed = greatest(rows_processed, ${rows.processed}),
      rows_total = greatest(rows_total, ${rows.total})
    where id = ${id} and tries = ${number} and status = 'pending'`
}

/** Completes an export by the file that its last try has stored. */
export async function completeExport(
  tx: Tx,
  { id, number, fileId }: Try,
  file: StoredObject & { readonly key: Key; readonly rows: number },
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

/** Schedules another try with backoff, or gives the export up: after the last try, or at once if `forGood`. */
export async function noteFailedTry(
  tx: Tx,
  { id, number }: TryRef,
  { failure, forGood = false }: { readonly failure: ExportFailure; readonly forGood?: boolean },
): Promise<void> {
  if (!(await lockTry(tx, { id, number }))) return
  if (forGood || number >= TRIES_MAX) return giveUp(tx, { id, number }, failure)
  await tx`${askAgain('exports', config.partnerPollSeconds, 'no file')} where id = ${id}`
  wake(tx, exportFlow, { ids: [id], why: 'tried' })
}
