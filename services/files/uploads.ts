/** Transfer of files by signed links, which need no other credential. */
import type { Readable } from 'node:stream'
import { bulkhead } from '../../platform/concurrency.ts'
import { Refusal, refuse } from '../../domain/errors.ts'
import type { SignedQuery, FileUpload } from '../../domain/files/file.ts'
import type { FileId, OrganizationId } from '../../domain/ids.ts'
import { asSystem, first, read, sql } from '../../db/postgres/sql.ts'
import type { Meant } from './files.ts'
import { verify } from '../../platform/file-links.ts'
import {
  type ExpectedObject,
  type Key,
  type Pieces,
  type StoredObject,
  copySent,
  get,
  idsIn,
  keyOf,
  measureContent,
  newKey,
  put,
  remove,
} from '../../platform/storage/storage.ts'

type LinkRow = {
  organization_id: OrganizationId
  filename: string
  content_type: string
  byte_size: string
  stored_as: string | null
  sha256: string | null
}

const findLinked = (fileId: FileId): Promise<LinkRow | undefined> =>
  first(sql<LinkRow[]>`select * from linked_file(${fileId})`)

const BUSY_SECONDS = 5
/** Bulkheads: most bodies that one process takes at once. */
const ofFile = bulkhead(2, BUSY_SECONDS)
const ofOrganization = bulkhead(10, BUSY_SECONDS)

/**
 * Stores the bytes of a file in its slot: all of them, or none. An idempotent replay with the same bytes is answered
 * alike. Refuses `upload_size_mismatch`, `file_already_uploaded` for other bytes, `upload_expired` if the slot is
 * purged, and `rate_limited` beyond the bulkheads.
 */
export async function upload(fileId: FileId, expected: ExpectedObject, sent: Pieces): Promise<FileUpload> {
  const file = (await findLinked(fileId)) ?? refuse('upload_expired')
  return ofFile(fileId, () => ofOrganization(file.organization_id, () => receive(fileId, file, expected, sent)))
}

async function receive(id: FileId, file: LinkRow, { byteSize }: ExpectedObject, sent: Pieces): Promise<FileUpload> {
  const content = exactly(byteSize, sent)
  if (file.sha256) return answer(id, file.sha256, await measure(content))
  const key = newKey(id)
  const stored = await put(key, content)
  if (await record(file.organization_id, key, stored)) return answer(id, stored.sha256, stored)
  // another request, or the purge, was faster
  await remove(key).catch(() => {}) // the purge of this file finds it, too
  const other = await findLinked(id)
  return answer(id, other?.sha256 ?? refuse('upload_expired'), stored)
}

function answer(id: FileId, sha256: string, sent: StoredObject): FileUpload {
  if (sent.sha256 !== sha256) refuse('file_already_uploaded')
  return { id, byte_size: sent.byteSize, sha256 }
}

/** Records stored bytes as those of the file; false if it has some already, or is being purged. */
const record = (organizationId: OrganizationId, key: Key, { sha256 }: StoredObject): Promise<boolean> =>
  asSystem(organizationId, async (tx) => {
    const [fileId, object] = idsIn(key)
    const recorded = await tx`
      update files set stored_as = ${object}, sha256 = ${sha256}
      where id = ${fileId} and stored_as is null and removed_at is null returning id`
    return recorded.length === 1
  })

/** Passes pieces on. Refuses `upload_size_mismatch` as soon as they are too long, and at the end if too short. */
async function* exactly(byteSize: number, sent: Pieces): AsyncGenerator<Uint8Array> {
  let counted = 0
  for await (const piece of sent) {
    counted += piece.byteLength
    if (counted > byteSize) break
    yield piece
  }
  if (counted !== byteSize) refuse('upload_size_mismatch', { byte_size: byteSize })
}

async function measure(content: Pieces): Promise<StoredObject> {
  const { pieces, found } = measureContent(content)
  for await (const _ of pieces);
  return found()
}

/**
 * Takes over a file that was sent to storage directly, before it is claimed. Copies it to where the sender cannot
 * change it, and checks it there. Does nothing without a new file. Refuses `upload_size_mismatch` and
 * `unsupported_media_type`.
 */
export async function receiveUpload(
  organizationId: OrganizationId,
  { fileId, purpose, ownerId }: Meant,
): Promise<void> {
  const slot = await first(
    read<{ byte_size: string; content_type: string }>(
      organizationId,
      sql`select byte_size, content_type from files where id = ${fileId} and purpose = ${purpose}
        and owner_id = ${ownerId} and stored_as is null and removed_at is null`,
    ),
  )
  if (!slot) return
  const key = newKey(fileId)
  const sent = await copySent(fileId, key)
  if (!sent) return
  const [byteSize, contentType] = [Number(slot.byte_size), slot.content_type]
  try {
    if (sent.contentType !== contentType) refuse('unsupported_media_type', { expected: contentType })
    const stored = await measure(exactly(byteSize, await get(key)))
    if (!(await record(organizationId, key, stored))) await remove(key) // another request was faster
  } catch (error) {
    if (error instanceof Refusal) await remove(key).catch(() => {}) // the purge of this file finds it, too
    throw error
  }
}

export type FetchedFile = {
  readonly filename: string
  readonly contentType: string
  readonly byteSize: number
  readonly open: () => Promise<Readable>
}

/** Opens the file of a link. Refuses `upload_signature_invalid`, and `export_expired` if link or file are gone. */
export async function fetchFile(fileId: FileId, query: SignedQuery): Promise<FetchedFile> {
  verify('GET', fileId, query, 'export_expired')
  const file = (await findLinked(fileId)) ?? refuse('export_expired')
  const { filename, content_type: contentType, byte_size: byteSize, stored_as: object } = file
  if (!object) refuse('not_found')
  return { filename, contentType, byteSize: Number(byteSize), open: () => get(keyOf(fileId, object)) }
}
