/** What the service sends to people: written in the transaction of the deed, sealed until it is delivered. */
import { v7 } from 'uuid'
import { type AskRow, askAgain, askColumns, askedState } from '../asking.ts'
import { config } from '../config.ts'
import type { MessageId } from '../model/ids.ts'
import { type MessageStatus, messageFlow } from '../model/flows/message.ts'
import type { Message, MessageContent, MessageFilters, NewMessage } from '../model/messages/message.ts'
import type { Page } from '../model/pagination.ts'
import type { Found, ProcessRef } from '../model/process.ts'
import { paged, refuseCursor } from '../pagination.ts'
import { decrypt, encrypt } from '../encryption.ts'
import { type Transaction, first, sql } from '../sql.ts'
import { move } from '../transition.ts'
import { wake } from '../wakes.ts'

/**
 * Sends a message if, and only if, the transaction commits: a mail through the mail server if one is configured, and
 * everything else into the sandbox mailbox. Only its recipient is readable at rest.
 */
export async function sendMessage(tx: Transaction, message: NewMessage): Promise<void> {
  const { recipient, channel, subject, body, token = null, code = null, url = null, discarded = false } = message
  const content: MessageContent = { subject, text: body, token, code, url }
  const mailed = config.smtpUrl !== undefined && channel === 'email'
  const status: MessageStatus = discarded ? 'discarded' : mailed ? 'queued' : 'mailbox'
  const id = v7()
  // what is discarded has a process too, which finds nothing to do: it costs the same
  if (mailed) wake(tx, messageFlow, { ids: [id], why: 'queued', status, organizationId: null })
  await tx`
    insert into messages (id, recipient, channel, status, sealed)
    values (${id}, ${recipient}, ${channel}, ${status}, ${encrypt(Buffer.from(JSON.stringify(content)))})`
}

export type Mail = { readonly recipient: string; readonly subject: string; readonly text: string }

/** Counts one more try to deliver a queued mail, and opens it; undefined if it is queued no longer. */
export async function takeQueuedMail(id: MessageId): Promise<Mail | undefined> {
  const row = await first(sql<{ recipient: string; sealed: Buffer }[]>`
    update messages set attempts = attempts + 1, updated_at = business_now()
    where id = ${id} and status = 'queued' returning recipient, sealed`)
  if (!row) return undefined
  const { subject, text } = contentOf(row.sealed)
  return { recipient: row.recipient, subject, text }
}

/** Ends a queued message and erases what it said. A repeat changes nothing. */
export async function endMessage(
  tx: Transaction,
  id: MessageId,
  event: keyof typeof messageFlow.events,
): Promise<void> {
  await move(tx, messageFlow, id, { event, set: sql`sealed = null` })
}

/** A mail server is tried for so long, and then the mail has failed. */
const PATIENCE_HOURS = 24
/** After the first try that failed; later ones wait longer. */
const PAUSE_SECONDS = 1

/** The mail server did not take it: it is tried again after a pause, and fails at last. */
export async function noteUntaken(tx: Transaction, id: MessageId): Promise<void> {
  await tx`${askAgain('messages', PAUSE_SECONDS, 'not taken')} where id = ${id} and status = 'queued'`
  const over = await tx`
    select from messages where id = ${id} and status = 'queued'
      and unclear_since <= business_now() - make_interval(hours => ${PATIENCE_HOURS})`
  if (over.length > 0) return endMessage(tx, id, 'fail')
  wake(tx, messageFlow, { ids: [id], why: 'asked', organizationId: null })
}

/** What the process of a mail finds: whether the mail server has it, and when it is tried again. */
export async function findMessageState(tx: Transaction, { id }: ProcessRef): Promise<Found<MessageStatus> | undefined> {
  const [row] = await tx<(AskRow & { status: MessageStatus })[]>`
    select m.status, ${askColumns(sql`m`)} from messages m where m.id = ${id}`
  if (!row) return undefined
  const state = askedState(messageFlow, row)
  const says = state.driven
    ? 'Waits for the mail server to take the mail; it is tried for 24 hours.'
    : `The mail is ${row.status}.`
  return { ...state, says, waits_for: 'Try the mail server again' }
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

type MailboxRow = Omit<Message, keyof MessageContent> & { sealed: Buffer }

const opened = ({ sealed, ...row }: MailboxRow): Message => ({ ...row, ...contentOf(sealed) })

// Sealed by sendMessage() alone.
const contentOf = (sealed: Buffer): MessageContent => JSON.parse(decrypt(sealed).toString()) as MessageContent

const isShown = async (id: string): Promise<boolean> =>
  (await sql`select from messages where id = ${id} and status = 'mailbox'`).length === 1
