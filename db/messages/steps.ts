/** What the run of a message has done to its row; the delivery itself is in activities/messages.ts. */
import type { MessageId } from '../../domain/ids.ts'
import type { Fragment, Transaction } from '../sql.ts'
import { endMessage } from './messages.ts'
import { isLate, isTriedInVain } from './view.ts'

/** Fails a queued message that came too late for what it says. */
export async function dropLateMessage(tx: Transaction, id: MessageId): Promise<void> {
  if (await lockQueued(tx, id, isLate())) await endMessage(tx, id, 'fail', 'too late')
}

/** Fails a queued message that was tried in vain for a day. */
export async function giveUpMessage(tx: Transaction, id: MessageId): Promise<void> {
  if (await lockQueued(tx, id, isTriedInVain())) await endMessage(tx, id, 'fail')
}

/** Locks a message; false unless it is queued and the condition holds. */
async function lockQueued(tx: Transaction, id: MessageId, condition: Fragment): Promise<boolean> {
  const rows = await tx`
    select from messages m where m.id = ${id} and m.status = 'queued' and ${condition} for no key update`
  return rows.length > 0
}
