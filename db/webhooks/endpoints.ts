/** Webhook endpoints of an organization: made, changed, disabled, deleted; the secret is told once and kept sealed. */
import { randomUUID } from 'node:crypto'
import { decryptForRow, encryptForRow } from '../../platform/encryption.ts'
import { newCause, record } from '../events.ts'
import { endOfLog } from '../events/log.ts'
import type { Person } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import { webhookEndpointFlow } from '../../domain/flows/webhooks/endpoint.ts'
import { type EndpointId, newId } from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import {
  type DisabledReason,
  ENDPOINTS_MAX,
  type Endpoint,
  type EndpointChanges,
  type EndpointWithSecret,
  type NewEndpoint,
  PREVIOUS_SECRET_HOURS,
} from '../../domain/webhooks/endpoint.ts'
import { endpointEvents, endpointMoves } from '../../domain/webhooks/events.ts'
import { pageOf } from '../pagination.ts'
import { type Fragment, type Reader, type Tx, first, sql, within } from '../sql.ts'
import { transition } from '../transition.ts'
import { wake } from '../wakes.ts'
import { newWebhookSecret } from './signing.ts'

/** What signs: the latest secret, and until the end of its time the one before it. */
export type Secrets = { readonly secret: string; readonly previous?: string }

/** The column of secrets, sealed for the endpoint's row. */
const sealSecrets = (id: string, secrets: Secrets): Buffer => encryptForRow(id, secrets)

/** The secrets of the row, as sealSecrets() wrote them. Throws if they do not open. */
export const openSecrets = (id: string, sealed: Uint8Array): Secrets => decryptForRow(id, sealed) as Secrets

const columns = (): Fragment => sql`
  id, url, types, description, status, disabled_reason, inserted_at as created_at, updated_at, last_success_at,
  last_failure_at, failing_since,
  case when previous_secret_expires_at > business_now() then previous_secret_expires_at end as previous_secret_expires_at`

/** The organization's endpoints, newest first. */
export const listEndpoints = (reader: Reader, page: PageRequest): Promise<Page<Endpoint>> =>
  pageOf<Endpoint>(
    reader,
    'webhook_endpoints',
    page,
    sql`select ${columns()} from webhook_endpoints where status <> 'deleted'`,
  )

/** One endpoint of the organization; refuses `not_found`. */
export const findEndpoint = (reader: Reader, id: EndpointId): Promise<Endpoint> => findBy(reader, id, sql``)

const lockEndpoint = (tx: Tx, id: EndpointId): Promise<Endpoint> => findBy(within(tx), id, sql`for no key update`)

async function findBy(reader: Reader, id: EndpointId, lock: Fragment): Promise<Endpoint> {
  const row = await first(
    reader<Endpoint>(sql`
      select ${columns()} from webhook_endpoints
      where id = ${id} and organization_id = ${reader.organizationId} and status <> 'deleted' ${lock}`),
  )
  return row ?? refuse('not_found')
}

/** Refuses `webhook_endpoint_limit_reached` if the organization has as many endpoints as it may. */
async function refuseBeyondLimit(tx: Tx): Promise<void> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from webhook_endpoints
    where organization_id = ${tx.organizationId} and status <> 'deleted'`
  if ((row?.count ?? 0) >= ENDPOINTS_MAX) refuse('webhook_endpoint_limit_reached', { limit: ENDPOINTS_MAX })
}

/**
 * Makes an endpoint that gets what happens from now on. The answer alone holds its secret. Refuses
 * `webhook_endpoint_limit_reached`, also to requests at once.
 */
export async function createEndpoint(tx: Tx, person: Person, wanted: NewEndpoint): Promise<EndpointWithSecret> {
  await tx`select from organizations where id = ${tx.organizationId} for no key update` // creations come one by one
  await refuseBeyondLimit(tx)
  const id = newId()
  const secret = newWebhookSecret()
  const [endpoint] = await tx<Endpoint[]>`
    insert into webhook_endpoints (id, organization_id, url, types, description, status, sealed, cursor, created_by)
    values (${id}, ${tx.organizationId}, ${wanted.url}, ${[...wanted.types]}, ${wanted.description ?? null}, 'active',
      ${sealSecrets(id, { secret })}, ${endOfLog(tx.organizationId)}, ${person.userId})
    returning ${columns()}`
  if (!endpoint) throw new Error('the endpoint was not written')
  await record(tx, endpointEvents.created, { subjectId: id, cause: newCause(), payload: { types: [...wanted.types] } })
  wake(tx, webhookEndpointFlow, { ids: [id], why: 'created', status: 'active' })
  return { ...endpoint, secret }
}

/**
 * Changes what is given and answers all of it. At another address nothing has failed yet, and what waits is tried at
 * once; what the one before it still answers counts for nothing. Other types are for what happens from then on, and
 * for what waits in the log. The event is written only if something is another than before. Refuses `not_found`.
 */
export async function changeEndpoint(tx: Tx, id: EndpointId, changes: EndpointChanges): Promise<Endpoint> {
  const before = await lockEndpoint(tx, id)
  const { url = before.url, types = before.types, description = before.description } = changes
  const changed = [
    ...(url === before.url ? [] : ['url' as const]),
    ...(types.toSorted().join() === before.types.toSorted().join() ? [] : ['types' as const]),
    ...(description === before.description ? [] : ['description' as const]),
  ]
  if (changed.length === 0) return before
  if (changed.includes('types')) await passByOthers(tx, id)
  await tx`
    update webhook_endpoints set url = ${url}, types = ${[...types]}, description = ${description},
      updated_at = business_now()
    where id = ${id}`
  if (url !== before.url) await beginAnew(tx, id)
  await record(tx, endpointEvents.updated, { subjectId: id, cause: newCause(), payload: { changed } })
  wake(tx, webhookEndpointFlow, { ids: [id], why: 'updated' })
  return findEndpoint(within(tx), id)
}

/** Its place moves up to what it takes: nobody was woken by what it did not, which it must not get by other types. */
const passByOthers = (tx: Tx, id: EndpointId): Promise<unknown> => tx`
  update webhook_endpoints e set cursor = greatest(e.cursor, coalesce(
    (select min(f.seq) - 1 from unnest(e.types) t (type) cross join lateral (
      select c.seq from event_chain c
      where c.organization_id = e.organization_id and c.type = t.type and c.seq > e.cursor order by c.seq limit 1) f),
    ${endOfLog(tx.organizationId)}))
  where id = ${id} and types <> '{}'`

/**
 * Nothing has failed yet, and what waits is tried at once, with the whole schedule before it. Whoever delivers at the
 * moment has lost the lease: it is delivered again.
 */
async function beginAnew(tx: Tx, id: EndpointId): Promise<void> {
  await tx`
    update webhook_endpoints set failures = 0, failing_since = null, is_slow = false, lease = null, leased_until = null
    where id = ${id}`
  await tx`
    update webhook_deliveries set attempt_at = business_now(), tries = 0
    where endpoint_id = ${id} and status = 'pending'`
}

/**
 * Gives an endpoint another secret; the one until now signs beside it for 24 hours more, an older one no longer. The
 * answer alone holds the new one. Refuses `not_found`.
 */
export async function rotateSecret(tx: Tx, id: EndpointId): Promise<EndpointWithSecret> {
  await lockEndpoint(tx, id)
  const [row] = await tx<{ sealed: Buffer }[]>`select sealed from webhook_endpoints where id = ${id}`
  const { secret: previous } = openSecrets(id, row?.sealed ?? refuse('not_found'))
  const secret = newWebhookSecret()
  const [endpoint] = await tx<Endpoint[]>`
    update webhook_endpoints set sealed = ${sealSecrets(id, { secret, previous })},
      previous_secret_expires_at = business_now() + make_interval(hours => ${PREVIOUS_SECRET_HOURS}),
      updated_at = business_now()
    where id = ${id} returning ${columns()}`
  if (!endpoint) refuse('not_found')
  await record(tx, endpointEvents.secret_rotated, {
    subjectId: id,
    cause: newCause(),
    payload: { previous_secret_expires_at: endpoint.previous_secret_expires_at },
  })
  return { ...endpoint, secret }
}

/** Nothing is delivered any more, for now. One that is disabled stays as it is. Refuses `not_found`. */
export async function disableEndpoint(tx: Tx, id: EndpointId, reason: DisabledReason): Promise<Endpoint> {
  const endpoint = await lockEndpoint(tx, id)
  if (endpoint.status === 'disabled') return endpoint
  await stopDelivery(tx, id, reason)
  return findEndpoint(within(tx), id)
}

/** Disables an endpoint that is active. Whoever delivers at the moment loses the lease. */
export const stopDelivery = (tx: Tx, id: EndpointId, reason: DisabledReason): Promise<void> =>
  transition(tx, endpointMoves, id, {
    events: ['disable'],
    cause: `disable:${randomUUID()}`,
    set: sql`disabled_reason = ${reason}, lease = null, leased_until = null`,
    payload: { reason },
  })

/** Delivery goes on where it stopped. One that is active stays as it is. Refuses `not_found`. */
export async function enableEndpoint(tx: Tx, id: EndpointId): Promise<Endpoint> {
  const endpoint = await lockEndpoint(tx, id)
  if (endpoint.status === 'active') return endpoint
  await beginAnew(tx, id)
  await transition(tx, endpointMoves, id, {
    events: ['enable'],
    cause: `enable:${randomUUID()}`,
    set: sql`disabled_reason = null`,
  })
  return findEndpoint(within(tx), id)
}

/** Nothing is delivered any more, for good. Refuses `not_found`. */
export async function deleteEndpoint(tx: Tx, id: EndpointId): Promise<void> {
  await lockEndpoint(tx, id)
  await end(tx, [id], `delete:${id}`)
}

/** The same of an organization that is deleted. */
export async function deleteEndpoints(tx: Tx, cause: string): Promise<void> {
  const rows = await tx<{ id: EndpointId }[]>`
    select id from webhook_endpoints where organization_id = ${tx.organizationId} and status <> 'deleted'
    order by id for no key update`
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await end(tx, ids, cause)
}

async function end(tx: Tx, ids: readonly EndpointId[], cause: string): Promise<void> {
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
