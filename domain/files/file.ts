import * as v from 'valibot'
import { id } from '../ids.ts'
import { model, integer, line, timestamp, uuid, describe } from '../text.ts'

export type FilePurpose = 'payment_batch' | 'bill' | 'export' | 'invoice' | 'onboarding' | 'attachment' | 'inbound_mail'

/** Lifetime of slots and links. */
export const LINK_MINUTES = 15
/** Hours until an unused file is purged, longer than any request about it. */
export const UNUSED_HOURS = 24

/** Most bytes of a document, and its types. */
export const DOCUMENT_BYTES_MAX = 10 * 1024 * 1024
export const DOCUMENT_TYPES = [
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/tiff',
  'application/xml',
  'text/xml',
] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

/** Builds the body of a request for a slot, for files of these types and at most this size. */
export const newUpload = (name: string, contentTypes: readonly [string, ...string[]], bytesMax: number) =>
  model(name, {
    filename: line(1, 255),
    byte_size: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(bytesMax)),
    content_type: v.picklist(contentTypes),
  })

/** Slot, which takes a file by PUT with exactly these headers. */
export const UploadSlot = model('UploadSlot', {
  id: describe(uuid, 'Id of the file.'),
  file_name: describe(v.string(), 'Name of the file.'),
  byte_size: integer,
  content_type: v.string(),
  method: describe(v.literal('PUT'), 'Method of the upload: PUT.'),
  upload_url: describe(v.string(), 'Address for the PUT; it needs no bearer.'),
  headers: describe(
    model('UploadHeaders', {
      'content-length': describe(v.string(), 'Size in bytes.'),
      'content-type': describe(v.string(), 'Media type.'),
    }),
    'Headers that the PUT must have.',
  ),
  expires_at: timestamp,
})
export type UploadSlot = v.InferInput<typeof UploadSlot>

export const FileUpload = model('UploadedFile', { id: uuid, byte_size: integer, sha256: v.string() })
export type FileUpload = v.InferInput<typeof FileUpload>

export const FileParams = v.object({ file_id: id<'file'>() })

const one = v.optional(v.string())
export const SignedQuery = v.object({ expires: one, length: one, type: one, signature: one })
export type SignedQuery = v.InferOutput<typeof SignedQuery>
