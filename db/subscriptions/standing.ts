/** What becomes of a subscription when an operator pauses, bans or deletes its organization. */
import type { Tx } from '../sql.ts'
import { expire } from './renewal.ts'
import { lockActive, wakeSubscription } from './subscriptions.ts'

/** It ends with its organization, whatever is left of its month. */
export async function expireWithOrganization(tx: Tx): Promise<void> {
  const active = await lockActive(tx)
  if (active) await expire(tx, active.id, 'organization_deleted')
}

/** Its process looks whether the next month is due: money may move again. */
export async function wakeActive(tx: Tx, why: string): Promise<void> {
  const rows = await tx<{ id: Parameters<typeof wakeSubscription>[1] }[]>`
    select id from subscriptions where organization_id = ${tx.organizationId} and status = 'active'`
  for (const { id } of rows) wakeSubscription(tx, id, why)
}
