/** What stands in partners' lists and is none to be compared: unreadable, which an operator is told, or of nothing. */
import type { ListName, ReconciledPartner } from '../../domain/callbacks/partner-list.ts'
import { sql } from '../sql.ts'

/** `name` is the id if there is one, else the place in the list. */
export type NamedUnreadableRecord = { readonly name: string; readonly isZeroAmount: boolean }

/** Notes what was met in a list; answers what was never met before. `syncUnreadable` tells the operator of it. */
export async function recordUnreadableRecords(
  partner: ReconciledPartner,
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

/** Forgets what can be read after all. */
export async function forgetUnreadableRecords(
  partner: ReconciledPartner,
  list: ListName,
  ids: readonly string[],
): Promise<void> {
  await sql`
    delete from partner_oddities where partner = ${partner} and list = ${list} and name = any (${[...ids]}::text[])`
}

/** Forgets what was not met any more since the whole list began to be read. */
export async function forgetUnseen(partner: ReconciledPartner, list: ListName, since: string): Promise<void> {
  await sql`delete from partner_oddities where partner = ${partner} and list = ${list} and seen_at < ${since}`
}
