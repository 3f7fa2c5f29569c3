/** What is scheduled for when a month is over: the end of a subscription, or another plan, until that is dropped. */
import { record } from '../events.ts'
import { requirePermissionLocked } from '../membership-lock.ts'
import type { Person } from '../model/actor.ts'
import { refuse } from '../model/errors.ts'
import type { SubscriptionId } from '../model/ids.ts'
import type { Tx } from '../sql.ts'
import { expire } from './renewal.ts'
import { type Active, lockActive, wakeSubscription } from './subscriptions.ts'

/** Who asks; `cause` is their request, once, by which a repeat finds what was committed. */
export type Asking = { readonly person: Person; readonly cause: string }

/**
 * The subscription ends with its month, and is paid no more; at once if that is over. A change that was scheduled is
 * dropped. Refuses `not_found`, `forbidden`, and `invalid_state` unless one is active and renews itself.
 */
export async function endSubscription(tx: Tx, asking: Asking): Promise<void> {
  const active = await lockFor(tx, asking)
  if (active === 'done') return
  if (!active || active.isEnding) {
    refuse('invalid_state', { current: active ? 'ending' : 'none', allowed: active ? ['recommit'] : ['select'] })
  }
  const { id, today, month } = active
  if (today >= month.endsOn) return expire(tx, id, 'ended', asking.cause)
  await tx`
    update subscriptions set is_ending = true, scheduled_offer_id = null, updated_at = business_now() where id = ${id}`
  await note(tx, id, { type: 'subscription.end_scheduled', ...asking, payload: { effective_date: month.endsOn } })
}

/**
 * Drops the change of plan, or the end, that is scheduled: the plan stays as it is. Refuses `not_found`, `forbidden`,
 * and `nothing_scheduled`.
 */
export async function dropScheduled(tx: Tx, asking: Asking): Promise<void> {
  const active = await lockFor(tx, asking)
  if (active === 'done') return
  if (!active || !(active.isEnding || active.scheduled)) refuse('nothing_scheduled')
  const { id, offer, scheduled } = active
  await tx`
    update subscriptions set is_ending = false, scheduled_offer_id = null, updated_at = business_now() where id = ${id}`
  const payload = { offer_id: offer.id, dropped_offer_id: scheduled?.id ?? null }
  await note(tx, id, { type: 'subscription.scheduled_change_cancelled', ...asking, payload })
}

async function lockFor(tx: Tx, { person, cause }: Asking): Promise<Active | null | 'done'> {
  await requirePermissionLocked(tx, person, 'organization.update')
  const active = await lockActive(tx)
  const done = await tx`
    select from subscriptions s join events e on e.subject_id = s.id
    where s.organization_id = ${tx.organizationId} and e.cause = ${cause} limit 1`
  return done.length > 0 ? 'done' : active
}

type Noted = { readonly type: string; readonly cause: string; readonly payload: Record<string, unknown> }

async function note(tx: Tx, id: SubscriptionId, { type, cause, payload }: Noted): Promise<void> {
  await record(tx, { stream: 'subscriptions', subjectId: id, type, cause, payload })
  wakeSubscription(tx, id, type.replace('subscription.', ''))
}
