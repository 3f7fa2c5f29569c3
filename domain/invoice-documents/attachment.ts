/** Files that support an invoice (EN 16931: BG-24). */
import * as v from 'valibot'
import { distinct } from '../distinct.ts'
import { newUpload } from '../files/file.ts'
import { id } from '../ids.ts'
import { integer, line, maybe, model, nullableText, uuid, describe } from '../text.ts'

/** Most files of an invoice, and bytes of all of them. */
const FILES_MAX = 10
export const ATTACHED_BYTES_MAX = 5 * 1024 * 1024

/** Types that the standard permits (BT-125-1), with the ends of their names. */
const ENDINGS = {
  'application/pdf': /\.pdf$/i,
  'image/png': /\.png$/i,
  'image/jpeg': /\.jpe?g$/i,
  'text/csv': /\.csv$/i,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': /\.xlsx$/i,
  'application/vnd.oasis.opendocument.spreadsheet': /\.ods$/i,
} as const
export type AttachmentType = keyof typeof ENDINGS
const TYPES = Object.keys(ENDINGS) as [AttachmentType, ...AttachmentType[]] // the keys of the table

/** Body of POST …/invoices/upload. */
export const NewInvoiceFile = v.pipe(
  newUpload('NewInvoiceFile', TYPES, ATTACHED_BYTES_MAX),
  v.forward(
    v.check(({ filename }) => !/[\\/]/.test(filename), 'must be a name without path'),
    ['filename'],
  ),
  v.forward(
    v.check(
      ({ filename, content_type: type }) => ENDINGS[type as AttachmentType].test(filename), // one of the types
      'must end like files of its type, such as .pdf',
    ),
    ['filename'],
  ),
)

export const NewAttachments = v.pipe(
  v.array(model('NewInvoiceAttachment', { file_id: id<'file'>(), description: maybe(line(1, 255)) })),
  v.maxLength(FILES_MAX),
  distinct(({ file_id: file }) => file),
)
export type NewAttachment = v.InferOutput<typeof NewAttachments>[number]

export const AnswerAttachment = model('InvoiceAttachment', {
  file_id: describe(uuid, 'Id of the file.'),
  filename: v.string(),
  content_type: v.picklist(TYPES),
  byte_size: integer,
  description: nullableText,
})

/** Attachment as it is stored, with its object and hash in storage. */
export const StoredAttachment = v.object({
  ...AnswerAttachment.entries,
  stored_as: v.string(),
  sha256: v.string(),
})
export type StoredAttachment = v.InferOutput<typeof StoredAttachment>
