/** Rounds of deliveries to an endpoint: due deliveries are taken under a lease, and their outcomes recorded. */
import { randomUUID } from 'node:crypto'
import type { LoggedEvent } from '../../domain/event.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import { webhookEndpointFlow } from '../../domain/webhooks/flow.ts'
import type { EndpointId } from '../../domain/ids.ts'
import type { StreamKind } from '../../domain/registries/log-stream.ts'
import { aboutOrganization } from '../../domain/messages/footers.ts'
import { quoteInMail, unlink } from '../../domain/text.ts'
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
import type { AccessOrigin } from '../../domain/webhooks/ocsf.ts'
import { record } from '../events.ts'
import { eventColumns } from '../events/log.ts'
import { managersWith } from '../messages/account-notices.ts'
import { sendMessage } from '../messages/messages.ts'
import { type Fragment, type Reader, type Tx, sql, waitForDisk } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { stopDelivery } from './commands.ts'
import { type Cursor, fillQueue, hasMore } from './queue.ts'
import { openSecrets } from './secrets.ts'

const TAKEN_MAX = 100

/** Delivery to be posted, with its number of tries. The event is the body; `origin` is of a sign-in, for a log stream. */
export type DueEvent = {
  readonly id: string
  readonly tries: number
  readonly event: LoggedEvent
  readonly origin: AccessOrigin | null
}

/** Deliveries about one subject, in the order of the log; each waits for the success of the one before. */
export type Lane = readonly DueEvent[]

/** Round of deliveries; each of its `secrets` signs. */
export type Round = {
  readonly kind: 'webhook' | StreamKind
  readonly url: string
  readonly secrets: readonly string[]
  readonly authorization?: string | undefined
  readonly ca?: string | undefined
  readonly lanes: readonly Lane[]
}

type EndpointRow = Cursor & {
  readonly kind: Round['kind']
  readonly url: string
  readonly sealed: Buffer
  readonly both_sign: boolean
  readonly failures: number
  readonly is_free: boolean
  readonly organization: string
}

/** Tells if an endpoint was slow at its last call. */
export async function isSlowEndpoint(reader: Reader, id: EndpointId): Promise<boolean> {
  const rows = await reader(sql`
    select from webhook_endpoints where id = ${id} and organization_id = ${reader.organizationId} and is_slow`)
  return rows.length > 0
}

/** Tells if a delivery may be due, or new in the log. Locks nothing. */
export async function mayHaveMore(reader: Reader, id: EndpointId): Promise<boolean> {
  const rows = await reader(sql`
    select from webhook_endpoints e
    where e.id = ${id} and e.organization_id = ${reader.organizationId} and (
      ${hasMore(sql`e`)} or exists (select from webhook_deliveries d
        where d.endpoint_id = e.id and d.status = 'pending' and d.attempt_at <= business_now()))`)
  return rows.length > 0
}

/**
 * Takes the due deliveries of an endpoint under a lease. Null if it is not active, another worker delivers, or nothing
 * is due. While it fails repeatedly, takes one delivery, of the type with the fewest tries.
 */
export async function takeRound(
  tx: Tx,
  id: EndpointId,
  { holder, leaseSeconds }: { readonly holder: string; readonly leaseSeconds: number },
): Promise<Round | null> {
  await waitForDisk(tx, false) // a lost commit is repeated
  const [endpoint] = await tx<EndpointRow[]>`
    select e.id, e.kind, e.url, e.types, e.type_starts, e.cursor, e.sealed, e.failures, o.status as organization,
      coalesce(e.previous_secret_expires_at > business_now(), false) as both_sign,
      coalesce(e.lease = ${holder} or e.leased_until <= clock_timestamp(), true) as is_free
    from webhook_endpoints e join organizations o on o.id = e.organization_id
    where e.id = ${id} and e.status = 'active' for no key update of e`
  if (!endpoint?.is_free || isGone(endpoint.organization)) return null
  await fillQueue(tx, endpoint)
  const lanes = await dueLanes(tx, id, endpoint.failures >= FAILURES_UNTIL_CAUTIOUS)
  const isTaken = lanes.length > 0
  await tx`
    update webhook_endpoints set lease = ${isTaken ? holder : null},
      leased_until = ${isTaken ? sql`clock_timestamp() + make_interval(secs => ${leaseSeconds})` : null}
    where id = ${id}`
  if (!isTaken) return null
  const { secret, previous, ...own } = openSecrets(id, endpoint.sealed)
  const secrets = endpoint.both_sign && previous !== undefined ? [secret, previous] : [secret]
  return { kind: endpoint.kind, url: endpoint.url, secrets, ...own, lanes }
}

type DueDelivery = {
  readonly delivery_id: string
  readonly tries: number
  readonly lane: string
  readonly origin: Delivery['origin']
  readonly event_id: string
  readonly queued_at: string
  readonly came_from: AccessOrigin | null
}

type NoEvent = { readonly [Name in keyof LoggedEvent]: null }

/** Delivery with its event, which a test does not have. */
type DueRow = DueDelivery & (LoggedEvent | NoEvent)

/** Reads the subjects whose first delivery is due, with those after it; with caution, one delivery. */
async function dueLanes(tx: Tx, id: EndpointId, isCautious: boolean): Promise<Lane[]> {
  const rows = await tx<DueRow[]>`
    select d.id as delivery_id, d.tries, d.subject_id as lane, d.origin, d.event_id, d.inserted_at as queued_at,
      ${originOf(sql`e`)} as came_from, ${eventColumns(sql`e`, sql`c`)}
    from (
      select p.*, first_value(p.attempt_at) over lane as due_at, row_number() over lane as place,
        sum(p.tries) over (partition by p.event_type) as tries_of_type
      from webhook_deliveries p where p.endpoint_id = ${id} and p.status = 'pending'
      window lane as (partition by p.subject_id order by p.seq, p.id)) d
    left join events e on e.id = d.event_id left join event_chain c on c.event_id = e.id
    where d.due_at <= business_now()
    ${isCautious ? tx`and d.place = 1 order by d.tries_of_type, d.tries, d.seq, d.id limit 1` : tx`order by d.seq, d.id limit ${TAKEN_MAX}`}`
  const lanes = new Map<string, DueEvent[]>()
  for (const row of rows) {
    const { delivery_id, tries, lane, origin: _kind, event_id: _event, queued_at: _queued, came_from, ...logged } = row
    const event = logged.id === null ? testEvent(tx, id, row, logged) : logged
    lanes.set(lane, [...(lanes.get(lane) ?? []), { id: delivery_id, tries, event, origin: came_from }])
  }
  return [...lanes.values()]
}

/** Selects from where a sign-in of `events e` came: its cause names the entry of the person's own log. */
const originOf = (e: Fragment): Fragment => sql`
  case when ${e}.type in ('member.signed_in', 'member.sign_in_failed') then (
    select json_build_object('ip_address', s.ip_address, 'user_agent', s.user_agent) from security_events s
    where s.id = split_part(${e}.cause, ':', 2)::uuid) end`

/** Makes the event of a test, which is in no log: its other members are null already. */
const testEvent = (tx: Tx, endpoint: EndpointId, row: DueDelivery, unlogged: NoEvent): LoggedEvent => ({
  ...unlogged,
  id: row.event_id,
  organization_id: tx.organizationId,
  stream: webhookEndpointFlow.table,
  subject_id: endpoint,
  kind: 'domain',
  event_type: TEST_TYPE,
  actor_kind: 'system',
  cause: row.delivery_id,
  occurred_at: row.queued_at,
})

export type Outcome = { readonly due: DueEvent; readonly attempt: Attempt; readonly succeeded: boolean }

/** Outcomes of a round in the order of time. `isGone`: the receiver answered 410. */
export type Results = { readonly outcomes: readonly Outcome[]; readonly isSlow: boolean; readonly isGone: boolean }

type Before = { readonly failures: number; readonly fails_long: boolean; readonly fails_too_long: boolean }

/**
 * Records a round and releases the lease. Returns false, and records nothing, if the lease was lost: the deliveries are
 * repeated. Disables a receiver that is gone, or has only failed for five days.
 */
export async function recordRound(
  tx: Tx,
  id: EndpointId,
  { holder, results }: { readonly holder: string; readonly results: Results },
): Promise<boolean> {
  await waitForDisk(tx, false) // a lost commit means a repeated delivery
  const [before] = await tx<Before[]>`
    select failures,
      coalesce(failing_since <= business_now() - make_interval(mins => ${OUTAGE_MINUTES}), false) as fails_long,
      coalesce(failing_since <= business_now() - make_interval(days => ${FAILING_DAYS_MAX}), false) as fails_too_long
    from webhook_endpoints where id = ${id} and status = 'active' and lease = ${holder} for no key update`
  if (!before) return false
  const { outcomes, isSlow, isGone: gone } = results
  await recordOutcomes(tx, outcomes)
  const inVain = outcomes.reduce((count, { succeeded }) => (succeeded ? 0 : count + 1), before.failures)
  // failures of the same moment as the tenth do not lengthen the first rest of five seconds
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
  if (gone) await disableFailing(tx, id, 'gone')
  else if (before.fails_too_long && anyFailed && !anySucceeded) await disableFailing(tx, id, 'failures')
  else await applyCaution(tx, id, before, failures)
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

/** Disables an endpoint, and mails all members who may enable it again. */
async function disableFailing(tx: Tx, id: EndpointId, reason: 'gone' | 'failures'): Promise<void> {
  await waitForDisk(tx, true)
  await stopDelivery(tx, id, reason)
  const [endpoint] = await tx<{ url: string }[]>`select url from webhook_endpoints where id = ${id}`
  const { host } = new URL(endpoint?.url ?? '')
  const why =
    reason === 'gone'
      ? 'It answered that nothing takes them there any more (410).'
      : 'It has taken none of them for five days.'
  for (const { email, organization } of await managersWith(tx, 'organization.update')) {
    await sendMessage(tx, {
      recipient: email,
      channel: 'email',
      mail: {
        subject: 'Events are not delivered any more',
        paragraphs: [
          `Events are not delivered to a webhook endpoint any more. ${why}`,
          'Nothing is lost: enable the endpoint, and delivery goes on where it stopped. No money is affected.',
        ],
        facts: [
          ['Organization', quoteInMail(organization)],
          ['Endpoint', unlink(host)],
        ],
        footer: aboutOrganization(organization),
      },
    })
  }
}

/**
 * Postpones waiting deliveries of a failing endpoint; records when it begins and ends to fail. After an
 * outage of some minutes, all are tried at once.
 */
async function applyCaution(tx: Tx, id: EndpointId, before: Before, failures: number): Promise<void> {
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
