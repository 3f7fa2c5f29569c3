/** Subscription of an organization: its plan, selected by a person and paid from its balance. */
import * as v from 'valibot'
import { historyOf } from '../../services/events.ts'
import { refuseCursor } from '../../domain/pagination.ts'
import { dropScheduled, endSubscription, selectPlan } from '../../services/subscriptions/commands.ts'
import { listOffers } from '../../services/subscriptions/offers.ts'
import { findLatest, findSelection } from '../../services/subscriptions/subscriptions.ts'
import { HistoryPage } from '../../domain/event.ts'
import { PageQuery, onePage, pageOf } from '../../domain/pagination.ts'
import { Offer, OfferFilters } from '../../domain/subscriptions/offer.ts'
import { LatestSubscription, PlanSelection, SelectionResult } from '../../domain/subscriptions/subscription.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Subscriptions')

const SUBSCRIPTION = '/organizations/{organization_id}/subscription'

export const subscriptions = [
  query(`${SUBSCRIPTION}/offers`, 'listSubscriptionOffers')
    .says('List the plans that are offered, from the cheapest on')
    .of('organization')
    .delegates('read')
    .can('organization.view_subscription_offers')
    .filters(OfferFilters)
    .answers(pageOf(Offer))
    .does(({ read, query }) => listOffers(read, query)),
  query(SUBSCRIPTION, 'getSubscription')
    .says('Read the active subscription, or the last one')
    .of('organization')
    .delegates('read')
    .can('organization.read')
    .answers(LatestSubscription)
    .does(async ({ read }) => ({ subscription: await findLatest(read) })),
  command('post', `${SUBSCRIPTION}/select-plan`, 'selectSubscriptionPlan')
    .says(
      'Select a plan',
      'The first plan, and an upgrade, take effect at once; any other at the end of the paid month. A dearer plan ' +
        'costs the difference for the days that are left of the month. A plan that is selected later replaces one ' +
        'that was scheduled.',
    )
    .of('organization')
    .can('organization.update')
    .movesMoney()
    .takes(PlanSelection)
    .refuses('offer_not_available', 'ledger_unbalanced', 'insufficient_funds')
    .creates(SelectionResult, ({ read, claim }) => findSelection(read, claim.id), 200)
    .proved('window')
    .does(({ tx, person, claim, body }) => selectPlan(tx, person, claim.id, body.offer_id)),
  command('delete', `${SUBSCRIPTION}/scheduled-change`, 'cancelScheduledSubscriptionChange')
    .says(
      'Withdraw a scheduled change of the plan',
      'The plan stays; neither a change nor an end is scheduled any more.',
    )
    .of('organization')
    .can('organization.update')
    .refuses('nothing_scheduled')
    .answers(LatestSubscription)
    .does(async ({ tx, read, claim }) => {
      await dropScheduled(tx, `request:${claim.id}`)
      return { subscription: await findLatest(read) }
    }),
  command('delete', SUBSCRIPTION, 'endSubscription')
    .says('End the subscription at the end of its paid month', 'Select its plan again to keep it.')
    .of('organization')
    .can('organization.update')
    .refuses('invalid_state')
    .answers(LatestSubscription)
    .does(async ({ tx, read, claim }) => {
      await endSubscription(tx, `request:${claim.id}`)
      return { subscription: await findLatest(read) }
    }),
  query(`${SUBSCRIPTION}/events`, 'listSubscriptionEvents')
    .says('List the events of the subscription, oldest first', 'Of the active one, or of the last one.')
    .of('organization')
    .delegates('read')
    .can('organization.read')
    .filters(v.object(PageQuery))
    .answers(HistoryPage)
    .does(async ({ read, query }) => {
      const subscription = await findLatest(read)
      if (subscription) return historyOf(read, subscription.id, query)
      return query.cursor ? refuseCursor() : onePage([])
    }),
]
