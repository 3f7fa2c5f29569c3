import { flow } from '../flow.ts'

export const SUBSCRIPTION_STATUSES = ['active', 'expired'] as const
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]

export const subscriptionFlow = flow({
  noun: 'subscription',
  table: 'subscriptions',
  workflow: 'subscription',
  summary: () => 'Subscription to a plan',
  states: SUBSCRIPTION_STATUSES,
  driven: ['active'],
  events: {
    expire: { from: ['active'], to: 'expired', logs: 'expired' },
  },
})
