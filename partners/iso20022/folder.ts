/** Folder of a bank: where our files go, and where theirs are. On disk, for banks that another program reaches. */
import { open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** File in a folder. */
export type FolderFile = {
  readonly name: string
  readonly byteSize: number
  /** Time by the clock of the folder, ISO 8601 in UTC. */
  readonly modifiedAt: string
}

/** Folder at a bank, by paths in it. Every call fails if the bank is away. */
export type BankFolder = {
  readonly list: (directory: string) => Promise<readonly FolderFile[]>
  /** Reads a file; null for one of more bytes, or one that is gone. */
  readonly read: (directory: string, name: string, bytesMax: number) => Promise<Buffer | null>
  readonly write: (directory: string, name: string, bytes: Uint8Array) => Promise<void>
  readonly rename: (directory: string, from: string, to: string) => Promise<void>
  readonly remove: (directory: string, name: string) => Promise<void>
}

/** Faults that stay until a person does something: each is a finding. */
export const LASTING_FAULTS = [
  'other_host_key',
  'login_refused',
  'no_sftp',
  'no_permission',
  'no_directory',
  'no_space',
  'refused',
] as const
/** Faults that pass: what an alert tells of a connection that stays silent. */
type PassingFault = 'unreachable' | 'connection_cut' | 'silent' | 'slow'

/** Failure of a folder by its fault. The message of a server is left out. */
export class FolderFailure extends Error {
  override readonly name = 'FolderFailure'

  constructor(
    readonly fault: (typeof LASTING_FAULTS)[number] | PassingFault,
    /** The file, or the directory, is not there. */
    readonly isAbsence = false,
  ) {
    super(`the folder of a bank: ${fault}`)
  }
}

/** Opens a folder on disk. */
export function diskFolder(root: string): BankFolder {
  return {
    async list(directory) {
      const entries = await readdir(join(root, directory), { withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile())
      const found = await Promise.all(
        files.map(async ({ name }) => {
          const found = await stat(join(root, directory, name)).catch(ifGone) // renamed or taken meanwhile
          return found && { name, byteSize: found.size, modifiedAt: new Date(found.mtimeMs).toISOString() }
        }),
      )
      return found.filter((one) => one !== null)
    },
    async read(directory, name, bytesMax) {
      const handle = await open(join(root, directory, name)).catch(ifGone)
      if (!handle) return null
      try {
        const { size } = await handle.stat()
        return size > bytesMax ? null : await handle.readFile()
      } finally {
        await handle.close()
      }
    },
    write: (directory, name, bytes) => writeFile(join(root, directory, name), bytes, { flush: true }),
    rename: (directory, from, to) => rename(join(root, directory, from), join(root, directory, to)),
    remove: (directory, name) => rm(join(root, directory, name), { force: true }),
  }
}

function ifGone(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}

/** End of the name of a file that is being written. */
export const TEMPORARY = '.tmp'

/** Tells whether a name is that of a file that is being written, by us or by the bank. */
export const isTemporary = (name: string): boolean =>
  name.startsWith('.') || /\.(?:tmp|part|filepart|partial)$/i.test(name)
