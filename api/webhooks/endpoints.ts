/** Webhook endpoints: where an organization's events are delivered. */
import * as v from 'valibot'
import { id } from '../../domain/ids.ts'
import type { Membership } from '../../domain/organizations/member.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { EVENT_TYPES } from '../../domain/registries/event-types.ts'
import { Deleted, onOneLine } from '../../domain/text.ts'
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
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { route } from '../http/route.ts'

const ENDPOINTS_PATH = '/organizations/{organization_id}/webhook-endpoints'

/** What operations of one endpoint share. */
export const ofEndpoint = {
  tag: 'Webhooks',
  can: 'organization.update',
  ...inPath('organization', { webhook_endpoint_id: id<'webhook_endpoint'>() }),
} as const
export const ENDPOINT_PATH = `${ENDPOINTS_PATH}/{webhook_endpoint_id}`

const ofAll = { tag: 'Webhooks', can: 'organization.update', ...inPath('organization'), path: ENDPOINTS_PATH } as const

/** Shows the person who proves it where events will go, which a session that was taken over could choose. */
const sendingTo = async ({ organizationId }: Membership, url: string | undefined) => ({
  target: `organization:${organizationId}`,
  ...(url !== undefined && { summary: `Send the events of the organization to ${onOneLine(url)}` }),
})

export const webhookEndpoints = [
  route({
    ...ofAll,
    method: 'post',
    operationId: 'createWebhookEndpoint',
    summary: 'Have the events of the organization delivered to an address, from now on',
    note:
      'Without `types` it gets all of them. The `secret` verifies the signature of what is delivered. The answer alone ' +
      'holds it, and a repeat makes another endpoint.',
    status: 201,
    stepUp: { mode: 'window', bind: ({ org, body }) => sendingTo(org, body.url) },
    body: newEndpoint(EVENT_TYPES),
    returns: EndpointWithSecret,
    handle: async ({ write, person, body }) => {
      const url = await checkedWebhookUrl(body.url)
      return repeating(() => write((tx) => createEndpoint(tx, person, { ...body, url }), BRIEF_LOCKS))
    },
  }),
  route({
    ...ofAll,
    method: 'get',
    operationId: 'listWebhookEndpoints',
    summary: 'List the addresses that events are delivered to, newest first',
    query: v.object(PageQuery),
    returns: pageOf(Endpoint),
    handle: ({ read, query }) => listEndpoints(read, query),
  }),
  route({
    ...ofEndpoint,
    method: 'get',
    path: ENDPOINT_PATH,
    operationId: 'getWebhookEndpoint',
    summary: 'Read a webhook endpoint, and whether it takes what is delivered',
    returns: Endpoint,
    handle: ({ read, params }) => findEndpoint(read, params.webhook_endpoint_id),
  }),
  route({
    ...ofEndpoint,
    method: 'patch',
    path: ENDPOINT_PATH,
    operationId: 'updateWebhookEndpoint',
    summary: 'Change the address, the types or the description of a webhook endpoint',
    note: 'What waits goes to the new address at once. Other types are for what happens from then on.',
    stepUp: { mode: 'window', bind: ({ org, body }) => sendingTo(org, body.url) },
    body: endpointChanges(EVENT_TYPES),
    returns: Endpoint,
    handle: async ({ write, params, body: { url: given, ...changes } }) => {
      const url = given === undefined ? {} : { url: await checkedWebhookUrl(given) }
      return repeating(() =>
        write((tx) => changeEndpoint(tx, params.webhook_endpoint_id, { ...changes, ...url }), BRIEF_LOCKS),
      )
    },
  }),
  route({
    ...ofEndpoint,
    method: 'delete',
    path: ENDPOINT_PATH,
    operationId: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint: nothing is delivered to it any more, but for what is under way',
    stepUp: { mode: 'window' },
    returns: Deleted,
    handle: async ({ write, params }) => {
      await repeating(() => write((tx) => deleteEndpoint(tx, params.webhook_endpoint_id), BRIEF_LOCKS))
      return { deleted: true, id: params.webhook_endpoint_id } as const
    },
  }),
  route({
    ...ofEndpoint,
    method: 'post',
    path: `${ENDPOINT_PATH}/rotate-secret`,
    operationId: 'rotateWebhookSecret',
    summary: 'Give a webhook endpoint another secret; the one until now signs beside it for 24 hours more',
    note: 'The answer alone holds the secret, and a repeat makes another one: two within a day end the first at once.',
    stepUp: { mode: 'window' },
    body: v.object({}),
    returns: EndpointWithSecret,
    handle: ({ write, params }) =>
      repeating(() => write((tx) => rotateSecret(tx, params.webhook_endpoint_id), BRIEF_LOCKS)),
  }),
  route({
    ...ofEndpoint,
    method: 'post',
    path: `${ENDPOINT_PATH}/enable`,
    operationId: 'enableWebhookEndpoint',
    summary: 'Let delivery to a disabled endpoint go on where it stopped: nothing is left out',
    stepUp: { mode: 'window' },
    body: v.object({}),
    returns: Endpoint,
    handle: ({ write, params }) =>
      repeating(() => write((tx) => enableEndpoint(tx, params.webhook_endpoint_id), BRIEF_LOCKS)),
  }),
  route({
    ...ofEndpoint,
    method: 'post',
    path: `${ENDPOINT_PATH}/disable`,
    operationId: 'disableWebhookEndpoint',
    summary: 'Stop delivery to an endpoint until it is enabled; what happens meanwhile waits',
    body: v.object({}),
    returns: Endpoint,
    handle: ({ write, params }) =>
      repeating(() => write((tx) => disableEndpoint(tx, params.webhook_endpoint_id, 'person'), BRIEF_LOCKS)),
  }),
]
