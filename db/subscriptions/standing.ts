/** What becomes of a subscription when an operator pauses, bans or deletes its organization. */
import type { Tx } from '../sql.ts'
import { expire, hold } from './renewal.ts'
import { lockActive, wakeSubscription } from './subscriptions.ts'

/** It ends with its organization, whatever is left of its month. */
export async function expireWithOrganization(tx: Tx): Promise<void> {
  const active = await lockActive(tx)
  if (active) await expire(tx, active.id, 'organization_deleted')
}

/**
 * Money moves again. A month that came due meanwhile, which nobody has looked at yet, is held; under a ban the
 * subscription is over, as it is if it was to end with its month.
 */
export async function moveAgain(tx: Tx, by: 'resume' | 'unban'): Promise<void> {
  const active = await lockActive(tx)
  if (!active?.isDue) return
  if (active.isEnding) return expire(tx, active.id, 'ended')
  await (by === 'unban' ? expire(tx, active.id, 'organization_banned') : hold(tx, active))
}

/** Its process looks whether the next month is due: money may move again. */
export async function wakeActive(tx: Tx, why: string): Promise<void> {
  const rows = await tx<{ id: Parameters<typeof wakeSubscription>[1] }[]>`
    select id from subscriptions where organization_id = ${tx.organizationId} and status = 'active'`
  for (const { id } of rows) wakeSubscription(tx, id, why)
}
