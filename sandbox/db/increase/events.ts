/** Events of the stand-in of Increase: each change of an object is one, by the object's own history. */
import type { ConnectionName } from '../../../domain/partner.ts'
import { first, sql } from '../../../db/postgres/sql.ts'
import type { OpenedKind } from './accounts.ts'
import { type InboundKind, type Listing, type TransferKind, inboundKind } from './transfers.ts'

/** Change of an object; the first version is its creation. */
export type ChangeRow = {
  readonly id: string
  readonly kind: TransferKind | InboundKind | OpenedKind
  readonly version: number
  readonly at: string
  /** Place in the list. */
  readonly seq: string
}

const changesAt = (partner: ConnectionName) => sql`
  with changes as (
    select id, document ->> 'kind' as kind, 1 as version, made_at as at from sandbox_payouts
    where partner = ${partner} and document is not null
    union all
    select p.id, p.document ->> 'kind', (h ->> 'version')::integer, (h ->> 'at')::timestamptz
    from sandbox_payouts p, jsonb_array_elements(p.document -> 'history') h
    where p.partner = ${partner}
    union all
    select d.id, ${inboundKind(sql`d`)}, 1, d.received_at from sandbox_deposits d where d.partner = ${partner}
    union all
    select d.id, ${inboundKind(sql`d`)}, (h ->> 'version')::integer, (h ->> 'at')::timestamptz
    from sandbox_deposits d, jsonb_array_elements(d.document -> 'history') h
    where d.partner = ${partner}
    union all
    select id, document ->> 'kind', 1, made_at from sandbox_accounts where partner = ${partner} and document is not null
    union all
    select a.id, a.document ->> 'kind', (h ->> 'version')::integer, (h ->> 'at')::timestamptz
    from sandbox_accounts a, jsonb_array_elements(a.document -> 'history') h
    where a.partner = ${partner})`

const PLACE = sql`to_char((extract(epoch from at) * 1000000)::bigint, 'FM00000000000000000') || '-' || id || '-' ||
  to_char(version, 'FM0000000')`

/** Lists changes, newest first; of one object if it is named. */
export const listChanges = async (
  partner: ConnectionName,
  { before, from, to, limit }: Listing,
  { id, isAscending }: { readonly id: string | null; readonly isAscending: boolean },
): Promise<ChangeRow[]> => [
  ...(await sql<ChangeRow[]>`
    ${changesAt(partner)}
    select id, kind, version, at, ${PLACE} as seq from changes
    where ${isAscending ? sql`${PLACE} > coalesce(${before}, '')` : sql`${PLACE} < coalesce(${before}, 'z')`}
      and id = coalesce(${id}::uuid, id) and at <= clock_timestamp()
      and at >= coalesce(${from}::timestamptz, '-infinity') and at < coalesce(${to}::timestamptz, 'infinity')
    order by ${isAscending ? sql`seq` : sql`seq desc`} limit ${limit}`),
]

/** Finds a change of an object; of one that is no longer told, the object's creation. */
export const findChange = (partner: ConnectionName, id: string, version: number): Promise<ChangeRow | undefined> =>
  first(sql<ChangeRow[]>`
    ${changesAt(partner)}
    select id, kind, version, at, ${PLACE} as seq from changes where id = ${id} and version = ${version}`)
