/** Webhook endpoints: where an organization's events are delivered. */
import * as v from 'valibot'
import { id } from '../../domain/ids.ts'
import type { Membership } from '../../domain/organizations/member.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { EVENT_TYPES } from '../../domain/registries/event-types.ts'
import { onOneLine } from '../../domain/text.ts'
import { Endpoint, EndpointWithSecret, endpointChanges, newEndpoint } from '../../domain/webhooks/endpoint.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  findEndpoint,
  listEndpoints,
  rotateSecret,
} from '../../db/webhooks/endpoints.ts'
import { checkedWebhookUrl } from '../../db/webhooks/resolution.ts'
import { inPath } from '../http/in-path.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Webhooks')

const ENDPOINTS_PATH = '/organizations/{organization_id}/webhook-endpoints'

/** What operations of one endpoint share. */
export const ofEndpoint = {
  tag: 'Webhooks',
  can: 'organization.update',
  ...inPath('organization', { webhook_endpoint_id: id<'webhook_endpoint'>() }),
} as const
export const ENDPOINT_PATH = `${ENDPOINTS_PATH}/{webhook_endpoint_id}`

/** Shows the person who proves it where events will go, which a session that was taken over could choose. */
const sendingTo = async ({ organizationId }: Membership, url: string | undefined) => ({
  target: `organization:${organizationId}`,
  ...(url !== undefined && { summary: `Send the events of the organization to ${onOneLine(url)}` }),
})

export const webhookEndpoints = [
  command('post', '/organizations/{organization_id}/webhook-endpoints', 'createWebhookEndpoint')
    .says(
      'Have the events of the organization delivered to an address, from now on',
      'Without `types` it gets all of them. The `secret` verifies the signature of what is delivered. The answer alone ' +
        'holds it, and a repeat makes another endpoint.',
    )
    .of('organization')
    .can('organization.update')
    .takes(newEndpoint(EVENT_TYPES))
    .answers(EndpointWithSecret, 201)
    .proved('window', ({ org, body }) => sendingTo(org, body.url))
    .prepares(async ({ body }) => ({ url: await checkedWebhookUrl(body.url) }))
    .does(({ tx, person, body, url }) => createEndpoint(tx, person, { ...body, url })),
  query('/organizations/{organization_id}/webhook-endpoints', 'listWebhookEndpoints')
    .says('List the addresses that events are delivered to, newest first')
    .of('organization')
    .can('organization.update')
    .filters(v.object(PageQuery))
    .answers(pageOf(Endpoint))
    .does(({ read, query }) => listEndpoints(read, query)),
  query('/organizations/{organization_id}/webhook-endpoints/{webhook_endpoint_id}', 'getWebhookEndpoint')
    .says('Read a webhook endpoint, and whether it takes what is delivered')
    .of('organization')
    .can('organization.update')
    .answers(Endpoint)
    .does(({ read, params }) => findEndpoint(read, params.webhook_endpoint_id)),
  command('patch', ENDPOINT_PATH, 'updateWebhookEndpoint')
    .says(
      'Change the address, the types or the description of a webhook endpoint',
      'What waits goes to the new address at once. Other types are for what happens from then on.',
    )
    .of('organization')
    .can('organization.update')
    .takes(endpointChanges(EVENT_TYPES))
    .answers(Endpoint)
    .proved('window', ({ org, body }) => sendingTo(org, body.url))
    .prepares(async ({ body: { url } }) => ({
      checked: url === undefined ? {} : { url: await checkedWebhookUrl(url) },
    }))
    .does(({ tx, params, body, checked }) => changeEndpoint(tx, params.webhook_endpoint_id, { ...body, ...checked })),
  command('delete', ENDPOINT_PATH, 'deleteWebhookEndpoint')
    .says('Delete a webhook endpoint: nothing is delivered to it any more, but for what is under way')
    .of('organization')
    .can('organization.update')
    .deletes()
    .proved('window')
    .does(({ tx, params }) => deleteEndpoint(tx, params.webhook_endpoint_id)),
  command('post', `${ENDPOINT_PATH}/rotate-secret`, 'rotateWebhookSecret')
    .says(
      'Give a webhook endpoint another secret; the one until now signs beside it for 24 hours more',
      'The answer alone holds the secret, and a repeat makes another one: two within a day end the first at once.',
    )
    .of('organization')
    .can('organization.update')
    .takes(v.object({}))
    .answers(EndpointWithSecret)
    .proved('window')
    .does(({ tx, params }) => rotateSecret(tx, params.webhook_endpoint_id)),
  command('post', `${ENDPOINT_PATH}/enable`, 'enableWebhookEndpoint')
    .says('Let delivery to a disabled endpoint go on where it stopped: nothing is left out')
    .of('organization')
    .can('organization.update')
    .takes(v.object({}))
    .answers(Endpoint)
    .proved('window')
    .does(({ tx, params }) => enableEndpoint(tx, params.webhook_endpoint_id)),
  command('post', `${ENDPOINT_PATH}/disable`, 'disableWebhookEndpoint')
    .says('Stop delivery to an endpoint until it is enabled; what happens meanwhile waits')
    .of('organization')
    .can('organization.update')
    .takes(v.object({}))
    .answers(Endpoint)
    .does(({ tx, params }) => disableEndpoint(tx, params.webhook_endpoint_id, 'person')),
]
