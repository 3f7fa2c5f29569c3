/**
 * Request bodies as JSON, read more strictly than JSON.parse reads them. Of our own: libraries that are kept look for
 * prototypes only (secure-json-parse), or put a slower parser in the place of JSON.parse to see a key that stands
 * twice.
 */
import { refuse } from '../../db/model/errors.ts'

const MAX_DEPTH = 32

/**
 * The value of a JSON text. Refuses as `malformed_request`, with the reason in the details: text that is no JSON
 * (RFC 8259), a key twice in one object, nesting deeper than 32, numbers beyond a double, lone surrogates, and the keys
 * that reach a prototype (`__proto__`, or `constructor` with a `prototype` inside). Time is linear in the length.
 */
export function parseJson(text: string): unknown {
  checkTokens(text)
  return parse(text)
}

/** `keys` only for an object; `key` is the one whose value is being read, `within` the one that the container is of. */
type Container = { readonly keys: Set<string> | undefined; readonly within: string | undefined; key?: string }

/** One pass over the tokens. It leaves the grammar to `parse`, so it only has to be right about text that is JSON. */
function checkTokens(text: string): void {
  const open: Container[] = []
  for (let at = 0; at < text.length;) {
    const container = open.at(-1)
    const character = text.charAt(at)
    switch (character) {
      case '{':
      case '[':
        if (open.length === MAX_DEPTH) malformed('nested_too_deeply')
        open.push({ keys: character === '{' ? new Set() : undefined, within: container?.key })
        at += 1
        break
      case '}':
      case ']':
        open.pop()
        at += 1
        break
      case '"':
        at = checkString(text, at, container)
        break
      default:
        at = startsNumber(character) ? checkNumber(text, at) : at + 1
    }
  }
}

/** Answers the index at which the string ends, as `checkNumber` does for a number. */
function checkString(text: string, start: number, container: Container | undefined): number {
  const end = endOfString(text, start)
  const value = unquote(text.slice(start, end))
  if (container?.keys && followedByColon(text, end)) addKey(container, value)
  return end
}

const startsNumber = (character: string): boolean => character === '-' || (character >= '0' && character <= '9')

function checkNumber(text: string, start: number): number {
  const number = /[-+.0-9eE]+/y
  number.lastIndex = start
  number.test(text)
  if (Math.abs(Number(text.slice(start, number.lastIndex))) === Infinity) malformed('number_out_of_range')
  return number.lastIndex
}

function addKey(container: Container, key: string): void {
  if (key === '__proto__') malformed('forbidden_key')
  if (key === 'prototype' && container.within === 'constructor') malformed('forbidden_key')
  if (container.keys?.has(key)) malformed('duplicate_key')
  container.keys?.add(key)
  container.key = key
}

/** The index after the closing quote, or the text's length if there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '"') return at + 1
    if (character === '\\') at += 1
  }
  return text.length
}

function unquote(quoted: string): string {
  const value = quoted.includes('\\') ? String(parse(quoted)) : quoted.slice(1, -1)
  // In a regular expression with the flag u, a surrogate is one without its other half.
  if (/\p{Surrogate}/u.test(value)) malformed('lone_surrogate')
  return value
}

const followedByColon = (text: string, at: number): boolean => {
  const colon = /[ \t\r\n]*:/y
  colon.lastIndex = at
  return colon.test(text)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    malformed('not_json')
  }
}

function malformed(reason: string): never {
  refuse('malformed_request', { reason })
}
