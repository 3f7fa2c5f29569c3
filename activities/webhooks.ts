/** Deliveries of events to an endpoint, round by round: each arrives at least once, whatever dies in between. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import pLimit from 'p-limit'
import { asSystem, readerOf } from '../db/sql.ts'
import { organizationOf } from '../db/views.ts'
import { signDelivery } from '../db/webhooks/secrets.ts'
import {
  type Due,
  type Lane,
  type Outcome,
  type Results,
  type Round,
  isSlowEndpoint,
  mayHaveMore,
  recordRound,
  takeRound,
} from '../db/webhooks/steps.ts'
import type { EndpointId, OrganizationId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { type Outcome as Answered, post } from '../partners/webhooks.ts'
import { now } from '../platform/clock.ts'
import { room } from './room.ts'

/** At one receiver. */
const CALLS_AT_ONCE = 10
/** No call of a round begins later, from before it is taken; one takes ten seconds at most. */
const ROUND_MS = 5000
/** A round is over by then, also if its worker died. */
const LEASE_SECONDS = 20
/** No round begins later: the loop looks again, and a cancellation is heard. */
const ACTIVITY_MS = 20_000
/** What comes this soon after a round needs no other activity. */
const LINGER_MS = 1000
const LINGER_EVERY_MS = 200
/** From an answer that takes longer on, a receiver is slow. */
const SLOW_MS = 2000
/** Failures in a row after which a round stops. */
const IN_VAIN_MAX = 10
const GONE = 410

/** Bulkhead: limits how many slow receivers are called at once, so that fast ones always get a slot. */
const roomForSlow = room(80)
const ROOM_AGAIN_MS = 2000

let isDraining = false

/** Lets rounds begin; false in a process that is about to end, whose leases would keep others waiting. */
export function allowRounds(allowed: boolean): void {
  isDraining = !allowed
}

/** Delivers round after round until nothing is due. Is tried again soon if slow receivers have all their slots. */
export async function deliverEvents(ref: ProcessRef<EndpointId>): Promise<void> {
  const organizationId = organizationOf(ref)
  const { id } = ref
  const isSlow = await isSlowEndpoint(readerOf(organizationId), id)
  const deliver = () => deliverRounds(organizationId, id, isSlow)
  if (!isSlow) return deliver()
  if (await roomForSlow(deliver)) return
  throw ApplicationFailure.create({
    message: 'slow receivers have all their places',
    nextRetryDelay: ROOM_AGAIN_MS * (1 + Math.random()),
    category: ApplicationFailureCategory.BENIGN, // no incident: no warning in log or metrics
  })
}

/** Stops when the endpoint turns out to be slow: it continues in the slow pool. */
async function deliverRounds(organizationId: OrganizationId, id: EndpointId, isSlow: boolean): Promise<void> {
  const end = Date.now() + ACTIVITY_MS
  while (!isDraining && Date.now() < end) {
    const holder = randomUUID()
    // from before the lease: a worker that stood still when it began knows that the round is over
    const until = Date.now() + ROUND_MS
    const round = await asSystem(organizationId, (tx) => takeRound(tx, id, { holder, leaseSeconds: LEASE_SECONDS }))
    if (!round) return
    const results = await deliverRound(round, until)
    const recorded = await asSystem(organizationId, (tx) => recordRound(tx, id, { holder, results }))
    if (!recorded || (results.isSlow && !isSlow)) return
    if (!(await moreComes(organizationId, id))) return
  }
}

/** Says if something is due soon after a round. */
async function moreComes(organizationId: OrganizationId, id: EndpointId): Promise<boolean> {
  const reader = readerOf(organizationId)
  for (const until = Date.now() + LINGER_MS; !isDraining && Date.now() < until; await pause(LINGER_EVERY_MS)) {
    if (await mayHaveMore(reader, id)) return true
  }
  return false
}

/** Delivers several lanes at a time; each stops at its first failure. */
async function deliverRound({ url, secrets, lanes }: Round, until: number): Promise<Results> {
  const outcomes: Outcome[] = []
  let [inVain, slowestMs, isGone] = [0, 0, false]
  const along = async (lane: Lane) => {
    for (const due of lane) {
      if (isGone || isDraining || inVain >= IN_VAIN_MAX || Date.now() > until) return
      const answered = await post(url, messageOf(due, secrets))
      const outcome = outcomeOf(due, answered)
      outcomes.push(outcome)
      inVain = outcome.succeeded ? 0 : inVain + 1
      slowestMs = Math.max(slowestMs, answered.ms)
      isGone ||= outcome.attempt.status_code === GONE
      if (!outcome.succeeded) return
    }
  }
  await pLimit(CALLS_AT_ONCE).map(lanes, along)
  return { outcomes, isGone, isSlow: slowestMs > SLOW_MS }
}

/** Makes the same bytes at every try, but for the instant and the signatures. */
function messageOf({ event }: Due, secrets: readonly string[]) {
  const body = JSON.stringify({ type: event.event_type, timestamp: event.occurred_at, data: event })
  return { body, headers: signDelivery({ id: event.id, body }, secrets) }
}

function outcomeOf(due: Due, answered: Answered): Outcome {
  const [status, response] = answered.kind === 'answered' ? [answered.status, answered.text] : [null, null]
  const attempt = {
    attempted_at: now().toISOString(),
    status_code: status,
    response,
    failure: answered.kind === 'failed' ? answered.reason : null,
    duration_ms: answered.ms,
  }
  return { due, attempt, succeeded: status !== null && status >= 200 && status < 300 }
}
