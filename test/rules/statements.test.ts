/** Statements can be read alone: each value beside its column, each alias in the fragment that uses it. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rootFolder } from '../../dev/settings.ts'
import { WITH_SQL, readFragments } from './fragments.ts'
import { sources } from './rooms.ts'

const FILES = ['db', 'services', 'sandbox'].flatMap(sources)
/** Values that a reader still counts along a list of columns. */
const VALUES_MAX = 8

test('an insert of many columns takes an object, with each value beside its column', () => {
  const inserts = FILES.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\binsert into (\w+) \(([^)]*)\)\s*values\b/g)].map(
      ([, table = '', columns = '']) => ({ file, table, columns: columns.split(',').length }),
    ),
  )
  expect(inserts.length).toBeGreaterThan(20)
  expect(inserts.filter(({ columns }) => columns > VALUES_MAX)).toEqual([])
})

test('a fragment gets the aliases that it names, or introduces them', () => {
  const fragments = readFragments(rootFolder, WITH_SQL)
  expect(fragments.length).toBeGreaterThan(300)
  expect(fragments.filter(({ free }) => free.length > 0)).toEqual([])
})
