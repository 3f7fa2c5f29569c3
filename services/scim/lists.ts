/** Pages of lists of SCIM, bounded by what their resources refer to. */
import { isUuid } from '../../domain/ids.ts'
import { type Fragment, sql } from '../../db/postgres/sql.ts'

/** Part of a list: the resources of this page, and the number of all. */
export type Matches<One> = { readonly total: number; readonly found: readonly One[] }
export type Slice = { readonly from: number; readonly most: number }

/** References that the resources of one page have together at most; the first resource has all of its own. */
const REFERENCES_MAX = 10_000

/**
 * Selects the rows of a page, each with its `place` and the `list` of its references. It ends before these are too many,
 * and counts no further: the provider goes on behind it (RFC 7644, section 3.4.2.4). `listOf` selects those of one row.
 */
export const selectBounded = (page: Fragment, listOf: (row: Fragment) => Fragment): Fragment => sql`
  with recursive page as materialized (
    select p.*, (row_number() over (order by p.inserted_at, p.id))::integer as place from (${page}) p
  ), taken as (
    select r.*, jsonb_array_length(r.list) as total
    from (select p.place, ${listOf(sql`p`)} as list from page p where p.place = 1 offset 0) r
    union all
    select r.*, t.total + jsonb_array_length(r.list)
    from taken t cross join lateral (
      select p.place, ${listOf(sql`p`)} as list from page p where p.place = t.place + 1 offset 0
    ) r
    where t.total + jsonb_array_length(r.list) <= ${REFERENCES_MAX}
  )
  select page.*, taken.list from page join taken using (place)`

/** Puts conditions together; none is no text. */
export const together = (conditions: Fragment[]): Fragment => (conditions.length > 0 ? sql`${conditions}` : sql``)

/** Compares a column with an id; what is no id is equal to none. */
export const isId = (column: Fragment, value: string): Fragment =>
  isUuid(value) ? sql`${column} = ${value.toLowerCase()}::uuid` : sql`false`
