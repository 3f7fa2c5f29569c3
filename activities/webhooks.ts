/** Deliveries of events to an endpoint, in rounds: at least once, even after a crash. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pLimit from 'p-limit'
import { asSystem, readerOf } from '../db/postgres/sql.ts'
import { organizationOf } from '../db/processes/views.ts'
import { signDelivery } from '../services/webhooks/secrets.ts'
import {
  type DueEvent,
  type Lane,
  type Outcome,
  type Results,
  type Round,
  isSlowEndpoint,
  mayHaveMore,
  recordRound,
  takeRound,
} from '../services/webhooks/steps.ts'
import type { EndpointId, OrganizationId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { OCSF_SCHEME, toOcsf } from '../domain/webhooks/ocsf.ts'
import { type SyslogOutcome, sendSyslog } from '../partners/syslog.ts'
import { type Outcome as Answered, post } from '../partners/webhooks.ts'
import { config } from '../platform/config.ts'
import { now } from '../platform/clock.ts'
import { activityBulkhead } from './bulkhead.ts'

/** Concurrent calls to one receiver. */
const CALLS_AT_ONCE = 10
/** Last start of a call, from before the round is taken; a call takes at most ten seconds. */
const ROUND_MS = 5000
/** Lease of a round, after which a dead worker's round is taken over. */
const LEASE_SECONDS = 20
/** Last start of a round; the loop then looks again, so that a cancellation is noticed. */
const ACTIVITY_MS = 20_000
/** Wait for more events before the activity ends. */
const LINGER_MS = 1000
const LINGER_EVERY_MS = 200
/** Response time from which a receiver counts as slow. */
const SLOW_MS = 2000
/** Consecutive failures after which a round stops. */
const IN_VAIN_MAX = 10
const GONE = 410

/** Bulkhead: limits how many slow receivers are called at once, so that fast ones always get a slot. */
const placesForSlow = activityBulkhead(80, { guests: 'slow receivers', againMs: 2000 })

let isDraining = false

/** Allows rounds; false in a process that drains, whose leases would delay other workers. */
export function allowRounds(allowed: boolean): void {
  isDraining = !allowed
}

/** Delivers round after round until nothing is due. Retried soon if no slow slot is free. */
export async function deliverEvents(ref: ProcessRef<EndpointId>): Promise<void> {
  const organizationId = organizationOf(ref)
  const { id } = ref
  const isSlow = await isSlowEndpoint(readerOf(organizationId), id)
  const deliver = () => deliverRounds(organizationId, id, isSlow)
  return isSlow ? placesForSlow(deliver) : deliver()
}

/** Stops when the endpoint turns out to be slow; it continues in the slow pool. */
async function deliverRounds(organizationId: OrganizationId, id: EndpointId, isSlow: boolean): Promise<void> {
  const end = Date.now() + ACTIVITY_MS
  while (!isDraining && Date.now() < end) {
    const holder = randomUUID()
    // from before the lease: a worker that was suspended knows that its round is over
    const until = Date.now() + ROUND_MS
    const round = await asSystem(organizationId, (tx) => takeRound(tx, id, { holder, leaseSeconds: LEASE_SECONDS }))
    if (!round) return
    const results = await deliverRound(round, until)
    const recorded = await asSystem(organizationId, (tx) => recordRound(tx, id, { holder, results }))
    if (!recorded || (results.isSlow && !isSlow)) return
    if (!(await moreComes(organizationId, id))) return
  }
}

/** Waits shortly for more; tells if something is due. */
async function moreComes(organizationId: OrganizationId, id: EndpointId): Promise<boolean> {
  const reader = readerOf(organizationId)
  for (const until = Date.now() + LINGER_MS; !isDraining && Date.now() < until; await pause(LINGER_EVERY_MS)) {
    if (await mayHaveMore(reader, id)) return true
  }
  return false
}

/** Delivers several lanes at a time; each stops at its first failure. */
async function deliverRound({ lanes, ...receiver }: Round, until: number): Promise<Results> {
  const outcomes: Outcome[] = []
  let [inVain, slowestMs, isGone] = [0, 0, false]
  const along = async (lane: Lane) => {
    for (const due of lane) {
      if (isGone || isDraining || inVain >= IN_VAIN_MAX || Date.now() > until) return
      const answered = await deliver(receiver, due)
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

type Receiver = Omit<Round, 'lanes'>

/** Delivers one event in the form of its receiver. */
function deliver(
  { kind, url, secrets, authorization, ca }: Receiver,
  due: DueEvent,
): Promise<Answered | SyslogOutcome> {
  if (kind === 'webhook') return post(url, messageOf(due, secrets))
  const body = JSON.stringify(toOcsf(due.event, due.origin))
  if (kind === 'syslog_tls') {
    const { hostname } = new URL(config.publicUrl)
    return sendSyslog(url, { at: due.event.occurred_at, hostname, type: due.event.event_type, body }, { ca })
  }
  const signed = signDelivery({ id: due.event.id, body }, secrets)
  return post(url.replace(OCSF_SCHEME, ''), { body, headers: { ...signed, ...(authorization && { authorization }) } })
}

/** Builds the body, identical at every try except for the instant and the signatures. */
function messageOf({ event }: DueEvent, secrets: readonly string[]) {
  const body = JSON.stringify({ type: event.event_type, timestamp: event.occurred_at, data: event })
  return { body, headers: signDelivery({ id: event.id, body }, secrets) }
}

function outcomeOf(due: DueEvent, answered: Answered | SyslogOutcome): Outcome {
  const [status, response] = answered.kind === 'answered' ? [answered.status, answered.text] : [null, null]
  const attempt = {
    attempted_at: now().toISOString(),
    status_code: status,
    response,
    failure: answered.kind === 'failed' ? answered.reason : null,
    duration_ms: answered.ms,
  }
  const isTaken = answered.kind === 'taken' || (status !== null && status >= 200 && status < 300)
  return { due, attempt, succeeded: isTaken }
}
