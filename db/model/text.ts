/** Text as requests carry it: lengths count Unicode code points, NUL is refused everywhere. */
import * as v from 'valibot'

/** What can be seen: neither blank nor control, nor one of the characters that only join, order or hide others. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/u
/** Controls, line ends among them, and the two that make text read in another order than it is written. */
const CONTROL = /[\p{Cc}\u2028\u2029\u202D\u202E]/u

/** Text of `min` to `max` code points, without NUL; with `min` 1 something of it must be seen. */
export const text = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.check((value) => !value.includes('\0'), 'nul'),
    v.check((value) => value.length <= max || codePoints(value) <= max, `too_long:${max}`),
    v.check((value) => min === 0 || (value.trim().length >= min && VISIBLE.test(value)), 'blank'),
    v.metadata({ jsonSchema: { type: 'string', ...(min > 0 && { minLength: min }), maxLength: max } }),
  )

/** The same on one line, as names are written: without control characters. */
export const line = (min: number, max: number) =>
  v.pipe(
    text(min, max),
    v.check((value) => !CONTROL.test(value), 'control'),
    v.metadata({ jsonSchema: { type: 'string', ...(min > 0 && { minLength: min }), maxLength: max } }),
  )

/** A remark that may be left out: null or text of at most `max` code points, and null if nothing of it can be seen. */
export const remark = (max: number) =>
  v.optional(
    v.nullable(
      v.pipe(
        text(0, max),
        v.transform((given) => (VISIBLE.test(given) ? given : null)),
      ),
    ),
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

/**
 * An open vocabulary in answers: the document says that others can come than these.
 * @param key of a variant, the member that its word stands in
 */
export const open = <Schema extends v.GenericSchema>(schema: Schema, description: string, key?: string) => {
  const word = { type: 'string', description }
  const later = key ? { type: 'object', required: [key], properties: { [key]: word } } : word
  return v.pipe(schema, v.metadata({ later }))
}

/** A whole number in answers, such as a count. */
export const integer = v.pipe(v.number(), v.integer())

/** Money in answers: a decimal at the currency's precision. */
export const AnswerMoney = v.object({ amount: v.string(), currency: v.string() })
