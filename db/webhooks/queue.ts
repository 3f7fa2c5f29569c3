/** What an endpoint gets next: events of the log become deliveries page by page, in its order and no more at a time. */
import { endOfLog, servedPlaces } from '../events/log.ts'
import { newId } from '../../domain/ids.ts'
import { type Fragment, type Tx, sql } from '../sql.ts'

/** Deliveries of an endpoint that wait for their turn, at most: the rest waits in the log, which keeps it anyway. */
export const WAITING_MAX = 500
/**
 * The same with those that were not taken, and what waits behind them: they leave the others room, but not for ever.
 */
const KEPT_MAX = 5000
const PAGE = 200

/** An endpoint's place in the log, and what it takes. */
export type Reading = { readonly id: string; readonly types: readonly string[]; readonly cursor: string }

/** Fills up what waits: with what is new first, then with what somebody asked for once more. */
export async function fillQueue(tx: Tx, endpoint: Reading): Promise<void> {
  let room = roomOf(await countWaiting(tx, endpoint.id))
  if (room > 0) room -= await queueNews(tx, endpoint, Math.min(room, PAGE))
  if (room > 0) await queueReplay(tx, endpoint, Math.min(room, PAGE))
}

/**
 * How many deliveries wait, and how many of them behind one about the same thing that was not taken, or are that one.
 */
export type Waiting = { readonly waiting: number; readonly held_up: number }

/** For so many more there is room. */
export const roomOf = ({ waiting, held_up: heldUp }: Waiting): number =>
  Math.min(WAITING_MAX - (waiting - heldUp), KEPT_MAX - waiting)

/** What waits at an endpoint, subject by subject; `due_at` and `tries` are of the first. */
export const waitingSubjects = (endpoint: Fragment): Fragment => sql`
  select count(*) as waiting, (array_agg(d.attempt_at order by d.seq, d.id))[1] as due_at,
    (array_agg(d.tries order by d.seq, d.id))[1] as tries
  from webhook_deliveries d where d.endpoint_id = ${endpoint} and d.status = 'pending' group by d.subject_id`

/** Whether the log, or a replay, may have something for endpoint `e` that is no delivery yet. */
export const hasMore = (): Fragment => sql`
  (e.cursor < ${endOfLog(sql`e.organization_id`)}
    or exists (select from webhook_replays r where r.endpoint_id = e.id and r.status = 'running'))`

/** The columns of `Waiting`, of `waitingSubjects() h`. */
export const waitingColumns = (): Fragment => sql`
  coalesce(sum(h.waiting), 0)::int as waiting, coalesce(sum(h.waiting) filter (where h.tries > 0), 0)::int as held_up`

async function countWaiting(tx: Tx, id: string): Promise<Waiting> {
  const [row] = await tx<Waiting[]>`select ${waitingColumns()} from (${waitingSubjects(sql`${id}`)}) h`
  return row ?? { waiting: 0, held_up: 0 }
}

type Listed = { readonly event_id: string; readonly seq: string; readonly type: string; readonly subject_id: string }

/** What the endpoint takes of the log between two places, the first of it; nothing that is not served any more. */
async function between(
  tx: Tx,
  { types }: Reading,
  { after, until, times, most }: { after: string; until: string; times?: Times; most: number },
): Promise<Listed[]> {
  const within = times ? sql`and c.occurred_at >= ${times.from_at} and c.occurred_at < ${times.until_at}` : sql``
  const places = servedPlaces(tx, {
    types: types.length > 0 ? types : undefined,
    where: sql`and c.seq > ${after} and c.seq <= ${until} ${within}`,
    order: 'asc',
    limit: most,
  })
  return tx<Listed[]>`select event_id, seq, type, subject_id from (${places}) p order by seq`
}
type Times = { readonly from_at: string; readonly until_at: string }

/** Answers how many there were. Without a whole page, all of the log has been looked through. */
async function queueNews(tx: Tx, endpoint: Reading, most: number): Promise<number> {
  const [log] = await tx<{ seq: string }[]>`select ${endOfLog(tx.organizationId)} as seq`
  const end = log?.seq ?? '0'
  if (BigInt(end) <= BigInt(endpoint.cursor)) return 0
  const events = await between(tx, endpoint, { after: endpoint.cursor, until: end, most })
  await queue(tx, endpoint.id, 'event', events)
  const reached = events.length === most ? (events.at(-1)?.seq ?? end) : end
  await tx`update webhook_endpoints set cursor = ${reached} where id = ${endpoint.id}`
  return events.length
}

type Replaying = Times & { readonly id: string; readonly cursor: string; readonly until_seq: string }

async function queueReplay(tx: Tx, endpoint: Reading, most: number): Promise<void> {
  const [replay] = await tx<Replaying[]>`
    select id, cursor, until_seq, from_at, until_at from webhook_replays
    where endpoint_id = ${endpoint.id} and status = 'running' for no key update`
  if (!replay) return
  const { id, cursor: after, until_seq: until } = replay
  const events = await between(tx, endpoint, { after, until, times: replay, most })
  await queue(tx, endpoint.id, 'replay', events)
  const isOver = events.length < most
  await tx`
    update webhook_replays set cursor = ${isOver ? until : (events.at(-1)?.seq ?? until)}, queued = queued + ${events.length},
      status = ${isOver ? 'completed' : 'running'}, ended_at = ${isOver ? tx`business_now()` : null}
    where id = ${id}`
}

async function queue(tx: Tx, id: string, origin: 'event' | 'replay', events: readonly Listed[]): Promise<void> {
  if (events.length === 0) return
  await tx`
    insert into webhook_deliveries (id, organization_id, endpoint_id, origin, event_id, event_type, subject_id, seq, status)
    select e.id, ${tx.organizationId}, ${id}, ${origin}, e.event_id, e.type, e.subject_id, e.seq, 'pending'
    from unnest(${events.map(() => newId())}::uuid[], ${events.map((event) => event.event_id)}::uuid[],
      ${events.map(({ type }) => type)}::text[], ${events.map((event) => event.subject_id)}::uuid[],
      ${events.map(({ seq }) => seq)}::bigint[]) e (id, event_id, type, subject_id, seq)`
}
