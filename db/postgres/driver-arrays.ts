/** Codecs for arrays of built-in types, without a query for their oids (see driver.ts). */
import type postgres from 'postgres'

/**
 * Element type, fixed oid of its array in pg_type, writer and reader of an element.
 */
type Element = {
  readonly oid: number
  readonly write?: (value: unknown) => string
  readonly read?: (text: string) => unknown
}

const number: Pick<Element, 'read'> = { read: Number }
const json: Pick<Element, 'write' | 'read'> = {
  write: (value) => JSON.stringify(value),
  read: (text) => JSON.parse(text) as unknown,
}

/** Array elements by type; numerics and int8 stay strings, as outside of arrays. */
const ELEMENTS: Readonly<Record<string, Element>> = {
  bool: { oid: 1000, write: (value) => (value === true ? 't' : 'f'), read: (text) => text === 't' },
  bytea: {
    oid: 1001,
    // callers pass arrays of bytes as Uint8Arrays
    write: (value) => `\\x${Buffer.from(value as Uint8Array).toString('hex')}`,
    read: (text) => Buffer.from(text.slice(2), 'hex'),
  },
  char: { oid: 1002 },
  name: { oid: 1003 },
  int2: { oid: 1005, ...number },
  int4: { oid: 1007, ...number },
  text: { oid: 1009 },
  bpchar: { oid: 1014 },
  varchar: { oid: 1015 },
  int8: { oid: 1016 },
  float4: { oid: 1021, ...number },
  float8: { oid: 1022, ...number },
  oid: { oid: 1028, ...number },
  inet: { oid: 1041 },
  date: { oid: 1182 },
  interval: { oid: 1187 },
  numeric: { oid: 1231 },
  uuid: { oid: 2951 },
  json: { oid: 199, ...json },
  jsonb: { oid: 3807, ...json },
}

const TIMESTAMPTZ_ARRAY = 1185

/**
 * Builds types for `postgres({ types, fetch_types: false })`: arrays of one dimension. With `fetch_types`, postgres.js
 * 3.4.9 queries them on each new connection without awaiting the answer: if the connection ends meanwhile, the
 * rejection is unhandled and the process exits (porsager/postgres#1192).
 */
export function arrayTypes(instant: Omit<Element, 'oid'>): Record<string, postgres.PostgresType> {
  const elements = { ...ELEMENTS, instant: { oid: TIMESTAMPTZ_ARRAY, ...instant } }
  return Object.fromEntries(
    Object.entries(elements).map(([name, { oid, write, read }]) => [
      `${name}_array`,
      {
        to: oid,
        from: [oid],
        serialize: (values: unknown) => writeArray(values, write),
        parse: (text: string) => parseArray(text, read),
      },
    ]),
  )
}

function writeArray(values: unknown, write: (value: unknown) => string = String): unknown {
  if (!Array.isArray(values)) return values
  const elements = values.map((value: unknown) => {
    if (value === undefined) throw new Error('undefined in an array for Postgres')
    return value === null ? 'null' : `"${write(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`
  })
  return `{${elements.join(',')}}`
}

/** Array element: quoted with backslash escapes, or bare; a bare NULL is null. */
const ELEMENT = /"((?:[^"\\]|\\.)*)"|([^",{}]+)/gs

function parseArray(text: string, read: (text: string) => unknown = (element) => element): unknown[] {
  if (!text.startsWith('{') || text.startsWith('{{')) throw new Error('an array of another shape than one dimension')
  return Array.from(text.matchAll(ELEMENT), ([, quoted, bare = '']) => {
    if (quoted !== undefined) return read(quoted.replaceAll(/\\(.)/gs, '$1'))
    return bare === 'NULL' ? null : read(bare)
  })
}
