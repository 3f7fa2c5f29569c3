/** Webhook endpoints: addresses that an organization's events are delivered to. */
import * as v from 'valibot'
import { distinct } from '../distinct.ts'
import { DISABLED_REASONS, ENDPOINT_STATUSES } from '../webhooks/flow.ts'
import { EVENT_TYPES } from './event-types.ts'
import { model, line, nullableText, open, timestamp, uuid, describe } from '../text.ts'
import { GivenWebhookUrl } from '../webhooks/address.ts'

/** Most endpoints of an organization. */
export const ENDPOINTS_MAX = 20
/** Hours for which the earlier secret signs, too. */
export const PREVIOUS_SECRET_HOURS = 24

const types = v.pipe(v.array(v.picklist(EVENT_TYPES)), distinct<string>(String))
const description = v.optional(v.nullable(line(1, 255)))

/** Body of POST …/webhook-endpoints; without types it gets all. */
export const NewEndpoint = model('NewWebhookEndpoint', {
  url: describe(GivenWebhookUrl, 'Address that deliveries are sent to: https, and public.'),
  types: v.optional(types, []),
  description,
})
export type NewEndpoint = v.InferOutput<typeof NewEndpoint>

/** Body of PATCH: an absent field stays. */
export const EndpointChanges = model('WebhookEndpointChanges', {
  url: v.optional(GivenWebhookUrl),
  types: v.optional(types),
  description,
})
export type EndpointChanges = v.InferOutput<typeof EndpointChanges>

/** Members about the deliveries of an endpoint of any kind. */
export const DELIVERY_ENTRIES = {
  disabled_reason: v.nullable(open(v.picklist(DISABLED_REASONS), 'Who or what disabled it')),
  created_at: timestamp,
  updated_at: timestamp,
  last_success_at: v.nullable(timestamp),
  last_failure_at: v.nullable(timestamp),
  failing_since: v.nullable(timestamp),
  previous_secret_expires_at: v.nullable(timestamp),
}

/** Endpoint without its secret. `failing_since` is null once a try succeeds. */
export const Endpoint = model('WebhookEndpoint', {
  id: uuid,
  url: v.string(),
  types: v.array(v.string()),
  description: nullableText,
  status: v.picklist(ENDPOINT_STATUSES),
  ...DELIVERY_ENTRIES,
})
export type Endpoint = v.InferOutput<typeof Endpoint>

/** Only answer with a secret: `whsec_` and base64, as libraries of Standard Webhooks take it. */
export const EndpointWithSecret = model('WebhookEndpointWithSecret', { ...Endpoint.entries, secret: v.string() })
export type EndpointWithSecret = v.InferOutput<typeof EndpointWithSecret>
