/** Subscriptions of an organization, and the result of selecting a plan. */
import * as v from 'valibot'
import { SUBSCRIPTION_STATUSES } from '../flows/subscription.ts'
import { id } from '../ids.ts'
import { timestamp, uuid } from '../text.ts'
import { Offer } from './offer.ts'
import { OPERATIONS } from './selection.ts'

const date = v.pipe(v.string(), v.isoDate())

/** One that has a `scheduled_effective_date` and no `scheduled_offer` ends on that day. */
export const Subscription = v.object({
  id: uuid,
  status: v.picklist(SUBSCRIPTION_STATUSES),
  offer: Offer,
  commitment_ends_at: v.nullable(timestamp),
  scheduled_offer: v.nullable(Offer),
  scheduled_effective_date: v.nullable(date),
  /** Since when its next month could not be paid, and when that is tried again. */
  renewal_failing_since: v.nullable(timestamp),
  next_renewal_attempt_at: v.nullable(timestamp),
  inserted_at: timestamp,
  updated_at: timestamp,
})
export type Subscription = v.InferOutput<typeof Subscription>

/** Answer of GET …/subscription: the latest one; null if there never was one. */
export const LatestSubscription = v.object({ subscription: v.nullable(Subscription) })
export type LatestSubscription = v.InferOutput<typeof LatestSubscription>

/** Body of POST …/subscription/select-plan. */
export const PlanSelection = v.object({ offer_id: id<'subscription_offer'>() })
export type PlanSelection = v.InferOutput<typeof PlanSelection>

/** The contract's Subscription plan selection result. */
export const SelectionResult = v.object({
  operation: v.picklist(OPERATIONS),
  effective_date: date,
  /** The transaction that was charged, or the selection if nothing was. */
  purchase: v.object({ id: uuid, status: v.picklist(['succeeded', 'none']) }),
  scheduled_effective_date: v.nullable(date),
  scheduled_offer: v.nullable(Offer),
  subscription: Subscription,
})
export type SelectionResult = v.InferOutput<typeof SelectionResult>
