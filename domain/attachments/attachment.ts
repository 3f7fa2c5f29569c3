/** Files that people attach to things. Approvers see them, and their hashes are part of what they sign. */
import * as v from 'valibot'
import { DOCUMENT_BYTES_MAX, DOCUMENT_TYPES, newUpload } from '../files/file.ts'
import type { LocatedKind } from '../located.ts'
import { describe, integer, model, timestamp, uuid } from '../text.ts'

/** Kinds of things that files are attached to. */
export type AttachedKind = Extract<
  LocatedKind,
  'payment' | 'payment_contact' | 'bill' | 'payment_batch' | 'transaction'
>

/** Most files of one thing. */
export const ATTACHMENTS_MAX = 10

export const NewAttachmentFile = newUpload('NewAttachmentFile', DOCUMENT_TYPES, DOCUMENT_BYTES_MAX)

const hashed = {
  file_id: describe(uuid, 'Id of the file.'),
  filename: v.string(),
  content_type: v.string(),
  byte_size: integer,
  sha256: v.string(),
}

/** Attachment as the subject of an approval has it. */
export const SignedAttachment = model('SignedAttachment', hashed)
export type SignedAttachment = v.InferOutput<typeof SignedAttachment>

export const Attachment = model('Attachment', {
  ...hashed,
  attached_at: describe(timestamp, 'Instant when it was attached.'),
})
export type Attachment = v.InferOutput<typeof Attachment>

/** Attachment with a fresh link to it. */
export const AttachmentFile = model('AttachmentFile', {
  ...hashed,
  download_url: v.string(),
  expires_at: timestamp,
})

/** Adds attachments to the subject of an approval. Without any it stays as it is, and so does its hash. */
export const inSubject = (attachments: readonly SignedAttachment[] | null) =>
  attachments?.length ? { attachments } : {}

const Signed = v.object({ attachments: v.optional(v.array(v.object(SignedAttachment.entries)), []) })

/** Reads the attachments in the subject of an approval. */
export const attachmentsIn = (subject: unknown): SignedAttachment[] => v.parse(Signed, subject).attachments
