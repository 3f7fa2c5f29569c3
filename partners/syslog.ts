/** Delivery of an event by syslog over TLS: a frame of RFC 5425 with a message of RFC 5424, to a public address. */
import { type ConnectionOptions, connect } from 'node:tls'
import { hostOf, isAddress, webhookUrl } from '../domain/webhooks/address.ts'
import { NAMES, NameFault, type Names, resolveAllowed } from '../platform/network/resolution.ts'
import { Refusal } from '../domain/errors.ts'
import type { FailureReason } from './guarded.ts'
import { inCall } from './calls.ts'
import { codeOf } from './responses.ts'

/** Outcome of a message: syslog has no answer, so that one is taken when the receiver closed the connection in order. */
export type SyslogOutcome =
  | { readonly kind: 'taken'; readonly ms: number }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly text: string; readonly ms: number }

const TIMEOUT_MS = 10_000
/** Facility `log audit` (13), severity `informational` (6). */
const PRIORITY = 13 * 8 + 6
const [APP_NAME, MESSAGE_ID_MAX, HOSTNAME_MAX] = ['business-finance-service', 32, 255]
export const SYSLOG_SCHEME = 'syslog-tls:'

type SyslogMessage = {
  /** Instant of the event in UTC, with at most six digits of a second. */
  readonly at: string
  readonly hostname: string
  readonly type: string
  readonly body: string
}

/** Writes a message as a frame: its length in octets, a space, and the message. */
export function frameOf({ at, hostname, type, body }: SyslogMessage): Buffer {
  const printable = (text: string, most: number) => text.replaceAll(/[^\x21-\x7e]/g, '').slice(0, most) || '-'
  const message = Buffer.from(
    `<${PRIORITY}>1 ${at} ${printable(hostname, HOSTNAME_MAX)} ${APP_NAME} - ${printable(type, MESSAGE_ID_MAX)} - ${body}`,
  )
  return Buffer.concat([Buffer.from(`${message.byteLength} `), message])
}

/** Sends one message over a connection of its own; throws for nothing that a receiver does. */
export async function sendSyslog(
  address: string,
  message: SyslogMessage,
  { ca, names = NAMES, timeoutMs = TIMEOUT_MS }: { ca?: string | undefined; names?: Names; timeoutMs?: number } = {},
): Promise<SyslogOutcome> {
  const startedAt = performance.now()
  const ended = () => Math.round(performance.now() - startedAt)
  try {
    const target = webhookUrl(address.replace(SYSLOG_SCHEME, 'https:'), names.live)
    const addresses = await resolveAllowed(target, names)
    const [first] = addresses
    if (first === undefined)
      return { kind: 'failed', reason: 'refused_address', text: 'the name has no public address', ms: ended() }
    const made = { partner: 'endpoint', queues: ['webhooks'] as const, method: 'POST', path: target.host }
    await inCall(made, async () => {
      await write(target, first, frameOf(message), { ca, timeoutMs })
      return {}
    })
    return { kind: 'taken', ms: ended() }
  } catch (error) {
    return { kind: 'failed', ...reasonOf(error), ms: ended() }
  }
}

class SyslogFault extends Error {
  constructor(
    readonly reason: FailureReason,
    readonly text: string,
  ) {
    super(text)
  }
}

function reasonOf(error: unknown): { reason: FailureReason; text: string } {
  if (error instanceof SyslogFault) return { reason: error.reason, text: error.text }
  if (error instanceof NameFault) return { reason: 'dns', text: error.message }
  if (error instanceof Refusal) return { reason: 'refused_address', text: error.message }
  throw error
}

type Limits = { readonly ca: string | undefined; readonly timeoutMs: number }

/** Connects to the address that was checked, with the certificate of the name; writes, and ends in order. */
function write(target: URL, address: string, frame: Buffer, { ca, timeoutMs }: Limits): Promise<void> {
  const host = hostOf(target)
  const options: ConnectionOptions = {
    host: address,
    port: Number(target.port || 443),
    ...(!isAddress(host) && { servername: host }),
    ...(ca !== undefined && { ca }),
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true, // whatever NODE_TLS_REJECT_UNAUTHORIZED says
  }
  return new Promise((resolve, reject) => {
    let isSecure = false
    const socket = connect(options, () => {
      isSecure = true
      socket.end(frame)
    })
    const timer = setTimeout(() => fail('timeout', 'no orderly end in time'), timeoutMs)
    const fail = (reason: FailureReason, text: string) => {
      clearTimeout(timer)
      socket.destroy()
      reject(new SyslogFault(reason, text))
    }
    socket.on('error', (error) => {
      const code = codeOf(error)
      fail(isSecure || /^E(CONN|HOST|NET|TIMED|PIPE)/.test(code) ? 'connection' : 'tls', code)
    })
    socket.on('close', () => {
      clearTimeout(timer)
      if (isSecure && socket.writableFinished) resolve()
      else fail('connection', 'closed before the message was written')
    })
    socket.resume() // a receiver has nothing to say
  })
}
