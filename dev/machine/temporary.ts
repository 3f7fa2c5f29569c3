/** Temporary folders and the servers in them; both end with their process, or by a later sweep. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Mark, findProcess, sendSignal, stillRuns } from './processes.ts'
import { writeWhole } from './whole-files.ts'

type Ownership = { owner: Mark | undefined; servers: Mark[] }
export type Temporary = {
  path: string
  holds: (server: Mark) => void
  remove: () => void
}

const prefix = 'business-finance-service-temporary-'
const memory = '/dev/shm'
const quitMs = 3_000
/** Sleeps without yielding, as the process may be about to exit. */
const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
const ownerFileOf = (folder: string) => join(folder, 'owner.json')

/** Picks memory if it has these bytes left: a database of hundreds of files is copied in a tenth of the time. */
export const placeInMemory = (bytes: number): string => {
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > bytes ? memory : tmpdir()
}

export function makeTemporaryFolder(place = tmpdir()): Temporary {
  const path = mkdtempSync(join(place, prefix))
  const content: Ownership = { owner: findProcess(process.pid), servers: [] }
  chmodSync(path, 0o755)
  writeWhole(ownerFileOf(path), content)
  const remove = () => {
    process.off('exit', remove)
    discard(path, content)
  }
  process.once('exit', remove)
  return {
    path,
    remove,
    holds: ({ pid, started }) => {
      content.servers.push({ pid, started })
      writeWhole(ownerFileOf(path), content)
    },
  }
}

export function sweepTemporaryFolders(): void {
  for (const place of [tmpdir(), memory].filter((each) => existsSync(each))) {
    for (const name of readdirSync(place).filter((each) => each.startsWith(prefix))) {
      const path = join(place, name)
      const content = readOwned(path) ?? (isAbandoned(path) ? { owner: undefined, servers: [] } : undefined)
      if (content && !(content.owner && stillRuns(content.owner))) discard(path, content)
    }
  }
}

/** Tells if a folder has been without its owner's file for a minute: one that was left while it was removed. */
const isAbandoned = (path: string): boolean =>
  !existsSync(ownerFileOf(path)) &&
  Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > 60_000

/** Stops the servers by SIGQUIT, which also frees what they keep outside the folder. */
function discard(path: string, { servers }: Ownership): void {
  for (const server of servers) sendSignal(server, 'SIGQUIT')
  const deadline = Date.now() + quitMs
  while (servers.some(stillRuns) && Date.now() < deadline) pause()
  for (const server of servers) sendSignal(server, 'SIGKILL')
  rmSync(path, { recursive: true, force: true, maxRetries: 10 })
}

function readOwned(path: string): Ownership | undefined {
  try {
    // written by makeTemporaryFolder above
    return JSON.parse(readFileSync(ownerFileOf(path), 'utf8')) as Ownership
  } catch {
    return undefined
  }
}
