/** SMTP server that takes bills. It relays nothing, and answers 250 only once a mail is committed. */
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { Refusal, type RefusalType } from '../../domain/errors.ts'
import { MAIL_BYTES_MAX, RECIPIENTS_MAX } from '../../domain/inbound-mails/inbound-mail.ts'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import { findMailboxAt } from '../../services/inbound-mails/mailboxes.ts'
import { admitMail, receiveMail } from '../../services/inbound-mails/reception.ts'
import { networkOf } from '../http/address.ts'
import { type CertificateFiles, followCertificate, readCertificate } from './certificate.ts'
import { MEMORY, collect } from './memory.ts'

/** Connections at once: of all, and of one network that is no gateway. */
const [CONNECTIONS_MAX, CONNECTIONS_OF_NETWORK_MAX] = [100, 10]
/** Recipients that are not ours, after which a connection ends: it guesses. */
const UNKNOWN_MAX = 5
/** Recipients named for one mail, past those that it may have, after which a connection ends. */
const NAMED_MAX = 100
/** Mails of a connection; the next one needs another. */
const MAILS_MAX = 100
/** Time without a byte, and of a whole connection: a slow sender keeps no place. */
const [IDLE_MS, CONNECTION_MS] = [30_000, 600_000]
const CLOSE_MS = 5000
/** Time between looks for a renewed certificate, which is renewed weeks before its end. */
const CERTIFICATE_LOOK_MS = 60 * 60_000

type Bounds = {
  readonly idleMs?: number
  readonly connectionMs?: number
  readonly certificateFiles?: CertificateFiles | undefined
  readonly certificateLookMs?: number
}
export type MailServer = { readonly port: number; readonly stop: () => Promise<void> }

/** Starts the server. Connections in clear may be encrypted by STARTTLS; none signs in. */
export async function openMailServer(port: number, bounds: Bounds = {}) {
  const { idleMs = IDLE_MS, connectionMs = CONNECTION_MS, certificateLookMs = CERTIFICATE_LOOK_MS } = bounds
  const { certificateFiles: files = filesOfConfig() } = bounds
  const certificate = files && readCertificate(files)
  const callers = new Callers()
  const server = new SMTPServer({
    name: config.billsMailDomain ?? 'localhost',
    banner: 'bills',
    size: MAIL_BYTES_MAX,
    maxClients: CONNECTIONS_MAX,
    socketTimeout: idleMs,
    closeTimeout: CLOSE_MS,
    disabledCommands: ['AUTH'],
    disableReverseLookup: true,
    logger: false,
    ...certificate,
    onConnect: (session, done) => done(callers.enter(session) ? null : replyOf(421, 'Too many connections')),
    onClose: (session) => callers.leave(session),
    onMailFrom: (_, session, done) => done(callers.begin(session) ? null : replyOf(421, 'Too many mails')),
    onRcptTo: ({ address }, session, done) => settle(admit(callers, address, session), done),
    onData: (stream, session, done) => settle(take(stream, session), done),
  })
  server.on('error', (error) => log.debug({ err: error }, 'a connection to the mail server broke'))
  server.server.on('connection', (socket: Socket) => {
    const cut = setTimeout(() => socket.destroy(), connectionMs).unref()
    socket.once('close', () => clearTimeout(cut))
  })
  const unfollow =
    files && certificate
      ? followCertificate(files, certificate, certificateLookMs, (renewed) => server.updateSecureContext(renewed))
      : undefined
  server.listen(port, config.host)
  await once(server.server, 'listening')
  const { port: actual } = server.server.address() as AddressInfo // of a port, not of a pipe
  const running: MailServer = {
    port: actual,
    stop: () => {
      unfollow?.()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return running
}

function filesOfConfig(): CertificateFiles | undefined {
  const { billsMailTlsCertPath: cert, billsMailTlsKeyPath: key } = config
  return cert !== undefined && key !== undefined ? { cert, key } : undefined
}

/** Connection: what it has sent, and guessed. */
type Caller = { readonly network: string; unknown: number; mails: number; recipients: number }

/** Connections by network, with what each has done. */
class Callers {
  readonly #ofNetwork = new Map<string, number>()
  readonly #inside = new Map<string, Caller>()

  /** Counts a connection; false if its network has too many. */
  enter({ id, remoteAddress }: SMTPServerSession): boolean {
    const network = networkOf(remoteAddress)
    const count = (this.#ofNetwork.get(network) ?? 0) + 1
    if (count > CONNECTIONS_OF_NETWORK_MAX && !isGateway(remoteAddress)) return false
    this.#ofNetwork.set(network, count)
    this.#inside.set(id, { network, unknown: 0, mails: 0, recipients: 0 })
    return true
  }

  leave({ id }: SMTPServerSession): void {
    const caller = this.#inside.get(id)
    if (!caller) return
    this.#inside.delete(id)
    const count = (this.#ofNetwork.get(caller.network) ?? 1) - 1
    if (count > 0) this.#ofNetwork.set(caller.network, count)
    else this.#ofNetwork.delete(caller.network)
  }

  /** Counts a mail that begins; false if there were too many. */
  begin({ id }: SMTPServerSession): boolean {
    const caller = this.#inside.get(id)
    if (!caller) return false
    caller.recipients = 0
    caller.mails += 1
    return caller.mails <= MAILS_MAX
  }

  /** Counts a recipient of the mail, also one that is named again; answers how many there are. */
  noteRecipient({ id }: SMTPServerSession): number {
    const caller = this.#inside.get(id)
    if (caller) caller.recipients += 1
    return caller?.recipients ?? 0
  }

  /** Counts a recipient that is not ours; false if there were too many. */
  noteUnknown({ id }: SMTPServerSession): boolean {
    const caller = this.#inside.get(id)
    if (caller) caller.unknown += 1
    return (caller?.unknown ?? 0) <= UNKNOWN_MAX
  }
}

/** Tells if an address is of the gateway, whose results about senders are believed. */
export function isGateway(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return config.billsMailGateways.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network)
    return base.kind() === parsed.kind() && parsed.match(base, bits)
  })
}

/** Takes a recipient that has a mailbox here, before any data; refuses others and too many. */
async function admit(callers: Callers, address: string, session: SMTPServerSession): Promise<void> {
  const named = callers.noteRecipient(session)
  if (named > RECIPIENTS_MAX) throw replyOf(named > NAMED_MAX ? 421 : 452, 'Too many recipients')
  const mailbox = await findMailboxAt(address)
  if (!mailbox) throw callers.noteUnknown(session) ? UNKNOWN() : replyOf(421, 'Too many unknown recipients')
  await admitMail(mailbox, networkToCount(session), 0)
}

/** Names the network whose mails are counted; null for the gateway. */
const networkToCount = ({ remoteAddress }: SMTPServerSession): string | null =>
  isGateway(remoteAddress) ? null : networkOf(remoteAddress)

const UNKNOWN = () => replyOf(550, 'No such mailbox here')

/** Stores a mail for each of its recipients. One that is stored already is not stored again by a repeat. */
async function take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
  const { envelope, remoteAddress } = session
  const raw = await collect(stream, MEMORY.smtp)
  const envelopeFrom = (envelope.mailFrom && envelope.mailFrom.address) || null
  const mail = { raw, envelopeFrom, fromGateway: isGateway(remoteAddress) }
  let stored = 0
  for (const { address } of envelope.rcptTo) {
    const mailbox = await findMailboxAt(address)
    if (!mailbox) continue // ended since it was admitted
    await admitMail(mailbox, networkToCount(session))
    await receiveMail(mailbox, mail)
    stored += 1
  }
  if (stored === 0) throw UNKNOWN()
}

/** Makes the answer to a command, with the code of RFC 5321. */
const replyOf = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

const CODES: Readonly<Partial<Record<RefusalType, readonly [number, string]>>> = {
  rate_limited: [450, 'Too many mails, try later'],
  payload_too_large: [552, 'The mail is too large'],
}

/** Ends a command with its answer. What went wrong here may pass, so the sender tries again. */
function settle(work: Promise<void>, done: (error?: Error | null) => void): void {
  work.then(
    () => done(),
    (error: unknown) => {
      if (error instanceof Error && 'responseCode' in error) return done(error)
      const known = error instanceof Refusal ? CODES[error.type] : undefined
      if (!known) log.warn({ err: error }, 'a mail was not taken')
      done(replyOf(...(known ?? [451, 'Try again later'])))
    },
  )
}
