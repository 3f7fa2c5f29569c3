/** Offers: plans that organizations can subscribe to, at a price for a month. */
import * as v from 'valibot'
import { PageQuery, amountFilter, flag, instant } from '../pagination.ts'
import { model, line, maybe, nullableText, text, timestamp, uuid, describe } from '../text.ts'

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
  amount: describe(v.string(), 'Price for a month: a decimal.'),
  currency: v.string(),
  active: describe(v.boolean(), 'True if the offer can be selected now.'),
  valid_from: describe(v.nullable(timestamp), 'Instant from which it can be selected.'),
  valid_to: describe(v.nullable(timestamp), 'Instant until which it can be selected.'),
  marketing_attributes: describe(
    model(
      'MarketingAttributes',
      {
        ...v.entriesFromList(MARKETING_ATTRIBUTES, nullableText),
        summary: describe(v.array(v.string()), 'Sentences about the plan.'),
      },
      {
        atm_withdrawals: 'Text about cash withdrawals.',
        bank_transfers: 'Text about bank transfers.',
        card_spend_rewards: 'Text about rewards of cards.',
        network_fees: 'Text about network fees.',
        non_usd_transactions: 'Text about transactions in other currencies than USD.',
        physical_card_fees: 'Text about fees of physical cards.',
        stablecoin_deposit: 'Text about deposits in stablecoins.',
        stablecoin_withdraw: 'Text about withdrawals in stablecoins.',
        transfers_rewards: 'Text about rewards of transfers.',
        usd_deposit: 'Text about deposits in USD.',
        usd_transactions: 'Text about transactions in USD.',
        usd_transfers: 'Text about transfers in USD.',
        virtual_cards: 'Text about virtual cards.',
      },
    ),
    'Texts about the plan.',
  ),
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
