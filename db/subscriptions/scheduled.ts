/** What is scheduled for when a month is over: the end of a subscription, or another plan, until that is dropped. */
import { record } from '../events.ts'
import { requirePermissionLocked } from '../membership-lock.ts'
import type { Person } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import { subscriptionEvents } from '../../domain/subscriptions/events.ts'
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
  const payload = { effective_date: month.endsOn }
  await record(tx, subscriptionEvents.end_scheduled, { subjectId: id, cause: asking.cause, payload })
  wakeSubscription(tx, id, 'end_scheduled')
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
  await record(tx, subscriptionEvents.scheduled_change_cancelled, { subjectId: id, cause: asking.cause, payload })
  wakeSubscription(tx, id, 'scheduled_change_cancelled')
}

async function lockFor(tx: Tx, { person, cause }: Asking): Promise<Active | null | 'done'> {
  await requirePermissionLocked(tx, person, 'organization.update')
  const active = await lockActive(tx)
  const done = await tx`
    select from subscriptions s join events e on e.subject_id = s.id
    where s.organization_id = ${tx.organizationId} and e.cause = ${cause} limit 1`
  return done.length > 0 ? 'done' : active
}
