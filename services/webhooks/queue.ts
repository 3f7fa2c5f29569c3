/** Queue of an endpoint: events of the log become deliveries page by page, in its order. */
import { newId } from '../../domain/ids.ts'
import type { TypeStarts } from '../../domain/webhooks/types.ts'
import { endOfLog, selectServedPlaces } from '../events/log.ts'
import { type Fragment, type Tx, sql } from '../../db/postgres/sql.ts'

/** Most waiting deliveries of an endpoint; later events stay in the log. */
export const WAITING_MAX = 500
/** Same limit with failed deliveries and those behind them: they leave room for the others, up to this. */
const KEPT_MAX = 5000
const PAGE = 200

/** Endpoint's place in the log, and its types with their places; an empty list takes all. */
export type Cursor = {
  readonly id: string
  readonly types: readonly string[]
  readonly type_starts: TypeStarts
  readonly cursor: string
}

/** Fills the queue with new events first, then with a replay. */
export async function fillQueue(tx: Tx, endpoint: Cursor): Promise<void> {
  const [row] = await tx<QueueLength[]>`
    select ${waitingColumns(sql`h`)} from (${waitingSubjects(sql`${endpoint.id}`)}) h`
  let room = roomOf(row ?? { waiting: 0, held_up: 0 })
  if (room > 0) room -= await queueEvents(tx, endpoint, Math.min(room, PAGE))
  if (room > 0) await queueReplay(tx, endpoint, Math.min(room, PAGE))
}

/** Counts of waiting deliveries: all, and those that failed or wait behind a failed one. */
export type QueueLength = { readonly waiting: number; readonly held_up: number }

/** Computes how many more deliveries the queue takes. */
export const roomOf = ({ waiting, held_up: heldUp }: QueueLength): number =>
  Math.min(WAITING_MAX - (waiting - heldUp), KEPT_MAX - waiting)

/** Selects waiting deliveries by subject; `due_at` and `tries` are of the first. */
export const waitingSubjects = (endpoint: Fragment): Fragment => sql`
  select count(*) as waiting, (array_agg(d.attempt_at order by d.seq, d.id))[1] as due_at,
    (array_agg(d.tries order by d.seq, d.id))[1] as tries
  from webhook_deliveries d where d.endpoint_id = ${endpoint} and d.status = 'pending' group by d.subject_id`

/** Builds the condition: the log, or a replay, may have events for endpoint `e` without a delivery. */
export const hasMore = (e: Fragment): Fragment => sql`
  (${e}.cursor < ${endOfLog(sql`${e}.organization_id`)}
    or exists (select from webhook_replays r where r.endpoint_id = ${e}.id and r.status = 'running'))`

/** Selects the columns of `Waiting`, of `waitingSubjects() h`. */
export const waitingColumns = (h: Fragment): Fragment => sql`
  coalesce(sum(${h}.waiting), 0)::int as waiting, coalesce(sum(${h}.waiting) filter (where ${h}.tries > 0), 0)::int as held_up`

type QueuedEvent = {
  readonly event_id: string
  readonly seq: string
  readonly type: string
  readonly subject_id: string
}

/** Reads the first served events between two places that the endpoint takes. */
async function eventsBetween(
  tx: Tx,
  { types, type_starts: starts }: Cursor,
  { after, until, times, most }: { after: string; until: string; times?: Times; most: number },
): Promise<QueuedEvent[]> {
  const within = times
    ? sql`and c.occurred_at >= ${times.from_at} and c.occurred_at < ${times.until_at}`
    : sinceWanted(sql`c`, tx, starts)
  const places = selectServedPlaces(tx, {
    type: types.length > 0 ? types : undefined,
    where: sql`and c.seq > ${after} and c.seq <= ${until} ${within}`,
    order: 'asc',
    limit: most,
  })
  return tx<QueuedEvent[]>`select event_id, seq, type, subject_id from (${places}) p order by seq`
}
/** Builds the condition: the type of `event_chain c` has been wanted since. A replay asks for a time instead. */
const sinceWanted = (c: Fragment, tx: Tx, starts: TypeStarts): Fragment =>
  Object.keys(starts).length === 0
    ? sql``
    : sql`and ${c}.seq > coalesce(${tx.json(starts)}::jsonb ->> ${c}.type, ${tx.json(starts)}::jsonb ->> '*', '0')::bigint`

type Times = { readonly from_at: string; readonly until_at: string }

/** Queues new events and advances the cursor; returns their number. */
async function queueEvents(tx: Tx, endpoint: Cursor, most: number): Promise<number> {
  const [log] = await tx<{ seq: string }[]>`select ${endOfLog(tx.organizationId)} as seq`
  const end = log?.seq ?? '0'
  if (BigInt(end) <= BigInt(endpoint.cursor)) return 0
  const events = await eventsBetween(tx, endpoint, { after: endpoint.cursor, until: end, most })
  await insertDeliveries(tx, endpoint.id, 'event', events)
  // less than a page: the log was read to its end
  const reached = events.length === most ? (events.at(-1)?.seq ?? end) : end
  await tx`update webhook_endpoints set cursor = ${reached} where id = ${endpoint.id}`
  return events.length
}

type ReplayRow = Times & { readonly id: string; readonly cursor: string; readonly until_seq: string }

async function queueReplay(tx: Tx, endpoint: Cursor, most: number): Promise<void> {
  const [replay] = await tx<ReplayRow[]>`
    select id, cursor, until_seq, from_at, until_at from webhook_replays
    where endpoint_id = ${endpoint.id} and status = 'running' for no key update`
  if (!replay) return
  const { id, cursor: after, until_seq: until } = replay
  const events = await eventsBetween(tx, endpoint, { after, until, times: replay, most })
  await insertDeliveries(tx, endpoint.id, 'replay', events)
  const isOver = events.length < most
  await tx`
    update webhook_replays set cursor = ${isOver ? until : (events.at(-1)?.seq ?? until)}, queued = queued + ${events.length},
      status = ${isOver ? 'completed' : 'running'}, ended_at = ${isOver ? tx`business_now()` : null}
    where id = ${id}`
}

async function insertDeliveries(tx: Tx, id: string, origin: 'event' | 'replay', events: readonly QueuedEvent[]) {
  if (events.length === 0) return
  await tx`
    insert into webhook_deliveries (id, organization_id, endpoint_id, origin, event_id, event_type, subject_id, seq, status)
    select e.id, ${tx.organizationId}, ${id}, ${origin}, e.event_id, e.type, e.subject_id, e.seq, 'pending'
    from unnest(${events.map(() => newId())}::uuid[], ${events.map((event) => event.event_id)}::uuid[],
      ${events.map(({ type }) => type)}::text[], ${events.map((event) => event.subject_id)}::uuid[],
      ${events.map(({ seq }) => seq)}::bigint[]) e (id, event_id, type, subject_id, seq)`
}
