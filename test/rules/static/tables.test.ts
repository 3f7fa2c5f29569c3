/** Each table belongs to a room, and no other room writes it. */
import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PLACED, PLACED_APART, ROOMS, WRITES_ELSEWHERE, roomOf, sources } from './rooms.ts'

/** The room of each table. */
const tableRooms = (): ReadonlyMap<string, string> =>
  new Map(
    readdirSync('db/migrations').flatMap((file) => {
      const name = file.slice('0001_'.length, -'.sql'.length).replaceAll('_', '-')
      const made = readFileSync(`db/migrations/${file}`, 'utf8').matchAll(/^create (?:unlogged )?table (\w+)/gm)
      return [...made].map(([, table = '']) => [table, PLACED_APART[table] ?? PLACED[name] ?? name] as const)
    }),
  )

/** The tables that the statements of a file write. */
const tablesWritten = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/\b(?:insert into|update|delete from|merge into) (\w+)/g)].map(
    ([, table = '']) => table,
  )

test('a room writes its own tables, and what belongs to none', () => {
  const rooms = tableRooms()
  for (const file of sources('db').filter((path) => !path.startsWith('db/model/'))) {
    if (Object.keys(WRITES_ELSEWHERE).some((known) => file.startsWith(known))) continue
    for (const table of tablesWritten(file)) {
      const owner = rooms.get(table) ?? 'db' // or a word of a sentence
      if (owner !== 'db') expect(owner, `${file} writes ${table}`).toBe(roomOf(file))
    }
  }
})

test('every table belongs to a room that there is', () => {
  expect([...tableRooms()].filter(([, room]) => room !== 'db' && !(room in ROOMS))).toEqual([])
})

test('who writes elsewhere does so', () => {
  const rooms = tableRooms()
  for (const known of Object.keys(WRITES_ELSEWHERE)) {
    const files = sources('db').filter((file) => file.startsWith(known))
    const others = files.flatMap((file) => tablesWritten(file).filter((table) => (rooms.get(table) ?? 'db') !== 'db'))
    expect(others, known).not.toEqual([])
  }
})
