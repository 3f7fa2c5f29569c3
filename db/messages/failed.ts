/** Messages that reached nobody, for operators. */
import type { Channel } from '../../domain/messages/message.ts'
import { sql } from '../sql.ts'

/** Mails and messages to phones that have failed within the last day. */
export const countFailed = async (): Promise<{ channel: Channel; count: number }[]> => [
  ...(await sql<{ channel: Channel; count: number }[]>`
    select channel, count(*)::integer as count from messages
    where status = 'failed' and updated_at > business_now() - interval '1 day' group by channel`),
]

export type FailedMessage = {
  readonly id: string
  readonly channel: Channel
  readonly recipient: string
  readonly attempts: number
  readonly ask_note: string | null
  readonly failed_at: string
}

/** Messages that have failed and are still kept, newest first. */
export const listFailed = async (most: number): Promise<FailedMessage[]> => [
  ...(await sql<FailedMessage[]>`
    select id, channel, recipient, attempts, ask_note, updated_at as failed_at from messages
    where status = 'failed' order by updated_at desc limit ${most}`),
]
