/** Keyset pagination: newest first by (inserted_at, id), the cursor is the id of the last item of the page before. */
import { refuse } from './model/errors.ts'
import type { UserId } from './model/ids.ts'
import type { Page, PageRequest } from './model/page.ts'
import { type Fragment, type Reader, sql } from './sql.ts'

/** Refusal of a cursor that names nothing in this list: unknown and foreign ones get the same answer. */
export function refuseCursor(): never {
  refuse('invalid_request', { errors: [{ path: 'cursor', code: 'unknown_cursor', message: 'does not name an item' }] })
}

/**
 * One page of a table that carries organization_id, inserted_at and id. `select` is the whole query up to and including
 * its where clause; it must name the table by its own name and select its `id`.
 */
export async function pageOf<Row extends { id: string }>(
  reader: Reader,
  table: string,
  { limit, cursor }: PageRequest,
  select: Fragment,
): Promise<Page<Row>> {
  const t = sql(table)
  const after = cursor
    ? sql`and (${t}.inserted_at, ${t}.id) < ((select c.inserted_at from ${t} c where c.id = ${cursor}
        and c.organization_id = ${reader.organizationId}), ${cursor}::uuid)`
    : sql``
  const rows = await reader<Row>(sql`
    ${select} and ${t}.organization_id = ${reader.organizationId} ${after}
    order by ${t}.inserted_at desc, ${t}.id desc limit ${limit + 1}`)
  if (rows.length === 0 && cursor && !(await exists(reader, table, cursor))) refuseCursor()
  return paged(rows, limit)
}

async function exists(reader: Reader, table: string, id: string): Promise<boolean> {
  const rows = await reader(sql`
    select id from ${sql(table)} where id = ${id} and organization_id = ${reader.organizationId}`)
  return rows.length === 1
}

/**
 * One page of a table of a person: it carries user_id, inserted_at and id. `select` is the whole query up to and including
 * its where clause; it must name the table by its own name and select its `id`.
 */
export async function pageOfPerson<Row extends { id: string }>(
  userId: UserId,
  table: string,
  { limit, cursor }: PageRequest,
  select: Fragment,
): Promise<Page<Row>> {
  const t = sql(table)
  const after = cursor
    ? sql`and (${t}.inserted_at, ${t}.id) < ((select c.inserted_at from ${t} c where c.id = ${cursor}
        and c.user_id = ${userId}), ${cursor}::uuid)`
    : sql``
  const rows = await sql<Row[]>`
    ${select} and ${t}.user_id = ${userId} ${after} order by ${t}.inserted_at desc, ${t}.id desc limit ${limit + 1}`
  if (rows.length === 0 && cursor) {
    const known = await sql`select from ${t} where id = ${cursor} and user_id = ${userId}`
    if (known.length === 0) refuseCursor()
  }
  return paged([...rows], limit)
}

/** The envelope of `limit + 1` rows: the extra row only says that there is more. */
export function paged<Row extends { id: string }>(rows: Row[], limit: number): Page<Row> {
  const data = rows.slice(0, limit)
  const more = rows.length > limit
  return { data, has_more: more, next_cursor: more ? (data.at(-1)?.id ?? null) : null }
}
