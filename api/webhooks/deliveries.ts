/** Deliveries to a webhook endpoint: each with its tries, and what is delivered on demand. */
import * as v from 'valibot'
import type { ReplayId } from '../../domain/ids.ts'
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
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { operations } from '../http/operation.ts'
import { ENDPOINT_PATH } from './endpoints.ts'

const { command, query } = operations('Webhooks')

export const webhookDeliveries = [
  query(`${ENDPOINT_PATH}/deliveries`, 'listWebhookDeliveries')
    .says('List the deliveries of the last 30 days to an endpoint, newest first, with every try')
    .of('organization')
    .can('organization.update')
    .filters(v.object(DeliveryFilters.entries))
    .answers(DeliveryPage)
    .does(({ read, params, query }) => listDeliveries(read, params.webhook_endpoint_id, query)),
  query(`${ENDPOINT_PATH}/deliveries/{delivery_id}`, 'getWebhookDelivery')
    .says('Read a delivery, with every try and what was answered')
    .of('organization')
    .can('organization.update')
    .answers(Delivery)
    .does(({ read, params }) => findDelivery(read, params.webhook_endpoint_id, params.delivery_id)),
  command('post', `${ENDPOINT_PATH}/deliveries/{delivery_id}/replay`, 'replayWebhookDelivery')
    .says('Deliver an event once more; what still waits is tried at once, with what comes before it')
    .of('organization')
    .can('organization.update')
    .takes(v.object({}))
    .refuses(409)
    .answers(Delivery, 202)
    .handles(({ write, params }) =>
      repeating(() => write((tx) => redeliver(tx, params.webhook_endpoint_id, params.delivery_id), BRIEF_LOCKS)),
    ),
  command('post', `${ENDPOINT_PATH}/test`, 'testWebhookEndpoint')
    .says('Deliver an event of the type `webhook_endpoint.test`, which is in no log')
    .of('organization')
    .can('organization.update')
    .takes(v.object({}))
    .refuses(409)
    .answers(Delivery, 202)
    .handles(({ write, params }) =>
      repeating(() => write((tx) => deliverTest(tx, params.webhook_endpoint_id), BRIEF_LOCKS)),
    ),
  command('post', `${ENDPOINT_PATH}/replay`, 'replayWebhookEvents')
    .says(
      'Deliver the events of a time once more, in their order, beside what is new',
      'Only types that the endpoint takes. One replay of an endpoint goes on at a time.',
    )
    .of('organization')
    .can('organization.update')
    .takes(NewReplay)
    .refuses(409)
    .creates(
      Replay,
      ({ read, params, claim }) => findReplay(read, params.webhook_endpoint_id, claim.id as string as ReplayId),
      202,
    )
    .makes(({ write, person, claim, params, body }) =>
      repeating(() =>
        write((tx) => replayEvents(tx, person, claim, { ...body, id: params.webhook_endpoint_id }), BRIEF_LOCKS),
      ),
    ),
  query('/organizations/{organization_id}/webhook-endpoints/{webhook_endpoint_id}/replays', 'listWebhookReplays')
    .says('List the replays of an endpoint, newest first')
    .of('organization')
    .can('organization.update')
    .filters(v.object(PageQuery))
    .answers(ReplayPage)
    .does(({ read, params, query }) => listReplays(read, params.webhook_endpoint_id, query)),
]
