/** Attachments of things, by the same operations for each kind. */
import * as v from 'valibot'
import { requireHarmless } from '../../documents/invoices/attachments.ts'
import { Attachment, AttachmentFile, NewAttachmentFile } from '../../domain/attachments/attachment.ts'
import { FileParams, UploadSlot } from '../../domain/files/file.ts'
import { onePage, pageOf } from '../../domain/pagination.ts'
import { findAttachment, listAttachments, receiveAttachment } from '../../services/attachments/attachments.ts'
import { attachFile, detachFile } from '../../services/attachments/commands.ts'
import { openSlot, slotOf } from '../../services/files/files.ts'
import { uploadSlots } from '../http/limits.ts'
import { operations } from '../http/operation.ts'
import type { Route } from '../http/route.ts'
import { THINGS, type Things } from './kinds.ts'

/** Operations on the attachments of each kind of thing. */
export const attachments: readonly Route[] = THINGS.flatMap((things) => {
  const { param } = things
  const base = `/organizations/{organization_id}/${things.path}/{${param}}/attachments`
  return [...changesOf(things, base), ...readsOf(things, base)]
})

/** Reads the id of the thing that the path names. */
const idIn = ({ param }: Things, params: object): string =>
  (params as Readonly<Record<string, string>>)[param] as string // paramsOf() reads every parameter of the path

function changesOf(things: Things, base: string): Route[] {
  const { kind, tag, name, words, changes, requireVisible } = things
  const { command } = operations(tag)
  return [
    command('post', base, `create${name}AttachmentUpload`)
      .says(`Request an upload address for a file of ${words}`, 'PUT the file there, then attach it.')
      .of('organization')
      .delegates('prepare')
      .can(changes)
      .takes(NewAttachmentFile)
      .limited(uploadSlots)
      .creates(UploadSlot, ({ read, claim }) => slotOf(read, claim.id))
      .does(async (context) => {
        const { tx, claim, body, params } = context
        const ownerId = idIn(things, params)
        await requireVisible(context, ownerId, 'changer')
        const { filename, byte_size: byteSize, content_type: contentType } = body
        const slot = { purpose: 'attachment', ownerId, filename, byteSize, contentType } as const
        await openSlot(tx, { ...slot, id: claim.id })
      }),
    command('post', `${base}/{file_id}`, `attach${name}File`)
      .says(
        `Attach an uploaded file to ${words}`,
        'Ten files at most. While an approval waits, its approvers see the file and sign its hash; what was approved ' +
          'before counts no more.',
      )
      .of('organization')
      .delegates('prepare')
      .can(changes)
      .named(FileParams)
      .takes(v.object({}))
      .refuses('file_not_uploaded', 'upload_size_mismatch', 'invalid_file', 'unprocessable_entity')
      .answers(pageOf(Attachment))
      .prepares(async (context) => {
        const { read, person, params } = context
        const ownerId = idIn(things, params)
        await requireVisible(context, ownerId, 'changer')
        const callers = { organization: read.organizationId, person: person.userId }
        await requireHarmless(callers, async () => [await receiveAttachment(read, ownerId, params.file_id)])
        return {}
      })
      .retries('same')
      .does(async ({ tx, read, params }) => {
        const id = idIn(things, params)
        await attachFile(tx, { kind, id }, params.file_id)
        return onePage(await listAttachments(read, id))
      }),
    command('delete', `${base}/{file_id}`, `delete${name}Attachment`)
      .says(
        `Take a file away from ${words}`,
        'Not one that was approved. While an approval waits, what was approved before counts no more.',
      )
      .of('organization')
      .can(changes)
      .named(FileParams)
      .refuses('invalid_state')
      .deletes()
      .does(async (context) => {
        const { tx, params } = context
        const id = idIn(things, params)
        await requireVisible(context, id, 'changer')
        await detachFile(tx, { kind, id }, params.file_id)
      }),
  ]
}

function readsOf(things: Things, base: string): Route[] {
  const { tag, name, words, reads, requireVisible } = things
  const { query } = operations(tag)
  return [
    query(base, `list${name}Attachments`)
      .says(`List the files of ${words}, oldest first`)
      .of('organization')
      .delegates('read')
      .can(reads)
      .answers(pageOf(Attachment))
      .does(async (context) => {
        const id = idIn(things, context.params)
        await requireVisible(context, id, 'reader')
        return onePage(await listAttachments(context.read, id))
      }),
    query(`${base}/{file_id}`, `get${name}Attachment`)
      .says(`Fetch a file of ${words} by a fresh link`, 'It is good for 15 minutes.')
      .of('organization')
      .delegates('read')
      .can(reads)
      .named(FileParams)
      .answers(AttachmentFile)
      .does(async (context) => {
        const id = idIn(things, context.params)
        await requireVisible(context, id, 'reader')
        return findAttachment(context.read, id, context.params.file_id)
      }),
  ]
}
