/** Deliveries to a webhook endpoint: each with its tries, and what is delivered on demand. */
import * as v from 'valibot'
import { type ReplayId, id } from '../../domain/ids.ts'
import { PageQuery } from '../../domain/pagination.ts'
import {
  Delivery,
  DeliveryFilters,
  DeliveryPage,
  NewReplay,
  Replay,
  ReplayPage,
} from '../../domain/webhooks/delivery.ts'
import {
  deliverTest,
  findDelivery,
  findReplay,
  listDeliveries,
  listReplays,
  redeliver,
  replayEvents,
} from '../../db/webhooks/deliveries.ts'
import { inPath } from '../http/in-path.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { route } from '../http/route.ts'
import { ENDPOINT_PATH, ofEndpoint } from './endpoints.ts'

const ofDelivery = {
  ...ofEndpoint,
  ...inPath('organization', {
    webhook_endpoint_id: id<'webhook_endpoint'>(),
    delivery_id: id<'webhook_delivery'>(),
  }),
} as const

export const webhookDeliveries = [
  route({
    ...ofEndpoint,
    method: 'get',
    path: `${ENDPOINT_PATH}/deliveries`,
    operationId: 'listWebhookDeliveries',
    summary: 'List the deliveries of the last 30 days to an endpoint, newest first, with every try',
    query: v.object(DeliveryFilters.entries),
    returns: DeliveryPage,
    handle: ({ read, params, query }) => listDeliveries(read, params.webhook_endpoint_id, query),
  }),
  route({
    ...ofDelivery,
    method: 'get',
    path: `${ENDPOINT_PATH}/deliveries/{delivery_id}`,
    operationId: 'getWebhookDelivery',
    summary: 'Read a delivery, with every try and what was answered',
    returns: Delivery,
    handle: ({ read, params }) => findDelivery(read, params.webhook_endpoint_id, params.delivery_id),
  }),
  route({
    ...ofDelivery,
    method: 'post',
    path: `${ENDPOINT_PATH}/deliveries/{delivery_id}/replay`,
    operationId: 'replayWebhookDelivery',
    summary: 'Deliver an event once more; what still waits is tried at once, with what comes before it',
    status: 202,
    refuses: [409],
    body: v.object({}),
    returns: Delivery,
    handle: ({ write, params }) =>
      repeating(() => write((tx) => redeliver(tx, params.webhook_endpoint_id, params.delivery_id), BRIEF_LOCKS)),
  }),
  route({
    ...ofEndpoint,
    method: 'post',
    path: `${ENDPOINT_PATH}/test`,
    operationId: 'testWebhookEndpoint',
    summary: 'Deliver an event of the type `webhook_endpoint.test`, which is in no log',
    status: 202,
    refuses: [409],
    body: v.object({}),
    returns: Delivery,
    handle: ({ write, params }) =>
      repeating(() => write((tx) => deliverTest(tx, params.webhook_endpoint_id), BRIEF_LOCKS)),
  }),
  route({
    ...ofEndpoint,
    method: 'post',
    path: `${ENDPOINT_PATH}/replay`,
    operationId: 'replayWebhookEvents',
    summary: 'Deliver the events of a time once more, in their order, beside what is new',
    note: 'Only types that the endpoint takes. One replay of an endpoint goes on at a time.',
    status: 202,
    refuses: [409],
    body: NewReplay,
    returns: Replay,
    create: ({ write, person, claim, params, body }) =>
      repeating(() =>
        write((tx) => replayEvents(tx, person, claim, { ...body, id: params.webhook_endpoint_id }), BRIEF_LOCKS),
      ),
    // a claim's id is the id of the row that it makes
    replay: ({ read, params, claim }) => findReplay(read, params.webhook_endpoint_id, claim.id as string as ReplayId),
  }),
  route({
    ...ofEndpoint,
    method: 'get',
    path: `${ENDPOINT_PATH}/replays`,
    operationId: 'listWebhookReplays',
    summary: 'List the replays of an endpoint, newest first',
    query: v.object(PageQuery),
    returns: ReplayPage,
    handle: ({ read, params, query }) => listReplays(read, params.webhook_endpoint_id, query),
  }),
]
