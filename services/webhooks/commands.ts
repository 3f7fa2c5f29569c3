/** Commands on webhook endpoints, and deliveries that people ask for. */
import { randomUUID } from 'node:crypto'
import type { Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import { type DisabledReason, webhookEndpointFlow } from '../../domain/webhooks/flow.ts'
import { type DeliveryId, type EndpointId, newId } from '../../domain/ids.ts'
import { type Delivery, type NewReplay, TEST_TYPE } from '../../domain/webhooks/delivery.ts'
import {
  ENDPOINTS_MAX,
  type Endpoint,
  type EndpointChanges,
  type EndpointWithSecret,
  type NewEndpoint,
  PREVIOUS_SECRET_HOURS,
} from '../../domain/registries/webhook-endpoint.ts'
import { endpointEvents, endpointMoves } from '../../domain/webhooks/events.ts'
import { newCause, record } from '../events.ts'
import { endOfLog, firstFrom } from '../events/log.ts'
import { endOf, startOf } from '../../db/postgres/filters.ts'
import { type Tx, sql, within, values } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { deliveryTo, endpointColumns, findEndpoint, lockEndpoint } from './endpoints.ts'
import { WAITING_MAX } from './queue.ts'
import { changeTypes } from './types.ts'
import { newWebhookSecret, openSecrets, sealSecrets } from './secrets.ts'

const RETRY_SECONDS = 60

/** Creates an endpoint that gets events from now on. Only this answer holds its secret. */
export async function createEndpoint(tx: Tx, person: Person, wanted: NewEndpoint): Promise<EndpointWithSecret> {
  await tx`select from organizations where id = ${tx.organizationId} for no key update` // serializes creations
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from webhook_endpoints
    where organization_id = ${tx.organizationId} and status <> 'deleted' and kind = 'webhook'`
  if ((row?.count ?? 0) >= ENDPOINTS_MAX) refuse('webhook_endpoint_limit_reached', { limit: ENDPOINTS_MAX })
  const id = newId()
  const secret = newWebhookSecret()
  const [endpoint] = await tx<Endpoint[]>`
    insert into webhook_endpoints ${values({
      id,
      organization_id: tx.organizationId,
      url: wanted.url,
      types: [...wanted.types],
      description: wanted.description ?? null,
      status: 'active',
      sealed: sealSecrets(id, { secret }),
      cursor: endOfLog(tx.organizationId),
      created_by: person.userId,
    })}
    returning ${endpointColumns()}`
  if (!endpoint) throw new Error('the endpoint was not written')
  await record(tx, endpointEvents.created, { subjectId: id, cause: newCause(), payload: { types: [...wanted.types] } })
  wake(tx, webhookEndpointFlow, { ids: [id], why: 'created', status: 'active' })
  return { ...endpoint, secret }
}

/** Changes the given fields; other types, by the rule of `types.ts`. A new address resets the failures, and all waiting deliveries are due at once. */
export async function changeEndpoint(tx: Tx, id: EndpointId, changes: EndpointChanges): Promise<Endpoint> {
  const before = await lockEndpoint(tx, id)
  const { url = before.url, types = before.types, description = before.description } = changes
  const changed = [
    ...(url === before.url ? [] : ['url' as const]),
    ...(types.toSorted().join() === before.types.toSorted().join() ? [] : ['types' as const]),
    ...(description === before.description ? [] : ['description' as const]),
  ]
  if (changed.length === 0) return before
  if (changed.includes('types')) await changeTypes(tx, id, types)
  await tx`
    update webhook_endpoints set url = ${url}, description = ${description},
      updated_at = business_now()
    where id = ${id}`
  if (url !== before.url) await resetFailures(tx, id)
  await record(tx, endpointEvents.updated, { subjectId: id, cause: newCause(), payload: { changed } })
  wake(tx, webhookEndpointFlow, { ids: [id], why: 'updated' })
  return findEndpoint(within(tx), id)
}

/** Makes waiting deliveries due with a new retry schedule, and ends the lease of a round. */
async function resetFailures(tx: Tx, id: EndpointId): Promise<void> {
  await tx`
    update webhook_endpoints set failures = 0, failing_since = null, is_slow = false, lease = null, leased_until = null
    where id = ${id}`
  await tx`
    update webhook_deliveries set attempt_at = business_now(), tries = 0
    where endpoint_id = ${id} and status = 'pending'`
}

/** Replaces the secret; the earlier one signs too for 24 hours. Only this answer holds the new one. */
export async function rotateSecret(tx: Tx, id: EndpointId): Promise<EndpointWithSecret> {
  await lockEndpoint(tx, id)
  return replaceSecret(tx, id)
}

/** Replaces the secret of a locked endpoint of any kind. The rest that is sealed stays. */
export async function replaceSecret(tx: Tx, id: EndpointId): Promise<EndpointWithSecret> {
  const [row] = await tx<{ sealed: Buffer }[]>`select sealed from webhook_endpoints where id = ${id}`
  const { secret: previous, ...kept } = openSecrets(id, row?.sealed ?? refuse('not_found'))
  const secret = newWebhookSecret()
  const [endpoint] = await tx<Endpoint[]>`
    update webhook_endpoints set sealed = ${sealSecrets(id, { ...kept, secret, previous })},
      previous_secret_expires_at = business_now() + make_interval(hours => ${PREVIOUS_SECRET_HOURS}),
      updated_at = business_now()
    where id = ${id} returning ${endpointColumns()}`
  if (!endpoint) refuse('not_found')
  const payload = { previous_secret_expires_at: endpoint.previous_secret_expires_at }
  await record(tx, endpointEvents.secret_rotated, { subjectId: id, cause: newCause(), payload })
  return { ...endpoint, secret }
}

/** Disables an endpoint for a person. Idempotent. */
export async function disableEndpoint(tx: Tx, id: EndpointId): Promise<Endpoint> {
  const endpoint = await lockEndpoint(tx, id)
  if (endpoint.status === 'disabled') return endpoint
  await stopDelivery(tx, id, 'person')
  return findEndpoint(within(tx), id)
}

/** Disables an active endpoint, and takes the lease from an active round. */
export const stopDelivery = (tx: Tx, id: EndpointId, reason: DisabledReason): Promise<void> =>
  transition(tx, endpointMoves, id, {
    events: ['disable'],
    cause: `disable:${randomUUID()}`,
    set: sql`disabled_reason = ${reason}, lease = null, leased_until = null`,
    payload: { reason },
  })

/** Enables an endpoint: delivery continues where it stopped. Idempotent. */
export async function enableEndpoint(tx: Tx, id: EndpointId): Promise<Endpoint> {
  const endpoint = await lockEndpoint(tx, id)
  if (endpoint.status === 'active') return endpoint
  await resume(tx, id)
  return findEndpoint(within(tx), id)
}

/** Resumes the delivery to a disabled endpoint. */
export async function resume(tx: Tx, id: EndpointId): Promise<void> {
  await resetFailures(tx, id)
  await transition(tx, endpointMoves, id, {
    events: ['enable'],
    cause: `enable:${randomUUID()}`,
    set: sql`disabled_reason = null`,
  })
}

/** Deletes an endpoint, and ends its waiting deliveries. */
export async function deleteEndpoint(tx: Tx, id: EndpointId): Promise<void> {
  await lockEndpoint(tx, id)
  await endEndpoints(tx, [id], `delete:${id}`)
}

export async function deleteEndpoints(tx: Tx, cause: string): Promise<void> {
  const rows = await tx<{ id: EndpointId }[]>`
    select id from webhook_endpoints where organization_id = ${tx.organizationId} and status <> 'deleted'
    order by id for no key update`
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await endEndpoints(tx, ids, cause)
}

export async function endEndpoints(tx: Tx, ids: readonly EndpointId[], cause: string): Promise<void> {
  await tx`
    update webhook_deliveries set status = 'failed', attempt_at = null, ended_at = business_now()
    where endpoint_id = any (${[...ids]}) and status = 'pending'`
  await tx`
    update webhook_replays set status = 'completed', ended_at = business_now()
    where endpoint_id = any (${[...ids]}) and status = 'running'`
  await transition(tx, endpointMoves, ids, {
    events: ['delete'],
    cause,
    set: sql`disabled_reason = null, sealed = null, previous_secret_expires_at = null, lease = null, leased_until = null`,
  })
}

/** Delivers a test, which is in no log. Throws `invalid_state`, and `rate_limited` while too many wait. */
export async function deliverTest(tx: Tx, id: EndpointId): Promise<Delivery> {
  await requireActive(tx, id)
  return deliveryTo(within(tx), id, await queueTest(tx, id))
}

/** Queues a test for a locked active endpoint of any kind. Throws `rate_limited` while too many wait. */
export async function queueTest(tx: Tx, id: EndpointId): Promise<DeliveryId> {
  await requireRoom(tx, id, 'test')
  const delivery = newId<'webhook_delivery'>()
  const event = randomUUID()
  await tx`
    insert into webhook_deliveries ${values({
      id: delivery,
      organization_id: tx.organizationId,
      endpoint_id: id,
      origin: 'test',
      event_id: event,
      event_type: TEST_TYPE,
      subject_id: event,
      seq: 0,
      status: 'pending',
    })}`
  wake(tx, webhookEndpointFlow, { ids: [id], why: 'tested' })
  return delivery
}

/** Delivers an event again to a webhook endpoint. Throws `invalid_state`, and `rate_limited` while too many wait. */
export async function redeliver(tx: Tx, id: EndpointId, delivery: DeliveryId): Promise<Delivery> {
  await requireActive(tx, id)
  return deliverAgain(tx, id, delivery)
}

/**
 * Delivers an event again to a locked active endpoint of any kind, as a delivery of its own. A waiting one is tried at
 * once, with those that must precede it. Throws `rate_limited` while too many wait.
 */
export async function deliverAgain(tx: Tx, id: EndpointId, delivery: DeliveryId): Promise<Delivery> {
  const { event_id: event, origin } = await deliveryTo(within(tx), id, delivery)
  const [waiting] = await tx<{ id: DeliveryId; subject_id: string; seq: string }[]>`
    select id, subject_id, seq from webhook_deliveries
    where endpoint_id = ${id} and event_id = ${event} and status = 'pending' order by id limit 1`
  if (waiting) {
    await tx`
      update webhook_deliveries set attempt_at = business_now(), tries = case when id = ${waiting.id} then 0 else tries end
      where endpoint_id = ${id} and subject_id = ${waiting.subject_id} and status = 'pending'
        and (seq, id) <= (${waiting.seq}::bigint, ${waiting.id}::uuid)`
    return wakeFor(tx, id, waiting.id, 'replayed')
  }
  const again = newId<'webhook_delivery'>()
  const kind = origin === 'test' ? 'test' : 'replay'
  await requireRoom(tx, id, kind)
  await tx`
    insert into webhook_deliveries (id, organization_id, endpoint_id, origin, event_id, event_type, subject_id, seq, status)
    select ${again}, organization_id, endpoint_id, ${kind}, event_id, event_type, subject_id, seq, 'pending'
    from webhook_deliveries where id = ${delivery}`
  return wakeFor(tx, id, again, 'replayed')
}

/** Limits the deliveries that people ask for one by one. */
async function requireRoom(tx: Tx, id: EndpointId, origin: 'test' | 'replay'): Promise<void> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from webhook_deliveries
    where endpoint_id = ${id} and status = 'pending' and origin = ${origin}`
  if ((row?.count ?? 0) >= WAITING_MAX) refuse('rate_limited', { retry_after_seconds: RETRY_SECONDS })
}

async function wakeFor(tx: Tx, id: EndpointId, delivery: DeliveryId, why: string): Promise<Delivery> {
  wake(tx, webhookEndpointFlow, { ids: [id], why })
  return deliveryTo(within(tx), id, delivery)
}

/** Locks an active endpoint. Throws `not_found`, `invalid_state`. */
async function requireActive(tx: Tx, id: EndpointId): Promise<void> {
  const { status } = await lockEndpoint(tx, id)
  if (status !== 'active') refuse('invalid_state', { current: status, allowed: ['enable', 'delete'] })
}

/**
 * Begins a replay of a time range, page by page, beside new events. Throws `invalid_state` if the endpoint is disabled
 * or another replay of it runs, and `invalid_request` for an empty range.
 */
export async function replayEvents(
  tx: Tx,
  person: Person,
  replay: string,
  { id, from, to }: NewReplay & { readonly id: EndpointId },
): Promise<void> {
  await requireActive(tx, id)
  const [running] = await tx`select from webhook_replays where endpoint_id = ${id} and status = 'running'`
  if (running) refuse('invalid_state', { current: 'replaying', allowed: [] })
  const end = endOfLog(tx.organizationId)
  const [made] = await tx<{ id: string }[]>`
    insert into webhook_replays (id, organization_id, endpoint_id, status, from_at, until_at, cursor, until_seq, requested_by)
    select ${replay}, ${tx.organizationId}, ${id}, 'running', r.from_at, r.until_at,
      coalesce(${firstFrom(tx, startOf(from))} - 1, ${end}), ${end}, ${person.userId}
    from (select ${startOf(from)} as from_at, ${to ? sql`least(${endOf(to)}, business_now())` : sql`business_now()`} as until_at) r
    where r.from_at < r.until_at returning id`
  if (!made) {
    const message = 'must be in the past, and not after to'
    refuse('invalid_request', { errors: [{ path: 'from', code: 'not_before_end', message }] })
  }
  wake(tx, webhookEndpointFlow, { ids: [id], why: 'replayed' })
}
