/** Storage in a folder of this machine, or one that all machines share. */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import type { Backend, Pieces } from './storage.ts'

const PARTS = 'parts'
const LEFT_OVER_MS = 24 * 3_600_000

/** Keeps objects as files. A part is renamed once it is whole and synced. */
export function diskIn(folder: string): Backend {
  const parts = join(folder, PARTS)
  return {
    disk: new Disk(new FSDriver({ location: folder, visibility: 'private' })),
    async put(key, content) {
      const path = join(folder, key)
      const part = join(parts, randomUUID())
      await mkdir(parts, { recursive: true, mode: 0o700 })
      try {
        await write(part, content)
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await rename(part, path)
        await sync(dirname(path))
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    async check() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    },
    async removeParts() {
      for (const name of await readdir(parts).catch(() => [])) {
        const part = join(parts, name)
        const written = await stat(part).catch(() => undefined)
        if (written && written.mtimeMs < Date.now() - LEFT_OVER_MS) await rm(part, { force: true })
      }
    },
  }
}

async function write(path: string, content: Pieces): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const piece of content) await file.writeFile(piece)
    await file.datasync()
  } finally {
    await file.close()
  }
}

/** Syncs a folder, so that a name survives a loss of power. */
async function sync(folder: string): Promise<void> {
  const directory = await open(folder, 'r')
  await directory.sync().finally(() => directory.close())
}
