/** Deliveries: one event on its way to one endpoint, with every try. */
import * as v from 'valibot'
import { id } from '../ids.ts'
import { PageQuery, TimeFilters } from '../pagination.ts'
import { model, integer, nullableText, open, timestamp, uuid, describe } from '../text.ts'

const STATUSES = ['pending', 'succeeded', 'failed'] as const

/** Event type of POST …/test, which is in no log. */
export const TEST_TYPE = 'webhook_endpoint.test'

/**
 * Pauses before the second try and each later one (Standard Webhooks, retry schedule): from 5 s to a day, three days.
 */
const RETRY_SECONDS = [5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400] as const
/** Random part of a pause: deliveries that failed together are not retried together. */
const JITTER = 0.1

/** Computes the pause after failed tries, in seconds; null after the last one. `random` is from 0 to 1. */
export function pauseAfter(tries: number, random = Math.random()): number | null {
  const pause = RETRY_SECONDS[tries - 1]
  return pause === undefined ? null : pause * (1 + JITTER * random)
}

/** Consecutive failures from which one delivery is tried at a time, with rests. */
export const FAILURES_UNTIL_CAUTIOUS = 10
const [REST_SECONDS, REST_SECONDS_MAX] = [5, 1800]

/** Computes the rest of an endpoint, in seconds: it doubles with every second failure. */
export const restAfter = (failures: number): number =>
  Math.min(REST_SECONDS * 2 ** Math.min((failures - FAILURES_UNTIL_CAUTIOUS) / 2, 20), REST_SECONDS_MAX)

/** Outage after which waiting deliveries are tried at once when the endpoint is back. */
export const OUTAGE_MINUTES = 5
/** Days of failures without a success after which an endpoint is disabled. */
export const FAILING_DAYS_MAX = 5

export const Attempt = model('WebhookAttempt', {
  attempted_at: describe(timestamp, 'Instant of the attempt.'),
  status_code: describe(v.nullable(integer), 'Status of the answer; null if none came.'),
  response: describe(nullableText, 'First 1,000 characters of the answer.'),
  failure: describe(
    v.nullable(
      open(
        v.picklist(['timeout', 'refused_address', 'dns', 'tls', 'connection', 'malformed']),
        'Why there was no answer',
      ),
    ),
    'Reason why no answer came.',
  ),
  duration_ms: describe(integer, 'Time until the answer, in milliseconds.'),
})
export type Attempt = v.InferOutput<typeof Attempt>

export const Delivery = model('WebhookEndpointDelivery', {
  id: uuid,
  event_id: uuid,
  event_type: v.string(),
  origin: describe(v.picklist(['event', 'replay', 'test']), 'Why it is delivered.'),
  status: v.picklist(STATUSES),
  attempts: describe(v.array(Attempt), 'Attempts, oldest first.'),
  next_attempt_at: describe(v.nullable(timestamp), 'Instant of the next attempt.'),
  created_at: timestamp,
  ended_at: v.nullable(timestamp),
})
export type Delivery = v.InferOutput<typeof Delivery>

export const DeliveryFilters = v.object({
  ...PageQuery,
  status: v.optional(v.picklist(STATUSES)),
  event_id: v.optional(id<'event'>()),
})
export type DeliveryFilters = v.InferOutput<typeof DeliveryFilters>

/** Body of POST …/replay: the events of these days or instants, both included; without `to`, until now. */
export const NewReplay = model('NewWebhookReplay', { from: TimeFilters.from.wrapped, to: TimeFilters.to })
export type NewReplay = v.InferOutput<typeof NewReplay>

export const Replay = model('WebhookReplay', {
  id: uuid,
  status: v.picklist(['running', 'completed']),
  from: describe(timestamp, 'Start, inclusive.'),
  until: timestamp,
  queued: describe(integer, 'Number of deliveries made yet.'),
  created_at: timestamp,
  ended_at: v.nullable(timestamp),
})
export type Replay = v.InferOutput<typeof Replay>
