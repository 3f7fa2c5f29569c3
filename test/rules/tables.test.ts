/** Each table belongs to a room, which alone writes it; immutable columns cannot be changed. */
import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FLOWS } from '../../domain/registries/flows.ts'
import { APPEND_ONLY, NEVER_UPDATED } from './never-updated.ts'
import { PLACED, PLACED_APART, ROOMS, SHARES_TABLES_OF, WRITES_ELSEWHERE, roomOf, sources } from './rooms.ts'

const tableRooms = (): ReadonlyMap<string, string> =>
  new Map(
    readdirSync('db/migrations').flatMap((file) => {
      const name = file.slice('0001_'.length, -'.sql'.length).replaceAll('_', '-')
      const made = readFileSync(`db/migrations/${file}`, 'utf8').matchAll(/^create (?:unlogged )?table (\w+)/gm)
      return [...made].map(([, table = '']) => [table, PLACED_APART[table] ?? PLACED[name] ?? name] as const)
    }),
  )

const WRITING = /\b(?:insert into|update|delete from|merge into) (\w+)/g
const tablesWritten = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(WRITING)].map(([, table = '']) => table)

function writesOf(file: string): string | undefined {
  if (file.startsWith('sandbox/')) return 'sandbox'
  const room = roomOf(file)
  return room === undefined ? undefined : (SHARES_TABLES_OF[room] ?? room)
}

test('a room writes its own tables, and what belongs to none', () => {
  const rooms = tableRooms()
  for (const file of ['db', 'services', 'sandbox'].flatMap(sources)) {
    if (Object.keys(WRITES_ELSEWHERE).some((known) => file.startsWith(known))) continue
    for (const table of tablesWritten(file)) {
      const owner = rooms.get(table) ?? 'db' // otherwise part of a sentence
      if (owner !== 'db') expect(owner, `${file} writes ${table}`).toBe(writesOf(file))
    }
  }
})

test('every table belongs to a room that there is', () =>
  expect([...tableRooms()].filter(([, room]) => !['db', 'sandbox'].includes(room) && !(room in ROOMS))).toEqual([]))

test('who writes elsewhere does so', () => {
  const rooms = tableRooms()
  for (const known of Object.keys(WRITES_ELSEWHERE)) {
    const files = sources('services').filter((file) => file.startsWith(known))
    const others = files.flatMap((file) => tablesWritten(file).filter((table) => (rooms.get(table) ?? 'db') !== 'db'))
    expect(others, known).not.toEqual([])
  }
})

/** Columns of each table that the service's role may update; `true` where a grant names none. */
function updatable(): ReadonlyMap<string, readonly string[] | true> {
  const granted = new Map<string, readonly string[] | true>()
  for (const file of readdirSync('db/migrations')) {
    const grants = /^grant ([^;]+?)\s+on\s+([\w, ]+?)\s+to\s+business_finance_app;/gm
    for (const [, rights = '', tables = ''] of readFileSync(`db/migrations/${file}`, 'utf8').matchAll(grants)) {
      const columns = /\bupdate(?: \(([^)]+)\))?/.exec(rights)
      const named = columns?.[1]?.split(/,\s*/)
      for (const table of columns ? tables.split(/,\s*/) : []) {
        const before = granted.get(table) ?? []
        granted.set(table, named && before !== true ? [...before, ...named] : true)
      }
    }
  }
  return granted
}

/** Replaces the insertions `${…}` of templates by `?`. */
function withoutInsertions(text: string): string {
  const inner = /\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}/g
  const less = text.replaceAll(inner, '?')
  return less === text ? text : withoutInsertions(less)
}

function columnsSet(assignments: string): string[] {
  const [end = ''] = assignments.split(/`|\b(?:where|returning|from)\b/)
  let flat = end
  while (/\([^()]*\)/.test(flat)) flat = flat.replaceAll(/\([^()]*\)/g, '')
  return [...flat.matchAll(/(?:^|,)\s*(\w+) = /g)].map(([, column = '']) => column)
}

/** Named updates in the statements of a file: table and columns. */
function updatesIn(file: string): (readonly [table: string, columns: readonly string[]])[] {
  const text = withoutInsertions(readFileSync(file, 'utf8'))
  const plain = text.matchAll(/\bupdate (\w+)(?: (?:as )?\w+)?\s+set\s([^]*?)(?=`|$)/g)
  const upserts = text.matchAll(/\binsert into (\w+)[^`]*?\bdo update\s+set\s([^]*?)(?=`|$)/g)
  return [...plain, ...upserts].map(([, table = '', rest = '']) => [table, columnsSet(rest)] as const)
}

test('the service may update the columns that a grant names, and of no table all of them', () =>
  expect([...updatable()].filter(([, columns]) => columns === true)).toEqual([]))

test('what statements and flows update is granted', () => {
  const granted = updatable()
  const files = ['db', 'services', 'sandbox'].flatMap(sources).filter((file) => file !== 'db/migrate.ts') // as the owner
  const updates = [
    ...files.flatMap((file) => updatesIn(file).map((update) => [file, ...update] as const)),
    ...FLOWS.map(({ table }) => ['its flow', table, ['status', 'updated_at']] as const),
  ]
  expect(updates.length).toBeGreaterThan(80)
  for (const [by, table, columns] of updates) {
    const may = granted.get(table) ?? []
    for (const column of columns) expect(may, `${by} updates ${table}`).toContain(column)
  }
})

/** Fragments that a flow's move sets beside the status: they name no table, so it is one of the room's. */
const fragmentsIn = (file: string): string[] => {
  const fragments = withoutInsertions(readFileSync(file, 'utf8')).matchAll(/\bset(?::| =) sql`([^`]*)`/g)
  return [...fragments].flatMap(([, assignments = '']) => columnsSet(assignments))
}

test('what a move sets with the status is granted in a table of its room', () => {
  const [granted, rooms] = [updatable(), tableRooms()]
  const fragments = sources('services').flatMap((file) => fragmentsIn(file).map((column) => [file, column] as const))
  expect(fragments.length).toBeGreaterThan(30)
  for (const [file, column] of fragments) {
    const own = [...granted].filter(([table]) => rooms.get(table) === writesOf(file))
    expect(
      own.flatMap(([, columns]) => [columns].flat()),
      file,
    ).toContain(column)
  }
})

test('nothing grants the update of what never changes', () => {
  const granted = updatable()
  for (const [table, columns] of Object.entries(NEVER_UPDATED)) {
    const may = granted.get(table)
    expect(may, table).toBeDefined()
    for (const column of [...columns, 'id', 'organization_id', 'inserted_at']) expect(may, table).not.toContain(column)
  }
  for (const table of APPEND_ONLY) expect(granted.has(table), table).toBe(false)
})
