/** Server of SFTP for tests: a folder on disk, served by ssh2's own server, which misbehaves on command. */
import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import ssh2, { type Connection } from 'ssh2'
import { newHostKey } from '../../../dev/conform/iso20022/host-key.ts'
import { type Deed, SftpSession } from '../../../dev/conform/iso20022/sftp-session.ts'

const { Server, utils } = ssh2
const { STATUS_CODE } = utils.sftp

/** Requests that a server can fail. */
type Request = Deed['request']

/** Misbehaviour at a request: no answer, a cut connection, fewer bytes than were sent, or a code of the protocol. */
export type Misbehaviour = 'hang' | 'cut' | 'lose bytes' | { readonly code: number }

export const CODE = { noSuchFile: 2, noPermission: 3, failure: 4 } as const

const fingerprintOf = (key: string): string => {
  const parsed = utils.parseKey(key)
  if (parsed instanceof Error) throw parsed
  return `SHA256:${createHash('sha256').update(parsed.getPublicSSH()).digest('base64').replace(/=+$/, '')}`
}

export class SftpServer {
  private readonly key = newHostKey()
  private server: InstanceType<typeof Server> | undefined
  private readonly connections = new Set<Connection>()
  private readonly bad = new Map<Request, Misbehaviour>()
  /** Logins that were tried. */
  logins = 0
  /** Requests that were made. */
  readonly asked: Request[] = []

  constructor(
    private readonly root: string,
    private readonly password: string,
  ) {}

  /** Fingerprint of its own host key. */
  get hostKey(): string {
    return fingerprintOf(this.key)
  }

  /** Starts at a port, with a host key that is not its own if asked to; answers the port. */
  start(port: number, { asAnother = false } = {}): Promise<number> {
    const server = new Server({ hostKeys: [asAnother ? newHostKey() : this.key] }, (client) => this.welcome(client))
    this.server = server
    return new Promise((resolve) => {
      server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
    })
  }

  async stop(): Promise<void> {
    const { server } = this
    const closed = new Promise<void>((resolve) => {
      if (server) server.close(() => resolve())
      else resolve()
    })
    for (const one of this.connections) one.end()
    await closed
  }

  /** Misbehaves at each request of a kind, until `behave()`. */
  misbehave(at: Request, how: Misbehaviour): void {
    this.bad.set(at, how)
  }

  behave(): void {
    this.bad.clear()
    this.asked.length = 0
  }

  private welcome(client: Connection): void {
    this.connections.add(client)
    client.on('close', () => this.connections.delete(client))
    client.on('error', () => {}) // a client that hangs up
    client.on('authentication', (context) => {
      if (context.method === 'none') return context.reject(['password'])
      this.logins += 1
      if (context.method === 'password' && context.password === this.password) context.accept()
      else context.reject(['password'])
    })
    client.on('ready', () =>
      client.on('session', (accept) => {
        const disconnect = () => void client.end()
        accept().on('sftp', (start) => {
          const { root } = this
          const play = (session: SftpSession, id: number, deed: Deed) => this.play(session, id, deed, disconnect)
          return new SftpSession(start(), { root, play, disconnect })
        })
      }),
    )
  }

  private play(session: SftpSession, id: number, { request, act, half }: Deed, cut: () => void): void {
    this.asked.push(request)
    const how = this.bad.get(request)
    if (how === undefined) return session.answer(id, act)
    if (how === 'hang') return
    if (typeof how === 'object') return session.status(id, how.code)
    if (request === 'write') half?.()
    if (how === 'cut') cut()
    else session.status(id, STATUS_CODE.OK)
  }
}
