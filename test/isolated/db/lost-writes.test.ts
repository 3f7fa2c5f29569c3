/** The driver after a connection that closed with a write pending: it works again by a long first message alone. */
import { type Socket, connect } from 'node:net'
import postgres from 'postgres'
import { expect, test } from 'vitest'
import { LONG_START } from '../../../db/postgres/sql.ts'
import '../../support/api.ts'

type Options = postgres.Options<Record<string, never>> & { socket: () => Promise<Socket> }

test.each([
  ['waits in vain with a short one: once this fails, the driver is mended', {}, 'CONNECT_TIMEOUT'],
  ['answers with ours', LONG_START, 3],
])('the next statement %s', async (_, connection, expected) => {
  const { hostname, port, username, password, pathname } = new URL(process.env['DATABASE_URL'] ?? '')
  const sockets: Socket[] = []
  const options: Options = {
    max: 1,
    username,
    password,
    database: pathname.slice(1),
    connect_timeout: 1,
    backoff: () => 0,
    fetch_types: false,
    connection,
    socket: () =>
      new Promise((resolve) => {
        const socket = connect(Number(port), hostname, () => resolve(socket))
        sockets.push(socket)
      }),
  }
  const sql = postgres(options)
  await sql`select 1`
  const lost = sql`select 2`.catch((error: { code: string }) => error.code)
  await Promise.resolve() // it is handed to its connection
  sockets[0]?.emit('close', false) // before the statement is written
  sockets[0]?.destroy()
  expect(await lost).toBe('CONNECTION_CLOSED')
  const next = await sql`select 3 as n`.then(
    ([row]) => row?.['n'] as unknown,
    (error: { code: string }) => error.code,
  )
  expect(next).toBe(expected)
  await sql.end({ timeout: 1 })
})
