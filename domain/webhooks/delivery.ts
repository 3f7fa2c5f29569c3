/** Deliveries: one event on its way to one endpoint, with every try. */
import * as v from 'valibot'
import { id } from '../ids.ts'
import { PageQuery, TimeFilters, pageOf } from '../pagination.ts'
import { integer, nullableText, open, timestamp, uuid } from '../text.ts'

const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const
const DELIVERY_ORIGINS = ['event', 'replay', 'test'] as const

/** The type of what POST …/test delivers: it is in no log. */
export const TEST_TYPE = 'webhook_endpoint.test'

const MINUTE = 60
const HOUR = 60 * MINUTE
/** Pauses before the second try and each later one, in seconds (Standard Webhooks, retry schedule): three days. */
const RETRY_SECONDS = [
  5,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const
/** Of a pause: what was tried in vain together is not tried again in the same moment. */
const JITTER = 0.1

/** How long to wait after so many tries in vain, in seconds; null if that was the last one. `random` is from 0 to 1. */
export function pauseAfter(tries: number, random = Math.random()): number | null {
  const pause = RETRY_SECONDS[tries - 1]
  return pause === undefined ? null : pause * (1 + JITTER * random)
}

/** After so many tries in vain without a success between them, one delivery is tried at a time, with rests. */
export const FAILURES_UNTIL_CAUTIOUS = 10
const [REST_SECONDS, REST_SECONDS_MAX] = [5, 30 * MINUTE]

/** How long an endpoint rests after so many tries in vain, in seconds: it doubles with every second one. */
export const restAfter = (failures: number): number =>
  Math.min(REST_SECONDS * 2 ** Math.min((failures - FAILURES_UNTIL_CAUTIOUS) / 2, 20), REST_SECONDS_MAX)

/** One that did nothing but fail for so long was away: what waited is tried at once when it is back. */
export const OUTAGE_MINUTES = 5
/** An endpoint that does nothing but fail for so long is disabled. */
export const FAILING_DAYS_MAX = 5

export const Attempt = v.object({
  attempted_at: timestamp,
  /** Of the answer; null if none came. */
  status_code: v.nullable(integer),
  /** The first 1,000 characters that were answered. */
  response: nullableText,
  /** Why no answer came. */
  failure: v.nullable(
    open(
      v.picklist(['timeout', 'refused_address', 'dns', 'tls', 'connection', 'malformed']),
      'Why there was no answer',
    ),
  ),
  duration_ms: integer,
})
export type Attempt = v.InferOutput<typeof Attempt>

export const Delivery = v.object({
  id: uuid,
  event_id: uuid,
  event_type: v.string(),
  origin: v.picklist(DELIVERY_ORIGINS),
  status: v.picklist(DELIVERY_STATUSES),
  attempts: v.array(Attempt),
  next_attempt_at: v.nullable(timestamp),
  created_at: timestamp,
  ended_at: v.nullable(timestamp),
})
export type Delivery = v.InferOutput<typeof Delivery>

export const DeliveryFilters = v.object({
  ...PageQuery,
  status: v.optional(v.picklist(DELIVERY_STATUSES)),
  event_id: v.optional(id<'event'>()),
})
export type DeliveryFilters = v.InferOutput<typeof DeliveryFilters>

/** Body of POST …/replay: the events of these days or instants, both included; without `to`, until now. */
export const NewReplay = v.object({ from: TimeFilters.from.wrapped, to: TimeFilters.to })
export type NewReplay = v.InferOutput<typeof NewReplay>

export const Replay = v.object({
  id: uuid,
  status: v.picklist(['running', 'completed']),
  /** Events from then on, and before `until`. */
  from: timestamp,
  until: timestamp,
  /** Deliveries that were made so far. */
  queued: integer,
  created_at: timestamp,
  ended_at: v.nullable(timestamp),
})
export type Replay = v.InferOutput<typeof Replay>

export const DeliveryPage = pageOf(Delivery)
export const ReplayPage = pageOf(Replay)
