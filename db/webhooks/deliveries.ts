/** Deliveries of an endpoint as people see them, and what they ask to be delivered: a test, or something once more. */
import { randomUUID } from 'node:crypto'
import { endOfLog, firstFrom } from '../events/log.ts'
import { endOf, startOf } from '../filters.ts'
import { type Claim, takeClaim } from '../idempotency.ts'
import { refuse } from '../../domain/errors.ts'
import { webhookEndpointFlow } from '../../domain/flows/webhooks/endpoint.ts'
import type { Person } from '../../domain/actor.ts'
import { type DeliveryId, type EndpointId, newId } from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import {
  type Delivery,
  type DeliveryFilters,
  type NewReplay,
  type Replay,
  TEST_TYPE,
} from '../../domain/webhooks/delivery.ts'
import { pageOf } from '../pagination.ts'
import { type Fragment, type Reader, type Tx, first, sql, within } from '../sql.ts'
import { wake } from '../wakes.ts'
import { findEndpoint } from './endpoints.ts'
import { WAITING_MAX } from './queue.ts'

const RETRY_SECONDS = 60

const columns = (): Fragment => sql`
  id, event_id, event_type, origin, status, attempts, attempt_at as next_attempt_at, inserted_at as created_at, ended_at`

/** The deliveries to an endpoint, newest first; refuses `not_found`. */
export async function listDeliveries(
  reader: Reader,
  id: EndpointId,
  { status, event_id: eventId, ...page }: DeliveryFilters,
): Promise<Page<Delivery>> {
  await findEndpoint(reader, id)
  return pageOf<Delivery>(
    reader,
    'webhook_deliveries',
    page,
    sql`select ${columns()} from webhook_deliveries where endpoint_id = ${id}
      ${status ? sql`and status = ${status}` : sql``} ${eventId ? sql`and event_id = ${eventId}` : sql``}`,
  )
}

/** One delivery to an endpoint; refuses `not_found`. */
export async function findDelivery(reader: Reader, id: EndpointId, delivery: DeliveryId): Promise<Delivery> {
  await findEndpoint(reader, id)
  const row = await first(
    reader<Delivery>(sql`
      select ${columns()} from webhook_deliveries
      where id = ${delivery} and endpoint_id = ${id} and organization_id = ${reader.organizationId}`),
  )
  return row ?? refuse('not_found')
}

/**
 * Delivers a test to an endpoint, which is in no log. Refuses `not_found`, `invalid_state`, and `rate_limited` while as
 * many wait as may.
 */
export async function deliverTest(tx: Tx, id: EndpointId): Promise<Delivery> {
  await lockActive(tx, id)
  await refuseBeyondRoom(tx, id, 'test')
  const delivery = newId<'webhook_delivery'>()
  const event = randomUUID()
  await tx`
    insert into webhook_deliveries (id, organization_id, endpoint_id, origin, event_id, event_type, subject_id, seq, status)
    values (${delivery}, ${tx.organizationId}, ${id}, 'test', ${event}, ${TEST_TYPE}, ${event}, 0, 'pending')`
  return queued(tx, id, delivery, 'tested')
}

/**
 * Delivers what was delivered, or was not, once more: a delivery of its own. What waits already is tried at once, with
 * what has to be delivered before it; so is another delivery of the event that waits. Refuses `not_found`,
 * `invalid_state`, and `rate_limited` while as many wait as may.
 */
export async function redeliver(tx: Tx, id: EndpointId, delivery: DeliveryId): Promise<Delivery> {
  await lockActive(tx, id)
  const { event_id: event, origin } = await findDelivery(within(tx), id, delivery)
  const [waiting] = await tx<{ id: DeliveryId; subject_id: string; seq: string }[]>`
    select id, subject_id, seq from webhook_deliveries
    where endpoint_id = ${id} and event_id = ${event} and status = 'pending' order by id limit 1`
  if (waiting) {
    await tx`
      update webhook_deliveries set attempt_at = business_now(), tries = case when id = ${waiting.id} then 0 else tries end
      where endpoint_id = ${id} and subject_id = ${waiting.subject_id} and status = 'pending'
        and (seq, id) <= (${waiting.seq}::bigint, ${waiting.id}::uuid)`
    return queued(tx, id, waiting.id, 'replayed')
  }
  const again = newId<'webhook_delivery'>()
  const kind = origin === 'test' ? 'test' : 'replay'
  await refuseBeyondRoom(tx, id, kind)
  await tx`
    insert into webhook_deliveries (id, organization_id, endpoint_id, origin, event_id, event_type, subject_id, seq, status)
    select ${again}, organization_id, endpoint_id, ${kind}, event_id, event_type, subject_id, seq, 'pending'
    from webhook_deliveries where id = ${delivery}`
  return queued(tx, id, again, 'replayed')
}

/** What people ask for one by one must not grow as a queue for ever. */
async function refuseBeyondRoom(tx: Tx, id: EndpointId, origin: 'test' | 'replay'): Promise<void> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from webhook_deliveries
    where endpoint_id = ${id} and status = 'pending' and origin = ${origin}`
  if ((row?.count ?? 0) >= WAITING_MAX) refuse('rate_limited', { retry_after_seconds: RETRY_SECONDS })
}

async function queued(tx: Tx, id: EndpointId, delivery: DeliveryId, why: string): Promise<Delivery> {
  wake(tx, webhookEndpointFlow, { ids: [id], why })
  return findDelivery(within(tx), id, delivery)
}

/** Locks an endpoint that is active; refuses `not_found` and `invalid_state`. */
async function lockActive(tx: Tx, id: EndpointId): Promise<void> {
  const [row] = await tx<{ status: string }[]>`
    select status from webhook_endpoints where id = ${id} and status <> 'deleted' for no key update`
  if (!row) refuse('not_found')
  if (row.status !== 'active') refuse('invalid_state', { current: row.status, allowed: ['enable', 'delete'] })
}

const replayColumns = (): Fragment => sql`
  id, status, from_at as "from", until_at as until, queued, inserted_at as created_at, ended_at`

/**
 * Delivers the events of a time once more, page by page, beside what is new. False if another request took the claim.
 * Refuses `not_found`, and `invalid_state` if the endpoint is disabled or another replay of it goes on.
 */
export async function replayEvents(
  tx: Tx,
  person: Person,
  claim: Claim,
  { id, from, to }: NewReplay & { readonly id: EndpointId },
): Promise<boolean> {
  if (claim.keyed && !(await takeClaim(tx, claim))) return false
  await lockActive(tx, id)
  const [running] = await tx`select from webhook_replays where endpoint_id = ${id} and status = 'running'`
  if (running) refuse('invalid_state', { current: 'replaying', allowed: [] })
  const end = endOfLog(tx.organizationId)
  const [made] = await tx<{ id: string }[]>`
    insert into webhook_replays (id, organization_id, endpoint_id, status, from_at, until_at, cursor, until_seq, requested_by)
    select ${claim.id}, ${tx.organizationId}, ${id}, 'running', r.from_at, r.until_at,
      coalesce(${firstFrom(tx, startOf(from))} - 1, ${end}), ${end}, ${person.userId}
    from (select ${startOf(from)} as from_at, ${to ? sql`least(${endOf(to)}, business_now())` : sql`business_now()`} as until_at) r
    where r.from_at < r.until_at returning id`
  if (!made) {
    const message = 'must be in the past, and not after to'
    refuse('invalid_request', { errors: [{ path: 'from', code: 'not_before_end', message }] })
  }
  wake(tx, webhookEndpointFlow, { ids: [id], why: 'replayed' })
  return true
}

/** The replays of an endpoint, newest first; refuses `not_found`. */
export async function listReplays(reader: Reader, id: EndpointId, page: PageRequest): Promise<Page<Replay>> {
  await findEndpoint(reader, id)
  return pageOf<Replay>(
    reader,
    'webhook_replays',
    page,
    sql`select ${replayColumns()} from webhook_replays where endpoint_id = ${id}`,
  )
}

/** One replay of an endpoint; refuses `not_found`. */
export async function findReplay(reader: Reader, id: EndpointId, replay: string): Promise<Replay> {
  await findEndpoint(reader, id)
  const row = await first(
    reader<Replay>(sql`
      select ${replayColumns()} from webhook_replays
      where id = ${replay} and endpoint_id = ${id} and organization_id = ${reader.organizationId}`),
  )
  return row ?? refuse('not_found')
}
