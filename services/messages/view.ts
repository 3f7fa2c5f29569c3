/** View of a message: what its run reads. */
import { isDriven } from '../../domain/flow.ts'
import { type MessageStatus, messageFlow } from '../../domain/messages/flow.ts'
import type { MessageId } from '../../domain/ids.ts'
import type { Channel } from '../../domain/messages/message.ts'
import { type AtRest, type ProcessRef, type Standing, sayState } from '../../domain/process.ts'
import { type AskRow, PATIENCE_HOURS, askColumns, isTriedInVain } from '../../db/processes/asking.ts'
import { type Fragment, type Rows, sql } from '../../db/postgres/sql.ts'

/** Builds the condition: a queued message `m` came too late for what it says. */
export const isLate = (m: Fragment): Fragment => sql`coalesce(${m}.useless_from <= business_now(), false)`

type Facts = {
  readonly channel: Channel
  /** It is of no use any more, and is not handed over. */
  readonly late: boolean
  readonly tried_in_vain: boolean
  /** It was not handed over yet, or is due to be tried again. */
  readonly try_due: boolean
}

export async function viewMessage(
  rows: Rows,
  { id }: ProcessRef<MessageId>,
): Promise<(Standing<MessageStatus> & Facts) | AtRest | undefined> {
  const [row] = await rows<Row>(sql`
    select m.status, m.channel, ${isLate(sql`m`)} as late, ${isTriedInVain(sql`m`)} as tried_in_vain, ${askColumns(sql`m`)}
    from messages m where m.id = ${id}`)
  if (!row) return undefined
  const { status, channel, late, tried_in_vain, due, ask_at: lookAt, ask_note: note } = row
  if (!isDriven(messageFlow, status)) return { at_rest: true, status, says: endingOf(status, note) }
  const says = `Waits for the ${TAKERS[channel]} to take the message; tries end after ${PATIENCE_HOURS} hours, those of a code when it expires.`
  const isDue = due || late || tried_in_vain
  return { at_rest: false, status, channel, late, tried_in_vain, try_due: due, step_due: isDue, look_at: lookAt, says }
}

type Row = AskRow & Omit<Facts, 'try_due'> & { readonly status: MessageStatus }

const TAKERS: Readonly<Record<Channel, string>> = { email: 'mail server', message: 'messenger' }

const ENDED: Readonly<Partial<Record<MessageStatus, string>>> = {
  sent: 'The message was taken.',
  failed: 'The message reached its recipient in no way.',
}

const endingOf = (status: MessageStatus, note: string | null): string =>
  `${ENDED[status] ?? sayState('message', status)}${status === 'failed' && note ? ` ${note}.` : ''}`
