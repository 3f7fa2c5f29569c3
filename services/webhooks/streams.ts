/** Log streams: endpoints that get all events of the organization as OCSF, for its owners. */
import type { Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import { type DeliveryId, type EndpointId, newId } from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import {
  LOG_STREAMS_MAX,
  type LogStream,
  type LogStreamChanges,
  type LogStreamWithSecret,
  type NewLogStream,
} from '../../domain/registries/log-stream.ts'
import type { Delivery, DeliveryFilters } from '../../domain/webhooks/delivery.ts'
import { endpointEvents } from '../../domain/webhooks/events.ts'
import { webhookEndpointFlow } from '../../domain/webhooks/flow.ts'
import { newCause, record } from '../events.ts'
import { endOfLog } from '../events/log.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, type Tx, first, sql, values, within } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { useStepUp } from '../step-up-use.ts'
import { deliverAgain, endEndpoints, queueTest, replaceSecret, resume, stopDelivery } from './commands.ts'
import { deliveriesTo, deliveryColumns, deliveryTo } from './endpoints.ts'
import { newWebhookSecret, sealSecrets } from './secrets.ts'

const columns = (): Fragment => sql`
  id, kind, regexp_replace(url, '^ocsf[+]', '') as address, description, status = 'disabled' as paused,
  (select count(*)::int from webhook_deliveries d where d.endpoint_id = webhook_endpoints.id and d.status = 'pending')
    as waiting,
  ${deliveryColumns()}`

export const listLogStreams = (reader: Reader, page: PageRequest): Promise<Page<LogStream>> =>
  pageOf<LogStream>(
    reader,
    'webhook_endpoints',
    page,
    sql`select ${columns()} from webhook_endpoints where status <> 'deleted' and kind <> 'webhook'`,
  )

export async function findLogStream(reader: Reader, id: EndpointId, lock: Fragment = sql``): Promise<LogStream> {
  const row = await first(
    reader<LogStream>(sql`
      select ${columns()} from webhook_endpoints
      where id = ${id} and organization_id = ${reader.organizationId} and status <> 'deleted' and kind <> 'webhook' ${lock}`),
  )
  return row ?? refuse('not_found')
}

const lockLogStream = (tx: Tx, id: EndpointId): Promise<LogStream> =>
  findLogStream(within(tx), id, sql`for no key update`)

/** Creates a stream of the events from now on. `address` is checked. Only this answer holds its secret. */
export async function createLogStream(
  tx: Tx,
  { person, stepUpId }: { readonly person: Person; readonly stepUpId: string | null },
  { address, ...wanted }: NewLogStream & { readonly address: string },
): Promise<LogStreamWithSecret> {
  await tx`select from organizations where id = ${tx.organizationId} for no key update` // serializes creations
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from webhook_endpoints
    where organization_id = ${tx.organizationId} and status <> 'deleted' and kind <> 'webhook'`
  if ((row?.count ?? 0) >= LOG_STREAMS_MAX) refuse('webhook_endpoint_limit_reached', { limit: LOG_STREAMS_MAX })
  await useStepUp(tx, person, stepUpId)
  const id = newId<'webhook_endpoint'>()
  const secret = newWebhookSecret()
  const own = wanted.kind === 'https' ? { authorization: wanted.authorization } : { ca: wanted.ca }
  await tx`
    insert into webhook_endpoints ${values({
      id,
      organization_id: tx.organizationId,
      kind: wanted.kind,
      url: address,
      description: wanted.description ?? null,
      status: 'active',
      sealed: sealSecrets(id, { secret, ...own }),
      cursor: endOfLog(tx.organizationId),
      created_by: person.userId,
    })}`
  await record(tx, endpointEvents.created, { subjectId: id, cause: newCause(), payload: { types: [] } })
  wake(tx, webhookEndpointFlow, { ids: [id], why: 'created', status: 'active' })
  return withSecret(await findLogStream(within(tx), id), secret)
}

const withSecret = (stream: LogStream, secret: string): LogStreamWithSecret => ({
  ...stream,
  secret: stream.kind === 'https' ? secret : null,
})

/** Pauses or resumes a stream, or changes what it is called. Nothing is left out meanwhile. */
export async function changeLogStream(
  tx: Tx,
  id: EndpointId,
  { paused, description }: LogStreamChanges,
): Promise<LogStream> {
  const before = await lockLogStream(tx, id)
  if (description !== undefined && description !== before.description) {
    await tx`update webhook_endpoints set description = ${description}, updated_at = business_now() where id = ${id}`
    await record(tx, endpointEvents.updated, {
      subjectId: id,
      cause: newCause(),
      payload: { changed: ['description'] },
    })
  }
  if (paused === true && !before.paused) await stopDelivery(tx, id, 'person')
  if (paused === false && before.paused) await resume(tx, id)
  return findLogStream(within(tx), id)
}

export async function deleteLogStream(tx: Tx, id: EndpointId): Promise<void> {
  await lockLogStream(tx, id)
  await endEndpoints(tx, [id], `delete:${id}`)
}

/** Replaces the secret; the earlier one signs too for 24 hours. Refuses `invalid_state` for syslog, which has none. */
export async function rotateLogStream(tx: Tx, id: EndpointId): Promise<LogStreamWithSecret> {
  const { kind } = await lockLogStream(tx, id)
  if (kind !== 'https') refuse('invalid_state', { current: kind, allowed: [], reason: 'no_secret' })
  const { secret } = await replaceSecret(tx, id)
  return withSecret(await findLogStream(within(tx), id), secret)
}

/** Sends a test event, which is in no log. Refuses `invalid_state` while it is paused. */
export async function testLogStream(tx: Tx, id: EndpointId): Promise<LogStream> {
  await requireRunning(tx, id)
  await queueTest(tx, id)
  return findLogStream(within(tx), id)
}

/** Locks a stream that is not paused. Refuses `not_found` and `invalid_state`. */
async function requireRunning(tx: Tx, id: EndpointId): Promise<void> {
  const { paused } = await lockLogStream(tx, id)
  if (paused) refuse('invalid_state', { current: 'disabled', allowed: ['update', 'delete'] })
}

/** Lists the deliveries to a stream, newest first. Refuses `not_found`. */
export async function listStreamDeliveries(
  reader: Reader,
  id: EndpointId,
  filters: DeliveryFilters,
): Promise<Page<Delivery>> {
  await findLogStream(reader, id)
  return deliveriesTo(reader, id, filters)
}

export async function findStreamDelivery(reader: Reader, id: EndpointId, delivery: DeliveryId): Promise<Delivery> {
  await findLogStream(reader, id)
  return deliveryTo(reader, id, delivery)
}

/** Sends an event again. Refuses `invalid_state` while it is paused. */
export async function resendToStream(tx: Tx, id: EndpointId, delivery: DeliveryId): Promise<Delivery> {
  await requireRunning(tx, id)
  return deliverAgain(tx, id, delivery)
}
