/** Rules of the house that need no server, run by `npm run check`. */
import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { FLOWS } from '../../domain/registries/flows.ts'
import { LOCATED } from '../../domain/located.ts'
import {
  LAYERS,
  ROOMS,
  ROOMS_OF_API,
  circleIn,
  importsOf,
  knownFiles,
  knownRooms,
  layerOf,
  roomOf,
  sources,
} from './rooms.ts'

/** The imports of a folder's files. */
const imported = (folder: string) => sources(folder).flatMap((file) => importsOf(file).map((one) => ({ file, ...one })))
const textOf = (file: string) => readFileSync(file, 'utf8')

describe(`imports point one way: ${LAYERS.join(' ← ')}`, () => {
  test.each(LAYERS)('%s', (layer) => {
    for (const { file, from } of imported(layer)) {
      const reached = LAYERS.findIndex((one) => one === layerOf(from))
      expect(reached, `${file} imports ${from}`).toBeLessThanOrEqual(LAYERS.indexOf(layer))
    }
  })

  test.each(['worker.ts', 'deploy.ts'])('%s stands beside the API, and imports nothing of it', (file) => {
    for (const { from } of importsOf(file)) expect(layerOf(from)).not.toBe('api')
  })

  test('of the sandbox, the service knows its operations and its faults; both are handed on by who starts', () => {
    const known = ['server.ts', 'worker.ts'].flatMap(importsOf).filter(({ from }) => layerOf(from) === 'sandbox')
    expect(new Set(known.map(({ from }) => from))).toEqual(new Set(['sandbox/routes.ts', 'sandbox/db/faults.ts']))
  })

  test('domain/ imports valibot, what only calculates, data, and itself', () => {
    const arithmetic =
      /^(valibot|uuid|ibantools|ipaddr\.js|@scure\/base|@scure\/btc-signer\/\w+\.js|@noble\/hashes\/\w+\.js|domain\/.+)$/
    for (const { file, from } of imported('domain')) expect(from, file).toMatch(arithmetic)
  })

  test('documents/ reads and writes files, and knows no tables, partners, runs or requests', () => {
    const known = /^(?:domain|documents)\//
    // the child process, its turns and its log
    const process = /^documents\/reading\//
    for (const { file, from } of imported('documents'))
      if (layerOf(from) !== undefined && !process.test(file)) expect(from, file).toMatch(known)
  })

  test('what mails people quotes names as mails have them: nothing in a name becomes a link', () => {
    const mailing = sources('services').filter((file) =>
      /\b(sendMessage|noticeTo\w*|mailManagers)\(/.test(textOf(file)),
    )
    expect(mailing.length).toBeGreaterThan(8)
    for (const file of mailing) expect(textOf(file), file).not.toMatch(/\bquoted\(/)
  })

  test('workflows take values from flows and Temporal only: all else of the bundle would be evaluated for each run', () => {
    const pure = /^(@temporalio\/workflow|workflows\/[\w-]+\.ts|domain\/(?:[\w-]+\/)?(?:[\w-]+-)?flow\.ts)$/
    for (const { file, from, typeOnly } of imported('workflows'))
      expect(pure.test(from) || typeOnly, `${file} imports ${from}`).toBe(true)
  })
})

describe('rooms', () => {
  test.each(Object.keys(ROOMS))('services/%s knows only the rooms below it', (room) => {
    const allowed = ROOMS[room] ?? []
    for (const { file, from } of imported(`services/${room}`)) {
      const reached = layerOf(from) !== 'services' ? undefined : roomOf(from)
      if (reached === undefined || reached === room || allowed === 'all') continue
      expect(allowed, `${file} imports ${from}`).toContain(reached)
    }
  })

  test('what lies in services/ itself knows no room', () => {
    for (const { file, from } of imported('services'))
      if (roomOf(file) === undefined && layerOf(from) === 'services')
        expect(roomOf(from), `${file} imports ${from}`).toBe(undefined)
  })

  test('in api/ a room knows http/ and what is listed for it, http/ knows none, and neither knows what lies above', () => {
    for (const { file, from } of imported('api')) {
      const room = roomOf(file)
      if (room === undefined || layerOf(from) !== 'api') continue
      const allowed = room === 'http' ? ['http'] : [room, 'http', ...(ROOMS_OF_API[room] ?? [])]
      expect(allowed, `${file} imports ${from}`).toContain(roomOf(from))
    }
  })

  test.each(LAYERS)('no room of %s knows itself through others', (layer) => {
    expect(circleIn(knownRooms(layer))).toEqual([])
  })

  test('no file knows itself through others, types aside', () => {
    expect(circleIn(knownFiles())).toEqual([])
  })

  test('every room of services/ is listed, and a room has one name in every layer', () => {
    const rooms = (folder: string) => new Set(sources(folder).flatMap((file) => roomOf(file) ?? []))
    expect(rooms('services')).toEqual(new Set(Object.keys(ROOMS)))
    const known = new Set([...Object.keys(ROOMS), ...BESIDE])
    for (const folder of ['domain', 'api'])
      expect(
        [...rooms(folder)].filter((room) => !known.has(room)),
        folder,
      ).toEqual([])
  })

  test('a room has at most 15 files', () => {
    const counts = new Map<string, number>()
    for (const file of LAYERS.flatMap(sources)) {
      const folder = file.slice(0, file.lastIndexOf('/'))
      if (roomOf(file) !== undefined) counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
    expect([...counts].filter(([, files]) => files > 15)).toEqual([])
  })
})

/** Rooms that have no tables of their own. */
const BESIDE =
  'assets attention bank-files data destinations invoice-documents money reference sandbox http mcp openapi'.split(' ')

test('files that share a service leave findings about organizations of others alone', () => {
  const all = sources('test/shared').filter((file) => textOf(file).includes('checkService('))
  expect(all).toEqual([])
})

test('SQL lives in db/ and services/ alone', () => {
  for (const file of ['activities', 'workflows', 'temporal', 'api'].flatMap(sources))
    expect(textOf(file), file).not.toMatch(/sql`|from '(\.\.\/)+db\/postgres\/sql\.ts'.*\bsql\b/)
})

/** Removes subselects, whose `where` would end the assignments of their statement. */
function withoutSubselects(text: string): string {
  const without = text.replaceAll(/\(\s*select\b[^()`]*\)/g, '(…)')
  return without === text ? text : withoutSubselects(without)
}

test('only transition() and move() write a status of a flow', () => {
  const tables = FLOWS.map(({ table }) => table).join('|')
  const written = new RegExp(`update (${tables})\\b[^\`]*\\bset\\b((?!\\bwhere\\b)[^\`])*\\bstatus =`)
  for (const file of ['db', 'services', 'sandbox']
    .flatMap(sources)
    .filter((name) => name !== 'db/processes/transition.ts'))
    expect(withoutSubselects(textOf(file)), file).not.toMatch(written)
})

test.each([
  ['ask business_now(), never now()', /migrat|clock|log/, /[^_]now\(\)[^.]*`|current_timestamp/],
  [
    'take advisory locks by db/postgres/locks.ts, or functions of SQL (locks.test.ts)',
    /^db\/postgres\/locks\.ts$/,
    /pg_\w*advisory/,
  ],
])('business statements %s', (_, excepted, wrong) => {
  for (const file of ['db', 'services', 'sandbox'].flatMap(sources).filter((name) => !excepted.test(name)))
    expect(textOf(file), file).not.toMatch(wrong)
})

test('locate() finds the organization of each kind that a route may name, in its table', () => {
  const [, body = ''] =
    /function locate\(.*?case kind(.*?)end case/s.exec(textOf('db/functions/organizations.sql')) ?? []
  const found = [...body.matchAll(/when '(\w+)' then (?:owner := target|[^;]* from (\w+) )/g)]
  expect(Object.fromEntries(found.map(([, kind, table = 'organizations']) => [kind, table]))).toEqual(LOCATED)
})

test('each SQLSTATE of our own means one thing', () => {
  const raised = readdirSync('db/functions').flatMap((name) =>
    [...textOf(`db/functions/${name}`).matchAll(/errcode = '(BF\d+)'/g)].map(([, code]) => code),
  )
  expect(raised.length).toBeGreaterThan(0)
  expect(new Set(raised).size).toBe(raised.length)
})

test('no source file passes 300 lines', () => {
  const files = [...LAYERS, 'dev', 'bench'].flatMap(sources)
  expect(files.filter((file) => textOf(file).split('\n').length > 301)).toEqual([])
})
