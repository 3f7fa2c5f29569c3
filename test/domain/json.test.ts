import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from '../../api/http/json.ts'
import { canonicalJson } from '../../domain/canonical.ts'
import { Refusal } from '../../domain/errors.ts'
import { anyCharacter } from '../support/http/any-text.ts'
import { listed } from '../support/listed.ts'
import { always } from '../support/property.ts'

function reasonOf(text: string): unknown {
  try {
    parseJson(text)
  } catch (error) {
    if (error instanceof Refusal && error.type === 'malformed_request') return error.details?.['reason']
    throw error
  }
  return 'parsed'
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test.each(listed`
  null | 1 | -0.5e-3 | "a" | [] | {} | {"a":{"b":[1,"x",true,null]},"c":"\u00e9\ud83d\ude00"}
  {"a":{"a":{"a":"a"}},"b":"a"} | [{"a":1},{"a":1}] | {"a":"\"a\":","b":["a","a",":"]} | {"A":1,"a":2}
`)('is read as JSON.parse reads it, also a key in several objects: %s', (text) =>
  expect(parseJson(` ${text} `)).toStrictEqual(JSON.parse(text)),
)

test.each(listed`
  {"constructor":"x","prototype":{}} | [{"constructor":1},{"prototype":1}] | {"constructor":[{"prototype":1}]}
  ["__proto__",{"a":"__proto__"}] | {"prototype":{"constructor":{}}}
`)('the words constructor and prototype by themselves are ordinary keys: %s', (text) =>
  expect(JSON.stringify(parseJson(text))).toBe(text),
)

test.each([
  ...listed`
    nope | { | } | [1,] | {"a":1,} | {'a':1} | {"a" 1} | "a | "a\ | 01 | 1. | +1 | - | --1 | NaN | [1] x | "\x" | "\u12"
    {"a":1}} | ] | /**/1 | 1e | {"a":"\u12","a":1}
  `,
  '',
  ' ',
  '"\t"',
  '\ufeff{}',
])('is no JSON: %j', (text) => expect(reasonOf(text)).toBe('not_json'))

test.each([
  ...listed`
    {"a":1,"a":1} | {"a":1,"\u0061":2} | [{"x":{"y":1 , "y" :2}}] | {"a":{"a":1},"b":[{}],"a":2} | {"":1,"":2}
    {"toString":1,"toString":2} | {"a\"b":1,"a\u0022b":2} | {"\\":1,"\\":2}
  `,
  '{"a":"a","b":"b","a"\n:1}',
])('has a key twice in one object, and is refused at any depth and in any spelling: %s', (text) =>
  expect(reasonOf(text)).toBe('duplicate_key'),
)

test('32 levels are taken and 33 refused', () => {
  const objects = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)
  for (const made of [nested, objects])
    expect([reasonOf(made(32)), reasonOf(made(33))]).toEqual(['parsed', 'nested_too_deeply'])
  expect(reasonOf(`[${`${nested(31)},`.repeat(100)}"${nested(40)}"]`)).toBe('parsed')
})

test('24,000 members are taken, 75,000 are not; nor is more of anything else than that', () => {
  const members = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join()}}`
  expect(reasonOf(members(24_000))).toBe('parsed')
  for (const text of [members(75_000), ...['1,', '"a"', '1 ', ','].map((part) => `[${part.repeat(75_000)}1]`)])
    expect(reasonOf(text)).toBe('too_many_values')
})

test('a number that a double cannot hold is refused', () => {
  for (const text of ['1e999', '-1e999', '[1,{"a":1e309}]', '9'.repeat(400)])
    expect(reasonOf(text)).toBe('number_out_of_range')
  expect(parseJson('[1.7976931348623157e308,1e-999,"1e999"]')).toEqual([Number.MAX_VALUE, 0, '1e999'])
})

test('keys that reach a prototype are refused, and leave prototypes as they were', () => {
  const texts = listed`
    {"__proto__":{"a":1}} | [{"b":{"\u005f_proto__":1}}] | {"constructor":{"prototype":{"a":1}}}
    {"x":1,"constructor":{"y":[1],"prototyp\u0065":1}}`
  for (const text of texts) expect(reasonOf(text), text).toBe('forbidden_key')
  expect('a' in {}).toBe(false)
})

test('a lone surrogate is refused, raw or escaped, in keys and in values; NUL is left to the schemas', () => {
  const texts = ['"\\ud800"', '"\\udc00x"', '{"\\ud83d":1}', '["\\ude00\\ud83d"]', '"\ud800"', '{"a\udc00":1}']
  for (const text of texts) expect(reasonOf(text), text).toBe('lone_surrogate')
  expect(parseJson('["\\u0000","😀","\\ud83d\\ude00"]')).toEqual(['\0', '😀', '😀'])
})

const MIB = 1 << 20
const filled = (part: string) => part.repeat(MIB / part.length)

/** A parser that is not linear in the length would exceed the timeout. */
test.each([
  ['nested_too_deeply', [filled('['), filled('{"a":'), nested(MIB / 2)]],
  ['too_many_values', [...['[]', '{"a":1},', '"', '"a" ', '1,'].map(filled), `[${filled('{},')}{}]`]],
  ['too_many_values', [`{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join()}}`]],
  ['not_json', [filled('\\"'), filled('-'), filled(' '), `{"a"${filled(' ')}`, `"${filled('\\')}`]],
  ['parsed', [`"${filled('\\"')}"`]],
])('bodies of 1 MiB that are meant to take long are soon answered: %s', (reason, bodies) => {
  for (const body of bodies) expect(reasonOf(body), body.slice(0, 20)).toBe(reason)
})

const keepsItsKeys = (text: string) => !text.includes('__proto__') && !text.includes('constructor')
const jsonText = fc.json({ stringUnit: anyCharacter, maxDepth: 6 }).filter(keepsItsKeys)

test('every JSON value comes back as it was written', () =>
  always(1000, jsonText, fc.constantFrom(0, 1, '\t'), (text, indent) => {
    const value: unknown = JSON.parse(text)
    expect(parseJson(JSON.stringify(value, null, indent))).toStrictEqual(value)
  }))

test('any text is either read as JSON.parse reads it or refused', () => {
  const pieces = [...'{}[]",:\\u0a1e-.+ \n'.split(''), '"a":', '"b"', 'null']
  const soup = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 40 })
  always(2000, soup, (text) => {
    if (reasonOf(text) === 'parsed') expect(parseJson(text)).toStrictEqual(JSON.parse(text))
  })
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, member]) => [key, reversed(member)])
  return Object.fromEntries(entries.reverse())
}

test('canonical JSON does not depend on the order of keys, and says the same value', () =>
  always(1000, jsonText, (text) => {
    const value: unknown = JSON.parse(text)
    expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
    expect(JSON.parse(canonicalJson(value))).toStrictEqual(JSON.parse(JSON.stringify(value)))
  }))

test('canonical JSON sorts members by UTF-16 code units, at every depth, without whitespace', () => {
  const ordered = { '10': 1, '9': 2, '\ufb33': 1, '😀': 2, é: true, left: undefined }
  const value = { b: [{ d: 1, c: -0 }, 'x y'], a: null, ...ordered }
  expect(canonicalJson(value)).toBe('{"10":1,"9":2,"a":null,"b":[{"c":0,"d":1},"x y"],"é":true,"😀":2,"\ufb33":1}')
  expect(canonicalJson(Object.assign(Object.create(null), { a: 1e21 }))).toBe('{"a":1e+21}')
})

test('canonical JSON throws for what JSON cannot carry', () => {
  const circular: { self?: unknown } = {}
  circular.self = circular
  const plain = [undefined, Number.NaN, Infinity, 1n, Symbol('a'), () => 1]
  const values = [...plain, new Date(0), new Map(), new Uint8Array(2), circular]
  // oxlint-disable-next-line no-sparse-arrays
  for (const value of [...values, [undefined], [,], { a: [1n] }, { toJSON: () => 1 }])
    expect(() => canonicalJson(value)).toThrow()
})
