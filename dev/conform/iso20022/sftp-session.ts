/** Session of SFTP: a folder on disk, each request of which may be played otherwise. */
import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import ssh2, { type Attributes, type SFTPWrapper } from 'ssh2'

const { STATUS_CODE, flagsToString } = ssh2.utils.sftp

const FILE_MODE = 0o100_644

/** Open file or directory; `null`: one whose list breaks off. */
type Handle = { readonly fd: number } | { readonly names: string[]; readonly directory: string } | null

type Request = 'list' | 'open' | 'read' | 'write' | 'close' | 'rename' | 'remove'

/** Request: `act` carries it out, and answers how to reply; `half` does a part of it. */
export type Deed = {
  readonly request: Request
  /** Path that it names; empty for one of an open file. */
  readonly path: string
  readonly act: () => () => void
  readonly half?: () => void
}

type Surroundings = {
  readonly root: string
  /** Carries out a request, or does something else; `answer()` is what a good server does. */
  readonly play: (session: SftpSession, id: number, deed: Deed) => void
  /** Cuts the connection. */
  readonly disconnect: () => void
}

export class SftpSession {
  readonly #handles = new Map<number, Handle>()
  readonly #sftp: SFTPWrapper
  readonly #around: Surroundings

  constructor(sftp: SFTPWrapper, around: Surroundings) {
    this.#sftp = sftp
    this.#around = around
    this.#serveNames()
    this.#serveDirectories()
    this.#serveFiles()
  }

  #serveNames(): void {
    const sftp = this.#sftp
    sftp.on('REALPATH', (id, name) => sftp.name(id, [{ filename: name, longname: name, attrs: attributesOf(0, 0) }]))
    for (const stat of ['STAT', 'LSTAT'] as const)
      sftp.on(stat, (id: number, name: string) =>
        this.answer(id, () => {
          const attributes = attributesAt(this.#path(name))
          return () => sftp.attrs(id, attributes)
        }),
      )
    sftp.on('RENAME', (id, from, to) => {
      const act = () => {
        renameSync(this.#path(from), this.#path(to))
        return this.#ok(id)
      }
      this.#play(id, { request: 'rename', path: from, act })
    })
    sftp.on('REMOVE', (id, path) => {
      const act = () => {
        rmSync(this.#path(path))
        return this.#ok(id)
      }
      this.#play(id, { request: 'remove', path, act })
    })
  }

  #serveDirectories(): void {
    const sftp = this.#sftp
    sftp.on('OPENDIR', (id, path) => {
      const directory = this.#path(path)
      const act = () => this.#open(id, { names: readdirSync(directory), directory })
      this.#play(id, { request: 'list', path, act, half: () => this.#open(id, null)() })
    })
    sftp.on('READDIR', (id, name) => {
      const handle = this.#handleOf(name)
      if (handle === null) return this.#around.disconnect()
      if (!handle || !('names' in handle)) return sftp.status(id, STATUS_CODE.FAILURE)
      const names = handle.names.splice(0)
      if (names.length === 0) return sftp.status(id, STATUS_CODE.EOF)
      const entries = names.flatMap((filename) => {
        const attrs = lstatSync(join(handle.directory, filename), { throwIfNoEntry: false })
        if (!attrs) return []
        const longname = `-rw-r--r-- 1 bank bank ${attrs.size} Jan 1 00:00 ${filename}` // clients read the kind of it
        return [{ filename, longname, attrs: attributesOf(attrs.size, attrs.mtimeMs) }]
      })
      sftp.name(id, entries)
    })
  }

  #serveFiles(): void {
    const sftp = this.#sftp
    sftp.on('OPEN', (id, path, flags) => {
      const act = () => this.#open(id, { fd: openSync(this.#path(path), flagsToString(flags) ?? 'r') })
      this.#play(id, { request: 'open', path, act })
    })
    sftp.on('FSTAT', (id, name) =>
      this.answer(id, () => {
        const { size, mtimeMs } = fstatSync(this.#fdOf(name))
        return () => sftp.attrs(id, attributesOf(size, mtimeMs))
      }),
    )
    sftp.on('READ', (id, name, offset, length) => {
      const act = () => {
        const bytes = Buffer.alloc(length)
        const count = readSync(this.#fdOf(name), bytes, 0, length, offset)
        return () => (count === 0 ? sftp.status(id, STATUS_CODE.EOF) : sftp.data(id, bytes.subarray(0, count)))
      }
      this.#play(id, { request: 'read', path: '', act, half: this.#around.disconnect })
    })
    sftp.on('WRITE', (id, name, offset, data) => {
      const put = (length: number) => void writeSync(this.#fdOf(name), data, 0, length, offset)
      const act = () => {
        put(data.length)
        return this.#ok(id)
      }
      this.#play(id, { request: 'write', path: '', act, half: () => put(Math.floor(data.length / 2)) })
    })
    sftp.on('CLOSE', (id, name) => {
      const handle = this.#handleOf(name)
      if (!handle || !('fd' in handle)) return sftp.status(id, STATUS_CODE.OK) // of a list
      closeSync(handle.fd)
      this.#play(id, { request: 'close', path: '', act: () => this.#ok(id) })
    })
  }

  readonly #path = (name: string): string => join(this.#around.root, name)
  readonly #ok = (id: number) => () => this.#sftp.status(id, STATUS_CODE.OK)

  #open(id: number, handle: Handle): () => void {
    const name = Buffer.alloc(4)
    name.writeUInt32BE(this.#handles.size + 1)
    this.#handles.set(this.#handles.size + 1, handle)
    return () => this.#sftp.handle(id, name)
  }

  readonly #handleOf = (name: Buffer): Handle | undefined => this.#handles.get(name.readUInt32BE())

  #fdOf(name: Buffer): number {
    const handle = this.#handleOf(name)
    if (!handle || !('fd' in handle)) throw new Error('no file is open under this name')
    return handle.fd
  }

  readonly #play = (id: number, deed: Deed): void => this.#around.play(this, id, deed)

  /** Carries out a request; a failure of the disk is one of the protocol. */
  answer(id: number, act: Deed['act']): void {
    this.attempt(id, act)()
  }

  /** Carries out a request, and answers how to reply. */
  attempt(id: number, act: Deed['act']): () => void {
    try {
      return act()
    } catch (error) {
      const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      return () => this.status(id, isAbsent ? STATUS_CODE.NO_SUCH_FILE : STATUS_CODE.FAILURE)
    }
  }

  /** Answers a code of the protocol. */
  readonly status = (id: number, code: number): void => this.#sftp.status(id, code)

  /** Opens a list without names. */
  openEmptyList(id: number): void {
    this.#open(id, { names: [], directory: '' })()
  }
}

const attributesOf = (size: number, mtimeMs: number): Attributes => {
  const at = Math.floor(mtimeMs / 1000)
  return { mode: FILE_MODE, uid: 0, gid: 0, size, atime: at, mtime: at }
}

function attributesAt(path: string): Attributes {
  const { size, mtimeMs } = lstatSync(path)
  return attributesOf(size, mtimeMs)
}
