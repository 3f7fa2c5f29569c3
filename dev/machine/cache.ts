/** Cache of this project: what is downloaded or built once a machine. */
import { copyFileSync, mkdirSync, renameSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export const cacheFolder = (): string =>
  join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'business-finance-service')

/** Copies a file into the cache under a name, then renames it: safe for several at once. Returns its path. */
export function keepInCache(file: string, name: string): string {
  const cached = join(cacheFolder(), name)
  const unfinished = `${cached}.${process.pid}`
  mkdirSync(cacheFolder(), { recursive: true })
  copyFileSync(file, unfinished)
  renameSync(unfinished, cached)
  return cached
}
