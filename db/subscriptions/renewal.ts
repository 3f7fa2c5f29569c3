/** The next month of a subscription: paid from the balance when it begins, tried three times over seven days. */
import { record } from '../events.ts'
import { availableLocked } from '../ledger/ledger.ts'
import { type SubscriptionId, newId } from '../../domain/ids.ts'
import { compare } from '../../domain/money/money.ts'
import { subscriptionEvents, subscriptionMoves } from '../../domain/subscriptions/events.ts'
import { nextMonth } from '../../domain/subscriptions/selection.ts'
import { type Tx, sql } from '../sql.ts'
import { transition } from '../transition.ts'
import { makeChange } from './charges.ts'
import { notifyManagers } from './notices.ts'
import { type Active, wakeSubscription } from './subscriptions.ts'

/** When it is tried again, in days after the first time; the last try of them is the last of all. */
const RETRY_DAYS = [3, 7] as const

/** Pays the next month of a subscription that is due and locked, or notes that it could not be paid. */
export async function renew(tx: Tx, active: Active): Promise<void> {
  const { id, offer: before, scheduled } = active
  const offer = scheduled ?? before
  const has = await availableLocked(tx, offer.price.currency)
  if (compare(has, offer.price) < 0) return fail(tx, active)
  const { month, anchorDay } = nextMonth(active)
  await tx`
    update subscriptions set offer_id = ${offer.id}, scheduled_offer_id = null, anchor_day = ${anchorDay},
      month_starts_on = ${month.startsOn}, month_ends_on = ${month.endsOn}, held_since = null, attempts = 0,
      failing_since = null, attempt_at = null, updated_at = business_now()
    where id = ${id}`
  await makeChange(tx, {
    id: newId(),
    subscriptionId: id,
    operation: 'renewed',
    offer,
    previousOfferId: before.id,
    month,
    effectiveOn: month.startsOn,
    charge: 'month',
    amount: offer.price,
    by: null,
    cause: `month:${month.startsOn}`,
  })
  wakeSubscription(tx, id, 'renewed')
}

async function fail(tx: Tx, active: Active): Promise<void> {
  const { id, attempts, month, restartsOn, offer, scheduled } = active
  const { name, price: required } = scheduled ?? offer
  const days = RETRY_DAYS[attempts]
  const next =
    days === undefined
      ? sql``
      : sql`, attempt_at = coalesce(failing_since, business_now()) + make_interval(days => ${days})`
  const [row] = await tx<{ attempt_at: string }[]>`
    update subscriptions set attempts = attempts + 1, failing_since = coalesce(failing_since, business_now()),
      updated_at = business_now() ${next}
    where id = ${id} returning attempt_at`
  const again = days === undefined ? null : (row?.attempt_at ?? null)
  await record(tx, subscriptionEvents.renewal_failed, {
    subjectId: id,
    cause: `month:${restartsOn ?? month.endsOn}:${attempts + 1}`,
    payload: { reason: 'insufficient_funds', required, attempt: attempts + 1, next_attempt_at: again },
  })
  if (again === null) await expire(tx, id, 'renewal_failed')
  else wakeSubscription(tx, id, 'renewal_failed')
  await notifyManagers(tx, { offer: name, required, again })
}

/** Holds the next month while no money of the organization moves: it begins, and is tried again, when money does. */
export async function hold(tx: Tx, { id, restartsOn, attempts, month, today }: Active): Promise<void> {
  if (restartsOn && attempts === 0) return
  await tx`
    update subscriptions set held_since = business_now(), attempts = 0, failing_since = null, attempt_at = null,
      updated_at = business_now()
    where id = ${id}`
  await record(tx, subscriptionEvents.renewal_held, {
    subjectId: id,
    cause: `month:${month.endsOn}:held:${today}`, // a month may be held again, days later
  })
  wakeSubscription(tx, id, 'renewal_held')
}

export type ExpiryReason = 'ended' | 'renewal_failed' | 'organization_banned' | 'organization_deleted'

/** Ends a subscription that is locked; what is paid of its month is not given back. */
export const expire = (tx: Tx, id: SubscriptionId, reason: ExpiryReason, cause = `expiry:${id}`): Promise<void> =>
  transition(tx, subscriptionMoves, id, {
    events: ['expire'],
    cause,
    set: sql`expired_at = business_now(), attempt_at = null, scheduled_offer_id = null, is_ending = false, held_since = null`,
    payload: { reason },
  })
