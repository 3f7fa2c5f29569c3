/** Session of SFTP at a bank, as the conformance kit plays it: the requests of a visit, with the bad days of a network. */
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
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import ssh2, { type Attributes, type SFTPWrapper } from 'ssh2'
import { type Fault, type PlannedFaults, type ProviderCall, passes } from '../planned-faults.ts'

const { STATUS_CODE, flagsToString } = ssh2.utils.sftp

/** Faults of the way there and back. */
const ON_THE_WIRE: readonly Fault[] = [
  'request lost',
  'answer lost',
  'half an answer',
  'too slow',
  'takes a moment',
  'forbidden',
  'error before',
  'error after',
  'arrives twice',
  'absent',
]
const MOMENT_MS = 100
const FILE_MODE = 0o100_644

/** Open file or directory; `null`: one whose list breaks off. */
type Handle = { readonly fd: number } | { readonly names: string[]; readonly directory: string } | null

/** Request that faults play with: `act` carries it out, and answers how to reply. */
type Deed = { readonly call: ProviderCall; readonly act: () => () => void; readonly half?: () => void }

type Surroundings = {
  readonly root: string
  readonly faults: PlannedFaults
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
        this.#answer(id, () => {
          const attributes = attributesAt(this.#path(name))
          return () => sftp.attrs(id, attributes)
        }),
      )
    sftp.on('RENAME', (id, from, to) => {
      const act = () => {
        renameSync(this.#path(from), this.#path(to))
        return this.#ok(id)
      }
      void this.#play(id, { call: 'order', act })
    })
    sftp.on('REMOVE', (id, name) =>
      this.#answer(id, () => {
        rmSync(this.#path(name))
        return this.#ok(id)
      }),
    )
  }

  #serveDirectories(): void {
    const sftp = this.#sftp
    sftp.on('OPENDIR', (id, name) => {
      const directory = this.#path(name)
      const act = () => this.#open(id, { names: readdirSync(directory), directory })
      const call = basename(name) === 'out' ? 'find' : 'other'
      void this.#play(id, { call, act, half: this.#open(id, null) })
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
    sftp.on('OPEN', (id, name, flags) =>
      this.#answer(id, () => this.#open(id, { fd: openSync(this.#path(name), flagsToString(flags) ?? 'r') })),
    )
    sftp.on('FSTAT', (id, name) =>
      this.#answer(id, () => {
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
      void this.#play(id, { call: 'deposit', act, half: this.#around.disconnect })
    })
    sftp.on('WRITE', (id, name, offset, data) =>
      this.#answer(id, () => {
        writeSync(this.#fdOf(name), data, 0, data.length, offset)
        return this.#ok(id)
      }),
    )
    sftp.on('CLOSE', (id, name) =>
      this.#answer(id, () => {
        const handle = this.#handleOf(name)
        if (handle && 'fd' in handle) closeSync(handle.fd)
        return this.#ok(id)
      }),
    )
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

  /** Carries out a request; a failure of the disk is one of the protocol. */
  #answer(id: number, act: () => () => void): void {
    this.#attempt(id, act)()
  }

  #attempt(id: number, act: () => () => void): () => void {
    try {
      return act()
    } catch (error) {
      const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      return () => this.#sftp.status(id, isAbsent ? STATUS_CODE.NO_SUCH_FILE : STATUS_CODE.FAILURE)
    }
  }

  /** Plays a request, with what was planned for its call. */
  async #play(id: number, { call, act, half }: Deed): Promise<void> {
    const { faults, disconnect } = this.#around
    const held = faults.arrive(call)
    if (held?.when === 'before' && !(await passes(held))) return disconnect()
    const fault = faults.next(call, (one) => ON_THE_WIRE.includes(one))
    if (held?.when === 'after') {
      const reply = this.#attempt(id, act)
      return (await passes(held)) ? reply() : disconnect()
    }
    if (fault === 'takes a moment') await delay(MOMENT_MS)
    switch (fault) {
      case undefined:
      case 'takes a moment':
        return this.#answer(id, act)
      case 'request lost':
        return disconnect()
      case 'half an answer':
        if (half) return half()
        this.#attempt(id, act)
        return disconnect()
      case 'answer lost':
        this.#attempt(id, act)
        return disconnect()
      case 'too slow':
        return void this.#attempt(id, act) // the client gives up
      case 'forbidden':
        return this.#sftp.status(id, STATUS_CODE.PERMISSION_DENIED)
      case 'error after':
        this.#attempt(id, act)
        return this.#sftp.status(id, STATUS_CODE.FAILURE)
      case 'arrives twice':
        this.#attempt(id, act)
        return this.#answer(id, act)
      case 'absent':
        return this.#answer(id, () => this.#open(id, { names: [], directory: '' }))
      default: // 'error before'
        return this.#sftp.status(id, STATUS_CODE.FAILURE)
    }
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
