/** What the service sends to people: written in the transaction of the deed, read by the sandbox mailbox. */
import type postgres from 'postgres'
import type { Message, MessageFilters, NewMessage } from './model/message.ts'
import type { Page } from './model/page.ts'
import { paged, refuseCursor } from './page.ts'
import { sql } from './sql.ts'

/** Sends a message if, and only if, the transaction commits. */
export async function sendMessage(tx: postgres.TransactionSql, message: NewMessage): Promise<void> {
  await tx`
    insert into messages (recipient, channel, subject, body, token, code, url)
    values (${message.recipient}, ${message.channel}, ${message.subject}, ${message.body}, ${message.token ?? null},
      ${message.code ?? null}, ${message.url ?? null})`
}

/** Messages, newest first, of one recipient or of all. An unknown cursor is refused. */
export async function listMessages({ to, limit, cursor }: MessageFilters): Promise<Page<Message>> {
  if (cursor && !(await messageExists(cursor))) refuseCursor()
  const after = cursor
    ? sql`and (m.sent_at, m.id) < ((select c.sent_at from messages c where c.id = ${cursor}), ${cursor}::uuid)`
    : sql``
  const rows = await sql<Message[]>`
    select m.id, m.recipient as "to", m.channel, m.subject, m.body as text, m.token, m.code, m.url, m.sent_at
    from messages m where true ${to === undefined ? sql`` : sql`and m.recipient = ${to}`} ${after}
    order by m.sent_at desc, m.id desc limit ${limit + 1}`
  return paged([...rows], limit)
}

const messageExists = async (id: string): Promise<boolean> =>
  (await sql`select from messages where id = ${id}`).length === 1
