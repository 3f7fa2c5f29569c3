/** Webhook endpoints: addresses that an organization's events are delivered to. */
import * as v from 'valibot'
import { distinct } from '../distinct.ts'
import { ENDPOINT_STATUSES } from '../flows/webhooks/endpoint.ts'
import { line, nullableText, open, timestamp, uuid } from '../text.ts'
import { GivenWebhookUrl } from './address.ts'

export const ENDPOINTS_MAX = 20 // of an organization
/** So long the secret before the latest one signs, too. */
export const PREVIOUS_SECRET_HOURS = 24

const DESCRIPTION_CHARACTERS_MAX = 255

/** Types of events, each once: `known` are all there are. */
const typesOf = (known: readonly string[]) => v.pipe(v.array(v.picklist(known)), distinct<string>(String))

const description = v.nullable(line(1, DESCRIPTION_CHARACTERS_MAX))

/** Body of POST …/webhook-endpoints; without types it gets all. */
export const newEndpoint = (known: readonly string[]) =>
  v.object({ url: GivenWebhookUrl, types: v.optional(typesOf(known), []), description: v.optional(description) })
export type NewEndpoint = v.InferOutput<ReturnType<typeof newEndpoint>>

/** Body of PATCH: what is absent stays. */
export const endpointChanges = (known: readonly string[]) =>
  v.object({
    url: v.optional(GivenWebhookUrl),
    types: v.optional(typesOf(known)),
    description: v.optional(description),
  })
export type EndpointChanges = v.InferOutput<ReturnType<typeof endpointChanges>>

export const DISABLED_REASONS = ['person', 'gone', 'failures'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/** An endpoint, never its secret. `failing_since` is null once a try succeeds. */
export const Endpoint = v.object({
  id: uuid,
  url: v.string(),
  types: v.array(v.string()),
  description: nullableText,
  status: v.picklist(ENDPOINT_STATUSES),
  disabled_reason: v.nullable(open(v.picklist(DISABLED_REASONS), 'Who or what disabled it')),
  created_at: timestamp,
  updated_at: timestamp,
  last_success_at: v.nullable(timestamp),
  last_failure_at: v.nullable(timestamp),
  failing_since: v.nullable(timestamp),
  previous_secret_expires_at: v.nullable(timestamp),
})
export type Endpoint = v.InferOutput<typeof Endpoint>

/** The only answers that hold a secret: `whsec_` and base64, as libraries of Standard Webhooks take it. */
export const EndpointWithSecret = v.object({ ...Endpoint.entries, secret: v.string() })
export type EndpointWithSecret = v.InferOutput<typeof EndpointWithSecret>
