/** Connections that stay open: for how long, and how a process takes leave of them. */
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished, expect, test } from 'vitest'
import { allowStreams } from '../../../api/events/open-streams.ts'
import { serverOf } from '../../../api/listener.ts'
import { startServer } from '../../../server.ts'
import { api } from '../../support/api.ts'
import { askPartner, usePartners } from '../../support/partners/partners.ts'

usePartners()

type Sent = { status: number | undefined; body: any; connection: string | undefined; reused: boolean }

/** Client with one connection, which it keeps as long as the server allows. */
function pooled(port: number): (path: string, headers?: Record<string, string>) => Promise<Sent> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return async (path, headers = {}) => {
    const sent = request({ host: '127.0.0.1', port, path, headers, agent }).end()
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject)
    })
    const body = JSON.parse(await text(answer))
    return { status: answer.statusCode, body, connection: answer.headers.connection, reused: sent.reusedSocket }
  }
}

test('an idle connection stays open for longer than the pool of a proxy keeps it, at the API and at the stand-ins', async () => {
  for (const { headers } of [await api('GET', '//healthz'), await askPartner('rates', 'GET', '/')])
    expect(headers.get('keep-alive')).toBe('timeout=75')
})

test('a process that stops answers what comes over kept connections, ends each by its answer, and is not ready', async () => {
  onTestFinished(allowStreams) // of the other server of these modules
  const { port, stop } = await startServer()
  const [first, second, third] = [pooled(port), pooled(port), pooled(port)]
  for (const send of [first, second, third])
    expect(await send('/healthz')).toMatchObject({ status: 200, connection: 'keep-alive' })
  expect(await first('/readyz')).toMatchObject({ connection: 'keep-alive', body: { faults: [] } })

  const farewell = new AbortController()
  const stopped = stop(once(farewell.signal, 'abort'))
  const stopping = { ready: false, missing: [], faults: ['stopping'] }
  expect(await first('/readyz')).toEqual({ status: 503, body: stopping, connection: 'close', reused: true })
  const answered = { status: 200, body: { status: 'ok' }, connection: 'close' }
  expect(await first('/healthz')).toEqual({ ...answered, reused: false })
  expect(await second('/healthz')).toEqual({ ...answered, reused: true })
  expect(await third('/healthz', { expect: 'a miracle' })).toEqual({ ...answered, reused: true })
  farewell.abort()
  await stopped
  await expect(first('/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('without a farewell idle connections are closed at once', async () => {
  onTestFinished(allowStreams)
  const { port, stop } = await startServer()
  const send = pooled(port)
  expect(await send('/healthz')).toMatchObject({ status: 200, connection: 'keep-alive' })
  await stop()
  await expect(send('/healthz')).rejects.toMatchObject({ code: expect.stringMatching(/^ECONN/) })
})

test('where every connection is taken, idle ones make room', async () => {
  const server = serverOf(() => Response.json({}))
  server.maxConnections = 1
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo // of a port
  const [idle, other] = [pooled(port), pooled(port)]
  expect(await idle('/')).toMatchObject({ status: 200, connection: 'keep-alive' })
  await expect(other('/')).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(await other('/')).toMatchObject({ status: 200, reused: false })
})
