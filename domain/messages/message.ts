/** A mail or a text message to a person, as the sandbox mailbox shows it. */
import * as v from 'valibot'
import { type FileId, id } from '../ids.ts'
import { PageQuery } from '../pagination.ts'
import { model, integer, nullableText, timestamp, uuid, describe } from '../text.ts'
import type { MailContent } from './mail.ts'

export const CHANNELS = ['email', 'message'] as const
/** `email`: to an address, by the mail server. `message`: to a phone number, by the messenger. */
export type Channel = (typeof CHANNELS)[number]

const Attachment = model('SandboxMessageAttachment', {
  filename: v.string(),
  content_type: v.string(),
  byte_size: integer,
  sha256: v.string(),
  download_url: v.string(),
})

export const Message = model('SandboxMessage', {
  id: uuid,
  to: describe(v.string(), 'Address or number of the recipient.'),
  channel: describe(v.picklist(CHANNELS), 'Way in which it was sent.'),
  subject: describe(v.string(), 'Subject line.'),
  text: describe(v.string(), 'Text of the message.'),
  token: describe(nullableText, 'Token in the link of the message, if it has one.'),
  code: describe(nullableText, 'Code in the message, if it has one.'),
  url: describe(nullableText, 'Link in the message, if it has one.'),
  attachments: v.array(Attachment),
  sent_at: timestamp,
})
export type Message = v.InferOutput<typeof Message>

/**
 * A message to send; `mail` names the `token`, too. `discarded`: it costs the same as others and is never
 * delivered, so that nothing tells from outside if the recipient exists. After `minutes` it is not delivered any more.
 */
export type NewMessage = {
  readonly recipient: string
  readonly channel: Channel
  readonly mail: MailContent
  readonly token?: string
  readonly discarded?: boolean
  readonly minutes?: number
  readonly attachment?: AttachedFile
  readonly sender?: Sender
}

/** A file in storage that a mail carries. */
export type AttachedFile = {
  readonly file_id: FileId
  readonly stored_as: string
  readonly sha256: string
  readonly byte_size: number
  readonly filename: string
  readonly content_type: string
}

/** The sender that a reader of the mail sees, and the address of answers; ours is the envelope's. */
export type Sender = { readonly name: string; readonly reply_to: string | null }

/** Sealed part of a message. */
export type MessageContent = Pick<Message, 'subject' | 'text' | 'token' | 'code' | 'url'> & {
  /** Source of the HTML part; absent from messages to phones, and from those of a release before it. */
  readonly mail?: MailContent
  readonly attachment?: AttachedFile
  readonly sender?: Sender
}

export const MessageParams = v.object({ id: id<'message'>() })

/** `to` is an address, in any case, or a phone number. */
export const MessageFilters = v.object({
  ...PageQuery,
  to: v.optional(v.pipe(v.string(), v.maxLength(255), v.trim(), v.toLowerCase())),
})
export type MessageFilters = v.InferOutput<typeof MessageFilters>
