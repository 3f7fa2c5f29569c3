/** The log of an organization, read in the order of its chain: no event ever appears in front of one that was read. */
import { config } from '../../platform/config.ts'
import { refuse } from '../../domain/errors.ts'
import type { LoggedEvent } from '../../domain/event.ts'
import { type LogFilters, typesOf } from '../../domain/events/log.ts'
import type { EventId, OrganizationId } from '../../domain/ids.ts'
import type { Page } from '../../domain/pagination.ts'
import { endOf, startOf } from '../filters.ts'
import { paged, refuseCursor } from '../pagination.ts'
import { type Fragment, type Reader, first, sql } from '../sql.ts'

/** A page of the log by the filters of the operation. Refuses a cursor that names no event of this log. */
export async function listEvents(reader: Reader, filters: LogFilters): Promise<Page<LoggedEvent>> {
  const { limit, cursor, from, to, order } = filters
  const rows = await readLog(reader, {
    types: typesOf(filters),
    where: sql`
      ${filters.stream && !filters.type ? sql`and c.stream = ${filters.stream}` : sql``}
      ${filters.subject_id ? sql`and c.subject_id = ${filters.subject_id}` : sql``}
      ${from ? sql`and c.occurred_at >= ${startOf(from)} and c.seq >= ${firstFrom(reader, startOf(from))}` : sql``}
      ${to ? sql`and c.occurred_at < ${endOf(to)} and c.seq < ${firstBehind(reader, endOf(to))}` : sql``}
      ${cursor ? sql`and c.seq ${beyond(order)} ${placeOf(reader, cursor)}` : sql``}`,
    order,
    limit: limit + 1,
  })
  if (cursor && (rows.length === 0 || config.eventRetentionDays > 0)) await requireServed(reader, cursor)
  return paged(rows, limit)
}

/**
 * Refuses a cursor that names no event of this log, and one behind which an event is not served any more: who goes on
 * from there would miss it.
 */
export async function requireServed(reader: Reader, cursor: string, path = 'cursor'): Promise<number> {
  const found = await first(
    reader<{ seq: number | null; served: number }>(sql`
      select ${placeOf(reader, cursor)}::float8 as seq, ${firstServed(reader)}::float8 as served`),
  )
  if (!found || found.seq === null) refuseCursor({ path })
  if (found.seq + 1 < found.served) {
    refuseCursor({ path, code: 'too_old', message: 'is older than what is served: begin without it' })
  }
  return found.seq
}

/** What of a log somebody follows. No types are all. */
export type Followed = { readonly types: readonly string[]; readonly stream?: string | undefined }

/** What is followed behind a place of the reader's log, in its order, at most so many. */
export const eventsAfter = (
  reader: Reader,
  { seq, types, stream, limit }: Followed & { readonly seq: number; readonly limit: number },
): Promise<LoggedEvent[]> => {
  const type = types.length > 0 ? types : undefined
  return readLog(reader, {
    types: typesOf({ type, stream }),
    where: sql`and c.seq > ${seq} ${stream && !type ? sql`and c.stream = ${stream}` : sql``}`,
    order: 'asc',
    limit,
  })
}

/** How far the logs of these organizations go by now. */
export async function placesOfHeads(organizationIds: readonly OrganizationId[]): Promise<Map<OrganizationId, number>> {
  const rows = await sql<{ organization_id: OrganizationId; seq: number }[]>`
    select organization_id, seq::float8 as seq from event_chain_heads(${[...organizationIds]}::uuid[])`
  return new Map(rows.map((row) => [row.organization_id, row.seq]))
}

/** One event of the reader's organization, also before it has its place. Refuses `not_found`. */
export async function findEvent(reader: Reader, id: EventId): Promise<LoggedEvent> {
  const event = await first(
    reader<LoggedEvent>(sql`
      select ${eventColumns()} from events e left join event_chain c on c.event_id = e.id
      where e.id = ${id} and e.organization_id = ${reader.organizationId}
        and (c.seq is null or c.seq >= ${firstServed(reader)})`),
  )
  return event ?? refuse('not_found')
}

/** Whose log is read: a reader, or a transaction. */
type Log = Pick<Reader, 'organizationId'>

type Order = LogFilters['order']
const inOrderOf = (order: Order): Fragment => (order === 'asc' ? sql`asc` : sql`desc`)
const beyond = (order: Order): Fragment => (order === 'asc' ? sql`>` : sql`<`)

const readLog = (reader: Reader, asked: PlacesAsked): Promise<LoggedEvent[]> =>
  reader<LoggedEvent>(sql`
    select ${eventColumns()} from (${servedPlaces(reader, asked)}) c
    cross join lateral (select * from events where id = c.event_id offset 0) e
    order by c.seq ${inOrderOf(asked.order)}`)

type PlacesAsked = {
  /** None are all. */
  readonly types: readonly string[] | undefined
  /** Further conditions of `event_chain c`. */
  readonly where: Fragment
  readonly order: Order
  readonly limit: number
}

/**
 * The first places of a log, of what is still served. Each type has its own run through an index, of which no more than
 * a page is read: what is not asked for costs nothing.
 */
export function servedPlaces(reader: Log, { types, where, order, limit }: PlacesAsked): Fragment {
  const page = (ofType: Fragment) => sql`
    select c.event_id, c.seq, c.hash, c.type, c.subject_id from event_chain c
    where c.organization_id = ${reader.organizationId} ${served(reader)} ${ofType} ${where}
    order by c.seq ${inOrderOf(order)} limit ${sql.unsafe(String(limit))}`
  return types
    ? sql`select one.* from unnest(${[...types]}::text[]) t (type)
          cross join lateral (${page(sql`and c.type = t.type`)}) one
          order by one.seq ${inOrderOf(order)} limit ${limit}`
    : page(sql``)
}

/** The members of a logged event, of `events e`, and `c` as its place; seq as a number that JSON has. */
export const eventColumns = (): Fragment => sql`
  e.id, e.organization_id, c.seq::float8 as seq, e.stream, e.subject_id, e.kind, e.type as event_type, e.actor_kind,
  e.actor_user_id, e.causation_id, e.correlation_id, e.cause, e.occurred_at, e.payload::jsonb as payload, e.provider,
  encode(c.hash, 'hex') as hash`

/** The place of the first event that may have occurred then or later: all in front of it occurred earlier. */
export const firstFrom = ({ organizationId }: Log, instant: Fragment): Fragment => sql`(
  select f.seq from event_chain f where f.organization_id = ${organizationId} and f.latest_at >= ${instant}
  order by f.latest_at, f.seq limit 1)`

/**
 * The place of the first event that certainly occurred then or later, as do all behind it: none of this log ever
 * occurred longer before another one in front of it than the head says.
 */
const firstBehind = ({ organizationId }: Reader, instant: Fragment): Fragment => sql`(
  select coalesce((
    select f.seq from event_chain f where f.organization_id = ${organizationId} and f.latest_at >= ${instant} + (
      select h.lateness from event_chain h where h.organization_id = ${organizationId} order by h.seq desc limit 1)
    order by f.latest_at, f.seq limit 1), 9223372036854775807))` // row-level security lets no index take a bare coalesce()

/** The place of the latest event in the log of an organization, as far as it is in order; 0 while it is empty. */
export const endOfLog = (organization: OrganizationId | Fragment): Fragment => sql`
  coalesce((select h.seq from event_chain h where h.organization_id = ${organization} order by h.seq desc limit 1), 0)`

/** The place of an event in the reader's log; null if it has none there. */
export const placeOf = ({ organizationId }: Reader, id: string): Fragment => sql`(
  select p.seq from event_chain p where p.event_id = ${id} and p.organization_id = ${organizationId})`

/** The place of the first event that is served: no older than so many days, or behind one that is not. */
const firstServed = (reader: Log): Fragment =>
  config.eventRetentionDays === 0
    ? sql`0`
    : sql`(select coalesce(${firstFrom(reader, sql`(business_now() - make_interval(days => ${config.eventRetentionDays}))`)},
        ${endOfLog(reader.organizationId)} + 1))`

/** A condition of `event_chain c`: the event is still served. */
const served = (reader: Log): Fragment =>
  config.eventRetentionDays === 0 ? sql`` : sql`and c.seq >= ${firstServed(reader)}`
