/**
 * Text as requests carry it: lengths count Unicode code points, NUL is refused everywhere. What others read stands on
 * one line() unless it is long; what nobody reads is opaque().
 */
import * as v from 'valibot'
import { refusedSign, withoutHiding, withoutUnseen } from './signs.ts'

/** What can be seen: neither blank nor control, nor one of the characters that only join, order or hide others. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/u
const ofLength = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.check((value) => !value.includes('\0'), 'nul'),
    v.check((value) => value.length <= max || codePoints(value) <= max, `too_long:${max}`),
    v.check((value) => min === 0 || (value.trim().length >= min && VISIBLE.test(value)), 'blank'),
  )

const said = (min: number, max: number) => ({
  jsonSchema: { type: 'string', ...(min > 0 && { minLength: min }), maxLength: max },
})

/**
 * Refuses signs that control, order or hide others, with the first of them and its place; takes out what only hides.
 */
const cleaned = (isOfLines: boolean) =>
  v.pipe(
    v.string(),
    v.check(
      (value) => refusedSign(value, isOfLines) === undefined,
      ({ input }) => {
        const { sign, at } = refusedSign(input, isOfLines) ?? {}
        return `control:${sign} ${at}`
      },
    ),
    v.transform(withoutHiding),
  )

/**
 * A name, or other text on one line, of `min` to `max` code points; with `min` 1 something of it must be seen. Refuses
 * signs that control, order or hide others, and takes out those that only hide: what people read is what was written.
 */
export const line = (min: number, max: number) => v.pipe(cleaned(false), ofLength(min, max), v.metadata(said(min, max)))

/** The same on several lines: a note, an address, a reason. */
export const text = (min: number, max: number) => v.pipe(cleaned(true), ofLength(min, max), v.metadata(said(min, max)))

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

/** A secret, a code or an id of somebody else's, of which only we read whether it is right: any characters. */
export const opaque = (min: number, max: number) => v.pipe(ofLength(min, max), v.metadata(said(min, max)))

/** Text that was not checked as a line(): blanks for controls and line ends, and without what hides. */
export const onOneLine = (words: string): string =>
  withoutUnseen(words.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')).trim()

/** Signs that look like one, and two simple ones after each other (UTS 39, confusables of U+0022). */
const SIMPLE_QUOTE = String.raw`['\u0060\u00b4\u02b9\u02bb-\u02bd\u02c8\u02ca\u02cb\u05f3\u2018-\u201b\u2032\u2035\uff07]`
const LIKE_A_QUOTE = String.raw`["\u02ba\u02dd\u02ee\u02f6\u05f2\u05f4\u1cd3\u201c-\u201f\u2033\u2034\u2036\u2037\u2057\u275d\u275e\u3003\u301d-\u301f\uff02\u{1f676}-\u{1f678}]`
const DOUBLE_QUOTES = new RegExp(`(?:${LIKE_A_QUOTE}|${SIMPLE_QUOTE}{2})(?:${LIKE_A_QUOTE}|${SIMPLE_QUOTE})*`, 'gu')

/** A name in quotes, as our sentences have it: nothing in it ends them, or looks as if it did. */
export const quoted = (name: string): string =>
  `"${onOneLine(name).replaceAll(DOUBLE_QUOTES, "'").replaceAll(/\s+/gu, ' ')}"`

/**
 * What programs that show mail make links of: schemes, www, and a dot before a letter, as between a name and its
 * domain.
 */
const SCHEMES = /(?<![\p{L}\d+.-])[\p{L}\d+.-]*:\/\/|\bwww\d{0,3}\s*[.\u3002\uff0e\uff61]/giu
const DOMAIN_DOTS = /[.\u3002\uff0e\uff61](?=[\p{L}\p{M}])/gu

/** Puts words of others on one line, as our mails have them: nothing in them becomes a link. */
export const unlinked = (words: string): string =>
  onOneLine(onOneLine(words).replaceAll(SCHEMES, ' ').replaceAll(DOMAIN_DOTS, '. ')).replaceAll(/\s+/gu, ' ')

/** Quotes a name in a mail: it is neither taken for our words nor made a link. */
export const quotedInMail = (name: string): string => quoted(unlinked(name))

/** In lower case, without accents and joiners: what is searched and compared, and what is looked for in it. */
export const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')

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

/** A member of a request that may be left out, or null. */
export const maybe = <Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.nullable(schema))

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
