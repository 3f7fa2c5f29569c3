/** Calls to addresses that others name: public ones alone, in bounded time and size, without redirects. */
import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction, TcpNetConnectOpts } from 'node:net'
import { isIPv6 } from 'node:net'
import { Refusal } from '../domain/errors.ts'
import { webhookUrl } from '../domain/webhooks/address.ts'
import { ADDRESS_ATTEMPT_MS } from '../platform/network/connections.ts'
import { NameFault, type Names, resolveAllowed } from '../platform/network/resolution.ts'
import { inCall } from './calls.ts'
import { codeOf } from './responses.ts'

export type FailureReason = 'timeout' | 'refused_address' | 'dns' | 'tls' | 'connection' | 'malformed'
export type CallFailure = { readonly kind: 'failed'; readonly reason: FailureReason; readonly text: string }
/** Answer with any status; `body` is its first bytes, and empty if they are packed. */
export type CallAnswer = Answer & { readonly kind: 'answered' }

export type GuardedCall = {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}
export type Limits = { readonly timeoutMs?: number; readonly ca?: string }

const TIMEOUT_MS = 10_000
export const ANSWER_BYTES_MAX = 64 * 1024
const HEADER_BYTES_MAX = 16 * 1024
/** Agents without reuse or proxy: each call connects to the address that was checked for it. */
const AGENTS = { plain: new HttpAgent({ keepAlive: false }), tls: new HttpsAgent({ keepAlive: false }) }

class CallFailed extends Error {
  constructor(
    readonly reason: FailureReason,
    readonly text: string,
  ) {
    super(text)
  }
}

/**
 * Calls an address; throws for nothing that a receiver does. Follows no redirect, unpacks nothing, reads at most 64 KB;
 * DNS, connection and answer take ten seconds together.
 */
export async function call(
  url: string,
  sent: GuardedCall,
  names: Names,
  limits: Limits = {},
): Promise<CallAnswer | CallFailure> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), limits.timeoutMs ?? TIMEOUT_MS)
  try {
    const target = webhookUrl(url, names.live)
    const addresses = await resolveAllowed(target, names)
    if (addresses.length === 0) throw new CallFailed('refused_address', 'the name has no public address')
    const made = { partner: 'endpoint', queues: ['webhooks'] as const, method: sent.method, path: target.host } // its path may hold a secret
    const answer = await inCall(made, () => exchange(target, sent, addresses, controller.signal, limits.ca))
    return { kind: 'answered', ...answer }
  } catch (error) {
    if (controller.signal.aborted) return { kind: 'failed', reason: 'timeout', text: 'no whole answer in time' }
    return { kind: 'failed', ...failureOf(error) }
  } finally {
    clearTimeout(timer)
  }
}

function failureOf(error: unknown): { reason: FailureReason; text: string } {
  if (error instanceof CallFailed) return { reason: error.reason, text: error.text }
  if (error instanceof NameFault) return { reason: 'dns', text: error.message }
  if (error instanceof Refusal) return { reason: 'refused_address', text: error.message }
  throw error
}

/** Options of the socket: several addresses are tried in turn. */
type Choice = Pick<TcpNetConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'>
type Answer = { readonly status: number; readonly type: string; readonly body: Buffer }

function exchange(
  url: URL,
  { method, headers, body }: GuardedCall,
  addresses: readonly string[],
  signal: AbortSignal,
  ca: string | undefined,
): Promise<Answer> {
  const secure = url.protocol === 'https:'
  const options: RequestOptions & Choice & { ca?: string; rejectUnauthorized: true } = {
    method,
    headers,
    agent: secure ? AGENTS.tls : AGENTS.plain,
    lookup: answering(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptMsOf(addresses.length),
    signal,
    maxHeaderSize: HEADER_BYTES_MAX,
    rejectUnauthorized: true, // whatever NODE_TLS_REJECT_UNAUTHORIZED says
    ...(ca !== undefined && { ca }),
  }
  return new Promise((resolve, reject) => {
    let handshake = false
    const fail = (error: unknown) => {
      const code = codeOf(error)
      const reason = code.startsWith('HPE_') ? 'malformed' : handshake ? 'tls' : 'connection'
      reject(new CallFailed(reason, code))
    }
    const request = (secure ? httpsRequest : httpRequest)(url, options, (response) => {
      answerOf(response).then(resolve, fail)
    })
    request.on('error', fail)
    request.on('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new CallFailed('malformed', 'it speaks another protocol'))
    })
    signal.addEventListener('abort', fail, { once: true }) // whatever the connection does
    request.on('socket', (socket) => {
      socket.on('connect', () => (handshake = secure))
      socket.on('secureConnect', () => (handshake = false))
    })
    request.end(body)
  })
}

/** Limits the time to connect to an address: half of the whole is left for the answer of the last one. */
const attemptMsOf = (addresses: number): number =>
  Math.min(ADDRESS_ATTEMPT_MS, Math.floor(TIMEOUT_MS / 2 / Math.max(1, addresses - 1)))

/** Makes a lookup that answers the checked addresses: no second DNS query can change them. */
const answering =
  (addresses: readonly string[]): LookupFunction =>
  (_name, options, callback) => {
    const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
    const [first] = found
    if (options.all) callback(null, found)
    else callback(null, first?.address ?? '', first?.family)
  }

async function answerOf(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes >= ANSWER_BYTES_MAX) break // closes the connection
  }
  const packed = (response.headers['content-encoding'] ?? 'identity') !== 'identity'
  const body = packed ? Buffer.alloc(0) : Buffer.concat(chunks).subarray(0, ANSWER_BYTES_MAX)
  return { status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', body }
}
