/** A mail or a text message to a person, as the sandbox mailbox shows it. */
import * as v from 'valibot'
import { PageQuery } from '../pagination.ts'
import { nullableText, timestamp, uuid } from '../text.ts'

export const CHANNELS = ['email', 'message'] as const
/** `email`: to an address, by the mail server. `message`: to a phone number, by the messenger. */
export type Channel = (typeof CHANNELS)[number]

export const Message = v.object({
  id: uuid,
  to: v.string(),
  channel: v.picklist(CHANNELS),
  subject: v.string(),
  text: v.string(),
  token: nullableText,
  code: nullableText,
  url: nullableText,
  sent_at: timestamp,
})
export type Message = v.InferOutput<typeof Message>

/**
 * What is to be sent; `token`, `code` and `url` stand in the text too, and apart for programs. `discarded`: it costs
 * what any other costs and reaches nobody, so that nothing tells from outside whether there was somebody to write to.
 * After `minutes` it is of no use, and is not delivered any more.
 */
export type NewMessage = {
  readonly recipient: string
  readonly channel: Channel
  readonly subject: string
  readonly body: string
  readonly token?: string
  readonly code?: string
  readonly url?: string
  readonly discarded?: boolean
  readonly minutes?: number
}

/** What is sealed of a message at rest. */
export type MessageContent = Pick<Message, 'subject' | 'text' | 'token' | 'code' | 'url'>

/** `to` is an address, in any case, or a phone number. */
export const MessageFilters = v.object({
  ...PageQuery,
  to: v.optional(v.pipe(v.string(), v.maxLength(255), v.trim(), v.toLowerCase())),
})
export type MessageFilters = v.InferOutput<typeof MessageFilters>
