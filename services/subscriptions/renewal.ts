/** Charges and renewals of a subscription: each month is paid when it begins, tried three times over seven days. */
import {
  type OfferId,
  type SubscriptionChangeId,
  type SubscriptionId,
  type TransactionId,
  type UserId,
  newId,
} from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { type Money, compare, isZero } from '../../domain/money/money.ts'
import { subscriptionEvents, subscriptionMoves } from '../../domain/subscriptions/events.ts'
import { type Charge, type Month, type Operation, nextMonth } from '../../domain/subscriptions/selection.ts'
import { aboutOrganization } from '../../domain/messages/footers.ts'
import { quoteInMail } from '../../domain/text.ts'
import { record } from '../events.ts'
import { postToFeed } from '../ledger/feed.ts'
import { available, availableLocked, credit, debit, system } from '../ledger/ledger.ts'
import { managersWith } from '../messages/account-notices.ts'
import { sendMessage } from '../messages/messages.ts'
import { type Tx, sql, values } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import type { PricedOffer } from './offers.ts'
import { type Active, wakeSubscription } from './subscriptions.ts'

/** Days after the first try of each retry; the last one ends the subscription. */
const RETRY_DAYS = [3, 7] as const

/** Charges the next month of a due, locked subscription, or records the failed charge. */
export async function renew(tx: Tx, active: Active): Promise<void> {
  const { id, offer: before, scheduled } = active
  const offer = scheduled ?? before
  const has = await availableLocked(tx, offer.price.currency)
  if (compare(has, offer.price) < 0) return failRenewal(tx, active)
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

async function failRenewal(tx: Tx, active: Active): Promise<void> {
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
  await mailManagers(tx, { offer: name, required, again })
}

/** Mails all members who may select a plan; `again` is null after the last try. */
async function mailManagers(
  tx: Tx,
  { offer, required, again }: { readonly offer: string; readonly required: Money; readonly again: string | null },
): Promise<void> {
  const next = again
    ? 'It is tried again: add money to the account until then, or select another plan.'
    : 'It was the last time, and the subscription has ended. Select a plan to begin a new one.'
  for (const { email, organization } of await managersWith(tx, 'organization.update')) {
    await sendMessage(tx, {
      recipient: email,
      channel: 'email',
      mail: {
        subject: again ? 'A subscription could not be renewed' : 'A subscription has ended',
        paragraphs: [`A plan could not be renewed, because the money for it was not available. ${next}`],
        facts: [
          ['Organization', quoteInMail(organization)],
          ['Plan', quoteInMail(offer)],
          ['Price', `${required.amount} ${required.currency}`],
          ...(again ? [['Next try', minuteOf(again)] as const] : []),
        ],
        footer: aboutOrganization(organization),
      },
    })
  }
}

/** Holds the next month while the organization's money is stopped: it begins, and is tried again, afterwards. */
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

type ExpiryReason = 'ended' | 'renewal_failed' | 'organization_banned' | 'organization_deleted'

/** Ends a locked subscription, without a refund for its month. */
export const expire = (tx: Tx, id: SubscriptionId, reason: ExpiryReason, cause = `expiry:${id}`): Promise<void> =>
  transition(tx, subscriptionMoves, id, {
    events: ['expire'],
    cause,
    set: sql`expired_at = business_now(), attempt_at = null, scheduled_offer_id = null, is_ending = false, held_since = null`,
    payload: { reason },
  })

export type Change = {
  readonly id: SubscriptionChangeId
  readonly subscriptionId: SubscriptionId
  readonly operation: Operation | 'renewed'
  readonly offer: Pick<PricedOffer, 'id' | 'name'>
  readonly previousOfferId: OfferId | null
  readonly month: Month
  readonly effectiveOn: string
  readonly charge: Charge
  readonly amount: Money
  /** Null for a renewal. */
  readonly by: UserId | null
  readonly cause: string
}

/** Records a change and charges it at once. Throws `insufficient_funds` from the locked balance. */
export async function makeChange(tx: Tx, change: Change): Promise<void> {
  const { id, subscriptionId, operation, offer, month, amount, by } = change
  const transactionId = isZero(amount) ? null : newId<'transaction'>()
  if (transactionId) await charge(tx, transactionId, change)
  await tx`
    insert into subscription_changes ${values({
      id,
      organization_id: tx.organizationId,
      subscription_id: subscriptionId,
      operation,
      offer_id: offer.id,
      previous_offer_id: change.previousOfferId,
      month_starts_on: month.startsOn,
      month_ends_on: month.endsOn,
      effective_on: change.effectiveOn,
      charge: change.charge,
      amount: amount.amount,
      currency: amount.currency,
      transaction_id: transactionId,
      created_by: by,
    })}`
  await record(tx, subscriptionEvents[operation], {
    subjectId: subscriptionId,
    cause: change.cause,
    payload: {
      offer_id: offer.id,
      previous_offer_id: change.previousOfferId,
      effective_date: change.effectiveOn,
      month: { from: month.startsOn, until: month.endsOn },
      charged: amount,
      transaction_id: transactionId,
    },
  })
}

/** Charges a change once: the transfer key contains the change. */
async function charge(tx: Tx, id: TransactionId, { amount, offer, month, effectiveOn, by, ...change }: Change) {
  const transfer = {
    key: `subscription:${change.id}`,
    organizationId: tx.organizationId,
    legs: [debit(available(tx.organizationId), amount), credit(system('subscriptions'), amount)],
  }
  await postToFeed(tx, transfer, {
    id: sql`${id}::uuid`,
    type: 'subscription',
    description: `${offer.name}, ${effectiveOn} to ${month.endsOn}`,
    createdBy: by,
  })
}
