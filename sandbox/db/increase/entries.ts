/** Entries of the account at Increase: made of the transfers, at the moments at which Increase posts them. */
import type { ConnectionName } from '../../../domain/partner.ts'
import { type Fragment, first, sql } from '../../../db/postgres/sql.ts'
import { type InboundKind, type Listing, type TransferKind, inboundKind } from './transfers.ts'

/** Mark of an entry: what left, what of it came back, what arrived, and what of it went back. */
export type EntryMark = 'i' | 'r' | 'x' | 'a' | 'b'
export type Entry = {
  /** UUID of the transfer. */
  readonly id: string
  readonly kind: TransferKind | InboundKind
  readonly mark: EntryMark
  readonly at: string
  readonly cents: number
  /** Place in the list. */
  readonly seq: string
}

/** Reads when a transfer first had one of these statuses. */
const instantOf = (row: Fragment, ...statuses: readonly string[]): Fragment => sql`
  (select min((h ->> 'at')::timestamptz) from jsonb_array_elements(${row}.document -> 'history') h
    where h ->> 'status' = any (${[...statuses]}))`

/** Reads when a transfer is posted: by ACH at once, unless it asks to be when it settles. */
const postingOf = (row: Fragment): Fragment => sql`case ${row}.document ->> 'kind'
  when 'ach_transfer' then case
    when ${row}.document -> 'order' ->> 'transaction_timing' = 'asynchronous' then ${instantOf(row, 'settled', 'returned')}
    when (${row}.document -> 'order' ->> 'require_approval')::boolean then (${row}.document ->> 'approved_at')::timestamptz
    else ${row}.made_at end
  when 'wire_transfer' then ${instantOf(row, 'processing', 'settled', 'returned')}
  else ${instantOf(row, 'settled')} end`

/** Selects transfers that leave, with the instants of their entries. */
const leaving = (partner: ConnectionName): Fragment => sql`
  select p.id, p.made_at, p.document ->> 'kind' as kind, round(p.amount::numeric * 100)::float8 as cents,
    round((p.returned ->> 'amount')::numeric * 100)::float8 as returned, ${postingOf(sql`p`)} as posted_at,
    case when p.document ->> 'kind' in ('ach_transfer', 'wire_transfer') then ${instantOf(sql`p`, 'returned')} end
      as returned_at,
    ${instantOf(sql`p`, 'rejected', 'cancelled')} as ended_at
  from sandbox_payouts p where p.partner = ${partner} and p.document is not null`

/** Selects transfers that arrived; one that can still be declined, or was, is no money. */
const arriving = (partner: ConnectionName): Fragment => sql`
  select d.id, ${inboundKind(sql`d`)} as kind, round(d.amount::numeric * 100)::float8 as cents,
    greatest(d.received_at, (d.document ->> 'resolve_at')::timestamptz) as accepted_at,
    case when d.status = 'returned' then coalesce(${instantOf(sql`d`, 'returned')}, d.received_at) end as back_at
  from sandbox_deposits d
  where d.partner = ${partner} and d.document -> 'declined' is null
    and coalesce((d.document ->> 'resolve_at')::timestamptz, '-infinity') <= clock_timestamp()`

const entriesOf = (partner: ConnectionName): Fragment => sql`
  with leaving as (${leaving(partner)}), arriving as (${arriving(partner)}),
  entries as (
    select id, kind, 'i' as mark, posted_at as at, -cents as cents from leaving where posted_at is not null
    union all
    select id, kind, 'r', returned_at, coalesce(returned, cents) from leaving
    where returned_at is not null and posted_at is not null
    union all
    select id, kind, 'x', ended_at, cents from leaving where ended_at is not null and posted_at is not null
    union all
    select id, kind, 'a', accepted_at, cents from arriving
    union all
    select id, kind, 'b', back_at, -cents from arriving where back_at is not null)`

/** Reads the balance now, or of an instant: what is posted, and that less what is held for transfers on their way. */
export async function balanceAt(
  partner: ConnectionName,
  at: string | null,
): Promise<{ readonly current: number; readonly available: number }> {
  const until = sql`coalesce(${at}::timestamptz, 'infinity')`
  const row = await first(sql<{ current: number; held: number }[]>`
    ${entriesOf(partner)}
    select coalesce((select sum(cents) from entries where at <= ${until}), 0)::float8 as current,
      coalesce((select sum(cents) from leaving where made_at <= ${until}
        and (posted_at is null or posted_at > ${until}) and (ended_at is null or ended_at > ${until})), 0)::float8 as held`)
  if (!row) throw new Error('a sum has a row')
  return { current: row.current, available: row.current - row.held }
}

const PLACE = sql`to_char((extract(epoch from at) * 1000000)::bigint, 'FM00000000000000000') || '-' || id || mark`

/** Lists entries, newest first; of one transfer and mark if they are named. */
export const listEntries = async (
  partner: ConnectionName,
  { before, from, to, limit }: Listing,
  one: { readonly id: string; readonly mark: string } | null = null,
): Promise<Entry[]> => [
  ...(await sql<Entry[]>`
    ${entriesOf(partner)}
    select id, kind, mark, at, cents, ${PLACE} as seq from entries
    where ${PLACE} < coalesce(${before}, 'z') and id = coalesce(${one?.id ?? null}::uuid, id)
      and mark = coalesce(${one?.mark ?? null}, mark)
      and at >= coalesce(${from}::timestamptz, '-infinity') and at < coalesce(${to}::timestamptz, 'infinity')
    order by seq desc limit ${limit}`),
]
