/** Real `sshd` for tests, of Debian's openssh-server: one user, one key, one folder. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type Socket, connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const SSHD = '/usr/sbin/sshd'

/** Says why there is no sshd; null if there is one. */
export const sshdObstacle = (): string | null => (existsSync(SSHD) ? null : `there is no ${SSHD} (openssh-server)`)

export class Sshd {
  private running: ChildProcess | undefined
  private said = ''

  /** Makes its keys in a folder of its own; it serves another folder. */
  constructor(
    private readonly own: string,
    private readonly served: string,
    readonly port: number,
  ) {
    mkdirSync(own, { recursive: true, mode: 0o700 })
    for (const name of ['host', 'another', 'user'])
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(own, name)])
    writeFileSync(join(own, 'authorized_keys'), readFileSync(join(own, 'user.pub')), { mode: 0o600 })
  }

  /** Path of the private key of the user. */
  get userKey(): string {
    return join(this.own, 'user')
  }

  get url(): string {
    return `sftp://${userInfo().username}@127.0.0.1:${this.port}`
  }

  /** Fingerprint of its host key, as ssh-keygen prints it. */
  get hostKey(): string {
    const printed = execFileSync('ssh-keygen', ['-lf', join(this.own, 'host.pub')], { encoding: 'utf8' })
    return printed.split(' ')[1] ?? ''
  }

  /** Lines of its log since it was started. */
  get log(): string {
    return this.said
  }

  async start({ asAnother = false } = {}): Promise<void> {
    const config = join(this.own, 'config')
    writeFileSync(
      config,
      [
        `Port ${this.port}`,
        'ListenAddress 127.0.0.1',
        `HostKey ${join(this.own, asAnother ? 'another' : 'host')}`,
        `AuthorizedKeysFile ${join(this.own, 'authorized_keys')}`,
        'PasswordAuthentication no',
        'KbdInteractiveAuthentication no',
        'PermitRootLogin prohibit-password',
        'StrictModes no',
        'UsePAM no',
        'PidFile none',
        'Subsystem sftp internal-sftp',
        `ForceCommand internal-sftp -d ${this.served}`,
      ].join('\n'),
    )
    if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true }) // where it gives up its rights
    this.said = ''
    const child = spawn(SSHD, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.said += text))
    this.running = child
    while (!(await this.answers())) {
      if (child.exitCode !== null) throw new Error(`sshd has ended: ${this.said}`)
      await delay(20)
    }
  }

  async stop(): Promise<void> {
    const child = this.running
    if (!child || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }

  private answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket: Socket = connect(this.port, '127.0.0.1')
      const end = (answer: boolean) => {
        socket.destroy()
        resolve(answer)
      }
      socket.once('connect', () => end(true)).once('error', () => end(false))
    })
  }
}
