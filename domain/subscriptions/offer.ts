/** Offers: plans that organizations can subscribe to, at a price for a month. */
import * as v from 'valibot'
import { PageQuery, amountFilter, flag, instant } from '../pagination.ts'
import { model, line, maybe, nullableText, text, timestamp, uuid } from '../text.ts'

/** Attributes that describe an offer where it is sold, in the words of its operator. */
export const MARKETING_ATTRIBUTES = [
  'atm_withdrawals',
  'bank_transfers',
  'card_spend_rewards',
  'network_fees',
  'non_usd_transactions',
  'physical_card_fees',
  'stablecoin_deposit',
  'stablecoin_withdraw',
  'transfers_rewards',
  'usd_deposit',
  'usd_transactions',
  'usd_transfers',
  'virtual_cards',
] as const
export type MarketingAttribute = (typeof MARKETING_ATTRIBUTES)[number]

/** Offer in every answer: the contract's Subscription offer. */
export const Offer = model('SubscriptionOffer', {
  id: uuid,
  name: v.string(),
  display_name: nullableText,
  description: nullableText,
  amount: v.string(),
  currency: v.string(),
  active: v.boolean(),
  valid_from: v.nullable(timestamp),
  valid_to: v.nullable(timestamp),
  marketing_attributes: model('MarketingAttributes', {
    ...v.entriesFromList(MARKETING_ATTRIBUTES, nullableText),
    summary: v.array(v.string()),
  }),
})
export type Offer = v.InferOutput<typeof Offer>

export const OfferFilters = v.object({ ...PageQuery, active: v.optional(flag) })
export type OfferFilters = v.InferOutput<typeof OfferFilters>

const presentation = {
  display_name: maybe(line(1, 100)),
  description: maybe(text(1, 2000)),
  valid_from: maybe(instant),
  valid_to: maybe(instant),
  marketing_attributes: v.optional(
    v.strictObject({
      ...v.entriesFromList(MARKETING_ATTRIBUTES, v.optional(line(1, 255))),
      summary: v.optional(v.array(line(1, 255))),
    }),
  ),
}

/** New offer: JSON as in the contract's Subscription offer, with a price of zero or more. */
export const NewOffer = v.strictObject({
  name: line(1, 100),
  amount: amountFilter,
  currency: line(3, 16),
  ...presentation,
})
export type NewOffer = v.InferOutput<typeof NewOffer>

/** Changes of an offer's presentation and availability. An absent field stays, null empties. */
export const OfferChanges = v.strictObject(presentation)
export type OfferChanges = v.InferOutput<typeof OfferChanges>
