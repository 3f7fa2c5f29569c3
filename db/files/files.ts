/** Files of organizations: slots for what people send, and what the service keeps for them to fetch. */
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { now } from '../../platform/clock.ts'
import { log } from '../../platform/log.ts'
import { refuse } from '../../domain/errors.ts'
import { type FilePurpose, LINK_MINUTES, UNUSED_HOURS, type UploadSlot } from '../../domain/files/file.ts'
import type { FileId } from '../../domain/ids.ts'
import { type Reader, type Tx, first, sql } from '../sql.ts'
import * as links from './links.ts'
import {
  type Key,
  ObjectGone,
  type Stored,
  directUploadUrl,
  get,
  idsIn,
  keyOf,
} from '../../platform/storage/storage.ts'

/** Which file somebody means: one that was sent for this batch, say, and no other. */
export type Meant = { readonly fileId: FileId; readonly purpose: FilePurpose; readonly ownerId: string }
type Described = Omit<Meant, 'fileId'> & {
  readonly id: FileId
  readonly filename: string
  readonly contentType: string
}

/** A file whose bytes are in storage. */
export type StoredFile = Stored & {
  readonly id: FileId
  readonly key: Key
  readonly filename: string
  readonly contentType: string
}

/** Makes a slot, which takes a file of just this length and type for 15 minutes. */
export async function openSlot(
  tx: Tx,
  { byteSize, ...slot }: Described & { readonly byteSize: number },
): Promise<void> {
  await tx`
    insert into files (id, organization_id, purpose, owner_id, filename, content_type, byte_size, upload_expires_at,
      purge_at)
    values (${slot.id}, ${tx.organizationId}, ${slot.purpose}, ${slot.ownerId}, ${slot.filename}, ${slot.contentType},
      ${byteSize}, business_now() + make_interval(mins => ${LINK_MINUTES}),
      business_now() + make_interval(hours => ${UNUSED_HOURS}))`
}

/** The slot that was made under this id: the same address again, however often. Refuses `not_found`. */
export async function slotOf(read: Reader, id: FileId): Promise<UploadSlot> {
  const found = await first(
    read<{ filename: string; content_type: string; byte_size: string; upload_expires_at: string }>(sql`
      select filename, content_type, byte_size, upload_expires_at from files
      where id = ${id} and upload_expires_at is not null and removed_at is null`),
  )
  if (!found) refuse('not_found')
  const { filename, content_type: contentType, byte_size: byteSize, upload_expires_at: expiresAt } = found
  const [expected, until] = [{ byteSize: Number(byteSize), contentType }, new Date(expiresAt)]
  const secondsLeft = Math.max(1, Math.floor((until.getTime() - now().getTime()) / 1000))
  return {
    id,
    file_name: filename,
    byte_size: Number(byteSize),
    content_type: contentType,
    method: 'PUT',
    upload_url: (await directUploadUrl(id, expected, secondsLeft)) ?? links.uploadUrl(id, expected, until),
    headers: { 'content-length': byteSize, 'content-type': contentType },
    expires_at: expiresAt,
  }
}

/**
 * Takes a file into use in the transaction of what stands on it from now on: it is kept until release(). Refuses
 * `not_found` for another owner's or purpose's file and one that was purged, and `file_not_uploaded`.
 */
export async function claim(tx: Tx, { fileId, purpose, ownerId }: Meant): Promise<StoredFile> {
  const found = await first(
    tx<{ filename: string; content_type: string; byte_size: string; stored_as: string | null; sha256: string }[]>`
      select filename, content_type, byte_size, stored_as, sha256 from files
      where id = ${fileId} and purpose = ${purpose} and owner_id = ${ownerId} and removed_at is null for update`,
  )
  if (!found) refuse('not_found')
  if (!found.stored_as) refuse('file_not_uploaded')
  await tx`update files set used_at = coalesce(used_at, business_now()) where id = ${fileId}`
  const { filename, content_type: contentType, byte_size: byteSize, sha256 } = found
  const key = keyOf(fileId, found.stored_as)
  return { id: fileId, key, filename, contentType, byteSize: Number(byteSize), sha256 }
}

/**
 * The bytes of a small file, exactly as they were sent; undefined, and logged, if storage has them no more, or other
 * ones. Throws `StorageAway`.
 */
export async function bytesOf({ key, sha256 }: Pick<StoredFile, 'key' | 'sha256'>): Promise<Buffer | undefined> {
  try {
    const bytes = await buffer(await get(key))
    if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes
    log.error({ key }, 'storage has other bytes than were sent')
  } catch (error) {
    if (!(error instanceof ObjectGone)) throw error
    log.error({ key }, 'storage has lost a file')
  }
  return undefined
}

/** Nothing stands on the file any more: it is purged after a day. */
export async function release(tx: Tx, fileId: FileId): Promise<void> {
  await tx`
    update files set used_at = null, purge_at = business_now() + make_interval(hours => ${UNUSED_HOURS})
    where id = ${fileId}`
}

/**
 * Notes a file that the service is about to put, before it does: what becomes of no use is purged after a day. Each try
 * has a file of its own.
 */
export async function reserve(tx: Tx, file: Described): Promise<void> {
  await tx`
    insert into files (id, organization_id, purpose, owner_id, filename, content_type, byte_size, purge_at)
    values (${file.id}, ${tx.organizationId}, ${file.purpose}, ${file.ownerId}, ${file.filename}, ${file.contentType},
      0, business_now() + make_interval(hours => ${UNUSED_HOURS}))`
}

/**
 * Keeps for so many days what was put for a reserved file, or until release(), in the transaction that tells people of
 * it.
 */
export async function keep(
  tx: Tx,
  { key, byteSize, sha256, days }: Stored & { readonly key: Key; readonly days: number | 'for good' },
): Promise<void> {
  const [fileId, object] = idsIn(key)
  const until =
    days === 'for good'
      ? sql`purge_at = business_now(), used_at = business_now()`
      : sql`purge_at = business_now() + make_interval(days => ${days})`
  const kept = await tx`
    update files set stored_as = ${object}, sha256 = ${sha256}, byte_size = ${byteSize}, ${until}
    where id = ${fileId} and stored_as is null and removed_at is null returning id`
  if (kept.length === 0) throw new Error(`the file ${fileId} is not reserved any more`)
}

/** A link to a file that is kept, which is good for 15 minutes, and the instant when it ends. */
export function downloadLink(fileId: FileId): { readonly url: string; readonly expiresAt: Date } {
  const expiresAt = new Date(now().getTime() + LINK_MINUTES * 60_000)
  return { url: links.downloadUrl(fileId, expiresAt), expiresAt }
}
