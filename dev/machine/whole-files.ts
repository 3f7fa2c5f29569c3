/** JSON files that only this user reads; written atomically. */
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'

export function writeWhole(file: string, content: unknown): void {
  renameSync(writeUnfinished(file, content), file)
}

/** Creates the file; false if there is one. Of several processes one succeeds. */
export function writeFirst(file: string, content: unknown): boolean {
  const mine = writeUnfinished(file, content)
  try {
    linkSync(mine, file)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(mine, { force: true })
  }
}

function writeUnfinished(file: string, content: unknown): string {
  const path = `${file}.${process.pid}`
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  return path
}
