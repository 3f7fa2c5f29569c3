/** Words of Increase that all of its resources share: amounts, times, pages and failures. */
import * as v from 'valibot'
import type { PageResponse } from 'increase/core/pagination'
import type { Money } from '../../domain/money/money.ts'
import { toMinor } from '../../domain/money/money.ts'
import type { SaidFailure } from '../http.ts'

export const DOLLARS = 'USD'

/** Makes a schema that takes everything that the provider's type allows: where the two drift apart, it does not compile. */
export const reads =
  <Theirs>() =>
  <Schema extends v.GenericSchema>(schema: Theirs extends v.InferInput<Schema> ? Schema : never): Schema & Of<Theirs> =>
    schema
/** Mark of the provider's type that a schema reads. */
type Of<Theirs> = { readonly theirs?: Theirs }

export const TheirId = v.pipe(v.string(), v.regex(/^\w{1,200}$/))
export const Time = v.pipe(v.string(), v.isoTimestamp())
export const Currency = v.pipe(v.string(), v.regex(/^[A-Z]{3}$/))
/** Money of a transfer in cents; zero is possible, as of a message without money. */
export const Cents = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** Writes cents as money, whatever its currency: the order's amount decides if they are the same. */
export const moneyOfCents = (cents: number, currency: string): Money => ({ amount: decimalOf(cents), currency })

/** Writes cents as a decimal, which is negative if they are. */
export function decimalOf(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Reads dollars as cents. */
export const centsOf = (money: Money): number => Number(toMinor(money))

/** Page of a list, newest first; each entry is read on its own. */
export const Page = reads<PageResponse<unknown>>()(
  v.object({ data: v.array(v.unknown()), next_cursor: v.nullable(v.string()) }),
)

const Failure = v.object({
  type: v.string(),
  title: v.nullish(v.string(), ''),
  detail: v.nullish(v.string(), ''),
})

export const NOT_ENABLED = 'private_feature_error'

/** Failures that say what happened; every other may pass. */
const SAID: Readonly<Record<string, readonly [status: number, says: 'absent' | 'misused' | 'refused']>> = {
  object_not_found_error: [404, 'absent'],
  api_method_not_found_error: [404, 'misused'],
  malformed_request_error: [400, 'misused'],
  invalid_parameters_error: [400, 'refused'],
  invalid_operation_error: [409, 'refused'],
  /** The key has made something else: neither a refusal of this nor this. */
  idempotency_key_already_used_error: [409, 'misused'],
  [NOT_ENABLED]: [403, 'refused'],
}

/** Reads a failure of Increase. Keys and permissions that are refused are no word about the order: they pass. */
export function readFailure(status: number, body: unknown): SaidFailure | undefined {
  const read = v.safeParse(Failure, body)
  if (!read.success) return undefined
  const { type, title, detail } = read.output
  const [wanted, says] = (Object.hasOwn(SAID, type) && SAID[type]) || []
  if (wanted !== status || !says) return undefined
  return says === 'refused' ? { code: type, message: detail || title || type } : says
}
