/** Conditions that several lists share. */
import { plain } from '../../domain/text.ts'
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

/** Filters by the words as one substring of the texts, in any case; every row without words. */
export const containing = (words: string | undefined, texts: Fragment): Fragment =>
  words ? sql`and position(lower(${words}) in lower(concat_ws(' ', ${texts}))) > 0` : sql``

/** Filters by every word of `q` in a column of plain() text, with or without accents. */
export function withWords(q: string | undefined, column: Fragment): Fragment {
  const words = [
    ...new Set(
      plain(q ?? '')
        .split(/\s+/)
        .filter(Boolean),
    ),
  ]
  return words.length > 0 ? sql`and ${column} like all (${words.map(somewhere)}::text[])` : sql``
}

const somewhere = (words: string): string => `%${words.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
