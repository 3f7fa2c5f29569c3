/** Pagination: the query and the envelope of every list. */
import * as v from 'valibot'
import { DAY_MS, millisecondsOf } from './instants.ts'
import { refuse } from './errors.ts'
import { isOnCalendar } from './instants.ts'

export const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100

const wholeNumber = v.regex<string, string>(/^-?\d+$/, 'must be a whole number')
const clamp = (text: string): number => Math.min(MAX_LIMIT, Math.max(1, Number(text)))
const description = `Clamped to 1..${MAX_LIMIT}, never refused.`

/** Query of a keyset page. `limit` is clamped to 1..100 (default 50), and refused unless a whole number. */
export const PageQuery = {
  limit: v.pipe(
    v.optional(v.string(), String(DEFAULT_LIMIT)),
    wholeNumber,
    v.metadata({ jsonSchema: { type: 'integer', default: DEFAULT_LIMIT, description } }),
    v.transform(clamp),
  ),
  cursor: v.optional(v.pipe(v.string(), v.uuid())),
}

/** Limit of a list that is answered whole without limit and cursor. */
export const optionalLimit = v.optional(
  v.pipe(v.string(), wholeNumber, v.metadata({ jsonSchema: { type: 'integer', description } }), v.transform(clamp)),
)

/** Refuses a cursor that names no item of this list; unknown and foreign ones get the same answer. */
export function refuseCursor(fault: { path?: string; code?: string; message?: string } = {}): never {
  const unknown = { path: 'cursor', code: 'unknown_cursor', message: 'does not name an item' }
  refuse('invalid_request', { errors: [{ ...unknown, ...fault }] })
}

export type PageRequest = { limit: number; cursor?: string | undefined }
export type Page<Item> = { data: Item[]; has_more: boolean; next_cursor: string | null }

const pages = new WeakMap<v.GenericSchema, v.GenericSchema>()

const newPage = <Item extends v.GenericSchema>(item: Item) => {
  const entries = { data: v.array(item), has_more: v.boolean(), next_cursor: v.nullable(v.string()) }
  return v.pipe(v.object(entries), v.title(`${v.getTitle(item)}Page`))
}

/** Makes the envelope of a list, named after its items; one for each schema of items. */
export function pageOf<Item extends v.GenericSchema>(item: Item): ReturnType<typeof newPage<Item>> {
  const page = pages.get(item) ?? newPage(item)
  pages.set(item, page)
  return page as ReturnType<typeof newPage<Item>> // made for this item
}

export const onePage = <Item>(data: Item[]): Page<Item> => ({ data, has_more: false, next_cursor: null })

export const flag = v.pipe(
  v.picklist(['true', 'false']),
  v.metadata({ jsonSchema: { type: 'boolean' } }),
  v.transform((text) => text === 'true'),
)

export const amountFilter = v.pipe(
  v.string(),
  v.maxLength(255),
  v.regex(/^(0|[1-9][0-9]*)(\.[0-9]+)?$/, 'must be a plain decimal number such as 10.50'),
)
/** Instant in a request: ISO 8601 with an offset, on a day of the calendar. */
export const instant = v.pipe(v.string(), v.isoTimestamp(), v.check(isReal, 'no_such_time'))
export const day = v.pipe(v.string(), v.isoDate(), v.check(isReal, 'no_such_time'))
const dayOrInstant = v.pipe(
  v.string(),
  v.check((text) => v.ISO_DATE_REGEX.test(text) || v.ISO_TIMESTAMP_REGEX.test(text), 'day_or_time'),
  v.check(isReal, 'no_such_time'),
  v.metadata({ jsonSchema: { anyOf: ['date', 'date-time'].map((format) => ({ type: 'string', format })) } }),
)
/** Filter by currency; an unknown one matches nothing. */
export const currencyFilter = v.pipe(v.string(), v.maxLength(16))

/** Instant in whole milliseconds, so that it is compared here as it is kept. */
export const moment = v.pipe(
  instant,
  v.transform((text) => new Date(millisecondsOf(text)).toISOString()),
)

/** Checks that the end of a span is after `from`, and at most that number of days later. */
export const endsWithin = <
  End extends 'to' | 'until',
  Span extends { readonly from: string } & Readonly<Record<End, string>>,
>(
  end: End,
  days: number,
) =>
  v.rawCheck<Span>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const { value: span } = dataset
    const length = Date.parse(span[end]) - Date.parse(span.from)
    if (length > 0 && length <= days * DAY_MS) return
    const path = { type: 'object', origin: 'value', input: span, key: end, value: span[end] } as const
    addIssue({ message: length > 0 ? `too_far:${days}` : 'not_after_from', path: [path] })
  })

/** Filters `from` and `to`, each an instant or a whole day in UTC. */
export const TimeFilters = { from: v.optional(dayOrInstant), to: v.optional(dayOrInstant) }
/** TimeFilters, with the least and the largest amount. */
export const MoneyFilters = {
  ...TimeFilters,
  amount_min: v.optional(amountFilter),
  amount_max: v.optional(amountFilter),
}

/** Tells whether a time exists: a day of the calendar, in UTC from year 1 to 9999, an offset that Postgres takes. */
function isReal(text: string): boolean {
  if (!v.ISO_DATE_REGEX.test(text) && !v.ISO_TIMESTAMP_REGEX.test(text)) return true // another check names this fault
  const date = text.slice(0, 10)
  if (!isOnCalendar(date)) return false
  const [offset, sign, offsetHours] = /([+-])(\d\d)(:?\d\d)?$/.exec(text.slice(10)) ?? []
  if (date === '9999-12-31' && (sign === '-' || /\.9{6}[5-9]/.test(text))) return false // in UTC, or rounded, it is in year 10000
  if (offset === undefined) return true
  if (date === '0001-01-01' && sign === '+') return false // in UTC it is in year 0
  return Number(offsetHours) < 16
}
