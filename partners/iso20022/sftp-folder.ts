/** Calls of SFTP to the folder of a bank, many at once: banks are far away. */
import type { SFTPWrapper } from 'ssh2'
import { type BankFolder, FolderFailure } from './folder.ts'

/** Patience with a server: it is silent if something is asked, and nothing heard. */
export type Patience = { readonly ask: () => void; readonly hear: () => void }

/** Bytes of a request, which each server takes. */
const CHUNK_BYTES = 32 * 1024
/** Requests that are under way at once. */
const AT_ONCE = 32

const NO_SUCH_FILE = 2
/** Faults by the codes of the protocol, also of its later versions. */
const FAULT_OF: Readonly<Record<number, FolderFailure['fault']>> = {
  [NO_SUCH_FILE]: 'no_directory',
  3: 'no_permission',
  10: 'no_directory',
  12: 'no_permission', // write-protected
  14: 'no_space',
  15: 'no_space', // quota
}

type Answer<Value> = (error: Error | null | undefined, value: Value) => void
type Done = (error?: Error | null) => void

/** Makes the folder of a session. */
export function sftpFolder(sftp: SFTPWrapper, { ask, hear }: Patience): BankFolder {
  /** Asks for a value. */
  const get = <Value>(request: (answer: Answer<Value>) => void): Promise<Value> =>
    new Promise((resolve, reject) => {
      ask()
      request((error, value) => {
        hear()
        if (error) reject(failureOf(error))
        else resolve(value)
      })
    })
  const does = (request: (done: Done) => void) => get<void>((answer) => request((error) => answer(error)))
  const at = (directory: string, name: string) => `${directory}/${name}`

  /** Reads bytes into their place; answers how many there are. */
  async function readInto(handle: Buffer, bytes: Buffer, from: number, length: number): Promise<number> {
    let count = 0
    while (count < length) {
      const [place, left] = [from + count, length - count]
      const got = await get<number>((answer) => sftp.read(handle, bytes, place, left, place, answer))
      if (!got) break
      count += got
    }
    return count
  }

  return {
    async list(directory) {
      type Entries = Parameters<Parameters<typeof sftp.readdir>[1]>[1]
      const entries = await get<Entries>((answer) => sftp.readdir(directory, answer))
      return entries.flatMap(({ attrs, filename: name, longname }) =>
        attrs.isFile() || longname.startsWith('-')
          ? [{ name, byteSize: attrs.size, modifiedAt: new Date(attrs.mtime * 1000).toISOString() }]
          : [],
      )
    },
    async read(directory, name, bytesMax) {
      const handle = await ifThere(get<Buffer>((answer) => sftp.open(at(directory, name), 'r', answer)))
      if (!handle) return null
      const { size } = await get<{ readonly size: number }>((answer) => sftp.fstat(handle, answer))
      if (size > bytesMax) return null // the session ends with the visit, and its handles with it
      const bytes = Buffer.alloc(size)
      const counts = await byChunks(size, (from, length) => readInto(handle, bytes, from, length))
      await does((done) => sftp.close(handle, done))
      return bytes.subarray(0, counts.reduce((all, one) => all + one, 0)) // prettier-ignore
    },
    async write(directory, name, given) {
      const bytes = Buffer.from(given)
      const handle = await get<Buffer>((answer) => sftp.open(at(directory, name), 'w', answer))
      await byChunks(bytes.length, (from, length) =>
        does((done) => sftp.write(handle, bytes, from, length, from, done)),
      )
      await does((done) => sftp.close(handle, done))
    },
    rename: (directory, from, to) => does((done) => sftp.rename(at(directory, from), at(directory, to), done)),
    remove: async (directory, name) => void (await ifThere(does((done) => sftp.unlink(at(directory, name), done)))),
  }
}

function failureOf(error: Error): FolderFailure {
  const code = 'code' in error && typeof error.code === 'number' ? error.code : null
  if (code === null) return new FolderFailure('connection_cut') // an answer has a code: this is none
  return new FolderFailure(FAULT_OF[code] ?? 'refused', code === NO_SUCH_FILE)
}

/** Answers null for a file that is not there. */
const ifThere = <Value>(asked: Promise<Value>): Promise<Value | null> =>
  asked.catch((error: unknown) => {
    if (error instanceof FolderFailure && error.isAbsence) return null
    throw error
  })

/** Works on bytes by parts of a chunk, some of them at once. */
async function byChunks<Result>(
  size: number,
  work: (from: number, length: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let begin = 0; begin < size; begin += CHUNK_BYTES * AT_ONCE) {
    const starts: number[] = []
    for (let from = begin; from < Math.min(size, begin + CHUNK_BYTES * AT_ONCE); from += CHUNK_BYTES) starts.push(from)
    results.push(...(await Promise.all(starts.map((from) => work(from, Math.min(CHUNK_BYTES, size - from))))))
  }
  return results
}
