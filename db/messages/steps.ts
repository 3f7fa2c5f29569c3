/** What the run of a message has done to its row; the delivery itself is in activities/messages.ts. */
import type { MessageId } from '../../domain/ids.ts'
import { type Fragment, type Transaction, sql } from '../sql.ts'
import { type EndingFollower, endMessage } from './messages.ts'
import { isTriedInVain } from '../asking.ts'
import { isLate } from './view.ts'

type MessageStep = (tx: Transaction, id: MessageId) => Promise<void>

/** Makes the step that fails a queued message which came too late for what it says. */
export const dropLateMessage =
  (follow: EndingFollower): MessageStep =>
  async (tx, id) => {
    if (await lockQueued(tx, id, isLate())) await endMessage(tx, id, { event: 'fail', note: 'too late', follow })
  }

/** Makes the step that fails a queued message which was tried in vain for a day. */
export const giveUpMessage =
  (follow: EndingFollower): MessageStep =>
  async (tx, id) => {
    if (await lockQueued(tx, id, isTriedInVain(sql`m`))) await endMessage(tx, id, { event: 'fail', follow })
  }

/** Locks a message; false unless it is queued and the condition holds. */
async function lockQueued(tx: Transaction, id: MessageId, condition: Fragment): Promise<boolean> {
  const rows = await tx`
    select from messages m where m.id = ${id} and m.status = 'queued' and ${condition} for no key update`
  return rows.length > 0
}
