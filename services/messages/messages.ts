/** Messages to people: written in the transaction of what they tell, sealed until they are delivered. */
import { v7 } from 'uuid'
import { type MessageStatus, messageFlow } from '../../domain/messages/flow.ts'
import type { MessageId } from '../../domain/ids.ts'
import type {
  AttachedFile,
  Channel,
  Message,
  MessageContent,
  MessageFilters,
  NewMessage,
} from '../../domain/messages/message.ts'
import { renderHtml } from '../../domain/messages/mail-html.ts'
import { renderShort, renderText } from '../../domain/messages/mail.ts'
import { type Page, refuseCursor } from '../../domain/pagination.ts'
import { REQUEST_FAULTS } from '../../domain/sandbox/sandbox.ts'
import { config } from '../../platform/config.ts'
import { decryptJson, encrypt } from '../../platform/encryption.ts'
import { hasFault } from '../../platform/faults.ts'
import { askAgain, inSeconds } from '../../db/processes/asking.ts'
import { downloadLink } from '../files/files.ts'
import { toPage } from '../../db/postgres/pagination.ts'
import { type Transaction, first, sql } from '../../db/postgres/sql.ts'
import { move } from '../../db/processes/transition.ts'
import { wake } from '../../db/postgres/wakes.ts'

/** Sends a message if the transaction commits. Only its recipient is readable at rest. */
export async function sendMessage(
  tx: Transaction,
  message: NewMessage,
): Promise<{ readonly id: MessageId; readonly status: MessageStatus }> {
  const { recipient, channel, minutes = null } = message
  const content = JSON.stringify(contentToSeal(message))
  const delivered = await isDelivered(tx, channel)
  const status: MessageStatus = message.discarded ? 'discarded' : delivered ? 'queued' : 'mailbox'
  const id = v7() as MessageId // made for it
  // what is discarded has a process too, which finds nothing to do: it costs the same
  if (delivered) wake(tx, messageFlow, { ids: [id], why: 'queued', status, organizationId: null })
  await tx`
    insert into messages (id, recipient, channel, status, sealed, useless_from)
    values (${id}, ${recipient}, ${channel}, ${status}, ${encrypt(Buffer.from(content))},
      ${inSeconds(minutes && minutes * MINUTE_SECONDS)})`
  return { id, status }
}

/** Renders the text, which every release reads; the HTML part is rendered when it is delivered. */
function contentToSeal({ channel, mail, token, attachment, sender }: NewMessage): MessageContent {
  const { subject, code, action } = mail
  const said = { subject, token: token ?? null, code: code ?? null, url: action?.url ?? null }
  if (channel === 'message') return { ...said, text: renderShort(mail) }
  return { ...said, text: renderText(mail), mail, ...(attachment && { attachment }), ...(sender && { sender }) }
}

const MINUTE_SECONDS = 60

/** Tells if an outside party has to take it: without a mail server the sandbox has a mail at once, unless at fault. */
const isDelivered = async (tx: Transaction, channel: Channel): Promise<boolean> =>
  channel === 'message' || config.smtpUrl !== undefined || hasFault('mail', REQUEST_FAULTS, tx)

export type QueuedMessage = MessageContent & {
  readonly channel: Channel
  readonly recipient: string
  /** Whether it was tried before: it may have been sent. */
  readonly isRepeat: boolean
}

/** Counts one more try to deliver a queued message, and opens it; undefined if it is queued no longer, or is late. */
export async function takeQueued(id: MessageId): Promise<QueuedMessage | undefined> {
  const row = await first(sql<{ channel: Channel; recipient: string; sealed: Buffer; attempts: number }[]>`
    update messages set attempts = attempts + 1, updated_at = business_now()
    where id = ${id} and status = 'queued' and coalesce(useless_from > business_now(), true)
    returning channel, recipient, sealed, attempts`)
  if (!row) return undefined
  const { channel, recipient, sealed, attempts } = row
  return { channel, recipient, isRepeat: attempts > 1, ...contentOf(sealed) }
}

/** Outcome of a delivery; `kept`: by the sandbox, which shows it. */
export type Delivery =
  | { readonly outcome: 'taken' | 'kept' }
  | { readonly outcome: 'refused'; readonly note: string }
  | { readonly outcome: 'untaken'; readonly pauseSeconds?: number | undefined }

/** Records the end of a message for what it was about, in the transaction that ends it. */
export type EndingFollower = (tx: Transaction, id: MessageId, ending: 'delivered' | 'failed') => Promise<void>

/** Records the outcome of a delivery; a repeat changes nothing. */
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

type MessageEnd = {
  readonly event: keyof typeof messageFlow.events
  readonly note?: string
  readonly follow: EndingFollower
}

/** Ends a queued message and erases its content, unless the sandbox keeps it. A repeat changes nothing. */
export async function endMessage(tx: Transaction, id: MessageId, { event, note, follow }: MessageEnd): Promise<void> {
  const noted = note === undefined ? sql`ask_note` : sql`${note}`
  const hasEnded = await move(tx, messageFlow, id, {
    event,
    set: sql`ask_note = ${noted}, sealed = ${event === 'keep' ? sql`sealed` : sql`null`}`,
  })
  if (hasEnded) await follow(tx, id, event === 'fail' ? 'failed' : 'delivered')
}

/** Pause after the first try that failed, unless more is asked for; later ones wait longer. */
const PAUSE_SECONDS = 1

/** Records a failed try: it is tried again after a pause that doubles. */
export async function noteUntaken(tx: Transaction, id: MessageId, pauseSeconds = PAUSE_SECONDS): Promise<void> {
  await tx`${askAgain('messages', pauseSeconds, 'not taken')} where id = ${id} and status = 'queued'`
  wake(tx, messageFlow, { ids: [id], why: 'asked', organizationId: null })
}

/** Lists the sandbox mailbox, newest first, of one recipient or of all. An unknown cursor is refused. */
export async function listMessages({ to, limit, cursor }: MessageFilters): Promise<Page<Message>> {
  if (cursor && (await sql`select from messages where id = ${cursor} and status = 'mailbox'`).length === 0)
    refuseCursor()
  const after = cursor
    ? sql`and (m.sent_at, m.id) < ((select c.sent_at from messages c where c.id = ${cursor}), ${cursor}::uuid)`
    : sql``
  const rows = await sql<MailboxRow[]>`
    select m.id, m.recipient as "to", m.channel, m.sent_at, m.sealed from messages m
    where m.status = 'mailbox' ${to === undefined ? sql`` : sql`and m.recipient = ${to}`} ${after}
    order by m.sent_at desc, m.id desc limit ${limit + 1}`
  return toPage(rows.map(openMessage), limit)
}

/** Finds the HTML part of a mail in the sandbox mailbox; undefined for a message to a phone, or of another release. */
export async function findMailHtml(id: MessageId): Promise<string | undefined> {
  const row = await first(sql<{ sealed: Buffer }[]>`
    select sealed from messages where id = ${id} and status = 'mailbox'`)
  const mail = row && contentOf(row.sealed).mail
  return mail && renderHtml(mail)
}

type MailboxRow = Omit<Message, keyof MessageContent | 'attachments'> & { sealed: Buffer }

function openMessage({ sealed, ...row }: MailboxRow): Message {
  const { attachment, sender: _sender, mail: _mail, ...content } = contentOf(sealed)
  return { ...row, ...content, attachments: attachment ? [linkAttachment(attachment)] : [] }
}

function linkAttachment({ file_id: id, stored_as: _stored, ...file }: AttachedFile): Message['attachments'][number] {
  return { ...file, download_url: downloadLink(id).url }
}

// Sealed by sendMessage() alone.
const contentOf = (sealed: Buffer): MessageContent => decryptJson(sealed) as MessageContent

/** Time after which a message is not on its way any more. */
const UNDERWAY_SECONDS = 5

/** Tells if a message is on its way to the sandbox mailbox, and nothing has put it off yet. */
export async function isUnderWay(recipient: string): Promise<boolean> {
  const { mail, messenger } = config.partners
  const channels = [...(mail ? ['email'] : []), ...(messenger?.standIn ? ['message'] : [])]
  const rows = await sql`
    select from messages
    where recipient = ${recipient} and channel = any (${channels}) and status = 'queued' and asks = 0
      and sent_at > business_now() - make_interval(secs => ${UNDERWAY_SECONDS}) limit 1`
  return rows.length > 0
}

export const countFailed = (): Promise<{ channel: Channel; count: number }[]> =>
  sql<{ channel: Channel; count: number }[]>`
    select channel, count(*)::integer as count from messages
    where status = 'failed' and updated_at > business_now() - interval '1 day' group by channel`

type FailedMessage = {
  readonly id: string
  readonly channel: Channel
  readonly recipient: string
  readonly attempts: number
  readonly ask_note: string | null
  readonly failed_at: string
}

export const listFailed = (most: number): Promise<FailedMessage[]> =>
  sql<FailedMessage[]>`
    select id, channel, recipient, attempts, ask_note, updated_at as failed_at from messages
    where status = 'failed' order by updated_at desc limit ${most}`
