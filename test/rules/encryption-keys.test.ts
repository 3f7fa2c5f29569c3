/** No column is forgotten when the encryption key changes. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { KEPT, MADE_ANEW, WITHOUT_KEY } from './encryption-keys.ts'

const tables = readFileSync('db/schema.sql', 'utf8').matchAll(/^create (?:unlogged )?table (\w+) \(\n([^;]+)\);/gm)
const columns = [...tables].flatMap(([, table = '', body = '']) =>
  [...body.matchAll(/^ {2}(\w+) bytea(?:\[\])?\b/gm)].map(([, column = '']) => `${table}.${column}`),
)

test('every column of bytes is listed with its fate when the encryption key changes', () =>
  expect(columns.filter((name) => !name.endsWith('_hash')).toSorted()).toEqual(
    [...MADE_ANEW, ...Object.keys(KEPT), ...WITHOUT_KEY].toSorted(),
  ))
