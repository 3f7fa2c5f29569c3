/** Base addresses of the clients: with a path, a slash, a port; each operation goes to that address alone. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { addressOf } from '../../clients/cli/src/context.ts'
import { OPERATIONS } from '../../clients/typescript/src/operations.ts'
import { type Operations, createClient } from '../../clients/typescript/src/index.ts'

const BASES = [
  ['https://api.example.com', 'https://api.example.com'],
  ['https://api.example.com/', 'https://api.example.com'],
  ['https://api.example.com:8443', 'https://api.example.com:8443'],
  ['https://api.example.com/finance', 'https://api.example.com/finance'],
  ['https://api.example.com/finance/', 'https://api.example.com/finance'],
  ['https://api.example.com:8443/a/b//', 'https://api.example.com:8443/a/b'],
  ['http://localhost:3000/finance/', 'http://localhost:3000/finance'],
] as const

const WRONG = [
  'https://api.example.com/?tenant=1',
  'https://api.example.com/finance?',
  'https://api.example.com/#top',
  'https://user:secret@api.example.com',
  'http://api.example.com/finance',
  'ftp://api.example.com',
  'api.example.com',
  '',
]

/** Calls an operation with ids for its path; returns the address that was asked. */
async function addressOfCall(baseUrl: string, name: keyof Operations): Promise<string> {
  let asked = ''
  const answer = { data: [], next_cursor: null }
  const client = createClient({
    baseUrl,
    fetch: async (url) => {
      asked = url instanceof Request ? url.url : url.toString()
      return name === 'streamEvents' ? new Response('data: {}\n\n') : Response.json(answer)
    },
  })
  const [, path] = OPERATIONS[name]
  const input = Object.fromEntries(Array.from(path.matchAll(/\{(\w+)\}/g), ([, key = '']) => [key, randomUUID()]))
  const call = client[name] as (input: object, options: object) => Promise<unknown> & AsyncIterable<unknown>
  const called = call(input, { idempotencyKey: 'key' })
  if (name === 'streamEvents') for await (const _ of called) break
  else await called
  return asked
}

test.each(BASES)('%s: each operation of the client goes to %s', async (given, base) => {
  for (const name of Object.keys(OPERATIONS) as (keyof Operations)[]) {
    const asked = await addressOfCall(given, name)
    const pattern = OPERATIONS[name][1].replaceAll(/\{\w+\}/g, '[^/]+')
    expect(asked.slice(0, base.length), name).toBe(base)
    expect(asked.slice(base.length), name).toMatch(new RegExp(`^${pattern}$`))
  }
})

test.each(BASES)('%s: the command line asks %s', (given, base) => {
  expect(addressOf({ env: { BFS_BASE_URL: given } }, {}, {})).toBe(base)
  expect(addressOf({ env: {} }, { baseUrl: given }, {})).toBe(base)
  expect(addressOf({ env: {} }, {}, { base_url: given })).toBe(base)
})

test.each(WRONG)('%j is refused by the command line with a sentence', (given) => {
  expect(() => addressOf({ env: {} }, { baseUrl: given }, {})).toThrow(
    /is no address of a service|would carry secrets without encryption/,
  )
})

test('an address with a query is refused by the client before anything is asked', async () => {
  for (const baseUrl of ['https://api.example.com?tenant=1', 'https://api.example.com/#a'])
    await expect(addressOfCall(baseUrl, 'getMe')).rejects.toThrow('baseUrl has a query')
})
