/** What comes in and goes out by a signed link, of a file whose bearer nobody knows. */
import type { Readable } from 'node:stream'
import { bulkhead } from '../../platform/concurrency.ts'
import { Refusal, refuse } from '../../domain/errors.ts'
import type { FilePurpose, SignedQuery, Uploaded } from '../../domain/files/file.ts'
import type { FileId, OrganizationId } from '../../domain/ids.ts'
import { asSystem, first, read, sql } from '../sql.ts'
import type { Meant } from './files.ts'
import { verifyDownload } from './links.ts'
import {
  type Expected,
  type Key,
  type Pieces,
  type Stored,
  copySent,
  get,
  idsIn,
  keyOf,
  measured,
  newKey,
  put,
  remove,
} from '../../platform/storage/storage.ts'

type Linked = {
  organization_id: OrganizationId
  purpose: FilePurpose
  filename: string
  content_type: string
  byte_size: string
  stored_as: string | null
  sha256: string | null
}

const linkedFile = (fileId: FileId): Promise<Linked | undefined> =>
  first(sql<Linked[]>`select * from linked_file(${fileId})`)

const BUSY_SECONDS = 5
/** Bodies that one process takes at once: a link, and those of one organization, leave places to all others. */
const ofFile = bulkhead(2, BUSY_SECONDS)
const ofOrganization = bulkhead(10, BUSY_SECONDS)

/**
 * Takes the bytes of a file into its slot: all of them, or none. The same bytes again are answered like the first time.
 * Refuses `upload_size_mismatch`, `file_already_uploaded` for other bytes, `upload_expired` if the slot is purged, and
 * `rate_limited` while two other bodies of the file, or ten of its organization, are on their way.
 */
export async function upload(fileId: FileId, expected: Expected, sent: Pieces): Promise<Uploaded> {
  const file = (await linkedFile(fileId)) ?? refuse('upload_expired')
  return ofFile(fileId, () => ofOrganization(file.organization_id, () => receive(fileId, file, expected, sent)))
}

async function receive(fileId: FileId, file: Linked, { byteSize }: Expected, sent: Pieces): Promise<Uploaded> {
  const content = exactly(byteSize, sent)
  if (file.sha256) return answer(fileId, file.sha256, await measure(content))
  const key = newKey(fileId)
  const stored = await put(key, content)
  if (await record(file.organization_id, key, stored)) return uploaded(fileId, stored)
  return lost(fileId, key, stored)
}

/** Another request was faster, or the purge: what this one has put is of no use. */
async function lost(fileId: FileId, key: Key, stored: Stored): Promise<Uploaded> {
  await remove(key).catch(() => {}) // the purge of this file finds it, too
  const file = await linkedFile(fileId)
  return answer(fileId, file?.sha256 ?? refuse('upload_expired'), stored)
}

const answer = (fileId: FileId, sha256: string, sent: Stored): Uploaded =>
  sent.sha256 === sha256 ? uploaded(fileId, sent) : refuse('file_already_uploaded')

const uploaded = (id: FileId, { byteSize, sha256 }: Stored): Uploaded => ({ id, byte_size: byteSize, sha256 })

/** False if there are bytes of this file already, or it is being purged. */
const record = (organizationId: OrganizationId, key: Key, { sha256 }: Stored): Promise<boolean> =>
  asSystem(organizationId, async (tx) => {
    const [fileId, object] = idsIn(key)
    const recorded = await tx`
      update files set stored_as = ${object}, sha256 = ${sha256}
      where id = ${fileId} and stored_as is null and removed_at is null returning id`
    return recorded.length === 1
  })

/** Refuses `upload_size_mismatch` as soon as it is longer, and at its end if it is shorter. */
async function* exactly(byteSize: number, sent: Pieces): AsyncGenerator<Uint8Array> {
  let counted = 0
  for await (const piece of sent) {
    counted += piece.byteLength
    if (counted > byteSize) break
    yield piece
  }
  if (counted !== byteSize) refuse('upload_size_mismatch', { byte_size: byteSize })
}

const measure = (content: Pieces): Promise<Stored> =>
  measured(content, async (pieces) => {
    for await (const _ of pieces);
  })

/**
 * Takes over what was sent to storage itself, before the transaction that claims it: copied to where nobody can change
 * it, and looked through there. Does nothing if nothing was sent, or is taken over already. Refuses
 * `upload_size_mismatch` and `unsupported_media_type`.
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

/** A file that somebody fetches. */
export type Fetched = {
  readonly filename: string
  readonly contentType: string
  readonly byteSize: number
  readonly open: () => Promise<Readable>
}

/** The file that a link leads to. Refuses `upload_signature_invalid`, and `export_expired` if link or file are over. */
export async function fetchFile(fileId: FileId, query: SignedQuery): Promise<Fetched> {
  verifyDownload(fileId, query)
  const {
    filename,
    content_type: contentType,
    byte_size: byteSize,
    stored_as: object,
  } = (await linkedFile(fileId)) ?? refuse('export_expired')
  if (!object) refuse('not_found')
  return { filename, contentType, byteSize: Number(byteSize), open: () => get(keyOf(fileId, object)) }
}
