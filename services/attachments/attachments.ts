/** Attachments as they are read: of a thing, for the subject of an approval, and their bytes. */
import type { ApprovalId, FileId, OrganizationId } from '../../domain/ids.ts'
import { refuse } from '../../domain/errors.ts'
import type { Attachment, AttachmentFile, SignedAttachment } from '../../domain/attachments/attachment.ts'
import type { DocumentType } from '../../domain/files/file.ts'
import { bytesOf, downloadLink } from '../files/files.ts'
import { receiveUpload } from '../files/uploads.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'
import { keyOf } from '../../platform/storage/storage.ts'
import type { InferInput } from 'valibot'

type Organization = { readonly organizationId: OrganizationId }

/** Selects the condition that a file is attached to one of these things. */
const isAttached = (f: Fragment, organization: Fragment, owners: Fragment): Fragment => sql`
  ${f}.organization_id = ${organization} and ${f}.owner_id = any (${owners}) and ${f}.purpose = 'attachment'
  and ${f}.used_at is not null and ${f}.removed_at is null`

/** Selects the attachments of things as JSON, as the subject of an approval has them; null without any. */
export const selectAttachments = ({ organizationId }: Organization, owners: Fragment): Fragment => sql`(
  select json_agg(json_build_object('file_id', f.id, 'filename', f.filename, 'content_type', f.content_type,
    'byte_size', f.byte_size, 'sha256', f.sha256) order by f.id)
  from files f where ${isAttached(sql`f`, sql`${organizationId}`, owners)})`

/** Selects the names of the files of things, in one line; null without any. */
export const selectNames = (organization: Fragment, owners: Fragment): Fragment => sql`(
  select string_agg(f.filename, ', ' order by f.used_at, f.id)
  from files f where ${isAttached(sql`f`, organization, owners)})`

/** Selects the condition that an organization has files at any thing. */
export const hasAttachments = (organization: Fragment): Fragment => sql`exists (
  select from files f
  where f.organization_id = ${organization} and f.purpose = 'attachment' and f.used_at is not null)`

/** Reads the attachments of things, as the subject of an approval has them; null without any. */
export async function readSigned(reader: Reader, owners: readonly string[]): Promise<SignedAttachment[] | null> {
  const row = await first(
    reader<{ attachments: SignedAttachment[] | null }>(sql`
      select ${selectAttachments(reader, sql`${[...owners]}::uuid[]`)} as attachments`),
  )
  return row?.attachments ?? null
}

type Row = InferInput<typeof Attachment>

/** Lists the attachments of a thing, oldest first. */
export const listAttachments = (reader: Reader, ownerId: string): Promise<Row[]> =>
  reader<Row>(sql`
    select f.id as file_id, f.filename, f.content_type, f.byte_size::float8 as byte_size, f.sha256,
      f.used_at as attached_at
    from files f
    where ${isAttached(sql`f`, sql`${reader.organizationId}`, sql`array[${ownerId}]::uuid[]`)}
    order by f.used_at, f.id`)

/** Finds an attachment of a thing, with a fresh link to it. Refuses `not_found`. */
export async function findAttachment(reader: Reader, ownerId: string, fileId: FileId): Promise<LinkedAttachment> {
  const found = (await listAttachments(reader, ownerId)).find((one) => one.file_id === fileId)
  if (!found) refuse('not_found')
  const { attached_at: _at, ...file } = found
  return withLink(file)
}

type LinkedAttachment = InferInput<typeof AttachmentFile>

/** Adds a fresh link to an attachment. */
export function withLink(file: SignedAttachment): LinkedAttachment {
  const { url, expiresAt } = downloadLink(file.file_id as FileId) // as it was attached
  return { ...file, download_url: url, expires_at: expiresAt.toISOString() }
}

type StoredDocument = { readonly bytes: Buffer; readonly type: DocumentType }

type StoredRow = { stored_as: string | null; sha256: string | null; content_type: DocumentType }

/**
 * Receives a file for a thing from storage, and loads its bytes. Refuses `not_found`, `file_not_uploaded`,
 * `upload_size_mismatch`, and `invalid_file` if storage has lost it.
 */
export async function receiveAttachment(reader: Reader, ownerId: string, fileId: FileId): Promise<StoredDocument> {
  await receiveUpload(reader.organizationId, { fileId, purpose: 'attachment', ownerId })
  const row = await first(
    reader<StoredRow>(sql`
      select stored_as, sha256, content_type from files
      where id = ${fileId} and owner_id = ${ownerId} and purpose = 'attachment' and removed_at is null`),
  )
  return load(fileId, row ?? refuse('not_found'))
}

/** Loads a file that the subject of an approval names. Refuses `not_found`, and `invalid_file` if storage has lost it. */
export async function loadAttachment(reader: Reader, fileId: FileId): Promise<StoredDocument> {
  const row = await first(
    reader<StoredRow>(sql`
      select stored_as, sha256, content_type from files
      where id = ${fileId} and organization_id = ${reader.organizationId} and purpose = 'attachment'
        and used_at is not null and removed_at is null`),
  )
  return load(fileId, row ?? refuse('not_found'))
}

async function load(fileId: FileId, { stored_as: object, sha256, content_type: type }: StoredRow) {
  if (object === null || sha256 === null) refuse('file_not_uploaded')
  const bytes = await bytesOf({ key: keyOf(fileId, object), sha256 })
  return { bytes: bytes ?? refuse('invalid_file', { reason: 'damaged' }), type }
}

/** Things whose attachments the subject of an approval has: its target, and the bills that it pays. */
export const ownersOf = (approvalId: ApprovalId): Fragment => sql`(
  select array_remove(${ownersIn(sql`a.target_id`)} || p.bill_id, null) from approvals a
  left join payments p on p.id = a.target_id where a.id = ${approvalId})::uuid[]`

/** Lists a batch and the bills that its rows pay, whose attachments its approvers sign; another thing is alone. */
export const ownersIn = (id: Fragment): Fragment => sql`
  (array[${id}] || array(select r.bill_id from payment_batch_rows r
    where r.payment_batch_id = ${id} and r.bill_id is not null and r.status = 'valid' order by r.row_number))`
