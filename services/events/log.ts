/** Log of an organization, in the order of its chain: no event ever appears before one that was read. */
import { refuse } from '../../domain/errors.ts'
import type { LoggedEvent } from '../../domain/event.ts'
import { type EventFilters, type LogFilters, typesOf } from '../../domain/events/log.ts'
import type { EventId, OrganizationId } from '../../domain/ids.ts'
import { type Page, refuseCursor } from '../../domain/pagination.ts'
import { config } from '../../platform/config.ts'
import { endOf, startOf } from '../../db/postgres/filters.ts'
import { toPage } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'

/** Lists the events that fit the filters. Refuses a cursor that names no event of this log. */
export async function listEvents(reader: Reader, filters: LogFilters): Promise<Page<LoggedEvent>> {
  const { limit, cursor, from, to, order } = filters
  const rows = await readLog(reader, {
    ...filters,
    where: sql`
      ${filters.subject_id ? sql`and c.subject_id = ${filters.subject_id}` : sql``}
      ${from ? sql`and c.occurred_at >= ${startOf(from)} and c.seq >= ${firstFrom(reader, startOf(from))}` : sql``}
      ${to ? sql`and c.occurred_at < ${endOf(to)} and c.seq < ${firstBehind(reader, endOf(to))}` : sql``}
      ${cursor ? sql`and c.seq ${order === 'asc' ? sql`>` : sql`<`} ${placeOf(reader, cursor)}` : sql``}`,
    limit: limit + 1,
  })
  if (cursor && (rows.length === 0 || config.eventRetentionDays > 0)) await requireServed(reader, cursor)
  return toPage(rows, limit)
}

/** Finds the place of a cursor. Refuses an event outside this log, or one behind which events are not served. */
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

/** Reads the first events behind a place of the reader's log that fit the filters. */
export const eventsAfter = (
  reader: Reader,
  { seq, ...asked }: EventFilters & { readonly seq: number; readonly limit: number },
): Promise<LoggedEvent[]> => readLog(reader, { ...asked, where: sql`and c.seq > ${seq}`, order: 'asc' })

export async function placesOfHeads(organizationIds: readonly OrganizationId[]): Promise<Map<OrganizationId, number>> {
  const rows = await sql<{ organization_id: OrganizationId; seq: number }[]>`
    select organization_id, seq::float8 as seq from event_chain_heads(${[...organizationIds]}::uuid[])`
  return new Map(rows.map((row) => [row.organization_id, row.seq]))
}

/** Names what is newest in each organization: a text that every event of it changes, at its commit. */
export async function newestEvents(organizationIds: readonly OrganizationId[]): Promise<Map<OrganizationId, string>> {
  const rows = await sql<{ organization_id: OrganizationId; newest: string }[]>`
    select organization_id, newest from latest_marks(${[...organizationIds]}::uuid[])`
  return new Map(rows.map((row) => [row.organization_id, row.newest]))
}

/** Finds an event of the reader's organization, even before it has its place. Refuses `not_found`. */
export async function findEvent(reader: Reader, id: EventId): Promise<LoggedEvent> {
  const event = await first(
    reader<LoggedEvent>(sql`
      select ${eventColumns(sql`e`, sql`c`)} from events e left join event_chain c on c.event_id = e.id
      where e.id = ${id} and e.organization_id = ${reader.organizationId}
        and (c.seq is null or c.seq >= ${firstServed(reader)})`),
  )
  return event ?? refuse('not_found')
}

type Log = Pick<Reader, 'organizationId'>

const readLog = (reader: Reader, asked: PlacesAsked): Promise<LoggedEvent[]> =>
  reader<LoggedEvent>(sql`
    select ${eventColumns(sql`e`, sql`c`)} from (${selectServedPlaces(reader, asked)}) c
    cross join lateral (select * from events where id = c.event_id offset 0) e
    order by c.seq ${directionOf(asked)}`)

type PlacesAsked = EventFilters & {
  /** Further conditions on `event_chain c`. */
  readonly where: Fragment
  readonly order: LogFilters['order']
  readonly limit: number
}

const directionOf = ({ order }: Pick<PlacesAsked, 'order'>): Fragment => (order === 'asc' ? sql`asc` : sql`desc`)

/**
 * Selects the first places of a log that are still served. Each type is one run through an index of at most a page, so
 * that other types cost nothing.
 */
export function selectServedPlaces(reader: Log, { where, limit, ...asked }: PlacesAsked): Fragment {
  const types = typesOf(asked)
  const page = (filter: Fragment) => sql`
    select c.event_id, c.seq, c.hash, c.type, c.subject_id from event_chain c
    where c.organization_id = ${reader.organizationId} ${isServed(sql`c`, reader)} ${filter} ${where}
    order by c.seq ${directionOf(asked)} limit ${sql.unsafe(String(limit))}`
  return types
    ? sql`select one.* from unnest(${[...types]}::text[]) t (type)
          cross join lateral (${page(sql`and c.type = t.type`)}) one
          order by one.seq ${directionOf(asked)} limit ${limit}`
    : page(asked.stream ? sql`and c.stream = ${asked.stream}` : sql``)
}

/** Selects the members of a logged event, of `events e` and its place `c`; seq as a JSON number. */
export const eventColumns = (e: Fragment, c: Fragment): Fragment => sql`
  ${e}.id, ${e}.organization_id, ${c}.seq::float8 as seq, ${e}.stream, ${e}.subject_id, ${e}.kind, ${e}.type as event_type, ${e}.actor_kind,
  ${e}.actor_user_id, ${e}.causation_id, ${e}.correlation_id, ${e}.cause, ${e}.occurred_at, ${e}.payload::jsonb as payload, ${e}.provider,
  encode(${c}.hash, 'hex') as hash`

/** Selects the place of the first event at or after an instant; all before it occurred earlier. */
export const firstFrom = ({ organizationId }: Log, instant: Fragment): Fragment => sql`(
  select f.seq from event_chain f where f.organization_id = ${organizationId} and f.latest_at >= ${instant}
  order by f.latest_at, f.seq limit 1)`

/**
 * Selects the place from which every event occurred at or after an instant. The head stores the largest time by which
 * an event occurred later than one behind it.
 */
const firstBehind = ({ organizationId }: Reader, instant: Fragment): Fragment => sql`(
  select coalesce((
    select f.seq from event_chain f where f.organization_id = ${organizationId} and f.latest_at >= ${instant} + (
      select h.lateness from event_chain h where h.organization_id = ${organizationId} order by h.seq desc limit 1)
    order by f.latest_at, f.seq limit 1), 9223372036854775807))` // row-level security lets no index take a bare coalesce()

/** Selects the place of the latest chained event of an organization; 0 while the log is empty. */
export const endOfLog = (organization: OrganizationId | Fragment): Fragment => sql`
  coalesce((select h.seq from event_chain h where h.organization_id = ${organization} order by h.seq desc limit 1), 0)`

/** Selects the place of an event in the reader's log; null if it has none there. */
const placeOf = ({ organizationId }: Reader, id: string): Fragment => sql`(
  select p.seq from event_chain p where p.event_id = ${id} and p.organization_id = ${organizationId})`

/** Selects the place of the first event that is served: younger than the days of retention, or behind one that is. */
const firstServed = (reader: Log): Fragment =>
  config.eventRetentionDays === 0
    ? sql`0`
    : sql`(select coalesce(${firstFrom(reader, sql`(business_now() - make_interval(days => ${config.eventRetentionDays}))`)},
        ${endOfLog(reader.organizationId)} + 1))`

const isServed = (c: Fragment, reader: Log): Fragment =>
  config.eventRetentionDays === 0 ? sql`` : sql`and ${c}.seq >= ${firstServed(reader)}`
