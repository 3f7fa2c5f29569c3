/**
 * Filters and paths of SCIM, as Okta and Entra ID send them. Read sign by sign (RFC 7644, sections 3.4.2.2 and 3.5.2): the
 * work is linear in the length, which is bounded.
 */
import { type ScimType, refuseScim } from './errors.ts'
import { shorten } from './words.ts'

const CHARACTERS_MAX = 2000
const COMPARISONS_MAX = 5

type Value = string | boolean | null

/** Comparison for equality: `emails[type eq "work"].value eq "a@b.example"` has the path `emails.value`, and a type. */
export type Comparison = {
  /** Attribute and sub-attribute, in lower case, without the name of its schema. */
  readonly path: string
  readonly within?: { readonly path: string; readonly value: Value }
  readonly value: Value
}

/** Path of a change: `members[value eq "…"]`, `emails[type eq "work"].value`, `name.givenName`. */
export type Path = {
  readonly attribute: string
  readonly filter?: { readonly path: string; readonly value: Value }
  readonly sub?: string
}

/** Reads a filter: up to five comparisons for equality, joined by `and`. */
export function parseFilter(text: string): readonly Comparison[] {
  const reader = new Reader(text, 'invalidFilter')
  const comparisons: Comparison[] = []
  for (;;) {
    comparisons.push(reader.comparison())
    if (reader.isOver()) return comparisons
    if (comparisons.length === COMPARISONS_MAX) reader.refuse(`more than ${COMPARISONS_MAX} comparisons`)
    if (reader.word() !== 'and') reader.refuse('comparisons are joined by "and" alone')
  }
}

/** Reads the path of a change. */
export function parsePath(text: string): Path {
  const reader = new Reader(text, 'invalidPath')
  const path = reader.path()
  return reader.isOver() ? path : reader.refuse('it goes on behind its end')
}

/** Name of a schema before an attribute: urn:ietf:params:scim:schemas:core:2.0:User:userName. */
const URN = 'urn:'
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/

/** Signs that no text of the database has: NUL, and half of a pair of UTF-16. */
const UNSTORABLE = /[\0\p{Cs}]/u

const isOfName = (sign: string): boolean => /^[a-z0-9_$.:-]$/i.test(sign)

class Reader {
  #at = 0
  constructor(
    private readonly text: string,
    private readonly scimType: ScimType,
  ) {
    if (text.length > CHARACTERS_MAX) this.refuse(`it is longer than ${CHARACTERS_MAX} characters`)
  }

  refuse(why: string): never {
    const what = this.scimType === 'invalidFilter' ? 'filter' : 'path'
    return refuseScim(this.scimType, `The ${what} ${JSON.stringify(shorten(this.text))} cannot be read: ${why}.`)
  }

  isOver(): boolean {
    this.#blanks()
    return this.#at === this.text.length
  }

  comparison(): Comparison {
    const { attribute, filter, sub } = this.path()
    const path = sub === undefined ? attribute : `${attribute}.${sub}`
    // emails[type eq "work" …] alone asks for such a value: no provider sends it
    return { path, ...(filter && { within: filter }), value: this.#equals() }
  }

  path(): Path {
    const name = this.word()
    const [attribute, sub, ...more] = splitName(name)
    if (!attribute || more.length > 0) return this.refuse('an attribute is expected')
    if (this.#peek() !== '[') return { attribute, ...(sub !== undefined && { sub }) }
    if (sub !== undefined) return this.refuse('a sub-attribute has no values to choose among')
    this.#at += 1
    const filter = { path: this.word(), value: this.#equals() }
    this.#blanks()
    if (this.#peek() !== ']') return this.refuse('one comparison for equality is expected in brackets')
    this.#at += 1
    if (this.#peek() !== '.') return { attribute, filter }
    this.#at += 1
    return { attribute, filter, sub: this.word() }
  }

  /** Reads a name, in lower case. */
  word(): string {
    this.#blanks()
    const from = this.#at
    while (this.#at < this.text.length && isOfName(this.#peek())) this.#at += 1
    if (this.#at === from) return this.refuse('a name is expected')
    return this.text.slice(from, this.#at).toLowerCase()
  }

  #equals(): Value {
    const operator = this.word()
    if (operator !== 'eq') return this.refuse(`the operator ${shorten(operator)} is not supported, "eq" is`)
    this.#blanks()
    return this.#peek() === '"' ? this.#string() : this.#literal()
  }

  #string(): string {
    const from = this.#at
    this.#at += 1
    while (this.#at < this.text.length && this.#peek() !== '"') this.#at += this.#peek() === '\\' ? 2 : 1
    this.#at += 1
    if (this.#at > this.text.length) return this.refuse('a text has no end')
    const text = this.#unescape(this.text.slice(from, this.#at))
    return UNSTORABLE.test(text) ? this.refuse('a text has NUL or half a character') : text
  }

  #unescape(quoted: string): string {
    try {
      return String(JSON.parse(quoted))
    } catch {
      return this.refuse('a text is no text of JSON')
    }
  }

  #literal(): Value {
    const word = this.word()
    if (word === 'null') return null
    if (word === 'true' || word === 'false') return word === 'true'
    return this.refuse('a value is expected, in quotation marks')
  }

  #peek(): string {
    return this.text.charAt(this.#at)
  }

  #blanks(): void {
    while (this.#peek() === ' ') this.#at += 1
  }
}

/** Splits a name into attribute and sub-attribute; that of another schema stays whole. */
function splitName(name: string): readonly string[] {
  const own = name.replace(CORE, '')
  return own.startsWith(URN) ? [own] : own.split('.')
}
