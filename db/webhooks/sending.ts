/**
 * One round of deliveries to an endpoint: what is due is taken under a lease, and what became of it is recorded, and
 * what that means for the endpoint.
 */
import { randomUUID } from 'node:crypto'
import { isGone } from '../../domain/flows/undriven/organization.ts'
import { webhookEndpointFlow } from '../../domain/flows/webhooks/endpoint.ts'
import type { EndpointId } from '../../domain/ids.ts'
import type { LoggedEvent } from '../../domain/event.ts'
import {
  type Attempt,
  type Delivery,
  FAILING_DAYS_MAX,
  FAILURES_UNTIL_CAUTIOUS,
  OUTAGE_MINUTES,
  TEST_TYPE,
  pauseAfter,
  restAfter,
} from '../../domain/webhooks/delivery.ts'
import { endpointEvents } from '../../domain/webhooks/events.ts'
import { record } from '../events.ts'
import { eventColumns } from '../events/log.ts'
import { type Reader, type Tx, sql, waitForDisk } from '../sql.ts'
import { wake } from '../wakes.ts'
import { openSecrets, stopDelivery } from './endpoints.ts'
import { type Failing, notifyOfDisabled } from './notices.ts'
import { type Reading, fillQueue, hasMore } from './queue.ts'

const TAKEN_MAX = 100

/** What is to be posted, and how often that was tried. The event is what the body holds. */
export type Due = { readonly id: string; readonly tries: number; readonly event: LoggedEvent }

/** Deliveries about the same thing, in the order of the log: one after the other, and none after one that fails. */
export type Lane = readonly Due[]

export type Round = {
  readonly url: string
  /** Each of them signs. */
  readonly secrets: readonly string[]
  readonly lanes: readonly Lane[]
}

type EndpointRow = Reading & {
  readonly url: string
  readonly sealed: Buffer
  readonly both_sign: boolean
  readonly failures: number
  readonly is_free: boolean
  readonly organization: string
}

/** Whether an endpoint took its time when it was called last. */
export async function isSlowEndpoint(reader: Reader, id: EndpointId): Promise<boolean> {
  const [row] = await reader<{ is_slow: boolean }>(sql`
    select is_slow from webhook_endpoints where id = ${id} and organization_id = ${reader.organizationId}`)
  return row?.is_slow ?? false
}

/** Whether something may be due at an endpoint, or new in the log: one statement, which locks nothing. */
export async function mayHaveMore(reader: Reader, id: EndpointId): Promise<boolean> {
  const rows = await reader(sql`
    select from webhook_endpoints e
    where e.id = ${id} and e.organization_id = ${reader.organizationId} and (
      ${hasMore()} or exists (select from webhook_deliveries d
        where d.endpoint_id = e.id and d.status = 'pending' and d.attempt_at <= business_now()))`)
  return rows.length > 0
}

/**
 * Takes what is due at an endpoint, for the holder of its lease alone, until the lease is over. Null if nothing is to
 * be done now: it is not active, somebody else delivers, or nothing is due. Of one that fails again and again only one
 * delivery is taken, of a type that was tried least.
 */
export async function takeRound(
  tx: Tx,
  id: EndpointId,
  { holder, leaseSeconds }: { readonly holder: string; readonly leaseSeconds: number },
): Promise<Round | null> {
  await waitForDisk(tx, false) // what is lost is taken again
  const [endpoint] = await tx<EndpointRow[]>`
    select e.id, e.url, e.types, e.cursor, e.sealed, e.failures, o.status as organization,
      coalesce(e.previous_secret_expires_at > business_now(), false) as both_sign,
      coalesce(e.lease = ${holder} or e.leased_until <= clock_timestamp(), true) as is_free
    from webhook_endpoints e join organizations o on o.id = e.organization_id
    where e.id = ${id} and e.status = 'active' for no key update of e`
  if (!endpoint?.is_free || isGone(endpoint.organization)) return null
  await fillQueue(tx, endpoint)
  const lanes = await dueLanes(tx, id, endpoint.failures >= FAILURES_UNTIL_CAUTIOUS)
  // whoever holds the lease records what became of it, and gives the lease back
  await tx`
    update webhook_endpoints set lease = ${lanes.length > 0 ? holder : null},
      leased_until = ${lanes.length > 0 ? sql`clock_timestamp() + make_interval(secs => ${leaseSeconds})` : null}
    where id = ${id}`
  if (lanes.length === 0) return null
  const { secret, previous } = openSecrets(id, endpoint.sealed)
  const secrets = endpoint.both_sign && previous !== undefined ? [secret, previous] : [secret]
  return { url: endpoint.url, secrets, lanes }
}

/** A delivery, with its event; of a test, all members of that are null. */
type DueRow = LoggedEvent & {
  readonly delivery_id: string
  readonly tries: number
  readonly lane: string
  readonly origin: Delivery['origin']
  readonly event_id: string
  readonly queued_at: string
}

/**
 * The first of each subject has to be due; those after it come with it. With caution it is one, of a type that was
 * tried least: a receiver that refuses one type would be asked about all of it, with a longer rest each time, before
 * another.
 */
async function dueLanes(tx: Tx, id: EndpointId, isCautious: boolean): Promise<Lane[]> {
  const rows = await tx<DueRow[]>`
    select d.id as delivery_id, d.tries, d.subject_id as lane, d.origin, d.event_id, d.inserted_at as queued_at,
      ${eventColumns()}
    from (
      select p.*, first_value(p.attempt_at) over lane as due_at, row_number() over lane as place,
        sum(p.tries) over (partition by p.event_type) as tries_of_type
      from webhook_deliveries p where p.endpoint_id = ${id} and p.status = 'pending'
      window lane as (partition by p.subject_id order by p.seq, p.id)) d
    left join events e on e.id = d.event_id left join event_chain c on c.event_id = e.id
    where d.due_at <= business_now()
    ${isCautious ? tx`and d.place = 1 order by d.tries_of_type, d.tries, d.seq, d.id limit 1` : tx`order by d.seq, d.id limit ${TAKEN_MAX}`}`
  const lanes = new Map<string, Due[]>()
  for (const { delivery_id: delivery, tries, lane, origin, event_id: eventId, queued_at: at, ...logged } of rows) {
    const event = origin === 'test' ? testEvent(tx, id, { id: eventId, cause: delivery, occurred_at: at }) : logged
    lanes.set(lane, [...(lanes.get(lane) ?? []), { id: delivery, tries, event }])
  }
  return [...lanes.values()]
}

/** What a test delivers: it says nothing but that it came, and is in no log. */
const testEvent = (
  { organizationId }: Tx,
  endpoint: EndpointId,
  sent: Pick<LoggedEvent, 'id' | 'cause' | 'occurred_at'>,
): LoggedEvent => ({
  ...sent,
  organization_id: organizationId,
  seq: null,
  stream: webhookEndpointFlow.table,
  subject_id: endpoint,
  kind: 'domain',
  event_type: TEST_TYPE,
  actor_kind: 'system',
  actor_user_id: null,
  causation_id: null,
  correlation_id: null,
  payload: null,
  provider: null,
  hash: null,
})

/** What became of a delivery: it is done, or tried again later, or was tried for the last time. */
export type Outcome = { readonly due: Due; readonly attempt: Attempt; readonly succeeded: boolean }

/** What a round came to, in the order of time. */
export type Results = {
  readonly outcomes: readonly Outcome[]
  readonly isSlow: boolean
  /** The receiver says that nothing is at its address any more, for good. */
  readonly isGone: boolean
}

type Standing = {
  readonly failures: number
  readonly fails_long: boolean
  readonly fails_too_long: boolean
}

/**
 * Records a round and gives the lease back. False if the lease was lost: then nothing is recorded, and it is delivered
 * again. A receiver that is gone, or did nothing but fail for five days, is disabled.
 */
export async function recordRound(
  tx: Tx,
  id: EndpointId,
  { holder, results }: { readonly holder: string; readonly results: Results },
): Promise<boolean> {
  await waitForDisk(tx, false) // what is lost is delivered again
  const [before] = await tx<Standing[]>`
    select failures,
      coalesce(failing_since <= business_now() - make_interval(mins => ${OUTAGE_MINUTES}), false) as fails_long,
      coalesce(failing_since <= business_now() - make_interval(days => ${FAILING_DAYS_MAX}), false) as fails_too_long
    from webhook_endpoints where id = ${id} and status = 'active' and lease = ${holder} for no key update`
  if (!before) return false
  const { outcomes, isSlow, isGone: gone } = results
  await recordOutcomes(tx, outcomes)
  const inVain = outcomes.reduce((count, { succeeded }) => (succeeded ? 0 : count + 1), before.failures)
  // what failed at the same moment as the tenth is no reason to rest for longer than five seconds at first
  const failures = before.failures < FAILURES_UNTIL_CAUTIOUS ? Math.min(inVain, FAILURES_UNTIL_CAUTIOUS) : inVain
  const anySucceeded = outcomes.some(({ succeeded }) => succeeded)
  const anyFailed = outcomes.some(({ succeeded }) => !succeeded)
  const since = anySucceeded ? sql`business_now()` : sql`coalesce(failing_since, business_now())`
  await tx`
    update webhook_endpoints set lease = null, leased_until = null, is_slow = ${isSlow}, failures = ${failures},
      failing_since = ${failures > 0 ? since : null},
      last_success_at = ${anySucceeded ? sql`business_now()` : sql`last_success_at`},
      last_failure_at = ${anyFailed ? sql`business_now()` : sql`last_failure_at`}
    where id = ${id}`
  wake(tx, webhookEndpointFlow, { ids: [id], why: 'delivered' })
  if (gone) await disable(tx, id, 'gone')
  else if (before.fails_too_long && anyFailed && !anySucceeded) await disable(tx, id, 'failures')
  else await noteCaution(tx, id, before, failures)
  return true
}

async function recordOutcomes(tx: Tx, outcomes: readonly Outcome[]): Promise<void> {
  const rows = outcomes.map(({ due, attempt, succeeded }) => ({
    id: due.id,
    attempt,
    succeeded,
    pause: succeeded ? null : pauseAfter(due.tries + 1),
  }))
  await tx`
    update webhook_deliveries d set tries = d.tries + 1, attempts = d.attempts || o.attempt,
      status = case when o.succeeded then 'succeeded' when o.pause is null then 'failed' else 'pending' end,
      attempt_at = business_now() + make_interval(secs => o.pause),
      ended_at = case when o.succeeded or o.pause is null then business_now() end
    from jsonb_to_recordset(${tx.json(rows)}) o (id uuid, succeeded boolean, pause float8, attempt jsonb)
    where d.id = o.id and d.status = 'pending'`
}

async function disable(tx: Tx, id: EndpointId, reason: Failing): Promise<void> {
  await waitForDisk(tx, true)
  await stopDelivery(tx, id, reason)
  await notifyOfDisabled(tx, id, reason)
}

/**
 * One that fails again and again rests after each try, with all that waits for it; the log says when that begins and
 * ends. When one takes deliveries again after some minutes, all that waits is tried at once, and not hours later.
 */
async function noteCaution(tx: Tx, id: EndpointId, before: Standing, failures: number): Promise<void> {
  const [was, is] = [before.failures >= FAILURES_UNTIL_CAUTIOUS, failures >= FAILURES_UNTIL_CAUTIOUS]
  if (is) {
    await tx`
      update webhook_deliveries set attempt_at = r.until
      from (select business_now() + make_interval(secs => ${restAfter(failures)}) as until) r
      where endpoint_id = ${id} and status = 'pending' and attempt_at < r.until`
  } else if (was && before.fails_long) {
    await tx`
      update webhook_deliveries set attempt_at = business_now()
      where endpoint_id = ${id} and status = 'pending' and attempt_at > business_now()`
  }
  if (was === is) return
  await waitForDisk(tx, true)
  const about = { subjectId: id, cause: `deliveries:${randomUUID()}` }
  await (is
    ? record(tx, endpointEvents.failed, { ...about, payload: { failures } })
    : record(tx, endpointEvents.recovered, about))
}
