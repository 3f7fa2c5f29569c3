/** A webhook endpoint: what is due is delivered to it, round by round, for as long as it is active. */
import type { webhookEndpointFlow } from '../domain/flows/webhooks/endpoint.ts'
import type { ProcessRef } from '../domain/process.ts'
import { drive } from './drive.ts'
import { delivering, record } from './proxies.ts'

/** Answers `disabled` or `deleted`. */
export const webhookEndpoint = (ref: ProcessRef) =>
  drive<typeof webhookEndpointFlow>(ref, record.lookAtWebhookEndpoint, { active: delivering().deliverEvents })
