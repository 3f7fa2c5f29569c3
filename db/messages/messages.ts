/** What the service sends to people: written in the transaction of the deed, sealed until it is delivered. */
import { v7 } from 'uuid'
import { askAgain, inSeconds } from '../asking.ts'
import { config } from '../../platform/config.ts'
import { downloadLink } from '../files/files.ts'
import type { MessageId } from '../../domain/ids.ts'
import { type MessageStatus, messageFlow } from '../../domain/flows/message.ts'
import type {
  AttachedFile,
  Channel,
  Message,
  MessageContent,
  MessageFilters,
  NewMessage,
  Sender,
} from '../../domain/messages/message.ts'
import type { Page } from '../../domain/pagination.ts'
import { REQUEST_FAULTS } from '../../domain/sandbox/sandbox.ts'
import { paged, refuseCursor } from '../pagination.ts'
import { decryptJson, encrypt } from '../../platform/encryption.ts'
import { hasFault } from '../../platform/faults.ts'
import { type Transaction, first, sql } from '../sql.ts'
import { move } from '../transition.ts'
import { wake } from '../wakes.ts'

/**
 * Sends a message if, and only if, the transaction commits: a mail through the mail server, a message to a phone
 * through the messenger. Only its recipient is readable at rest.
 */
export async function sendMessage(tx: Transaction, message: NewMessage): Promise<Sent> {
  const { recipient, channel, subject, body, token = null, code = null, url = null, minutes = null } = message
  const { attachment, sender } = message
  const content: MessageContent = {
    subject,
    text: body,
    token,
    code,
    url,
    ...(attachment && { attachment }),
    ...(sender && { sender }),
  }
  const delivered = await isDelivered(tx, channel)
  const status: MessageStatus = message.discarded ? 'discarded' : delivered ? 'queued' : 'mailbox'
  const id = v7()
  // what is discarded has a process too, which finds nothing to do: it costs the same
  if (delivered) wake(tx, messageFlow, { ids: [id], why: 'queued', status, organizationId: null })
  await tx`
    insert into messages (id, recipient, channel, status, sealed, useless_from)
    values (${id}, ${recipient}, ${channel}, ${status}, ${encrypt(Buffer.from(JSON.stringify(content)))},
      ${inSeconds(minutes && minutes * MINUTE_SECONDS)})`
  return { id: id as MessageId, status } // made for it
}

/** What became of a message so far. */
type Sent = { readonly id: MessageId; readonly status: MessageStatus }

const MINUTE_SECONDS = 60

/**
 * Whether somebody outside has to take it. Without a mail server the sandbox mailbox has a mail at once, unless it was
 * told to misbehave.
 */
const isDelivered = async (tx: Transaction, channel: Channel): Promise<boolean> =>
  channel === 'message' || config.smtpUrl !== undefined || hasFault('mail', REQUEST_FAULTS, tx)

export type QueuedMessage = {
  readonly channel: Channel
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly attachment?: AttachedFile
  readonly sender?: Sender
}

/** Counts one more try to deliver a queued message, and opens it; undefined if it is queued no longer, or is late. */
export async function takeQueued(id: MessageId): Promise<QueuedMessage | undefined> {
  const row = await first(sql<(Omit<QueuedMessage, keyof MessageContent> & { sealed: Buffer })[]>`
    update messages set attempts = attempts + 1, updated_at = business_now()
    where id = ${id} and status = 'queued' and coalesce(useless_from > business_now(), true)
    returning channel, recipient, sealed`)
  if (!row) return undefined
  const { sealed, ...message } = row
  const { subject, text, attachment, sender } = contentOf(sealed)
  return { ...message, subject, text, ...(attachment && { attachment }), ...(sender && { sender }) }
}

/** What became of a message that was handed over: `kept` by the sandbox, which shows it. */
export type Delivery =
  | { readonly outcome: 'taken' | 'kept' }
  | { readonly outcome: 'refused'; readonly note: string }
  | { readonly outcome: 'untaken'; readonly pauseSeconds?: number | undefined }

/**
 * Records how a message ended for what it was about, in the transaction that ends it. Given by the caller: messages
 * know nothing of what they are about.
 */
export type EndingFollower = (tx: Transaction, id: MessageId, ending: 'delivered' | 'failed') => Promise<void>

/** Records what became of a queued message; a repeat changes nothing. */
export function recordDelivery(
  tx: Transaction,
  id: MessageId,
  delivery: Delivery,
  follow: EndingFollower,
): Promise<void> {
  if (delivery.outcome === 'untaken') return noteUntaken(tx, id, delivery.pauseSeconds)
  if (delivery.outcome === 'refused') return endMessage(tx, id, { event: 'fail', note: delivery.note, follow })
  return endMessage(tx, id, { event: delivery.outcome === 'kept' ? 'keep' : 'send', follow })
}

type Ending = {
  readonly event: keyof typeof messageFlow.events
  readonly note?: string
  readonly follow: EndingFollower
}

/** Ends a queued message and erases what it said, unless the sandbox keeps it. A repeat changes nothing. */
export async function endMessage(tx: Transaction, id: MessageId, { event, note, follow }: Ending): Promise<void> {
  const noted = note === undefined ? sql`ask_note` : sql`${note}`
  const hasEnded = await move(tx, messageFlow, id, {
    event,
    set: sql`ask_note = ${noted}, sealed = ${event === 'keep' ? sql`sealed` : sql`null`}`,
  })
  if (hasEnded) await follow(tx, id, event === 'fail' ? 'failed' : 'delivered')
}

/** After the first try that failed, unless more is asked for; later ones wait longer. */
const PAUSE_SECONDS = 1

/** Notes that a message was not taken: it is tried again after a pause that doubles. */
export async function noteUntaken(tx: Transaction, id: MessageId, pauseSeconds = PAUSE_SECONDS): Promise<void> {
  await tx`${askAgain('messages', pauseSeconds, 'not taken')} where id = ${id} and status = 'queued'`
  wake(tx, messageFlow, { ids: [id], why: 'asked', organizationId: null })
}

/** What the sandbox mailbox shows, newest first, of one recipient or of all. An unknown cursor is refused. */
export async function listMessages({ to, limit, cursor }: MessageFilters): Promise<Page<Message>> {
  if (cursor && !(await isShown(cursor))) refuseCursor()
  const after = cursor
    ? sql`and (m.sent_at, m.id) < ((select c.sent_at from messages c where c.id = ${cursor}), ${cursor}::uuid)`
    : sql``
  const rows = await sql<MailboxRow[]>`
    select m.id, m.recipient as "to", m.channel, m.sent_at, m.sealed from messages m
    where m.status = 'mailbox' ${to === undefined ? sql`` : sql`and m.recipient = ${to}`} ${after}
    order by m.sent_at desc, m.id desc limit ${limit + 1}`
  return paged(rows.map(opened), limit)
}

type MailboxRow = Omit<Message, keyof MessageContent | 'attachments'> & { sealed: Buffer }

function opened({ sealed, ...row }: MailboxRow): Message {
  const { attachment, sender: _sender, ...content } = contentOf(sealed)
  return { ...row, ...content, attachments: attachment ? [shown(attachment)] : [] }
}

function shown({ file_id: id, stored_as: _stored, ...file }: AttachedFile): Message['attachments'][number] {
  return { ...file, download_url: downloadLink(id).url }
}

// Sealed by sendMessage() alone.
const contentOf = (sealed: Buffer): MessageContent => decryptJson(sealed) as MessageContent

/** A message that was sent just now is on its way for at most this. */
const UNDERWAY_SECONDS = 5

/** Whether a message is on its way to the sandbox mailbox, and nothing has put it off yet. */
export async function isUnderWay(recipient: string): Promise<boolean> {
  const { mail, messenger } = config.partners
  const channels = [...(mail ? ['email'] : []), ...(messenger?.standIn ? ['message'] : [])]
  const rows = await sql`
    select from messages
    where recipient = ${recipient} and channel = any (${channels}) and status = 'queued' and asks = 0
      and sent_at > business_now() - make_interval(secs => ${UNDERWAY_SECONDS}) limit 1`
  return rows.length > 0
}

const isShown = async (id: string): Promise<boolean> =>
  (await sql`select from messages where id = ${id} and status = 'mailbox'`).length === 1
