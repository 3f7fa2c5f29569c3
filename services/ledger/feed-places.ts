/** Places of rows in the feed: what a page selects first, by an index that has them in order. */
import { equalTo, timeRange } from '../../db/postgres/filters.ts'
import { type Fragment, type Reader, sql } from '../../db/postgres/sql.ts'
import type { TransactionFilters } from '../../domain/accounts/transaction.ts'
import { labelKeyOf } from '../../domain/coding/label.ts'
import type { UserId } from '../../domain/ids.ts'

/** The sort key of the feed as one value, and as the columns of a subquery. */
export const sortKey = (t: Fragment): Fragment => sql`(${t}.feed_at, ${t}.seq, ${t}.id)`
const sortColumns = (t: Fragment): Fragment => sql`${t}.id, ${t}.feed_at, ${t}.seq`

/** Selects the sort key of a row, also of a discarded one; each part is a value, so that an index serves it. */
export function cursorKey(reader: Reader, id: string): Fragment {
  const row = sql`from transactions c where c.id = ${id} and c.organization_id = ${reader.organizationId}`
  return sql`((select c.feed_at ${row}), (select c.seq ${row}), ${id}::uuid)`
}

/**
 * Selects rows `t` that are not discarded, in the words of the indexes of filters: the planner cannot derive those of
 * `transactions_feed` from them, so that it never reads the whole feed for a filter.
 */
export const isKept = (t: Fragment): Fragment => sql`coalesce(${t}.discarded_at, 'infinity') = 'infinity'`

/** Selects rows `t` that are not discarded, in the words of the index of the whole feed. */
export const isNotDiscarded = (t: Fragment): Fragment => sql`${t}.discarded_at is null`

/** Filters by a reference of which few rows have the same. */
const REFERENCES = ['payment_id', 'deposit_id', 'swap_id'] as const
/** Filters by what has an index of its own, in the order of the feed. */
const INDEXED = ['payment_contact_id', 'category'] as const
/** Columns that make the kind of a row; an index has each kind in the order of the feed. */
const KIND = ['currency', 'type', 'direction'] as const

type Selection = {
  /** All conditions but that a row is not discarded. */
  readonly where: Fragment
  readonly limit: number
  readonly filters: TransactionFilters
  /** Person whose rows are selected; undefined for all. */
  readonly creator: UserId | undefined
}

/**
 * Selects the places of the newest rows under a condition. Rows of a kind are taken from each kind that fits, and merged:
 * a rare one among a million takes 0.1 ms and not 200.
 */
export function placesOf(reader: Reader, { where, limit, filters, creator }: Selection): Fragment {
  const places = (more: (t: Fragment) => Fragment): Fragment =>
    newestRows({
      columns: sortColumns,
      source: sourceOf(reader, filters),
      where: (t) => sql`${where} and ${more(t)}`,
      limit,
      range: filters,
    })
  const isNarrowed =
    creator !== undefined || filters.label !== undefined || [...REFERENCES, ...INDEXED].some((name) => filters[name])
  if (isNarrowed) return places(isKept)
  if (!KIND.some((name) => filters[name])) return places(isNotDiscarded)
  return sql`
    select found.* from (${kindsOf(reader)}) k
    cross join lateral (${places((t) => ofKind(t, sql`k`))}) found
    where true ${equalTo('k', filters, KIND)}
    order by found.feed_at desc, found.seq desc, found.id desc limit ${sql.unsafe(String(limit))}`
}

const ofKind = (t: Fragment, k: Fragment): Fragment => sql`
  ${isKept(t)} and (${t}.currency, ${t}.type, ${t}.direction) = (${k}.currency, ${k}.type, ${k}.direction)`

/** Lists the kinds that an organization has rows of, by a loose index scan: each step finds the next one. */
function kindsOf({ organizationId }: Reader): Fragment {
  const next = (more: Fragment): Fragment => sql`
    select t.currency, t.type, t.direction from transactions t
    where t.organization_id = ${organizationId} and ${isKept(sql`t`)} ${more}
    order by t.currency, t.type, t.direction limit 1`
  const after = sql`and (t.currency, t.type, t.direction) > (kinds.currency, kinds.type, kinds.direction)`
  return sql`
    with recursive kinds as (
      (${next(sql``)}) union all select step.* from kinds cross join lateral (${next(after)}) step)
    select * from kinds`
}

/** Selects the few rows of a label, payment, deposit or swap first; else all, in the order of the feed. */
function sourceOf(reader: Reader, filters: TransactionFilters): Fragment {
  const { organizationId } = reader
  if (filters.label !== undefined) return selectLabelled(reader, labelKeyOf(filters.label))
  for (const name of REFERENCES) {
    const id = filters[name]
    if (id)
      return sql`(select * from transactions where ${sql(name)} = ${id} and organization_id = ${organizationId} offset 0)`
  }
  return sql`transactions`
}

/** Selects rows that have a label of their own, and those without any whose payment has it. */
const selectLabelled = ({ organizationId }: Reader, label: string): Fragment => sql`(
  select r.* from labelled_transactions(${label}) l cross join lateral (
    select * from transactions where id = l and organization_id = ${organizationId} offset 0) r
  union all
  select r.* from labelled_payments(${label}) p cross join lateral (
    select * from transactions where payment_id = p and organization_id = ${organizationId} offset 0) r
  where r.labels = '[]' offset 0)`

/**
 * Makes the statement of the newest rows under a condition. A range of time is one condition for pending rows and another
 * for posted ones: each has its part.
 */
export function newestRows(query: {
  readonly columns: (t: Fragment) => Fragment
  /** The table, or a subquery with the few rows that something names. */
  readonly source: Fragment
  readonly where: (t: Fragment) => Fragment
  readonly limit: number
  readonly range: Pick<TransactionFilters, 'from' | 'to'>
}): Fragment {
  const { from, to } = query.range
  const limit = sql.unsafe(String(query.limit)) // in the text of the statement, so that its plan knows how few they are
  const part = (more: Fragment): Fragment => sql`
    select ${query.columns(sql`t`)} from ${query.source} t where ${query.where(sql`t`)} ${more}
    order by t.feed_at desc, t.seq desc, t.id desc limit ${limit}`
  if (!from && !to) return part(sql``)
  const pending = part(sql`and t.feed_at = 'infinity' ${timeRange(sql`t.occurred_at`, { from, to })}`)
  const posted = part(sql`and t.feed_at < 'infinity' ${timeRange(sql`t.feed_at`, { from, to })}`)
  return sql`
    select * from ((${pending}) union all (${posted})) t order by t.feed_at desc, t.seq desc, t.id desc limit ${limit}`
}
