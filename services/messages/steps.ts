/** Steps of the run of a message at its row; the delivery itself is in activities/messages.ts. */
import type { MessageId } from '../../domain/ids.ts'
import { isTriedInVain } from '../../db/processes/asking.ts'
import { type Fragment, type Transaction, sql } from '../../db/postgres/sql.ts'
import { type EndingFollower, endMessage } from './messages.ts'
import { isLate } from './view.ts'

/** Fails a queued message if the condition holds under its lock. */
const failIf =
  (condition: (m: Fragment) => Fragment, note?: string) =>
  (follow: EndingFollower) =>
  async (tx: Transaction, id: MessageId): Promise<void> => {
    const locked = await tx`
      select from messages m where m.id = ${id} and m.status = 'queued' and ${condition(sql`m`)} for no key update`
    if (locked.length === 0) return
    await endMessage(tx, id, { event: 'fail', ...(note !== undefined && { note }), follow })
  }

/** Fails a message which came too late for what it says. */
export const dropLateMessage = failIf(isLate, 'too late')

/** Fails a message which was tried in vain for a day. */
export const giveUpMessage = failIf(isTriedInVain)
