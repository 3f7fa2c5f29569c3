/** Subscriptions of an organization, and the result of selecting a plan. */
import * as v from 'valibot'
import { SUBSCRIPTION_STATUSES } from './flow.ts'
import { id } from '../ids.ts'
import { model, timestamp, uuid, describe } from '../text.ts'
import { Offer } from './offer.ts'
import { OPERATIONS } from './selection.ts'

const date = v.pipe(v.string(), v.isoDate())

/** Subscription; with `scheduled_effective_date` and no `scheduled_offer` it ends on that day. */
export const Subscription = model('Subscription', {
  id: uuid,
  status: v.picklist(SUBSCRIPTION_STATUSES),
  offer: describe(Offer, 'Offer that was selected.'),
  commitment_ends_at: describe(v.nullable(timestamp), 'Instant until which the subscription cannot end.'),
  scheduled_offer: v.nullable(Offer),
  scheduled_effective_date: v.nullable(date),
  renewal_failing_since: describe(v.nullable(timestamp), 'Instant of the first failed charge of its next month.'),
  next_renewal_attempt_at: describe(v.nullable(timestamp), 'Instant of the next try to charge.'),
  inserted_at: timestamp,
  updated_at: timestamp,
})
export type Subscription = v.InferOutput<typeof Subscription>

/** Answer of GET …/subscription: the latest one; null before the first. */
export const LatestSubscription = model('LatestSubscription', { subscription: v.nullable(Subscription) })
export type LatestSubscription = v.InferOutput<typeof LatestSubscription>

export const PlanSelection = model('NewSubscription', { offer_id: id<'subscription_offer'>() })
export type PlanSelection = v.InferOutput<typeof PlanSelection>

export const SelectionResult = model('SubscriptionResult', {
  operation: describe(v.picklist(OPERATIONS), 'What was done.'),
  effective_date: describe(date, 'Day from which it holds.'),
  purchase: describe(
    model('SubscriptionPurchase', {
      id: describe(uuid, 'Id of the transaction, or of the selection if nothing was charged.'),
      status: v.picklist(['succeeded', 'none']),
    }),
    'Transaction that was charged.',
  ),
  scheduled_effective_date: v.nullable(date),
  scheduled_offer: v.nullable(Offer),
  subscription: Subscription,
})
export type SelectionResult = v.InferOutput<typeof SelectionResult>
