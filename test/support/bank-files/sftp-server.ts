/** Server of SFTP for tests: a folder on disk, served by ssh2's own server, which misbehaves on command. */
import { createHash } from 'node:crypto'
import {
  type Stats,
  closeSync,
  fstatSync,
  openSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import ssh2, { type Connection, type SFTPWrapper } from 'ssh2'

const { Server, utils } = ssh2
const { OPEN_MODE, STATUS_CODE } = utils.sftp

/** Requests that a server can fail. */
type Request = 'list' | 'open' | 'read' | 'write' | 'close' | 'rename' | 'remove'

/** Misbehaviour at a request: no answer, a cut connection, fewer bytes than were sent, or a code of the protocol. */
export type Misbehaviour = 'hang' | 'cut' | 'lose bytes' | { readonly code: number }

export const CODE = { noSuchFile: 2, noPermission: 3, failure: 4 } as const

const newKey = () => utils.generateKeyPairSync('ed25519').private
const fingerprintOf = (key: string): string => {
  const parsed = utils.parseKey(key)
  if (parsed instanceof Error) throw parsed
  return `SHA256:${createHash('sha256').update(parsed.getPublicSSH()).digest('base64').replace(/=+$/, '')}`
}

export class SftpServer {
  private readonly key = newKey()
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
    const server = new Server({ hostKeys: [asAnother ? newKey() : this.key] }, (client) => this.welcome(client))
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
        accept().on('sftp', (start) => this.serve(start(), () => client.end()))
      }),
    )
  }

  private serve(sftp: SFTPWrapper, cut: () => void): void {
    const answer: Answering = (request, id, work, badly = () => {}) => {
      this.asked.push(request)
      const how = this.bad.get(request)
      if (how === 'hang') return
      if (typeof how === 'object') return sftp.status(id, how.code)
      if (how) badly()
      if (how === 'cut') return cut()
      try {
        if (!how) work()
      } catch (error) {
        const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
        return sftp.status(id, isGone ? CODE.noSuchFile : CODE.failure)
      }
      if (how || !ANSWERED.has(request)) sftp.status(id, STATUS_CODE.OK)
    }
    const at = (path: string) => join(this.root, path)
    serveLists(sftp, at, answer)
    serveFiles(sftp, at, answer)
    sftp.on('RENAME', (id, from, to) => answer('rename', id, () => renameSync(at(from), at(to))))
    sftp.on('REMOVE', (id, path) => answer('remove', id, () => rmSync(at(path))))
  }
}

/** Does what is asked, unless the server misbehaves; `badly` is what it does then. */
type Answering = (request: Request, id: number, work: () => void, badly?: () => void) => void
type Place = (path: string) => string
/** Requests whose work answers by itself; the others are done without a value. */
const ANSWERED: ReadonlySet<Request> = new Set(['list', 'open', 'read'])

let handles = 0
function newHandle(): Buffer {
  const handle = Buffer.alloc(4)
  handle.writeUInt32BE((handles += 1))
  return handle
}
const attributesOf = (found: Stats) => ({
  mode: found.mode,
  uid: 0,
  gid: 0,
  size: found.size,
  atime: 0,
  mtime: Math.floor(found.mtimeMs / 1000),
})

function serveLists(sftp: SFTPWrapper, at: Place, answer: Answering): void {
  const lists = new Map<number, string[]>()
  sftp.on('OPENDIR', (id, path) =>
    answer('list', id, () => {
      const names = readdirSync(at(path))
      const handle = newHandle()
      lists.set(handle.readUInt32BE(), names.map((name) => join(path, name))) // prettier-ignore
      sftp.handle(id, handle)
    }),
  )
  sftp.on('READDIR', (id, handle) => {
    const paths = lists.get(handle.readUInt32BE())?.splice(0) ?? []
    if (paths.length === 0) return sftp.status(id, STATUS_CODE.EOF)
    const entries = paths.map((path) => {
      const filename = path.split('/').at(-1) ?? ''
      return { filename, longname: `-rw-r--r-- ${filename}`, attrs: attributesOf(statSync(at(path))) }
    })
    sftp.name(id, entries)
  })
}

function serveFiles(sftp: SFTPWrapper, at: Place, answer: Answering): void {
  const files = new Map<number, number>()
  const fileOf = (handle: Buffer) => files.get(handle.readUInt32BE()) ?? -1
  sftp.on('OPEN', (id, path, flags) =>
    answer('open', id, () => {
      const handle = newHandle()
      files.set(handle.readUInt32BE(), openSync(at(path), flags & OPEN_MODE.WRITE ? 'w' : 'r'))
      sftp.handle(id, handle)
    }),
  )
  sftp.on('FSTAT', (id, handle) => sftp.attrs(id, attributesOf(fstatSync(fileOf(handle)))))
  sftp.on('READ', (id, handle, offset, length) =>
    answer('read', id, () => {
      const bytes = Buffer.alloc(length)
      const count = readSync(fileOf(handle), bytes, 0, length, offset)
      if (count === 0) sftp.status(id, STATUS_CODE.EOF)
      else sftp.data(id, bytes.subarray(0, count))
    }),
  )
  sftp.on('WRITE', (id, handle, offset, data) => {
    const put = (length: number) => writeSync(fileOf(handle), data, 0, length, offset)
    answer('write', id, () => put(data.length), () => put(Math.floor(data.length / 2))) // prettier-ignore
  })
  sftp.on('CLOSE', (id, handle) => {
    const file = files.get(handle.readUInt32BE())
    files.delete(handle.readUInt32BE())
    if (file === undefined) return sftp.status(id, STATUS_CODE.OK) // of a list
    closeSync(file)
    answer('close', id, () => {})
  })
}
