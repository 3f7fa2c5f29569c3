/** Commands on a subscription: select a plan, end it, drop a scheduled change. */
import type { Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import { type OfferId, type SubscriptionChangeId, type SubscriptionId, newId } from '../../domain/ids.ts'
import { subscriptionEvents } from '../../domain/subscriptions/events.ts'
import { type Selection, selectionOf } from '../../domain/subscriptions/selection.ts'
import { record } from '../events.ts'
import { lockStanding, requireMovingMoney } from '../ledger/books.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'
import { findSelectable } from './offers.ts'
import { expire, makeChange } from './renewal.ts'
import { type Active, lockActive, today, wakeSubscription } from './subscriptions.ts'

/**
 * Selects an offer: writes subscription, charge, its row of the feed, and the change of this id. Replaces a scheduled
 * change. Throws `not_found`, `offer_not_available`, `ledger_unbalanced`, `organization_unavailable`, and
 * `insufficient_funds` from the locked balance.
 */
export async function selectPlan(tx: Tx, person: Person, id: SubscriptionChangeId, offerId: OfferId): Promise<void> {
  requireMovingMoney(await lockStanding(tx)) // also serializes selections
  const current = await lockActive(tx)
  const offer = await findSelectable(tx, offerId)
  const selected = selectionOf(current, offer, current?.today ?? (await readToday(tx)))
  const subscriptionId = current?.id ?? newId<'subscription'>()
  if (current) await updateSelected(tx, current, offerId, selected)
  else await insertSelected(tx, subscriptionId, person, offerId, selected)
  const { operation, month, effectiveOn, charge, amount } = selected
  await makeChange(tx, {
    id,
    subscriptionId,
    operation,
    offer,
    previousOfferId: current?.offer.id ?? null,
    month,
    effectiveOn,
    charge,
    amount,
    by: person.userId,
    cause: `selection:${id}`,
  })
  wakeSubscription(tx, subscriptionId, operation)
}

async function readToday(tx: Tx): Promise<string> {
  const [row] = await tx<{ today: string }[]>`select ${today()} as today`
  if (!row) throw new Error('a clock answers')
  return row.today
}

async function insertSelected(tx: Tx, id: SubscriptionId, person: Person, offerId: OfferId, selected: Selection) {
  const { month, anchorDay } = selected
  await tx`
    insert into subscriptions (id, organization_id, offer_id, anchor_day, month_starts_on, month_ends_on, created_by)
    values (${id}, ${tx.organizationId}, ${offerId}, ${anchorDay}, ${month.startsOn}, ${month.endsOn}, ${person.userId})`
}

/** Sets the offer, now or for later, in place of a scheduled change. A charged month is not tried again. */
async function updateSelected(tx: Tx, { id }: Active, offerId: OfferId, selected: Selection): Promise<void> {
  const { month, anchorDay, atOnce, charge } = selected
  const paid =
    charge === 'month' ? sql`, held_since = null, attempts = 0, failing_since = null, attempt_at = null` : sql``
  const offer = atOnce ? sql`offer_id = ${offerId}, scheduled_offer_id = null` : sql`scheduled_offer_id = ${offerId}`
  await tx`
    update subscriptions set ${offer}, is_ending = false, anchor_day = ${anchorDay}, month_starts_on = ${month.startsOn},
      month_ends_on = ${month.endsOn}, updated_at = business_now() ${paid}
    where id = ${id}`
}

/** Ends the subscription with its month, at once if that is over. Idempotent by cause. Throws `invalid_state`. */
export async function endSubscription(tx: Tx, cause: string): Promise<void> {
  const active = await lockActive(tx)
  if (await isDone(tx, cause)) return
  if (!active || active.isEnding) {
    refuse('invalid_state', { current: active ? 'ending' : 'none', allowed: active ? ['recommit'] : ['select'] })
  }
  const { id, today: day, month } = active
  if (day >= month.endsOn) return expire(tx, id, 'ended', cause)
  await tx`
    update subscriptions set is_ending = true, scheduled_offer_id = null, updated_at = business_now() where id = ${id}`
  const payload = { effective_date: month.endsOn }
  await record(tx, subscriptionEvents.end_scheduled, { subjectId: id, cause, payload })
  wakeSubscription(tx, id, 'end_scheduled')
}

/** Drops the scheduled change of plan, or the scheduled end. Idempotent by cause. Throws `nothing_scheduled`. */
export async function dropScheduled(tx: Tx, cause: string): Promise<void> {
  const active = await lockActive(tx)
  if (await isDone(tx, cause)) return
  if (!active || !(active.isEnding || active.scheduled)) refuse('nothing_scheduled')
  const { id, offer, scheduled } = active
  await tx`
    update subscriptions set is_ending = false, scheduled_offer_id = null, updated_at = business_now() where id = ${id}`
  const payload = { offer_id: offer.id, dropped_offer_id: scheduled?.id ?? null }
  await record(tx, subscriptionEvents.scheduled_change_cancelled, { subjectId: id, cause, payload })
  wakeSubscription(tx, id, 'scheduled_change_cancelled')
}

/** Tells if this request has changed a subscription before, even one that it ended. */
async function isDone(tx: Tx, cause: string): Promise<boolean> {
  const done = await tx`
    select from subscriptions s join events e on e.subject_id = s.id
    where s.organization_id = ${tx.organizationId} and e.cause = ${cause} limit 1`
  return done.length > 0
}
