/** Sockets of the pool: connections that are reset, and TLS. */
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import postgres from 'postgres'
import { expect, test } from 'vitest'
import { type SocketOptions, socketOptions, socketsTo } from '../../../db/postgres/socket.ts'
import { LONG_START } from '../../../db/postgres/sql.ts'
import '../../support/api.ts'
import { direct, open, relay } from '../../support/relay.ts'
import { CERTIFICATE, CERTIFICATE_KEY } from '../../support/webhooks/certificate.ts'

const clear = (client: Socket, upstream: Socket) => client.pipe(upstream).pipe(client)

/** Answers the request for TLS as Postgres does, and decrypts. */
const decrypting = (client: Socket, upstream: Socket) =>
  client.once('data', () => {
    client.write('S')
    const secure = new TLSSocket(client, { isServer: true, cert: CERTIFICATE, key: CERTIFICATE_KEY })
    secure.on('error', () => client.destroy())
    secure.pipe(upstream).pipe(secure)
  })

async function withPool<T>(url: string, work: (sql: postgres.Sql) => Promise<T>, given?: SocketOptions): Promise<T> {
  const sql = postgres(url, {
    max: 1,
    fetch_types: false,
    backoff: () => 0,
    connection: LONG_START,
    ...(given ?? socketOptions(url)),
  })
  return work(sql).finally(() => sql.end({ timeout: 1 }))
}

const code = (error: { code?: string }) => error.code

test.each([
  ['that the driver opens waits in vain: once this fails, the driver is mended', false, 'no answer'],
  ['of ours is answered', true, 3],
])('a statement sent when a reset connection failed another, on a socket %s', async (_, ours, expected) => {
  const url = (await relay(clear)).href
  const next = await withPool(
    url,
    async (sql) => {
      await sql`select 1`
      const failed = sql`select pg_sleep(60)`.catch(code)
      await expect.poll(() => open.length).toBe(2)
      setImmediate(() => open[0]?.resetAndDestroy())
      expect(await failed).toBe('ECONNRESET')
      const answer = sql`select 3 as n`.then(([row]) => row?.['n'] as number, code)
      const patience = new Promise((resolve) => setTimeout(resolve, ours ? 30_000 : 300, 'no answer'))
      return Promise.race([answer, patience])
    },
    ours ? undefined : ({} as SocketOptions),
  )
  expect(next).toBe(expected)
})

test('a connection that is reset at rest is replaced', async () => {
  const url = (await relay(clear)).href
  await withPool(url, async (sql) => {
    for (let round = 0; round < 8; round += 1) {
      open.at(-2)?.resetAndDestroy()
      const answer = await sql`select ${round}::int as n`.then(([row]) => row?.['n'] as number, code)
      expect([round, 'ECONNRESET', 'CONNECTION_CLOSED', 'EPIPE']).toContain(answer)
    }
    await expect.poll(() => sql`select 1 as n`.then(([row]) => row?.['n'], code)).toBe(1)
  })
})

test.each([
  ['', 'in clear without a mode', clear, 'ok'],
  ['require', 'by TLS with any certificate', decrypting, 'ok'],
  ['prefer', 'by TLS where it is offered', decrypting, 'ok'],
  ['prefer', 'in clear where none is offered', clear, 'ok'],
  ['require', 'never in clear', clear, 'TLS_REFUSED'],
  ['verify-full', 'never with a certificate of no authority', decrypting, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
])('sslmode=%s speaks with Postgres %s', async (mode, _, pass, expected) => {
  const url = await relay(pass)
  if (mode) url.searchParams.set('sslmode', mode)
  const long = 'x'.repeat(300_000) // more than the buffers of all streams
  const answer = await withPool(url.href, (sql) =>
    sql`select ${long}::text as long`.then(([row]) => (row?.['long'] === long ? 'ok' : 'cut'), code),
  )
  expect(answer).toBe(expected)
})

test('of several servers the next one is tried', async () => {
  const url = (await relay(clear)).href.replace('@127.0.0.1', '@127.0.0.1:1,127.0.0.1')
  await withPool(url, async (sql) => {
    expect(await sql`select 1`.catch(code)).toBe('ECONNREFUSED')
    expect(await sql`select 1 as n`).toEqual([{ n: 1 }])
  })
})

test('a server that is left still answers what is under way, and the next address gets what follows', async () => {
  const asked: string[] = []
  const counting = (name: string) => (client: Socket, upstream: Socket) => {
    asked.push(name)
    clear(client, upstream)
  }
  const [first, second] = [await relay(counting('first')), await relay(counting('second'))]
  const url = first.href.replace(first.host, `${first.host},${second.host}`)
  const { options, leave } = socketsTo(url)
  await withPool(
    url,
    async (sql) => {
      const underWay = sql.begin(async (tx) => {
        await tx`select 1`
        leave()
        leave() // failures of one server come together
        const [row] = await tx`select count(*)::int as n from generate_series(1, 100000)`
        return row?.['n'] as number
      })
      expect(await underWay).toBe(100_000)
      await expect.poll(() => sql`select 1 as n`.then(([row]) => row?.['n'], code)).toBe(1)
      expect(asked).toEqual(['first', 'second'])
      await sql`select 1`
      expect(asked).toHaveLength(2)
    },
    options,
  )
})

test('an unknown sslmode is refused', () => {
  expect(() => socketOptions(`${direct.href}?sslmode=on`)).toThrow('sslmode is one of')
})
