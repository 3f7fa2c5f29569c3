/** Numbers of advisory locks are defined in db/postgres/locks.ts; SQL uses the same number and names the lock. */
import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LOCKS } from '../../db/postgres/locks.ts'

test('each lock has a number of its own', () =>
  expect(new Set(Object.values(LOCKS)).size).toBe(Object.keys(LOCKS).length))

test('a number in SQL is that of the lock which is named beside it', () => {
  const taken = ['db/migrations', 'db/functions'].flatMap((folder) =>
    readdirSync(folder).flatMap((file) => [
      ...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/advisory\w*\(([^ ),]*)(?: \/\* LOCKS\.(\w+) \*\/)?/g),
    ]),
  )
  expect(taken.length).toBeGreaterThan(0)
  const numbers: Readonly<Record<string, number>> = LOCKS
  expect(taken.filter(([, number, name = '']) => numbers[name] !== Number(number)).map(([text]) => text)).toEqual([])
})
