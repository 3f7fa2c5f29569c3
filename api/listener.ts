/** HTTP server below the app. Refuses requests that it cannot parse, in the usual envelope. */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { config } from '../platform/config.ts'
import { IDLE_MS } from '../platform/network/connections.ts'
import { Refusal } from '../domain/errors.ts'
import { COMMON_HEADERS, envelope } from './envelope.ts'

type Fetch = Parameters<typeof getRequestListener>[0]

/** Makes a server that answers by `fetch` and does not listen yet. Refuses `malformed_request` itself. */
export function serverOf(fetch: Fetch): Server {
  const answer = getRequestListener(fetch, {
    errorHandler: () => {
      const { body, headers } = unreadable('target')
      return new Response(body, { status: 400, headers })
    },
  })
  const take = (request: IncomingMessage, response: ServerResponse) => {
    const fault = hasOneHost(request) ? turnsBack(request) && 'target' : 'host'
    if (!fault) return void answer(request, response)
    const { body, headers } = unreadable(fault)
    response.writeHead(400, headers).end(body)
  }
  // the app refuses a missing host; an unknown expectation is ignored (RFC 9110, section 10.1.1)
  const server = createServer({ ...TIMES, requireHostHeader: false }, take)
  server.maxConnections = config.connectionsMax
  // idle connections make room for new ones
  return server
    .on('checkExpectation', take)
    .on('clientError', refuseClient)
    .on('drop', () => server.closeIdleConnections())
}

/** Timeouts: 20 seconds for headers, five minutes for the largest file; `piecesOf()` limits the pace of bodies. */
const TIMES = {
  keepAliveTimeout: IDLE_MS,
  headersTimeout: 2 * config.requestDeadlineMs,
  requestTimeout: 30 * config.requestDeadlineMs,
  connectionsCheckingInterval: config.requestDeadlineMs / 2,
}

/** Tells if the path has a `..` segment, plain or encoded: such paths leave the API. */
const turnsBack = ({ url = '' }: IncomingMessage): boolean => /^[^?#]*[/\\](?:\.|%2e){2}(?:[/\\?#]|$)/i.test(url)

/** Checks the host: two are a fault (RFC 9112, section 3.2), and Node would take the first. */
function hasOneHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts === 1
}

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'too_slow',
}

/** Refuses a request that the parser gave up on; the connection cannot be used any more. */
function refuseClient(error: NodeJS.ErrnoException, socket: Duplex & { _httpMessage?: ServerResponse }): void {
  if (!socket.writable || socket._httpMessage?.headersSent) return void socket.destroy()
  const { body, headers } = unreadable(REASONS[error.code ?? ''] ?? 'not_http')
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`, () => socket.destroy())
}

function unreadable(reason: string): { body: string; headers: Record<string, string> } {
  const requestId = randomUUID()
  const body = JSON.stringify(envelope(new Refusal('malformed_request', { reason }), requestId))
  return {
    body,
    headers: {
      ...COMMON_HEADERS,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'x-request-id': requestId,
      connection: 'close',
    },
  }
}
