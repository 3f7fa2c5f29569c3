/** What a subscription costs: one transfer to the service, its row of the feed, and the change that it pays. */
import { record } from '../events.ts'
import { postToFeed } from '../ledger/feed.ts'
import { available, credit, debit, system } from '../ledger/ledger.ts'
import {
  type OfferId,
  type SubscriptionChangeId,
  type SubscriptionId,
  type TransactionId,
  type UserId,
  newId,
} from '../../domain/ids.ts'
import { type Money, isZero } from '../../domain/money/money.ts'
import { subscriptionEvents } from '../../domain/subscriptions/events.ts'
import type { Month } from '../../domain/subscriptions/month.ts'
import type { Charge, Operation } from '../../domain/subscriptions/selection.ts'
import { type Tx, sql } from '../sql.ts'

export type Change = {
  readonly id: SubscriptionChangeId
  readonly subscriptionId: SubscriptionId
  readonly operation: Operation | 'renewed'
  readonly offer: { readonly id: OfferId; readonly name: string }
  readonly previousOfferId: OfferId | null
  readonly month: Month
  readonly effectiveOn: string
  readonly charge: Charge
  readonly amount: Money
  /** Null: time. */
  readonly by: UserId | null
  /** What asked for it. */
  readonly cause: string
}

/**
 * Keeps a change and charges what it costs, at once; the subscription itself has been written before. Refuses
 * `insufficient_funds` from the locked balance.
 */
export async function makeChange(tx: Tx, change: Change): Promise<void> {
  const { id, subscriptionId, operation, offer, month, amount, by } = change
  const transactionId = isZero(amount) ? null : newId<'transaction'>()
  if (transactionId) await charge(tx, transactionId, change)
  await tx`
    insert into subscription_changes (id, organization_id, subscription_id, operation, offer_id, previous_offer_id,
      month_starts_on, month_ends_on, effective_on, charge, amount, currency, transaction_id, created_by)
    values (${id}, ${tx.organizationId}, ${subscriptionId}, ${operation}, ${offer.id}, ${change.previousOfferId},
      ${month.startsOn}, ${month.endsOn}, ${change.effectiveOn}, ${change.charge}, ${amount.amount}, ${amount.currency},
      ${transactionId}, ${by})`
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

/** The key is of the change: it is charged once, whoever comes again. */
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
