/** Attachments of drafts: files that people sent, claimed until the draft leaves them out. */
import { refuse } from '../../domain/errors.ts'
import type { FileId } from '../../domain/ids.ts'
import {
  ATTACHED_BYTES_MAX,
  type AttachmentType,
  type NewAttachment,
  type StoredAttachment,
} from '../../domain/invoice-documents/attachment.ts'
import { idsIn, keyOf } from '../../platform/storage/storage.ts'
import { bytesOf, claim, release } from '../files/files.ts'
import { receiveUpload } from '../files/uploads.ts'
import { type Reader, type Tx, sql } from '../../db/postgres/sql.ts'

type LoadedAttachments = readonly { readonly bytes: Uint8Array; readonly type: AttachmentType }[]
/** Check of attachments, which loads them when its turn comes. */
type Check = (load: () => Promise<LoadedAttachments>) => Promise<void>

/**
 * Receives files from storage before a draft claims them, and checks their bytes. Refuses `file_not_uploaded`,
 * `upload_size_mismatch`, `invalid_request` for more than five megabytes, and `invalid_file` if storage has lost one, or
 * as the check does.
 */
export async function receiveAttachments(read: Reader, wanted: readonly NewAttachment[], check: Check): Promise<void> {
  const { organizationId } = read
  for (const { file_id: fileId } of wanted) {
    await receiveUpload(organizationId, { fileId, purpose: 'invoice', ownerId: organizationId })
  }
  const files = await read<ReceivedFile>(sql`
    select id, stored_as, sha256, content_type, byte_size::integer from files
    where id = any (${wanted.map(({ file_id: fileId }) => fileId)}::uuid[]) and owner_id = ${organizationId}
      and purpose = 'invoice' and removed_at is null`)
  // else its bytes could come after the check, before the claim
  const stored = files.map(({ stored_as: object, sha256, ...file }) =>
    object !== null && sha256 !== null ? { ...file, object, sha256 } : refuse('file_not_uploaded'),
  )
  requireRoom(stored)
  await check(async () => {
    const loaded: { bytes: Uint8Array; type: AttachmentType }[] = []
    for (const { id, object, sha256, content_type: type } of stored) {
      const bytes = await bytesOf({ key: keyOf(id, object), sha256 })
      loaded.push({ bytes: bytes ?? refuse('invalid_file', { reason: 'damaged' }), type })
    }
    return loaded
  })
}

type ReceivedFile = {
  readonly id: FileId
  readonly stored_as: string | null
  readonly sha256: string | null
  readonly content_type: AttachmentType
  readonly byte_size: number
}

/**
 * Claims the files that a draft wants, and releases those that it leaves out. Refuses `not_found` for a file of another
 * invoice, and `invalid_request` for two of one name, or more than five megabytes.
 */
export async function claimAttachments(
  tx: Tx,
  before: readonly StoredAttachment[],
  wanted: readonly NewAttachment[],
): Promise<StoredAttachment[]> {
  const attached: StoredAttachment[] = []
  for (const { file_id: fileId, description = null } of wanted) {
    const known = before.find((one) => one.file_id === fileId)
    attached.push({ ...(known ?? (await claimUnused(tx, fileId))), description })
  }
  requireAttachable(attached)
  for (const { file_id: fileId } of before) {
    if (!attached.some((one) => one.file_id === fileId)) await release(tx, fileId as FileId) // as it was claimed
  }
  return attached
}

async function claimUnused(tx: Tx, fileId: FileId): Promise<Omit<StoredAttachment, 'description'>> {
  const [found] = await tx<{ used: boolean }[]>`
    select used_at is not null as used from files where id = ${fileId} for update`
  if (found?.used) refuse('not_found')
  const file = await claim(tx, { fileId, purpose: 'invoice', ownerId: tx.organizationId })
  return {
    file_id: fileId,
    filename: file.filename,
    content_type: file.contentType as AttachmentType, // slots take no other
    byte_size: file.byteSize,
    stored_as: idsIn(file.key)[1],
    sha256: file.sha256,
  }
}

const PATH = 'attachments'

function requireAttachable(attached: readonly StoredAttachment[]): void {
  const names = attached.map(({ filename }) => filename.toLowerCase())
  if (new Set(names).size < names.length) {
    refuse('invalid_request', { errors: [{ path: PATH, code: 'duplicate', message: 'must have different names' }] })
  }
  requireRoom(attached)
}

function requireRoom(attached: readonly Pick<StoredAttachment, 'byte_size'>[]): void {
  if (attached.reduce((sum, { byte_size: size }) => sum + size, 0) > ATTACHED_BYTES_MAX) {
    const message = 'must have at most 5 MB together'
    refuse('invalid_request', { errors: [{ path: PATH, code: 'too_large', message }] })
  }
}

/** Reads the bytes of attachments. Throws if storage has lost one. */
export async function readAttachments(attached: readonly StoredAttachment[]): Promise<Buffer[]> {
  const all: Buffer[] = []
  for (const { file_id: fileId, stored_as: object, sha256 } of attached) {
    const bytes = await bytesOf({ key: keyOf(fileId as FileId, object), sha256 }) // as it was claimed
    if (!bytes) throw new Error(`the attachment ${fileId} is missing in storage`)
    all.push(bytes)
  }
  return all
}
