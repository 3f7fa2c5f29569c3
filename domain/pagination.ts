/** Lists: the query every list takes and the envelope every list answers. */
import * as v from 'valibot'
import { isOnCalendar } from './instants.ts'

export const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100

const wholeNumber = v.regex<string, string>(/^-?\d+$/, 'must be a whole number')
const clamp = (text: string): number => Math.min(MAX_LIMIT, Math.max(1, Number(text)))
const description = `Clamped to 1..${MAX_LIMIT}, never refused.`

/** `limit` clamped to 1..100 (50 when absent; text that is no whole number is refused) and an id as `cursor`. */
export const PageQuery = {
  limit: v.pipe(
    v.optional(v.string(), String(DEFAULT_LIMIT)),
    wholeNumber,
    v.metadata({ jsonSchema: { type: 'integer', default: DEFAULT_LIMIT, description } }),
    v.transform(clamp),
  ),
  cursor: v.optional(v.pipe(v.string(), v.uuid())),
}

/** The limit of a list that is answered whole without limit and cursor: undefined when absent. */
export const optionalLimit = v.optional(
  v.pipe(v.string(), wholeNumber, v.metadata({ jsonSchema: { type: 'integer', description } }), v.transform(clamp)),
)

export type PageRequest = { limit: number; cursor?: string | undefined }
export type Page<Item> = { data: Item[]; has_more: boolean; next_cursor: string | null }

/** The schema of a Cursor list of the given items. */
export const pageOf = <Item extends v.GenericSchema>(item: Item) =>
  v.object({ data: v.array(item), has_more: v.boolean(), next_cursor: v.nullable(v.string()) })

/** The only page of a list that is answered whole. */
export const onePage = <Item>(data: Item[]): Page<Item> => ({ data, has_more: false, next_cursor: null })

/** A query that is true or false. */
export const flag = v.pipe(
  v.picklist(['true', 'false']),
  v.metadata({ jsonSchema: { type: 'boolean' } }),
  v.transform((text) => text === 'true'),
)

/** A filter by amount: a plain decimal. */
export const amountFilter = v.pipe(
  v.string(),
  v.maxLength(255),
  v.regex(/^(0|[1-9][0-9]*)(\.[0-9]+)?$/, 'must be a plain decimal number such as 10.50'),
)
/** An instant that a request names: ISO 8601 with an offset, on a day that the calendar has. */
export const instant = v.pipe(v.string(), v.isoTimestamp(), v.check(isReal, 'no_such_time'))
/** A day that a request names, of those that the calendar has. */
export const day = v.pipe(v.string(), v.isoDate(), v.check(isOnCalendar, 'no_such_time'))
const dayOrInstant = v.pipe(
  v.string(),
  v.check((text) => v.ISO_DATE_REGEX.test(text) || v.ISO_TIMESTAMP_REGEX.test(text), 'day_or_time'),
  v.check(isReal, 'no_such_time'),
  v.metadata({ jsonSchema: { anyOf: ['date', 'date-time'].map((format) => ({ type: 'string', format })) } }),
)
/** A filter by currency; one that does not exist matches nothing. */
export const currencyFilter = v.pipe(v.string(), v.maxLength(16))

/** `from` and `to` of a list, each a day (all of it, in UTC) or an instant. */
export const TimeFilters = { from: v.optional(dayOrInstant), to: v.optional(dayOrInstant) }
/** The same of a list of money, and its least and largest amount. */
export const MoneyFilters = {
  ...TimeFilters,
  amount_min: v.optional(amountFilter),
  amount_max: v.optional(amountFilter),
}

/** Whether the calendar has the day of an ISO 8601 text, from year 1 on, and the offset is one that Postgres takes. */
function isReal(text: string): boolean {
  if (!v.ISO_DATE_REGEX.test(text) && !v.ISO_TIMESTAMP_REGEX.test(text)) return true // which is its own fault
  const date = text.slice(0, 10)
  if (!isOnCalendar(date)) return false
  const [offset, sign, offsetHours] = /([+-])(\d\d)(:?\d\d)?$/.exec(text.slice(10)) ?? []
  if (offset === undefined) return true
  if (date === '0001-01-01' && sign === '+') return false // in UTC it is in the year before
  return Number(offsetHours) < 16
}
