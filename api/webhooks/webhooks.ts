/** Webhook endpoints, and their deliveries with each try. */
import * as v from 'valibot'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  deliverTest,
  disableEndpoint,
  enableEndpoint,
  redeliver,
  replayEvents,
  rotateSecret,
} from '../../services/webhooks/commands.ts'
import {
  findDelivery,
  findEndpoint,
  findReplay,
  listDeliveries,
  listEndpoints,
  listReplays,
} from '../../services/webhooks/endpoints.ts'
import { checkWebhookUrl } from '../../platform/network/resolution.ts'
import type { Membership } from '../../domain/organizations/member.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { onOneLine } from '../../domain/text.ts'
import { Delivery, DeliveryFilters, NewReplay, Replay } from '../../domain/webhooks/delivery.ts'
import { Endpoint, EndpointChanges, EndpointWithSecret, NewEndpoint } from '../../domain/registries/webhook-endpoint.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Webhooks')

const ENDPOINTS = '/organizations/{organization_id}/webhook-endpoints'
const ENDPOINT = `${ENDPOINTS}/{webhook_endpoint_id}`

/** Binds the step-up to the address, which an attacker with a stolen session could choose. */
const bindAddress = async ({ organizationId }: Membership, url: string | undefined) => ({
  target: `organization:${organizationId}`,
  ...(url !== undefined && { summary: `Send the events of the organization to ${onOneLine(url)}` }),
})

export const webhooks = [
  command('post', ENDPOINTS, 'createWebhookEndpoint')
    .says(
      'Create a webhook endpoint',
      'Events are delivered to its address from now on. Without `types` it gets all of them. The `secret` ' +
        'verifies the signature of what is delivered. The answer alone ' +
        'holds it, and a repeat makes another endpoint.',
    )
    .of('organization')
    .can('organization.update')
    .takes(NewEndpoint)
    .refuses('invalid_webhook_url', 'webhook_endpoint_limit_reached')
    .answers(EndpointWithSecret, 201)
    .proved('window', ({ org, body }) => bindAddress(org, body.url))
    .prepares(async ({ body }) => ({ url: await checkWebhookUrl(body.url) }))
    .does(({ tx, person, body, url }) => createEndpoint(tx, person, { ...body, url })),
  query(ENDPOINTS, 'listWebhookEndpoints')
    .says('List webhook endpoints, newest first')
    .of('organization')
    .can('organization.update')
    .filters(v.object(PageQuery))
    .answers(pageOf(Endpoint))
    .does(({ read, query }) => listEndpoints(read, query)),
  query(ENDPOINT, 'getWebhookEndpoint')
    .says('Read a webhook endpoint', 'With the state of its deliveries.')
    .of('organization')
    .can('organization.update')
    .answers(Endpoint)
    .does(({ read, params }) => findEndpoint(read, params.webhook_endpoint_id)),
  command('patch', ENDPOINT, 'updateWebhookEndpoint')
    .says(
      'Change a webhook endpoint',
      'Its address, types or description. What waits goes to the new address at once. A new type is for what ' +
        'happens from then on; what waits of a type that is taken out is not sent, and `failed`.',
    )
    .of('organization')
    .can('organization.update')
    .takes(EndpointChanges)
    .refuses('invalid_webhook_url')
    .answers(Endpoint)
    .proved('window', ({ org, body }) => bindAddress(org, body.url))
    .prepares(async ({ body: { url } }) => ({
      checked: url === undefined ? {} : { url: await checkWebhookUrl(url) },
    }))
    .does(({ tx, params, body, checked }) => changeEndpoint(tx, params.webhook_endpoint_id, { ...body, ...checked })),
  command('delete', ENDPOINT, 'deleteWebhookEndpoint')
    .says('Delete a webhook endpoint', 'Deliveries under way are completed; nothing else is delivered.')
    .of('organization')
    .can('organization.update')
    .deletes()
    .proved('window')
    .does(({ tx, params }) => deleteEndpoint(tx, params.webhook_endpoint_id)),
  command('post', `${ENDPOINT}/rotate-secret`, 'rotateWebhookSecret')
    .says(
      'Rotate the secret of a webhook endpoint',
      'The previous secret also signs for another 24 hours. The answer alone holds the secret, and a repeat makes ' +
        'another one: two within a day end the first at once.',
    )
    .of('organization')
    .can('organization.update')
    .takes(v.object({}))
    .answers(EndpointWithSecret)
    .proved('window')
    .does(({ tx, params }) => rotateSecret(tx, params.webhook_endpoint_id)),
  command('post', `${ENDPOINT}/enable`, 'enableWebhookEndpoint')
    .says('Enable a disabled webhook endpoint', 'Delivery continues where it stopped; nothing is left out.')
    .of('organization')
    .can('organization.update')
    .takes(v.object({}))
    .answers(Endpoint)
    .proved('window')
    .does(({ tx, params }) => enableEndpoint(tx, params.webhook_endpoint_id)),
  command('post', `${ENDPOINT}/disable`, 'disableWebhookEndpoint')
    .says('Disable a webhook endpoint', 'Events wait until it is enabled.')
    .of('organization')
    .stops()
    .can('organization.update')
    .takes(v.object({}))
    .answers(Endpoint)
    .does(({ tx, params }) => disableEndpoint(tx, params.webhook_endpoint_id)),
  query(`${ENDPOINT}/deliveries`, 'listWebhookDeliveries')
    .says('List the deliveries to an endpoint, newest first', 'Of the last 30 days, with every try.')
    .of('organization')
    .can('organization.update')
    .filters(DeliveryFilters)
    .answers(pageOf(Delivery))
    .does(({ read, params, query }) => listDeliveries(read, params.webhook_endpoint_id, query)),
  query(`${ENDPOINT}/deliveries/{delivery_id}`, 'getWebhookDelivery')
    .says('Read a delivery, with every try and what was answered')
    .of('organization')
    .can('organization.update')
    .answers(Delivery)
    .does(({ read, params }) => findDelivery(read, params.webhook_endpoint_id, params.delivery_id)),
  command('post', `${ENDPOINT}/deliveries/{delivery_id}/replay`, 'replayWebhookDelivery')
    .says('Deliver an event again', 'A pending delivery is tried at once, with those before it.')
    .of('organization')
    .can('organization.update')
    .takes(v.object({}))
    .refuses('invalid_state')
    .answers(Delivery, 202)
    .does(({ tx, params }) => redeliver(tx, params.webhook_endpoint_id, params.delivery_id)),
  command('post', `${ENDPOINT}/test`, 'testWebhookEndpoint')
    .says('Deliver a test event', 'Its type is `webhook_endpoint.test`; it is in no log.')
    .of('organization')
    .can('organization.update')
    .takes(v.object({}))
    .refuses('invalid_state')
    .answers(Delivery, 202)
    .does(({ tx, params }) => deliverTest(tx, params.webhook_endpoint_id)),
  command('post', `${ENDPOINT}/replay`, 'replayWebhookEvents')
    .says(
      'Deliver the events of a period again',
      'In their order, beside new events. Only types that the endpoint takes. One replay of an endpoint goes on ' +
        'at a time.',
    )
    .of('organization')
    .can('organization.update')
    .takes(NewReplay)
    .refuses('invalid_state')
    .creates(Replay, ({ read, params, claim }) => findReplay(read, params.webhook_endpoint_id, claim.id), 202)
    .does(({ tx, person, claim, params, body }) =>
      replayEvents(tx, person, claim.id, { ...body, id: params.webhook_endpoint_id }),
    ),
  query(`${ENDPOINT}/replays`, 'listWebhookReplays')
    .says('List the replays of an endpoint, newest first')
    .of('organization')
    .can('organization.update')
    .filters(v.object(PageQuery))
    .answers(pageOf(Replay))
    .does(({ read, params, query }) => listReplays(read, params.webhook_endpoint_id, query)),
]
