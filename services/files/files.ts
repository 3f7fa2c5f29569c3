/** Files of organizations: slots that people send to, and files that the service keeps for them. */
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { now } from '../../platform/clock.ts'
import { log } from '../../platform/log.ts'
import {
  type Key,
  ObjectGone,
  type StoredObject,
  directUploadUrl,
  get,
  idsIn,
  keyOf,
} from '../../platform/storage/storage.ts'
import { refuse } from '../../domain/errors.ts'
import { type FilePurpose, LINK_MINUTES, UNUSED_HOURS, type UploadSlot } from '../../domain/files/file.ts'
import type { FileId } from '../../domain/ids.ts'
import { type Reader, type Tx, first, sql, values } from '../../db/postgres/sql.ts'
import { signUrl } from '../../platform/file-links.ts'

export type Meant = { readonly fileId: FileId; readonly purpose: FilePurpose; readonly ownerId: string }
type FileDescription = Omit<Meant, 'fileId'> & {
  readonly id: FileId
  readonly filename: string
  readonly contentType: string
}

export type StoredFile = StoredObject & {
  readonly id: FileId
  readonly key: Key
  readonly filename: string
  readonly contentType: string
}

/** Creates a slot, which takes a file of this length and type for 15 minutes. */
export async function openSlot(
  tx: Tx,
  { byteSize, ...slot }: FileDescription & { readonly byteSize: number },
): Promise<void> {
  await tx`
    insert into files ${values({
      id: slot.id,
      organization_id: tx.organizationId,
      purpose: slot.purpose,
      owner_id: slot.ownerId,
      filename: slot.filename,
      content_type: slot.contentType,
      byte_size: byteSize,
      upload_expires_at: sql`business_now() + make_interval(mins => ${LINK_MINUTES})`,
      purge_at: sql`business_now() + make_interval(hours => ${UNUSED_HOURS})`,
    })}`
}

/** Reads a slot, each time with the same address. Refuses `not_found`. */
export async function slotOf(read: Reader, id: FileId): Promise<UploadSlot> {
  const found = await first(
    read<{ filename: string; content_type: string; byte_size: string; upload_expires_at: string }>(sql`
      select filename, content_type, byte_size, upload_expires_at from files
      where id = ${id} and upload_expires_at is not null and removed_at is null`),
  )
  if (!found) refuse('not_found')
  const { filename, content_type, byte_size: length, upload_expires_at: expires_at } = found
  const byte_size = Number(length)
  const [expected, until] = [{ byteSize: byte_size, contentType: content_type }, new Date(expires_at)]
  const secondsLeft = Math.max(1, Math.floor((until.getTime() - now().getTime()) / 1000))
  const upload_url = (await directUploadUrl(id, expected, secondsLeft)) ?? signUrl(id, until, expected)
  const headers = { 'content-length': length, 'content-type': content_type }
  return { id, file_name: filename, byte_size, content_type, method: 'PUT', upload_url, headers, expires_at }
}

/**
 * Locks a file and keeps it until release(). Refuses `not_found` for another owner or purpose, or a purged file, and
 * `file_not_uploaded`.
 */
export async function claim(tx: Tx, { fileId, purpose, ownerId }: Meant): Promise<StoredFile> {
  const found = await first(
    tx<(Omit<StoredFile, 'id' | 'key' | 'byteSize'> & { byteSize: string; object: string | null })[]>`
      select filename, content_type as "contentType", byte_size as "byteSize", stored_as as object, sha256 from files
      where id = ${fileId} and purpose = ${purpose} and owner_id = ${ownerId} and removed_at is null for update`,
  )
  if (!found) refuse('not_found')
  const { object, byteSize, ...file } = found
  if (!object) refuse('file_not_uploaded')
  await tx`update files set used_at = coalesce(used_at, business_now()) where id = ${fileId}`
  return { ...file, id: fileId, key: keyOf(fileId, object), byteSize: Number(byteSize) }
}

/** Reads a small file; undefined, and logged, if storage has lost or changed its bytes. Throws `StorageAway`. */
export async function bytesOf({ key, sha256 }: Pick<StoredFile, 'key' | 'sha256'>): Promise<Buffer | undefined> {
  try {
    const bytes = await buffer(await get(key))
    if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes
    log.error({ key }, 'a file in storage differs from what was uploaded')
  } catch (error) {
    if (!(error instanceof ObjectGone)) throw error
    log.error({ key }, 'a file is missing in storage')
  }
  return undefined
}

/** Reads at least the first `count` bytes of a stored file, as far as it has them; undefined if storage has lost it. */
export async function firstBytesOf(key: Key, count: number): Promise<Buffer | undefined> {
  const read: Buffer[] = []
  try {
    for await (const piece of await get(key)) {
      read.push(piece as Buffer) // a stream of bytes
      if (read.reduce((sum, { length }) => sum + length, 0) >= count) break
    }
    return Buffer.concat(read)
  } catch (error) {
    if (error instanceof ObjectGone) return undefined
    throw error
  }
}

/** Releases a file: it is purged after a day. */
export async function release(tx: Tx, fileId: FileId): Promise<void> {
  await tx`
    update files set used_at = null, purge_at = business_now() + make_interval(hours => ${UNUSED_HOURS})
    where id = ${fileId}`
}

/** Releases the attachments of a thing that is deleted. */
export async function releaseAttached(tx: Tx, ownerId: string): Promise<void> {
  await tx`
    update files set used_at = null, purge_at = business_now() + make_interval(hours => ${UNUSED_HOURS})
    where organization_id = ${tx.organizationId} and owner_id = ${ownerId} and purpose = 'attachment' and used_at is not null`
}

/** Reserves a file before the service stores it; without keep() it is purged after a day. Each try has its own. */
export async function reserve(tx: Tx, file: FileDescription): Promise<void> {
  await tx`
    insert into files (id, organization_id, purpose, owner_id, filename, content_type, byte_size, purge_at)
    values (${file.id}, ${tx.organizationId}, ${file.purpose}, ${file.ownerId}, ${file.filename}, ${file.contentType},
      0, business_now() + make_interval(hours => ${UNUSED_HOURS}))`
}

/** Keeps a reserved file, which was stored, for days or until release(). */
export async function keep(
  tx: Tx,
  { key, byteSize, sha256, days }: StoredObject & { readonly key: Key; readonly days: number | 'for good' },
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

/** Replaces the object of a file that is in use; the purge removes the one before. */
export async function replaceObject(tx: Tx, key: Key, { sha256 }: StoredObject): Promise<void> {
  const [fileId, object] = idsIn(key)
  await tx`update files set stored_as = ${object}, sha256 = ${sha256}, purge_at = business_now() where id = ${fileId}`
}

/** Builds a link to a kept file, which expires after 15 minutes. */
export function downloadLink(fileId: FileId): { readonly url: string; readonly expiresAt: Date } {
  const expiresAt = new Date(now().getTime() + LINK_MINUTES * 60_000)
  return { url: signUrl(fileId, expiresAt), expiresAt }
}
