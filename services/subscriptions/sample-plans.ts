/** Sample plans of a test environment. In live, operators create offers. */
import type { OfferId } from '../../domain/ids.ts'
import type { NewOffer } from '../../domain/subscriptions/offer.ts'
import { insertOffer } from './offers.ts'

/** Plans by fixed ids, so that each is inserted once. */
const SAMPLE_PLANS: Readonly<Record<string, NewOffer>> = {
  '01900000-0000-7000-8000-000000000001': {
    name: 'starter',
    display_name: 'Starter',
    description: 'For those who begin: one account, and payments now and then.',
    amount: '19',
    currency: 'USD',
    marketing_attributes: {
      bank_transfers: '10 a month',
      usd_transfers: 'Free of charge',
      virtual_cards: '1',
      summary: ['Accounts in every currency', '10 bank transfers a month'],
    },
  },
  '01900000-0000-7000-8000-000000000002': {
    name: 'business',
    display_name: 'Business',
    description: 'For teams: batches, approvals in several steps, and an accounting integration.',
    amount: '49',
    currency: 'USD',
    marketing_attributes: {
      bank_transfers: '100 a month',
      usd_transfers: 'Free of charge',
      network_fees: 'At cost',
      virtual_cards: '10',
      summary: ['Everything in Starter', '100 bank transfers a month', 'Payment batches'],
    },
  },
  '01900000-0000-7000-8000-000000000003': {
    name: 'enterprise',
    display_name: 'Enterprise',
    description: 'For whole companies.',
    amount: '199',
    currency: 'USD',
    marketing_attributes: {
      bank_transfers: 'Without limit',
      usd_transfers: 'Free of charge',
      network_fees: 'At cost',
      physical_card_fees: 'Free of charge',
      virtual_cards: 'Without limit',
      summary: ['Everything in Business', 'Bank transfers without limit'],
    },
  },
}

/** Inserts the missing sample plans. */
export async function offerSamplePlans(): Promise<void> {
  // the ids of this table
  for (const [id, plan] of Object.entries(SAMPLE_PLANS)) await insertOffer(id as OfferId, plan)
}
