/**
 * JSON of request bodies, parsed more strictly than by JSON.parse. Our own parser, since maintained libraries check
 * prototypes only (secure-json-parse), or replace JSON.parse by a slower parser to find duplicate keys.
 */
import { refuse } from '../../domain/errors.ts'

const MAX_DEPTH = 32
/** Most texts, numbers, brackets and commas: 25,000 values, as the largest approval policy has. */
const MAX_TOKENS = 75_000

/**
 * Parses a JSON text in linear time. Refuses as `malformed_request`, with the reason in the details: text that is no
 * JSON (RFC 8259), a key twice in one object, nesting deeper than 32, more than 75,000 tokens, numbers beyond a double,
 * lone surrogates, and the keys that reach a prototype (`__proto__`, or `constructor` with a `prototype` inside).
 */
export function parseJson(text: string): unknown {
  checkTokens(text)
  return parse(text)
}

/**
 * Open container: `keys` only for an object; `key` is the one being read, `within` the key that holds the container.
 */
type Container = { readonly keys: Set<string> | undefined; readonly within: string | undefined; key?: string }

/** First character of each checked token: text, number, container, comma. */
const LOOKED_AT = /["[{}\],\-0-9]/g

/** Checks the tokens in one pass. `parse` checks the grammar, so this only has to be right about valid JSON. */
function checkTokens(text: string): void {
  const open: Container[] = []
  let tokens = 0
  for (let at = next(LOOKED_AT, text, 0); at > 0; at = next(LOOKED_AT, text, at)) {
    if ((tokens += 1) > MAX_TOKENS) refuseMalformed('too_many_values')
    const container = open.at(-1)
    const character = text.charAt(at - 1)
    switch (character) {
      case '{':
      case '[':
        if (open.length === MAX_DEPTH) refuseMalformed('nested_too_deeply')
        open.push({ keys: character === '{' ? new Set() : undefined, within: container?.key })
        break
      case '}':
      case ']':
        open.pop()
        break
      case ',':
        break
      case '"':
        at = checkString(text, at - 1, container)
        break
      default:
        at = checkNumber(text, at - 1)
    }
  }
}

/** Finds the index after the next match, 0 if there is none. */
function next(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  pattern.test(text)
  return pattern.lastIndex
}

/** Answers the index at which the string ends, as `checkNumber` does for a number. */
function checkString(text: string, start: number, container: Container | undefined): number {
  const end = endOfString(text, start)
  const value = unquote(text.slice(start, end))
  if (container?.keys && next(COLON, text, end) > 0) addKey(container, value)
  return end
}

const COLON = /[ \t\r\n]*:/y
const NUMBER = /[-+.0-9eE]+/y

function checkNumber(text: string, start: number): number {
  const end = next(NUMBER, text, start)
  if (Math.abs(Number(text.slice(start, end))) === Infinity) refuseMalformed('number_out_of_range')
  return end
}

function addKey(container: Container, key: string): void {
  if (key === '__proto__') refuseMalformed('forbidden_key')
  if (key === 'prototype' && container.within === 'constructor') refuseMalformed('forbidden_key')
  if (container.keys?.has(key)) refuseMalformed('duplicate_key')
  container.keys?.add(key)
  container.key = key
}

/** Finds the index after the closing quote, or the text's length if there is none. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at > 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text.charAt(at - 1 - escapes) === '\\') escapes += 1
    if (escapes % 2 === 0) return at + 1
  }
  return text.length
}

function unquote(quoted: string): string {
  const value = quoted.includes('\\') ? String(parse(quoted)) : quoted.slice(1, -1)
  // with the flag u, a surrogate is one without its other half
  if (/\p{Surrogate}/u.test(value)) refuseMalformed('lone_surrogate')
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    refuseMalformed('not_json')
  }
}

function refuseMalformed(reason: string): never {
  refuse('malformed_request', { reason })
}
