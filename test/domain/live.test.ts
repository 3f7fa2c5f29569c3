/** Live streams: the end of readers who do not read. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { type Env, Live } from '../../api/http/http.ts'

test('who takes nothing makes nothing grow, and is cut off', async () => {
  let pieces = 0
  let isOver = () => {}
  const over = new Promise<void>((resolve) => (isOver = resolve))
  const app = new Hono<Env>().get('/', (http) =>
    new Live({
      contentType: 'text/plain',
      stalledMs: 300,
      begin: async function* (signal) {
        signal.addEventListener('abort', () => isOver())
        for (; !signal.aborted; pieces += 1) yield 'x'.repeat(64 * 1024)
      },
    }).toResponse(http),
  )
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await over
  expect(pieces).toBeGreaterThan(0)
  // what two socket buffers hold; a stream without backpressure would never end
  expect(pieces).toBeLessThan(500)
  socket.destroy()
  server.close()
})
