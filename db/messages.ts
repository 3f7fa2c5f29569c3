/** What the service sends to people: written in the transaction of the deed, sealed until it is delivered. */
import type postgres from 'postgres'
import { config } from './config.ts'
import { refuse } from './model/errors.ts'
import type { MessageId } from './model/ids.ts'
import { type MessageStatus, messageFlow } from './model/message-flow.ts'
import type { Message, MessageContent, MessageFilters, NewMessage } from './model/message.ts'
import type { Page } from './model/page.ts'
import { paged, refuseCursor } from './page.ts'
import { open, seal } from './secrets.ts'
import { first, sql } from './sql.ts'

const CHANNEL = 'message_queued'

/**
 * Sends a message if, and only if, the transaction commits: a mail through the mail server where one is configured, and
 * everything else into the sandbox mailbox. Only its recipient is readable at rest.
 */
export async function sendMessage(tx: postgres.TransactionSql, message: NewMessage): Promise<void> {
  const { recipient, channel, subject, body, token = null, code = null, url = null, discarded = false } = message
  const content: MessageContent = { subject, text: body, token, code, url }
  const mailed = config.smtpUrl !== undefined && channel === 'email'
  const status: MessageStatus = discarded ? 'discarded' : mailed ? 'queued' : 'mailbox'
  // What is discarded notifies too, of nothing: it costs the same.
  await tx`
    with written as (
      insert into messages (recipient, channel, status, sealed)
      values (${recipient}, ${channel}, ${status}, ${seal(Buffer.from(JSON.stringify(content)))})
      returning id, status)
    select pg_notify(${CHANNEL}, case status when 'queued' then id::text else '' end) from written where ${mailed}`
}

/** Hears of every mail that is queued from now on; `listening` is called when it begins to, and after each gap. */
export async function followQueuedMessages(
  heard: (id: MessageId) => void,
  listening: () => void,
): Promise<{ stop: () => Promise<void> }> {
  // Only sendMessage() notifies there: an id, or nothing.
  const following = await sql.listen(CHANNEL, (text) => text && heard(text as MessageId), listening)
  return { stop: () => following.unlisten().catch(() => {}) } // a server that is away notifies nobody
}

/** The state of a message. Refuses `not_found`. */
export async function messageStatus(id: MessageId): Promise<MessageStatus> {
  const row = await first(sql<{ status: MessageStatus }[]>`select status from messages where id = ${id}`)
  return row?.status ?? refuse('not_found')
}

export type Mail = { readonly recipient: string; readonly subject: string; readonly text: string }

/** Counts one more try to deliver a queued mail, and opens it; undefined where it is queued no longer. */
export async function takeQueuedMail(id: MessageId): Promise<Mail | undefined> {
  const row = await first(sql<{ recipient: string; sealed: Buffer }[]>`
    update messages set attempts = attempts + 1, updated_at = business_now()
    where id = ${id} and status = 'queued' returning recipient, sealed`)
  if (!row) return undefined
  const { subject, text } = contentOf(row.sealed)
  return { recipient: row.recipient, subject, text }
}

/** Ends a queued message and erases what it said. A repeat changes nothing and answers how it ended first. */
export async function endMessage(id: MessageId, event: keyof typeof messageFlow.events): Promise<MessageStatus> {
  const { from, to } = messageFlow.events[event]
  const ended = await sql`
    update messages set status = ${to}, sealed = null, updated_at = business_now()
    where id = ${id} and status = any (${[...from]})`
  return ended.count === 1 ? to : messageStatus(id)
}

/** What the sandbox mailbox shows, newest first, of one recipient or of all. An unknown cursor is refused. */
export async function listMessages({ to, limit, cursor }: MessageFilters): Promise<Page<Message>> {
  if (cursor && !(await isShown(cursor))) refuseCursor()
  const after = cursor
    ? sql`and (m.sent_at, m.id) < ((select c.sent_at from messages c where c.id = ${cursor}), ${cursor}::uuid)`
    : sql``
  const rows = await sql<MailboxRow[]>`
    select m.id, m.recipient as "to", m.channel, m.subject, m.body as text, m.token, m.code, m.url, m.sent_at, m.sealed
    from messages m where m.status = 'mailbox' ${to === undefined ? sql`` : sql`and m.recipient = ${to}`} ${after}
    order by m.sent_at desc, m.id desc limit ${limit + 1}`
  return paged(rows.map(opened), limit)
}

type MailboxRow = Message & { sealed: Buffer | null }

/** Rows from before messages were sealed are in the clear. */
const opened = ({ sealed, ...row }: MailboxRow): Message => (sealed ? { ...row, ...contentOf(sealed) } : row)

// Sealed by sendMessage() alone.
const contentOf = (sealed: Buffer): MessageContent => JSON.parse(open(sealed).toString()) as MessageContent

const isShown = async (id: string): Promise<boolean> =>
  (await sql`select from messages where id = ${id} and status = 'mailbox'`).length === 1
