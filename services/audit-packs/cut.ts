/** Cut of a log: everything up to a signed head, which nothing later changes. */
import { placesOfHeads } from '../events/log.ts'
import { publishHead } from '../events/heads.ts'
import { extendEventChain } from '../webhooks/chain.ts'
import { Unwritable } from '../../domain/exports/export.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { type Fragment, type Reader, first, readBytes, readerOf, sql } from '../../db/postgres/sql.ts'

/** A published head of a log. */
export type Head = {
  readonly seq: number
  readonly hash: string
  readonly key_id: string
  readonly statement: string
  readonly signature: string
}

const CHAINED_AT_ONCE = 1000
/** Heads that others may publish meanwhile. */
const TRIES_MAX = 5

const selectHead = ({ organizationId }: Reader, condition: Fragment): Fragment => sql`
  select h.seq::float8 as seq, encode(h.hash, 'hex') as hash, h.key_id, h.statement,
    replace(encode(h.signature, 'base64'), E'\\n', '') as signature
  from event_heads h where h.organization_id = ${organizationId} ${condition}`

/** Chains and signs the log up to now. Throws `Unwritable` if it does not match its hashes. */
export async function publishCut(organizationId: OrganizationId): Promise<Head> {
  while ((await extendEventChain(CHAINED_AT_ONCE, false)) >= CHAINED_AT_ONCE);
  const reached = (await placesOfHeads([organizationId])).get(organizationId) ?? 0
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const bad = await publishHead(organizationId)
    if (bad) throw new Unwritable('log_differs', `the log does not match its hashes: ${bad.fault} at ${bad.seq}`)
    const reader = readerOf(organizationId)
    const head = await first(reader<Head>(selectHead(reader, sql`order by h.seq desc limit 1`)))
    if (head && head.seq >= reached) return head
  }
  throw new Error('the head of the log was not published')
}

/** Finds the last head that was published before an instant: what it covers had happened by then. */
export const headBefore = (reader: Reader, instant: string): Promise<Head | undefined> =>
  first(
    reader<Head>(
      selectHead(
        reader,
        sql`and (h.statement::jsonb ->> 'published_at')::timestamptz <= ${instant} order by h.seq desc limit 1`,
      ),
    ),
  )

/** Lists the heads from one to another, both included. */
export const headsBetween = (reader: Reader, from: number, to: number): Promise<Head[]> =>
  reader<Head>(selectHead(reader, sql`and h.seq between ${from} and ${to} order by h.seq`))

/** Events of a page, of which a pack has thousands: the process never holds more than one. */
const EVENTS_A_PAGE = 100

/**
 * Reads the events behind a place, up to another, each with its hash: pages of lines, as the bytes that Postgres sent,
 * with their number of events.
 */
export async function* chainPages(
  organizationId: OrganizationId,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): AsyncGenerator<{ readonly lines: Uint8Array; readonly events: number }> {
  for (let at = after; at < upTo;) {
    const [page = []] = await readBytes(
      organizationId,
      sql`
        select string_agg('{"event":' || canonical_event(p.event, p.seq) || ',"hash":"' || encode(p.hash, 'hex') || E'"}\\n', ''
            order by p.seq), count(*), max(p.seq)
        from (select c.seq, c.hash, e.event
          from (select * from event_chain where organization_id = ${organizationId} and seq > ${at} and seq <= ${upTo}
            order by seq limit ${sql.unsafe(String(EVENTS_A_PAGE))}) c
          cross join lateral (select one as event from events one where one.id = c.event_id offset 0) e) p`,
    )
    const [lines, events, last] = page
    if (!lines || !last) throw new Unwritable('log_differs', `the log ends at ${at}`)
    yield { lines, events: Number(String(events)) }
    at = Number(String(last))
  }
}
