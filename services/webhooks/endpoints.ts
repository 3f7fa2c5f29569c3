/** Webhook endpoints with their deliveries and replays, as people read them. */
import { refuse } from '../../domain/errors.ts'
import type { DeliveryId, EndpointId } from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import type { Delivery, DeliveryFilters, Replay } from '../../domain/webhooks/delivery.ts'
import type { Endpoint } from '../../domain/registries/webhook-endpoint.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, type Tx, first, sql, within } from '../../db/postgres/sql.ts'

export const endpointColumns = (): Fragment => sql`id, url, types, description, status, ${deliveryColumns()}`

/** Selects what is known of the deliveries of an endpoint of any kind. */
export const deliveryColumns = (): Fragment => sql`
  disabled_reason, inserted_at as created_at, updated_at, last_success_at, last_failure_at, failing_since,
  case when previous_secret_expires_at > business_now() then previous_secret_expires_at end as previous_secret_expires_at`

export const listEndpoints = (reader: Reader, page: PageRequest): Promise<Page<Endpoint>> =>
  pageOf<Endpoint>(
    reader,
    'webhook_endpoints',
    page,
    sql`select ${endpointColumns()} from webhook_endpoints where status <> 'deleted' and kind = 'webhook'`,
  )

export const findEndpoint = (reader: Reader, id: EndpointId): Promise<Endpoint> => findBy(reader, id, sql``)

export const lockEndpoint = (tx: Tx, id: EndpointId): Promise<Endpoint> =>
  findBy(within(tx), id, sql`for no key update`)

async function findBy(reader: Reader, id: EndpointId, lock: Fragment): Promise<Endpoint> {
  const row = await first(
    reader<Endpoint>(sql`
      select ${endpointColumns()} from webhook_endpoints
      where id = ${id} and organization_id = ${reader.organizationId} and status <> 'deleted' and kind = 'webhook' ${lock}`),
  )
  return row ?? refuse('not_found')
}

const selectDeliveries = (id: EndpointId): Fragment => sql`
  select id, event_id, event_type, origin, status, attempts, attempt_at as next_attempt_at, inserted_at as created_at,
    ended_at
  from webhook_deliveries where endpoint_id = ${id}`

/** Lists the deliveries to a webhook endpoint, newest first. Refuses `not_found`. */
export async function listDeliveries(
  reader: Reader,
  id: EndpointId,
  filters: DeliveryFilters,
): Promise<Page<Delivery>> {
  await findEndpoint(reader, id)
  return deliveriesTo(reader, id, filters)
}

/** Lists the deliveries to an endpoint of any kind, which the caller has found. */
export const deliveriesTo = (
  reader: Reader,
  id: EndpointId,
  { status, event_id: eventId, ...page }: DeliveryFilters,
): Promise<Page<Delivery>> =>
  pageOf<Delivery>(
    reader,
    'webhook_deliveries',
    page,
    sql`${selectDeliveries(id)} ${status ? sql`and status = ${status}` : sql``}
      ${eventId ? sql`and event_id = ${eventId}` : sql``}`,
  )

export async function findDelivery(reader: Reader, id: EndpointId, delivery: DeliveryId): Promise<Delivery> {
  await findEndpoint(reader, id)
  return deliveryTo(reader, id, delivery)
}

/** Finds a delivery to an endpoint of any kind, which the caller has found. Refuses `not_found`. */
export const deliveryTo = (reader: Reader, id: EndpointId, delivery: DeliveryId): Promise<Delivery> =>
  findOne<Delivery>(reader, sql`${selectDeliveries(id)} and id = ${delivery}`)

const selectReplays = (id: EndpointId): Fragment => sql`
  select id, status, from_at as "from", until_at as until, queued, inserted_at as created_at, ended_at
  from webhook_replays where endpoint_id = ${id}`

/** Lists the replays of an endpoint, newest first. Refuses `not_found`. */
export async function listReplays(reader: Reader, id: EndpointId, page: PageRequest): Promise<Page<Replay>> {
  await findEndpoint(reader, id)
  return pageOf<Replay>(reader, 'webhook_replays', page, selectReplays(id))
}

export async function findReplay(reader: Reader, id: EndpointId, replay: string): Promise<Replay> {
  await findEndpoint(reader, id)
  return findOne<Replay>(reader, sql`${selectReplays(id)} and id = ${replay}`)
}

const findOne = async <Row extends object>(reader: Reader, selected: Fragment): Promise<Row> =>
  (await first(reader<Row>(sql`${selected} and organization_id = ${reader.organizationId}`))) ?? refuse('not_found')
