/** Steps of a subscription when a month is over. */
import type { SubscriptionId } from '../../domain/ids.ts'
import { type RenewalStep, renewalStepOf } from '../../domain/subscriptions/renewal.ts'
import { lockStanding } from '../ledger/books.ts'
import { lockMemberships } from '../locks.ts'
import type { Tx } from '../sql.ts'
import { expire, hold, renew } from './renewal.ts'
import { type Active, lockActive } from './subscriptions.ts'

/** Charges the next month from the balance, or notes a try in vain: the last one of them ends the subscription. */
export const chargeMonth = whenDue('charge', renew)

/** Holds the next month while no money of the organization moves. */
export const holdRenewal = whenDue('hold', hold)

/** Expires a subscription that was ended, or whose organization is banned. */
export const expireSubscription = whenDue('expiry', (tx, { id, isEnding }) =>
  expire(tx, id, isEnding ? 'ended' : 'organization_banned'),
)

/** Makes a step that acts if it is still due. Its locks keep pauses, stopped books and selections of a plan away. */
function whenDue(step: RenewalStep, act: (tx: Tx, active: Active) => Promise<void>) {
  return async (tx: Tx, id: SubscriptionId): Promise<void> => {
    await lockMemberships(tx, 'keep')
    const payer = await lockStanding(tx)
    const active = await lockActive(tx)
    if (active?.id !== id) return
    if (renewalStepOf({ ...active, isHeld: active.restartsOn !== null }, payer) === step) await act(tx, active)
  }
}
