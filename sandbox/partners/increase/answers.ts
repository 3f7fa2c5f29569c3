/** Answers of Increase: its errors, lists and times, and what a request is answered by. */
import type Increase from 'increase'
import * as v from 'valibot'
import type { ConnectionName } from '../../../domain/partner.ts'
import type { Listing } from '../../db/increase/transfers.ts'

/** Connection whose bank is asked. */
export type Desk = {
  readonly partner: ConnectionName
  /** Account of the money of all. */
  readonly account: string
  /** Notes that something may be due sooner. */
  readonly changed: () => void
}

export type Question = {
  readonly desk: Desk
  /** Id of the path; empty without one. */
  readonly id: string
  readonly query: URLSearchParams
  readonly body: unknown
  readonly key: string | null
}
export type Answer = {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export const ok = (body: object): Answer => ({ status: 200, body })

/** Marks the answer to a key that was used before. */
export const markReplayed = (answer: Answer, isReplayed: boolean): Answer =>
  isReplayed ? { ...answer, headers: { 'idempotent-replayed': 'true' } } : answer

type Members<Kind extends abstract new (...given: never) => unknown> = Pick<
  InstanceType<Kind>,
  Extract<
    keyof InstanceType<Kind>,
    'status' | 'type' | 'title' | 'detail' | 'reason' | 'resource_id' | 'errors' | 'retry_after'
  >
>
type ErrorBody =
  | Members<typeof Increase.InvalidParametersError>
  | Members<typeof Increase.MalformedRequestError>
  | Members<typeof Increase.InvalidAPIKeyError>
  | Members<typeof Increase.APIMethodNotFoundError>
  | Members<typeof Increase.ObjectNotFoundError>
  | Members<typeof Increase.IdempotencyKeyAlreadyUsedError>
  | Members<typeof Increase.InvalidOperationError>
  | Members<typeof Increase.RateLimitedError>
  | Members<typeof Increase.InternalServerError>

/** Error that Increase answers. */
export class Refusal extends Error {
  readonly answer: Answer

  constructor(body: ErrorBody, headers: Readonly<Record<string, string>> = {}) {
    super(body.title)
    this.answer = { status: body.status, body, headers }
  }
}

const RETRY_AFTER_SECONDS = 1

export const invalidParameters = (detail: string, field: string): Refusal =>
  new Refusal({
    status: 400,
    type: 'invalid_parameters_error',
    title: "The parameters supplied were missing or didn't match the schema for this request.",
    detail,
    errors: [{ field, message: detail }],
  })
export const noJson = (): Refusal =>
  new Refusal({ status: 400, type: 'malformed_request_error', title: 'The request was malformed.', detail: null })
export const invalidKey = (reason: 'no_header' | 'no_credential'): Refusal =>
  new Refusal({
    status: 401,
    type: 'invalid_api_key_error',
    title: 'The authorization provided was not valid.',
    detail: null,
    reason,
  })
export const noSuchMethod = (): Refusal =>
  new Refusal({
    status: 404,
    type: 'api_method_not_found_error',
    title: 'There is no API method at the provided path.',
    detail: null,
  })
export const notFound = (id: string): Refusal =>
  new Refusal({
    status: 404,
    type: 'object_not_found_error',
    title: 'An object with the provided identifier could not be found.',
    detail: `There is no object with the identifier ${id.slice(0, 80)}.`,
  })
export const keyUsed = (resourceId: string): Refusal =>
  new Refusal({
    status: 409,
    type: 'idempotency_key_already_used_error',
    title: 'An object with the provided idempotency key already exists.',
    detail: `The object ${resourceId} was created with other parameters.`,
    resource_id: resourceId,
  })
export const invalidOperation = (detail: string): Refusal =>
  new Refusal({
    status: 409,
    type: 'invalid_operation_error',
    title: 'The action you specified cannot be performed on the object in its current state.',
    detail,
  })
export const rateLimited = (): Refusal =>
  new Refusal(
    {
      status: 429,
      type: 'rate_limited_error',
      title: 'Your request was rejected due to exceeding rate limits.',
      detail: null,
      retry_after: RETRY_AFTER_SECONDS,
    },
    { 'retry-after': String(RETRY_AFTER_SECONDS) },
  )
export const broken = (): Refusal =>
  new Refusal({
    status: 500,
    type: 'internal_server_error',
    title: 'Something went wrong at Increase.',
    detail: null,
  })

/** Reads a body by its schema. Throws for one of another shape. */
export function parse<S extends v.GenericSchema>(schema: S, body: unknown): v.InferOutput<S> {
  const read = v.safeParse(schema, body)
  if (read.success) return read.output
  const [issue] = read.issues
  throw invalidParameters(issue.message, v.getDotPath(issue) ?? '')
}

/** Writes a time of the books as Increase does. */
export const timeOf = (at: string): string => new Date(at).toISOString()
export const dayOf = (at: string): string => timeOf(at).slice(0, 10)

/** Writes an amount of the books in cents. */
export const centsOf = (amount: string): number => Math.round(Number(amount) * 100)
export const amountOf = (cents: number): string => (cents / 100).toFixed(2)

const PAGE_MAX = 100
const Limit = v.optional(v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.toNumber(), v.minValue(1), v.maxValue(PAGE_MAX)))
const Time = v.optional(
  v.pipe(
    v.string(),
    v.check((text) => !Number.isNaN(Date.parse(text)), 'must be a time of ISO 8601'),
  ),
)
const Bounds = v.object({
  limit: Limit,
  cursor: v.optional(v.string()),
  'created_at.after': Time,
  'created_at.on_or_after': Time,
  'created_at.before': Time,
  'created_at.on_or_before': Time,
})

export type Page<Item> = { readonly data: Item[]; readonly next_cursor: string | null }
type Seq = { readonly seq: string }

/** Cursor of lists by number. */
const NUMBER = /^\d{1,18}$/

/** Reads bounds and place of a list. */
export function listingOf(query: URLSearchParams, cursors = NUMBER): Listing {
  const read = parse(Bounds, Object.fromEntries(query))
  if (read.cursor !== undefined && !cursors.test(read.cursor))
    throw invalidParameters('must be a next_cursor', 'cursor')
  const later = (at: string | undefined, ms: number) => at && new Date(Date.parse(at) + ms).toISOString()
  return {
    before: read.cursor ?? null,
    from: later(read['created_at.after'], 1) ?? later(read['created_at.on_or_after'], 0) ?? null,
    to: later(read['created_at.before'], 0) ?? later(read['created_at.on_or_before'], 1) ?? null,
    limit: read.limit ?? PAGE_MAX,
  }
}

type Showing<Row, Item> = {
  readonly show: (row: Row) => Item | Promise<Item>
  readonly leaves?: (item: Item) => boolean
  readonly cursors?: RegExp
}

/** Fills a page of what the filters leave; `list` answers rows in the order of the list. */
export async function pageOf<Row extends Seq, Item>(
  query: URLSearchParams,
  list: (listing: Listing) => Promise<Row[]>,
  { show, leaves = () => true, cursors }: Showing<Row, Item>,
): Promise<Page<Item>> {
  const asked = listingOf(query, cursors)
  const data: Item[] = []
  let before = asked.before
  for (;;) {
    const rows = await list({ ...asked, before, limit: PAGE_MAX + 1 })
    for (const row of rows.slice(0, PAGE_MAX)) {
      const item = await show(row)
      if (!leaves(item)) continue
      if (data.length === asked.limit) return { data, next_cursor: before }
      data.push(item)
      before = row.seq
    }
    if (rows.length <= PAGE_MAX) return { data, next_cursor: null }
    before = rows[PAGE_MAX - 1]?.seq ?? null
  }
}

/** Reads a filter of several values, as `status.in`; undefined without it. */
export const valuesOf = (query: URLSearchParams, name: string): readonly string[] | undefined =>
  query.has(name) ? query.getAll(name).flatMap((text) => text.split(',')) : undefined
