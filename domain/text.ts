/** Text in requests, measured in Unicode code points without NUL: line(), text(), remark() or opaque(). */
import * as v from 'valibot'
import { sayAlike } from './look-alikes.ts'
import { findRefusedSign, withoutHiding, withoutUnseen } from './signs.ts'

/** Visible characters: no blanks, controls, or signs that only join, order or hide others. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/u
const ofLength = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.check((value) => !value.includes('\0'), 'nul'),
    v.check((value) => value.length <= max || codePoints(value) <= max, `too_long:${max}`),
    v.check((value) => min === 0 || (value.trim().length >= min && VISIBLE.test(value)), 'blank'),
  )

const lengthSchema = (min: number, max: number) => ({
  jsonSchema: { type: 'string', ...(min > 0 && { minLength: min }), maxLength: max },
})

/**
 * Refuses signs that control, order or hide others, with the first one and its place; removes what only hides, and writes
 * letters and their accents as one sign (NFC).
 */
const clean = (isOfLines: boolean) =>
  v.pipe(
    v.string(),
    v.check(
      (value) => findRefusedSign(value, isOfLines) === undefined,
      ({ input }) => {
        const { sign, at } = findRefusedSign(input, isOfLines) ?? {}
        return `control:${sign} ${at}`
      },
    ),
    v.transform((value) => withoutHiding(value).normalize('NFC')),
  )

/**
 * Makes the schema of one line, such as a name, of `min` to `max` code points. With `min` 1 it must have a visible
 * character. Refuses signs that control, order or hide others; removes those that only hide.
 */
export const line = (min: number, max: number) =>
  v.pipe(clean(false), ofLength(min, max), v.metadata(lengthSchema(min, max)))

export const text = (min: number, max: number) =>
  v.pipe(clean(true), ofLength(min, max), v.metadata(lengthSchema(min, max)))

/** Makes the schema of an optional remark: null, or at most `max` code points; null if nothing is visible. */
export const remark = (max: number) =>
  v.optional(
    v.nullable(
      v.pipe(
        text(0, max),
        v.transform((given) => (VISIBLE.test(given) ? given : null)),
      ),
    ),
  )

/** Makes the schema of a secret, code or foreign id: any characters, as no other person reads it. */
export const opaque = (min: number, max: number) => v.pipe(ofLength(min, max), v.metadata(lengthSchema(min, max)))

/** Puts unchecked text on one line: blanks instead of controls and line ends, nothing hidden. */
export const onOneLine = (words: string): string =>
  withoutUnseen(words.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')).trim()

/** Double quotes, also two single ones in a row (UTS 39, confusables of U+0022). */
const SIMPLE_QUOTE = String.raw`['\u0060\u00b4\u02b9\u02bb-\u02bd\u02c8\u02ca\u02cb\u05f3\u2018-\u201b\u2032\u2035\uff07]`
const LIKE_A_QUOTE = String.raw`["\u02ba\u02dd\u02ee\u02f6\u05f2\u05f4\u1cd3\u201c-\u201f\u2033\u2034\u2036\u2037\u2057\u275d\u275e\u3003\u301d-\u301f\uff02\u{1f676}-\u{1f678}]`
const DOUBLE_QUOTES = new RegExp(`(?:${LIKE_A_QUOTE}|${SIMPLE_QUOTE}{2})(?:${LIKE_A_QUOTE}|${SIMPLE_QUOTE})*`, 'gu')

/**
 * Quotes a name for our sentences. Nothing in it looks like the end of the quotation; behind it stands what may deceive
 * about its letters.
 */
export function quoteName(name: string): string {
  const shown = onOneLine(name).replaceAll(DOUBLE_QUOTES, "'").replaceAll(/\s+/gu, ' ')
  const said = sayAlike(shown)
  return said === null ? `"${shown}"` : `"${shown}" (⚠ ${said})`
}

/** Parts that mail programs turn into links: schemes, www, and a dot before a letter. */
const SCHEMES = /(?<![\p{L}\d+.-])[\p{L}\d+.-]*:\/\/|\bwww\d{0,3}\s*[.\u3002\uff0e\uff61]/giu
const DOMAIN_DOTS = /[.\u3002\uff0e\uff61](?=[\p{L}\p{M}])/gu

/** Replaces what mail programs take for the begin of a link in our own sentences; their links stand apart. */
export const withoutSchemes = (words: string): string => onOneLine(words).replaceAll(SCHEMES, ' ')

/** Puts foreign words on one line of a mail, so that nothing becomes a link. */
export const unlink = (words: string): string =>
  onOneLine(withoutSchemes(words).replaceAll(DOMAIN_DOTS, '. ')).replaceAll(/\s+/gu, ' ')

export const quoteInMail = (name: string): string => quoteName(unlink(name))

/** Folds text for search and comparison: lower case, no accents, no joiners. */
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

/** Signs that end a domain in a URL, or are none of one. */
const NO_DOMAIN = /[\s/?#:@\\%[\]]/u

/** Writes the domain of an address as mail servers know it: info@müller.de as info@xn--mller-kva.de (RFC 5891). */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const url = `http://${domain}`
  if (at < 0 || /^[ -~]*$/.test(domain) || NO_DOMAIN.test(domain) || !URL.canParse(url)) return address
  return `${address.slice(0, at)}@${new URL(url).hostname}`
}

/** Email address (RFC 5322, with a dot in the domain), at most 255 characters, in lower case. */
export const email = v.pipe(
  v.string(),
  v.metadata({ jsonSchema: { type: 'string', format: 'email', maxLength: 255 } }), // what follows a transform is not read
  v.trim(),
  v.metadata({ jsonSchema: { type: 'string', format: 'email', maxLength: 255 } }), // of what is given: before a transform
  v.transform(withAsciiDomain),
  v.maxLength(255),
  v.check((address) => v.RFC_EMAIL_REGEX.test(address) && /@[^@]+\.[^@.]+$/.test(address), 'email'),
  v.toLowerCase(),
)

export const timestamp = v.pipe(v.string(), v.isoTimestamp())

export const uuid = v.pipe(v.string(), v.uuid())

const DESCRIPTION = Symbol('description')
type DescribedSchema = { readonly [DESCRIPTION]?: { readonly schema: v.GenericSchema; readonly text: string } }

/**
 * Describes a member of an `object()` or `model()` in the OpenAPI document. Unlike an action of a pipe, it costs nothing
 * when a value is parsed.
 */
export const describe = <Schema extends v.GenericSchema>(schema: Schema, text: string): Schema => ({
  ...schema,
  [DESCRIPTION]: { schema, text },
})

/** Makes the schema of an object; `members` describes those that it takes from other schemas. */
export function object<Entries extends v.ObjectEntries>(
  entries: Entries,
  members: { readonly [Member in keyof Entries]?: string } = {},
): v.ObjectSchema<Entries, undefined> {
  const all = Object.entries(entries).map(([key, schema]) => ({
    key,
    schema,
    ...(schema as DescribedSchema)[DESCRIPTION],
  }))
  // the schemas themselves, not their described copies: named ones are known by identity
  const plain = Object.fromEntries(all.map(({ key, schema }) => [key, schema])) as Entries
  const texts = Object.fromEntries(all.flatMap(({ key, text }) => (text === undefined ? [] : [[key, text]])))
  return { ...v.object(plain), texts: { ...members, ...texts } } as v.ObjectSchema<Entries, undefined>
}

type Texts = Readonly<Record<string, string>>

/** Reads the descriptions of a schema's members, also through a pipe. */
export function textsOf(schema: v.GenericSchema): Texts {
  const { texts, entries = {} } = schema as {
    readonly texts?: Texts
    readonly entries?: Readonly<Record<string, DescribedSchema>>
  }
  const own = Object.entries(entries).map(([key, member]) => [key, member[DESCRIPTION]?.text] as const)
  return { ...Object.fromEntries(own.flatMap(([key, text]) => (text === undefined ? [] : [[key, text]]))), ...texts }
}

/** Makes the schema of an object that has a name in the OpenAPI document. */
export const model = <const Title extends string, Entries extends v.ObjectEntries>(
  title: Title,
  entries: Entries,
  members: { readonly [Member in keyof Entries]?: string } = {},
) => v.pipe(object(entries, members), v.title(title))

export const Deleted = model('Deleted', { deleted: describe(v.literal(true), 'Always true.'), id: uuid })

export const maybe = <Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.nullable(schema))

export const nullableText = v.nullable(v.string())

/**
 * Declares an open vocabulary, or a variant, in answers: clients must expect further values.
 * @param description of the values that may come later
 */
export const open = <Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.pipe(schema, v.metadata({ later: { type: 'string', description } }))

export const integer = v.pipe(v.number(), v.integer())

export const AnswerMoney = model('Money', { amount: v.string(), currency: v.string() })

/** Writes an IBAN or a reference in groups of four signs, as people read it (ISO 13616). */
export const groupInFours = (text: string): string => text.replaceAll(/(.{4})(?=.)/g, '$1 ')
