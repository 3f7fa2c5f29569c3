/** Sockets to Postgres whose error and close come at once (driver.ts), in clear or by TLS. */
import { type Socket, connect, isIP } from 'node:net'
import { Duplex } from 'node:stream'
import { connect as startTls } from 'node:tls'
import type postgres from 'postgres'

/** Options of postgres.js with the custom socket, which its types leave out. */
export type SocketOptions = postgres.Options<Record<string, never>> & { readonly socket: () => Duplex }

/** Address of a server; of several in a URL, the one after a failed one is tried next. */
type Address = { readonly host: string; readonly port: number }

type TlsMode = 'off' | 'if offered' | 'required' | 'verified'

/** Meaning of `sslmode` in the URL of a database, as libpq has it; only the verified ones check the certificate. */
const TLS_MODES: Readonly<Record<string, TlsMode>> = {
  disable: 'off',
  allow: 'if offered',
  prefer: 'if offered',
  require: 'required',
  'verify-ca': 'verified',
  'verify-full': 'verified',
}

/** Message that asks Postgres for TLS: its length, and the code of the request. */
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** Message that ends an answer outside a transaction: ReadyForQuery, its length, idle. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

/** Longest pause between two departures: failures of one server come together. */
const LEAVE_MS = 1000

/** Makes the options of postgres.js by which it opens these sockets to the servers of a URL. */
export const socketOptions = (url: string): SocketOptions => socketsTo(url).options

/**
 * Makes the same options with a way to leave a server: each open socket closes as soon as it is at rest, outside a
 * transaction, and the next ones go to the next address. Of calls within a second the first counts.
 */
export function socketsTo(url: string): { readonly options: SocketOptions; readonly leave: () => void } {
  const [, authority = '', query = ''] = /^\w+:\/\/([^/?]*)[^?]*\??(.*)$/.exec(url) ?? []
  const mode = TLS_MODES[new URLSearchParams(query).get('sslmode') ?? 'disable']
  if (!mode) throw new Error(`DATABASE_URL: sslmode is one of ${Object.keys(TLS_MODES).join(', ')}`)
  const addresses = authority
    .slice(authority.lastIndexOf('@') + 1)
    .split(',')
    .map((address) => new URL(`postgres://${address}`))
    .map(({ hostname, port }) => ({ host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port || 5432) }))
  const open = new Set<DatabaseSocket>()
  let [turn, leftAt] = [0, -Infinity]
  const socket = () => {
    const address = addresses[turn % addresses.length] as Address // a URL has a host
    const made = new DatabaseSocket(address, mode, () => {
      turn += 1
    })
    open.add(made)
    return made.once('close', () => open.delete(made))
  }
  const leave = () => {
    if (performance.now() - leftAt < LEAVE_MS) return
    leftAt = performance.now()
    turn += 1
    for (const one of open) one.leave()
  }
  return { options: { ssl: false, host: addresses[0]?.host ?? '', socket }, leave }
}

/**
 * Stream whose `error` and `close` come in one turn. Those of a plain socket come apart, and postgres.js sends
 * statements between them, which it then never answers.
 */
class DatabaseSocket extends Duplex {
  readonly #raw: Socket
  /** Carrier of the protocol, once TLS is agreed. */
  #carrier: Socket | undefined
  #whenCarried: (() => void) | undefined
  /** True while the last answer has ended outside a transaction, and nothing was written since. */
  #atRest = false
  #leaves = false

  constructor(address: Address, mode: TlsMode, failed: () => void) {
    super({ readableHighWaterMark: 2 ** 16, writableHighWaterMark: 2 ** 16 })
    this.#raw = connect({ ...address, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 })
    this.#raw.once('error', failed)
    this.#endWith(this.#raw)
    if (mode === 'off') this.#carry(this.#raw)
    else this.#agreeOnTls(address.host, mode)
  }

  /** State that postgres.js reads before it says goodbye. */
  get readyState(): 'opening' | 'open' | 'closed' {
    if (this.destroyed) return 'closed'
    return this.#carrier && !this.#raw.connecting ? 'open' : 'opening'
  }

  /** Closes once it is at rest; a statement that would follow is not sent, and loses its connection. */
  leave(): void {
    this.#leaves = true
    this.#closeAtRest()
  }

  /** Lets the driver write first: bytes that it keeps back would precede the greeting of its next connection. */
  #closeAtRest(): void {
    const close = () => this.#atRest && this.readableLength === 0 && this.destroy()
    setImmediate(() => setImmediate(close))
  }

  #agreeOnTls(host: string, mode: TlsMode): void {
    this.#raw.write(TLS_REQUEST)
    this.#raw.once('data', (answer) => {
      const offered = answer.length === 1 && answer[0] === 0x53 // S; more than one byte may be of another
      if (!offered && mode === 'if offered') return this.#carry(this.#raw)
      if (!offered) return this.destroy(lossOf('Postgres offers no TLS', 'TLS_REFUSED'))
      const name = isIP(host) ? {} : { servername: host }
      const secure = startTls({ socket: this.#raw, rejectUnauthorized: mode === 'verified', host, ...name })
      this.#endWith(secure)
      secure.once('secureConnect', () => this.#carry(secure))
    })
  }

  #endWith(socket: Socket): void {
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => this.destroy(this.writableEnded ? undefined : lossOf('the connection to Postgres closed')))
  }

  #carry(carrier: Socket): void {
    this.#carrier = carrier
    carrier.on('data', (chunk: Buffer) => {
      this.#atRest = chunk.subarray(-READY.length).equals(READY)
      if (this.#leaves) this.#closeAtRest()
      if (!this.push(chunk)) carrier.pause()
    })
    this.#whenCarried?.()
  }

  override _read(): void {
    this.#carrier?.resume()
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#leaves && this.#atRest) return void this.destroy(lossOf('the server was left'))
    this.#atRest = false
    if (!this.#carrier) this.#whenCarried = () => this._write(chunk, encoding, done)
    else if (this.#carrier.write(chunk)) done()
    else this.#carrier.once('drain', () => done())
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.#carrier) this.#carrier.end(() => done())
    else done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#carrier?.destroy()
    this.#raw.destroy()
    done(error)
  }
}

const lossOf = (text: string, code = 'CONNECTION_CLOSED') => Object.assign(new Error(text), { code })
