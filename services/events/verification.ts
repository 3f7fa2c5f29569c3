/** Verification of a log: recomputes every hash from the stored event. */
import type { Verification } from '../../domain/events/log.ts'
import { now } from '../../platform/clock.ts'
import { queueOfMany } from '../../platform/concurrency.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'
import { refuseCursor } from '../../domain/pagination.ts'

/** Events per statement, which takes some hundred milliseconds of Postgres. */
const PAGE = 10_000
/** Events per answer; a longer log continues from its cursor. */
const MOST = 100_000
/** Bulkhead: verifications of a process that wait or run; one at a time, one for each organization. */
const PLACES = { max: 5, each: { organization: 1 } }
const RETRY_SECONDS = 2

const inTurn = queueOfMany(PLACES, RETRY_SECONDS)

/**
 * Verifies up to 100,000 events behind the cursor; at the end also that none lost its place. Refuses a
 * cursor of no event of this log, `rate_limited` while another verification of it runs, and `service_unavailable`.
 */
export const verifyLog = (reader: Reader, cursor?: string): Promise<Verification> =>
  inTurn({ organization: reader.organizationId }, async () => {
    const begun = cursor ? ((await placeAt(reader, cursor)) ?? refuseCursor()) : BEGINNING
    const head = (await headOf(reader)) ?? BEGINNING
    const { last, bad } = await verifyPages(reader, begun, { end: head.seq, most: MOST })
    const isWhole = last.seq >= head.seq
    const firstBad = bad ?? (isWhole ? await findLost(reader) : null)
    return {
      ok: firstBad === null,
      events: last.seq - begun.seq,
      head: { seq: head.seq, hash: head.hash },
      verified_at: now().toISOString(),
      first_bad: firstBad,
      has_more: !isWhole && !bad,
      next_cursor: isWhole || bad ? null : last.event_id,
    }
  })

/** Verifies a whole log behind a published place; returns its head, and the first fault. */
export async function verifyBehind(
  reader: Reader,
  published: Place = BEGINNING,
): Promise<{ head: Place | undefined; bad: Bad | null }> {
  const head = await headOf(reader)
  const { bad } = await verifyPages(reader, published, { end: head?.seq ?? 0, most: Infinity })
  return { head, bad: bad ?? (await findLost(reader)) }
}

/** Place in a log, and the hash of everything up to it. */
type Place = { readonly seq: number; readonly hash: string | null; readonly event_id: string | null }
type Bad = NonNullable<Verification['first_bad']>
const BEGINNING: Place = { seq: 0, hash: null, event_id: null }

const places = ({ organizationId }: Reader): Fragment => sql`
  select seq::float8 as seq, encode(hash, 'hex') as hash, event_id from event_chain where organization_id = ${organizationId}`

const placeAt = (reader: Reader, id: string): Promise<Place | undefined> =>
  first(reader<Place>(sql`${places(reader)} and event_id = ${id}`))

const headOf = (reader: Reader): Promise<Place | undefined> =>
  first(reader<Place>(sql`${places(reader)} order by event_chain.seq desc limit 1`))

/** Verifies page by page, up to the first fault, a place, or the cap of an answer. */
async function verifyPages(
  reader: Reader,
  begun: Place,
  { end, most }: { readonly end: number; readonly most: number },
): Promise<{ last: Place; bad: Bad | null }> {
  let last = begun
  while (last.seq < end && last.seq - begun.seq < most) {
    const page = await first(reader<CheckRow>(selectCheck(reader, last)))
    if (!page) return { last, bad: { fault: 'missing', seq: last.seq + 1, event_id: null } }
    if (page.bad_seq !== null) return { last: { ...last, seq: page.bad_seq - 1 }, bad: faultOf(page) }
    last = page
  }
  return { last, bad: null }
}

type CheckRow = Place &
  (
    | { bad_seq: number; bad_id: string | null; bad_step: number; is_there: boolean }
    | { bad_seq: null; bad_id: null; bad_step: null; is_there: null }
  )

function faultOf({ bad_seq: seq, bad_id: id, bad_step: step, is_there: isThere }: CheckRow & { bad_seq: number }): Bad {
  if (step > 1) return { fault: 'missing', seq: seq - step + 1, event_id: null }
  return { fault: isThere ? 'changed' : 'missing', seq, event_id: id }
}

/** Selects the last place of a page, and its first fault: each hash covers the one before and its event. */
const selectCheck = ({ organizationId }: Reader, after: Place): Fragment => sql`
  with page as materialized (
    select c.seq, c.hash, c.event_id, e.id is not null as is_there, c.seq - lag(c.seq, 1, ${after.seq}::bigint) over own as step,
      (c.stream, c.type, c.subject_id, c.occurred_at) is not distinct from (e.stream, e.type, e.subject_id, e.occurred_at)
        and c.hash = sha256(lag(c.hash, 1, decode(${after.hash ?? ''}, 'hex')) over own
          || convert_to(canonical_event(e.event, c.seq), 'UTF8')) as fits
    from (select * from event_chain
      where organization_id = ${organizationId} and seq > ${after.seq} order by seq limit ${PAGE}) c
    -- one by one, by their ids: of many at once all events there are would be read
    left join lateral (select one as event, one.* from events one where one.id = c.event_id offset 0) e on true
    window own as (order by c.seq))
  select l.seq::float8 as seq, encode(l.hash, 'hex') as hash, l.event_id, b.seq::float8 as bad_seq, b.event_id as bad_id,
    b.step::float8 as bad_step, b.is_there
  from (select * from page order by seq desc limit 1) l
  left join (select * from page where fits is not true or step <> 1 order by seq limit 1) b on true`

/** Finds a published head that the log does not lead to, or an event that lost its place. */
async function findLost(reader: Reader): Promise<Bad | null> {
  const unlike = await first(
    reader<{ seq: number }>(sql`
      select h.seq::float8 as seq from event_heads h
      left join lateral (select hash from event_chain
        where organization_id = h.organization_id and seq = h.seq offset 0) c on true
      where h.organization_id = ${reader.organizationId} and c.hash is distinct from h.hash order by h.seq limit 1`),
  )
  if (unlike) return { fault: 'not_as_published', seq: unlike.seq, event_id: null }
  const found = await first(reader<{ id: string | null }>(sql`select event_left_out() as id`))
  return found?.id ? { fault: 'not_chained', seq: null, event_id: found.id } : null
}
