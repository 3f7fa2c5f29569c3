/** What stands in partners' lists and is none to be compared: unreadable, which an operator is told, or of nothing. */
import type { ListName, Lister } from '../model/partners/partner-list.ts'
import { sql } from '../sql.ts'

/** `name` is the id where there is one, else the place in the list. */
export type NamedOddity = { readonly name: string; readonly isNothing: boolean }

/** Notes what was met in a list; answers what was never met before. `keepUnreadable` tells the operator of it. */
export async function noteOddities(
  partner: Lister,
  list: ListName,
  odd: readonly NamedOddity[],
): Promise<NamedOddity[]> {
  const nothing = odd.filter(({ isNothing }) => isNothing).map(({ name }) => name)
  const rows = await sql<(NamedOddity & { isNew: boolean })[]>`
    insert into partner_oddities (partner, list, name, is_nothing)
    select distinct ${partner}, ${list}, o.name, o.name = any (${nothing}::text[])
    from unnest(${odd.map(({ name }) => name)}::text[]) o (name)
    on conflict (partner, list, name) do update set is_nothing = excluded.is_nothing, seen_at = business_now()
    returning name, is_nothing as "isNothing", xmax = 0 as "isNew"`
  return rows.filter(({ isNew }) => isNew).map(({ name, isNothing }) => ({ name, isNothing }))
}

/** Forgets what can be read after all. */
export async function forgetOddities(partner: Lister, list: ListName, ids: readonly string[]): Promise<void> {
  await sql`
    delete from partner_oddities where partner = ${partner} and list = ${list} and name = any (${[...ids]}::text[])`
}

/** Forgets what was not met any more since the whole list began to be read. */
export async function forgetUnseen(partner: Lister, list: ListName, since: string): Promise<void> {
  await sql`delete from partner_oddities where partner = ${partner} and list = ${list} and seen_at < ${since}`
}
