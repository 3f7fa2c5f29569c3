/** Steps of a subscription at the end of a month, or after its organization was stopped. */
import type { SubscriptionId } from '../../domain/ids.ts'
import { type RenewalStep, renewalStepOf } from '../../domain/subscriptions/renewal.ts'
import { lockStanding } from '../ledger/books.ts'
import { lockMemberships } from '../../db/postgres/locks.ts'
import type { Tx } from '../../db/postgres/sql.ts'
import { expire, hold, renew } from './renewal.ts'
import { type Active, lockActive, wakeSubscription } from './subscriptions.ts'

/** Charges the next month from the balance, or records a failure; the last one ends the subscription. */
export const chargeMonth = whenDue('charge', renew)

export const holdRenewal = whenDue('hold', hold)

/** Expires a subscription that was ended, or whose organization is banned. */
export const expireSubscription = whenDue('expiry', (tx, { id, isEnding }) =>
  expire(tx, id, isEnding ? 'ended' : 'organization_banned'),
)

/**
 * Makes a step that acts if it is still due. Its locks exclude pauses, freezes of the books and selections of a plan.
 */
function whenDue(step: RenewalStep, act: (tx: Tx, active: Active) => Promise<void>) {
  return async (tx: Tx, id: SubscriptionId): Promise<void> => {
    await lockMemberships(tx, 'keep')
    const payer = await lockStanding(tx)
    const active = await lockActive(tx)
    if (active?.id !== id) return
    if (renewalStepOf({ ...active, isHeld: active.restartsOn !== null }, payer) === step) await act(tx, active)
  }
}

export async function expireWithOrganization(tx: Tx): Promise<void> {
  const active = await lockActive(tx)
  if (active) await expire(tx, active.id, 'organization_deleted')
}

/** Holds a month that came due while money was stopped; after a ban, or at its end, expires the subscription. */
export async function moveAgain(tx: Tx, by: 'resume' | 'unban'): Promise<void> {
  const active = await lockActive(tx)
  if (!active?.isDue) return
  if (active.isEnding) return expire(tx, active.id, 'ended')
  await (by === 'unban' ? expire(tx, active.id, 'organization_banned') : hold(tx, active))
}

/** Wakes the run of the active subscription: money may move again. */
export async function wakeActive(tx: Tx, why: string): Promise<void> {
  const rows = await tx<{ id: SubscriptionId }[]>`
    select id from subscriptions where organization_id = ${tx.organizationId} and status = 'active'`
  for (const { id } of rows) wakeSubscription(tx, id, why)
}
