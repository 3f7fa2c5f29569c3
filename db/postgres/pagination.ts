/** Keyset pagination: newest first by (inserted_at, id), the cursor is the id of the last item of the page before. */
import type { UserId } from '../../domain/ids.ts'
import { type Page, type PageRequest, refuseCursor } from '../../domain/pagination.ts'
import { type Fragment, type Reader, sql } from './sql.ts'

/**
 * Reads a keyset page of a table with organization_id, inserted_at and id. `select` is the query with its where clause;
 * it names the table by its own name and selects its `id`.
 */
export const pageOf = <Row extends { id: string }>(
  reader: Reader,
  table: string,
  page: PageRequest,
  select: Fragment,
): Promise<Page<Row>> =>
  keyset<Row>(reader, { table, column: 'organization_id', owner: reader.organizationId }, page, select)

/** Order of a list: a key that is never null, then the id. */
export type Order = { readonly key: (row: Fragment) => Fragment; readonly isRising: boolean }
const NEWEST: Order = { key: (row) => sql`${row}.inserted_at`, isRising: false }

/** Reads a keyset page as pageOf() does, in another order. Each order needs an index of its own. */
export const pageInOrder = <Row extends { id: string }>(
  reader: Reader,
  list: { readonly table: string; readonly order?: Order },
  page: PageRequest,
  select: Fragment,
): Promise<Page<Row>> =>
  keyset<Row>(reader, { ...list, column: 'organization_id', owner: reader.organizationId }, page, select)

/** Reads a page of a table of people, which has user_id instead. */
export const pageOfPerson = <Row extends { id: string }>(
  userId: UserId,
  table: string,
  page: PageRequest,
  select: Fragment,
): Promise<Page<Row>> =>
  keyset<Row>(async (query) => [...(await query)], { table, column: 'user_id', owner: userId }, page, select)

type OwnedTable = {
  readonly table: string
  readonly column: 'organization_id' | 'user_id'
  readonly owner: string
  readonly order?: Order
}

async function keyset<Row extends { id: string }>(
  run: (query: Fragment) => Promise<unknown[]>,
  { table, column, owner, order: { key, isRising } = NEWEST }: OwnedTable,
  { limit, cursor }: PageRequest,
  select: Fragment,
): Promise<Page<Row>> {
  const t = sql(table)
  const own = sql`${sql(`${table}.${column}`)} = ${owner}`
  const after = cursor
    ? sql`and (${key(sql`${t}`)}, ${t}.id) ${isRising ? sql`>` : sql`<`} ((select ${key(sql`c`)} from ${t} c
        where c.id = ${cursor} and c.${sql(column)} = ${owner}), ${cursor}::uuid)`
    : sql``
  const way = isRising ? sql`asc` : sql`desc`
  // the caller names the row type of its own query
  const rows = (await run(sql`
    ${select} and ${own} ${after} 
    order by ${key(sql`${t}`)} ${way}, ${t}.id ${way} limit ${sql.unsafe(String(limit + 1))}`)) as Row[]
  if (rows.length === 0 && cursor) {
    const known = await run(sql`select id from ${t} where id = ${cursor} and ${own}`)
    if (known.length === 0) refuseCursor()
  }
  return toPage(rows, limit)
}

/** Wraps `limit + 1` rows as a page: the extra row only shows that there are more. */
export function toPage<Row extends { id: string }>(rows: Row[], limit: number): Page<Row> {
  const data = rows.slice(0, limit)
  const more = rows.length > limit
  return { data, has_more: more, next_cursor: more ? (data.at(-1)?.id ?? null) : null }
}
