/** SFTP server of a bank, as the conformance kit plays it: a folder on disk, reached by a password. */
import { once } from 'node:events'
import { type Socket, createServer } from 'node:net'
import ssh2, { type Connection } from 'ssh2'
import { fingerprintOf } from '../../../partners/iso20022/sftp.ts'
import type { Fault, PlannedFaults, ProviderCall } from '../planned-faults.ts'
import { newHostKey } from './host-key.ts'
import { playFaults } from './sftp-faults.ts'
import { SftpSession } from './sftp-session.ts'

const { parseKey } = ssh2.utils
/** Key of the host: of this process alone. */
const HOST_KEY = newHostKey()
export const PASSWORD = 'password of a customer'

/** Computes the fingerprint by which the service knows the host. */
export function hostFingerprint(): string {
  const key = parseKey(HOST_KEY)
  if (key instanceof Error) throw key
  return fingerprintOf(key.getPublicSSH())
}

/** Faults that come before a request. */
const AT_LOGIN: readonly Fault[] = ['unauthorized']
const AT_CONNECTION: readonly Fault[] = ['unavailable', 'slow down for an hour']

export class SftpServer {
  private readonly sessions = new ssh2.Server({ hostKeys: [HOST_KEY] }, (client, { port }) => this.greet(client, port))
  private readonly sockets = new Map<number, Socket>()
  private readonly listener = createServer((socket) => this.take(socket))

  constructor(
    private readonly port: number,
    private readonly root: string,
    private readonly faults: PlannedFaults,
  ) {}

  async start(): Promise<void> {
    await once(this.listener.listen(this.port, '127.0.0.1'), 'listening')
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets.values()) socket.destroy()
    await new Promise((closed) => this.listener.close(closed))
  }

  private has = (call: ProviderCall, faults: readonly Fault[]): boolean =>
    this.faults.next(call, (fault) => faults.includes(fault)) !== undefined

  private take(socket: Socket): void {
    socket.on('error', () => {})
    socket.setNoDelay(true)
    if (this.has('order', AT_CONNECTION)) return void socket.destroy()
    const port = socket.remotePort ?? 0
    this.sockets.set(port, socket)
    socket.on('close', () => this.sockets.delete(port))
    this.sessions.injectSocket(socket)
  }

  private greet(client: Connection, port: number): void {
    const { faults, root } = this
    client.on('error', () => {})
    client.on('authentication', (context) => {
      const isOurs = context.method === 'password' && context.password === PASSWORD
      if (isOurs && !this.has('order', AT_LOGIN)) context.accept()
      else context.reject(['password'])
    })
    client.on('session', (accept) =>
      accept().on('sftp', (acceptSftp) => {
        const disconnect = () => void this.sockets.get(port)?.destroy()
        return new SftpSession(acceptSftp(), { root, disconnect, play: playFaults(faults, disconnect) })
      }),
    )
  }
}
