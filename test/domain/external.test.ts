/** Limits of external ids and metadata. */
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { parse } from '../../api/http/validation.ts'
import { Refusal } from '../../domain/errors.ts'
import { NewExternalEntries, mergeMetadata } from '../../domain/external.ts'

const Body = v.object(NewExternalEntries)

function faultOf(body: object): unknown {
  try {
    return parse(Body, body)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return (error.details as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => [path, code])
  }
}

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${index}`, 'v']))

test.each<[string, object, unknown]>([
  ['absent', {}, {}],
  ['null', { external_id: null, metadata: null }, { external_id: null, metadata: null }],
  ['emoji', { external_id: '🧾'.repeat(128) }, { external_id: '🧾'.repeat(128) }],
  ['letters with accents, as one sign', { metadata: { 'o\u0308': 'o\u0308' } }, { metadata: { ö: 'ö' } }],
  ['several lines', { metadata: { note: 'one\ntwo' } }, { metadata: { note: 'one\ntwo' } }],
  [
    'names of all objects',
    { metadata: { toString: 'a', hasOwnProperty: 'b' } },
    { metadata: { toString: 'a', hasOwnProperty: 'b' } },
  ],
  ['an empty id', { external_id: '' }, [['external_id', 'blank']]],
  ['a long id', { external_id: 'x'.repeat(129) }, [['external_id', 'too_long']]],
  ['NUL', { external_id: 'a\0' }, [['external_id', 'nul']]],
  ['two lines', { external_id: 'a\nb' }, [['external_id', 'control']]],
  ['a number as id', { external_id: 7 }, [['external_id', 'string']]],
  ['a list', { metadata: ['a'] }, [['metadata', 'object']]],
  ['a text', { metadata: 'a' }, [['metadata', 'object']]],
  ['a number', { metadata: { a: 7 } }, [['metadata.a', 'string']]],
  ['an object', { metadata: { a: { b: 'c' } } }, [['metadata.a', 'string']]],
  ['a long text', { metadata: { a: 'x'.repeat(501) } }, [['metadata.a', 'too_long']]],
  ['NUL in a text', { metadata: { a: 'x\0' } }, [['metadata.a', 'nul']]],
  ['a text that reads backwards', { metadata: { a: '\u202e' } }, [['metadata.a', 'control']]],
  ['an empty key', { metadata: { '': 'a' } }, [['metadata', 'metadata_key']]],
  ['a long key', { metadata: { ['x'.repeat(41)]: 'a' } }, [['metadata', 'metadata_key']]],
  ['a key of two lines', { metadata: { 'a\nb': 'a' } }, [['metadata', 'metadata_key']]],
  ['constructor', { metadata: { constructor: 'a' } }, [['metadata', 'metadata_key']]],
  ['a prototype', { metadata: JSON.parse('{"__proto__":"a"}') }, [['metadata', 'metadata_key']]],
  ['41 keys', { metadata: keys(41) }, [['metadata', 'too_many_keys']]],
])('%s', (_, body, outcome) => expect(faultOf(body)).toEqual(outcome))

test('metadata is merged by key, up to twenty', () => {
  expect(mergeMetadata({ a: '1', b: '2' }, undefined)).toEqual({ a: '1', b: '2' })
  expect(mergeMetadata({ a: '1', b: '2' }, null)).toEqual({})
  expect(mergeMetadata({ a: '1', b: '2' }, { a: null, b: '', c: '3' })).toEqual({ c: '3' })
  expect(Object.keys(mergeMetadata(keys(20), { 'key 0': null, more: 'v' }))).toHaveLength(20)
  expect(() => mergeMetadata(keys(20), { more: 'v' })).toThrow(Refusal)
})
