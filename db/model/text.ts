/** Text as requests carry it: lengths count Unicode code points, NUL is refused everywhere. */
import * as v from 'valibot'

/** Text of `min` to `max` code points, without NUL; with `min` 1 it must not be blank. */
export const text = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.check((value) => !value.includes('\0'), 'nul'),
    v.check((value) => value.length <= max || codePoints(value) <= max, `too_long:${max}`),
    v.check((value) => (min === 0 ? true : value.trim().length >= min), 'blank'),
    v.metadata({ jsonSchema: { type: 'string', ...(min > 0 && { minLength: min }), maxLength: max } }),
  )

function codePoints(value: string): number {
  let count = 0
  for (const _ of value) count += 1
  return count
}

/** An email address (RFC 5322, with a domain that has a dot) of at most 255 characters, kept in lower case. */
export const email = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(255),
  v.check((address) => v.RFC_EMAIL_REGEX.test(address) && /@[^@]+\.[^@.]+$/.test(address), 'email'),
  v.metadata({ jsonSchema: { type: 'string', format: 'email', maxLength: 255 } }),
  v.toLowerCase(),
)

/** A timestamp in answers: ISO 8601 in UTC. */
export const timestamp = v.pipe(v.string(), v.isoTimestamp())

/** A uuid in answers. */
export const uuid = v.pipe(v.string(), v.uuid())

/** The answer of a deletion. */
export const Deleted = v.object({ deleted: v.literal(true), id: uuid })

export const nullableText = v.nullable(v.string())

/** Money in answers: a decimal at the currency's precision. */
export const AnswerMoney = v.object({ amount: v.string(), currency: v.string() })
