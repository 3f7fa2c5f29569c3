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
import { inPath } from '../http/in-path.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { type Context, route } from '../http/route.ts'

const PATH = '/organizations/{organization_id}/subscription'
const shared = { tag: 'Subscriptions', ...inPath('organization') } as const

export const subscriptions = [
  route({
    ...shared,
    method: 'get',
    path: `${PATH}/offers`,
    operationId: 'listSubscriptionOffers',
    summary: 'List the plans that are offered, from the cheapest on',
    can: 'organization.view_subscription_offers',
    query: OfferFilters,
    returns: pageOf(Offer),
    handle: ({ read, query }) => listOffers(read, query),
  }),
  route({
    ...shared,
    method: 'get',
    path: PATH,
    operationId: 'getSubscription',
    summary: 'Read the subscription that is active, or the last one that was',
    can: 'organization.read',
    returns: LatestSubscription,
    handle: async ({ read }) => ({ subscription: await findLatest(read) }),
  }),
  route({
    ...shared,
    method: 'post',
    path: `${PATH}/select-plan`,
    operationId: 'selectSubscriptionPlan',
    summary:
      'Select a plan: at once if there is none, or a dearer one; if not, for when the month that is paid is over',
    note: 'A dearer plan costs the difference for the days that are left of the month. A plan that is selected later replaces one that was scheduled.',
    can: 'organization.update',
    movesMoney: true,
    stepUp: { mode: 'window' },
    body: PlanSelection,
    returns: SelectionResult,
    create: ({ write, person, claim, body }) =>
      repeating(() => write((tx) => selectPlan(tx, person, claim, body.offer_id), BRIEF_LOCKS)),
    // a claim's id is the id of the row that it makes
    replay: ({ read, claim }) => findSelection(read, claim.id as string as SubscriptionChangeId),
  }),
  route({
    ...shared,
    method: 'delete',
    path: `${PATH}/scheduled-change`,
    operationId: 'cancelScheduledSubscriptionChange',
    summary: 'Keep the plan as it is: a change of it, or its end, is not scheduled any more',
    can: 'organization.update',
    refuses: [409],
    returns: LatestSubscription,
    handle: (context) => changed(context, dropScheduled),
  }),
  route({
    ...shared,
    method: 'delete',
    path: PATH,
    operationId: 'endSubscription',
    summary: 'End the subscription when the month that is paid is over; select its plan again to keep it',
    can: 'organization.update',
    refuses: [409],
    returns: LatestSubscription,
    handle: (context) => changed(context, endSubscription),
  }),
  route({
    ...shared,
    method: 'get',
    path: `${PATH}/events`,
    operationId: 'listSubscriptionEvents',
    summary: 'Read what happened to the subscription that is active, or the last one that was, oldest first',
    can: 'organization.read',
    query: v.object(PageQuery),
    returns: HistoryPage,
    handle: async ({ read, query }) => {
      const subscription = await findLatest(read)
      if (subscription) return historyOf(read, subscription.id, query)
      return query.cursor ? refuseCursor() : onePage([])
    },
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
