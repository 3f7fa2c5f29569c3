/** Conditions that several lists share. */
import { type Fragment, sql } from './sql.ts'

const isDay = (text: string): boolean => text.length === 10

/** Parses the start of a day in UTC, or the instant. */
export const startOf = (text: string): Fragment => sql`${isDay(text) ? `${text}T00:00:00Z` : text}::timestamptz`

/** Parses the end of a day in UTC, or just after an instant: an exclusive bound that includes it. */
export const endOf = (text: string): Fragment =>
  isDay(text) ? sql`(${startOf(text)} + interval '1 day')` : sql`(${startOf(text)} + interval '1 microsecond')`

export const before = (column: Fragment, from: string): Fragment => sql`and ${column} < ${startOf(from)}`

/** Filters by `from` and `to`, both included; a day stands for all of it, in UTC. */
export function timeRange(column: Fragment, range: { from?: string | undefined; to?: string | undefined }): Fragment {
  const { from, to } = range
  return sql`
    ${from ? sql`and ${column} >= ${startOf(from)}` : sql``}
    ${to ? sql`and ${column} < ${endOf(to)}` : sql``}`
}

/** Filters by `amount_min` and `amount_max`, both included. */
export function amountRange(
  column: Fragment,
  range: { amount_min?: string | undefined; amount_max?: string | undefined },
): Fragment {
  const { amount_min: least, amount_max: most } = range
  return sql`
    ${least ? sql`and ${column} >= ${least}::numeric` : sql``}
    ${most ? sql`and ${column} <= ${most}::numeric` : sql``}`
}

/** Filters by equality of the columns of the same names; an absent filter adds no condition. */
export const equalTo = <Name extends string>(
  table: string,
  filters: { readonly [Filter in Name]?: string | undefined },
  names: readonly Name[],
): Fragment[] => names.map((name) => (filters[name] ? sql`and ${sql(`${table}.${name}`)} = ${filters[name]}` : sql``))

/**
 * Filters by every word of `q`, each anywhere in the texts, with or without accents. Every row is found without words. No other filter
 * searches texts: test/shared/contract/searches.test.ts asks each list.
 */
export function withWords(q: string | undefined, texts: readonly Fragment[]): Fragment {
  const words = [...new Set((q ?? '').split(/\s+/).filter(Boolean))]
  if (words.length === 0) return sql``
  const text = texts.map((one, at) => sql`${at > 0 ? sql` || ' ' || ` : sql``}coalesce(${one}, '')`)
  return sql`${words.map((word) => sql`and folded(${text}) like any ((select patterns_of(${word}))::text[])`)}`
}
