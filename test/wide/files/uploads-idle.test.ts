/** A short deadline, in a file of its own: elsewhere it would end uploads on a halted machine. */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { json, text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'

vi.hoisted(() => Object.assign(process.env, { REQUEST_DEADLINE_MS: '1000', CONNECTIONS_MAX: '50' }))
const { baseUrl, organization, person } = await import('../../support/api.ts')
const { begin, opened, partsOfStorage, send, slot, someBytes } = await import('../../support/files/files.ts')
const { downloadLink } = await import('../../../services/files/files.ts')

const { id: organizationId } = await organization(await person())
const bytes = someBytes(20_000_000)

const { hostname, port } = new URL(baseUrl)
const TOO_SLOW = { error: { type: 'malformed_request', details: { reason: 'too_slow' } } }

async function sendLines(...lines: string[]): Promise<unknown> {
  const socket = connect(Number(port), hostname)
  socket.write(lines.join('\r\n'))
  const [, body = ''] = (await text(socket)).split('\r\n\r\n')
  return JSON.parse(body)
}

test('a file that comes more slowly than it may is refused, its connection is ended, and nothing is left of it', async () => {
  const file = await slot(organizationId, bytes.length)
  const sending = begin(file, bytes.subarray(0, 1000))
  const slowly = setInterval(() => sending.write('x'), 100)
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  clearInterval(slowly)
  expect([response.statusCode, response.headers.connection, await json(response)]).toMatchObject([
    400,
    'close',
    TOO_SLOW,
  ])
  await expect.poll(partsOfStorage).toEqual([])
  expect((await send(file, bytes)).status).toBe(200)
})

test('headers and bodies that do not end are refused, and their connections ended', async () => {
  const path = 'POST /api/v1/auth/sign-in HTTP/1.1'
  const body = [path, `host: ${hostname}`, 'content-type: application/json', 'content-length: 100', '', '{']
  expect(await Promise.all([sendLines(path, 'host: '), sendLines(...body)])).toMatchObject([TOO_SLOW, TOO_SLOW])
})

test('beyond the connections that a process has, one is closed unread, and all others go on', async () => {
  const open = Array.from({ length: 60 }, () => connect(Number(port), hostname).on('error', () => {}))
  await Promise.any(open.map((socket) => once(socket, 'close')))
  for (const socket of open) socket.destroy()
  await expect
    .poll(() =>
      fetch(`${baseUrl}/healthz`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200)
})

test('a connection whose reader stands still is ended, and the file is closed', async () => {
  const file = await slot(organizationId, bytes.length)
  await send(file, bytes)
  const { pathname, search } = new URL(downloadLink(file.id as never).url)
  const reader = connect(Number(port), hostname).on('error', () => {})
  let read = 0
  reader.on('data', (piece) => (read += piece.length))
  reader.write(`GET ${pathname}${search} HTTP/1.1\r\nhost: here\r\n\r\n`)
  await once(reader, 'data')
  reader.pause()
  await expect.poll(() => opened(file.id)).toEqual([])
  reader.resume()
  await once(reader, 'close')
  expect(read).toBeLessThan(bytes.length)
})
