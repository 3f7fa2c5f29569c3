/** A partner on its own port, with answers of a test, and a client for it. */
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { PartnerEndpoint } from '../../../partners/http.ts'

export type Asked = { method: string; url: string; headers: IncomingMessage['headers']; body: string }
export type PartnerServer = {
  door: PartnerEndpoint
  asked: Asked[]
  connections: () => number
  hangUp: () => void
  close: () => Promise<void>
}
type Answering = (response: ServerResponse, request: Asked) => void
type Answer = (response: ServerResponse) => void

export const KEY = 'the key of the test'

/** Listens until the test is over; reads and stores every request, and answers by `answer`. */
export async function partnerServer(answer: Answering, timeoutMs = 5000): Promise<PartnerServer> {
  const asked: Asked[] = []
  let connections = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = request
    const one = { method, url, headers, body: Buffer.concat(chunks).toString() }
    asked.push(one)
    answer(response, one)
  })
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    if (server.listening) await new Promise((closed) => server.close(closed))
  }
  onTestFinished(close)
  const { port } = server.address() as AddressInfo // listens on TCP
  return {
    door: { party: 'bank', url: `http://127.0.0.1:${port}`, key: KEY, timeoutMs, queues: ['bank'] },
    asked,
    connections: () => connections,
    hangUp: () => server.closeAllConnections(),
    close,
  }
}

export const answering =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
  }

export const payoutOf = (id: string, more: object = {}) => ({
  id,
  status: 'processing',
  detail: 'On its way',
  reference: 'BANK-1',
  version: 2,
  amount: { amount: '10.00', currency: 'USD' },
  updated_at: '2030-01-01T00:00:00.000Z',
  ...more,
})
