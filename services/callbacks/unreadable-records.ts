/** Records in partners' lists that are not compared: unreadable ones, and deposits of zero. */
import type { ListName, ConnectionName } from '../../domain/partner.ts'
import { sql } from '../../db/postgres/sql.ts'

/** `name` is the id if there is one, else the place in the list. */
type NamedUnreadableRecord = { readonly name: string; readonly isZeroAmount: boolean }

/** Stores such records of a list; answers the new ones. `syncUnreadable` makes them findings. */
export async function recordUnreadableRecords(
  partner: ConnectionName,
  list: ListName,
  odd: readonly NamedUnreadableRecord[],
): Promise<NamedUnreadableRecord[]> {
  const nothing = odd.filter(({ isZeroAmount }) => isZeroAmount).map(({ name }) => name)
  const rows = await sql<(NamedUnreadableRecord & { isNew: boolean })[]>`
    insert into partner_oddities (partner, list, name, is_nothing)
    select distinct ${partner}, ${list}, o.name, o.name = any (${nothing}::text[])
    from unnest(${odd.map(({ name }) => name)}::text[]) o (name)
    on conflict (partner, list, name) do update set is_nothing = excluded.is_nothing, seen_at = business_now()
    returning name, is_nothing as "isZeroAmount", xmax = 0 as "isNew"`
  return rows.filter(({ isNew }) => isNew).map(({ name, isZeroAmount }) => ({ name, isZeroAmount }))
}

export async function forgetUnreadableRecords(
  partner: ConnectionName,
  list: ListName,
  ids: readonly string[],
): Promise<void> {
  await sql`
    delete from partner_oddities where partner = ${partner} and list = ${list} and name = any (${[...ids]}::text[])`
}

/** Forgets records that did not come again since the whole list began to be read. */
export async function forgetUnseen(partner: ConnectionName, list: ListName, since: string): Promise<void> {
  await sql`delete from partner_oddities where partner = ${partner} and list = ${list} and seen_at < ${since}`
}
