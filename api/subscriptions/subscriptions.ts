/** Subscriptions: the plan of an organization, selected by a person and paid from its balance. */
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { historyOf } from '../../db/events.ts'
import { HistoryPage } from '../../domain/event.ts'
import type { SubscriptionChangeId } from '../../domain/ids.ts'
import { PageQuery, onePage, pageOf } from '../../domain/pagination.ts'
import { refuseCursor } from '../../db/pagination.ts'
import { Offer, OfferFilters } from '../../domain/subscriptions/offer.ts'
import { LatestSubscription, PlanSelection, SelectionResult } from '../../domain/subscriptions/subscription.ts'
import type { Tx } from '../../db/sql.ts'
import { listOffers } from '../../db/subscriptions/offers.ts'
import { type Asking, dropScheduled, endSubscription } from '../../db/subscriptions/scheduled.ts'
import { selectPlan } from '../../db/subscriptions/selection.ts'
import { findLatest, findSelection } from '../../db/subscriptions/subscriptions.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { operations } from '../http/operation.ts'
import { type Context } from '../http/route.ts'

const { command, query } = operations('Subscriptions')

const PATH = '/organizations/{organization_id}/subscription'
export const subscriptions = [
  query('/organizations/{organization_id}/subscription/offers', 'listSubscriptionOffers')
    .says('List the plans that are offered, from the cheapest on')
    .of('organization')
    .can('organization.view_subscription_offers')
    .filters(OfferFilters)
    .answers(pageOf(Offer))
    .does(({ read, query }) => listOffers(read, query)),
  query('/organizations/{organization_id}/subscription', 'getSubscription')
    .says('Read the subscription that is active, or the last one that was')
    .of('organization')
    .can('organization.read')
    .answers(LatestSubscription)
    .does(async ({ read }) => ({ subscription: await findLatest(read) })),
  command('post', '/organizations/{organization_id}/subscription/select-plan', 'selectSubscriptionPlan')
    .says(
      'Select a plan: at once if there is none, or a dearer one; if not, for when the month that is paid is over',
      'A dearer plan costs the difference for the days that are left of the month. A plan that is selected later replaces one that was scheduled.',
    )
    .of('organization')
    .can('organization.update')
    .movesMoney()
    .takes(PlanSelection)
    .creates(SelectionResult, ({ read, claim }) => findSelection(read, claim.id as string as SubscriptionChangeId), 200)
    .proved('window')
    .makes(({ write, person, claim, body }) =>
      repeating(() => write((tx) => selectPlan(tx, person, claim, body.offer_id), BRIEF_LOCKS)),
    ),
  command('delete', `${PATH}/scheduled-change`, 'cancelScheduledSubscriptionChange')
    .says('Keep the plan as it is: a change of it, or its end, is not scheduled any more')
    .of('organization')
    .can('organization.update')
    .refuses(409)
    .answers(LatestSubscription)
    .handles((context) => changed(context, dropScheduled)),
  command('delete', '/organizations/{organization_id}/subscription', 'endSubscription')
    .says('End the subscription when the month that is paid is over; select its plan again to keep it')
    .of('organization')
    .can('organization.update')
    .refuses(409)
    .answers(LatestSubscription)
    .handles((context) => changed(context, endSubscription)),
  query('/organizations/{organization_id}/subscription/events', 'listSubscriptionEvents')
    .says('Read what happened to the subscription that is active, or the last one that was, oldest first')
    .of('organization')
    .can('organization.read')
    .filters(v.object(PageQuery))
    .answers(HistoryPage)
    .does(async ({ read, query }) => {
      const subscription = await findLatest(read)
      if (subscription) return historyOf(read, subscription.id, query)
      return query.cursor ? refuseCursor() : onePage([])
    }),
]

async function changed(
  { read, write, person }: Context<'read' | 'write' | 'person'>,
  change: (tx: Tx, asking: Asking) => Promise<void>,
): Promise<LatestSubscription> {
  const asking = { person, cause: `request:${randomUUID()}` }
  await repeating(() => write((tx) => change(tx, asking), BRIEF_LOCKS))
  return { subscription: await findLatest(read) }
}
