/** Judges of our files from Python's registry, installed once in the cache of the project. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from '../../dev/machine/cache.ts'

const home = join(cacheFolder(), 'python')

/** Installs a pinned package unless its program is there. Returns the program's path; undefined where it cannot be. */
export function installJudge(pinned: string, name: string): string | undefined {
  const program = join(home, 'bin', name)
  if (existsSync(program)) return program
  if (!existsSync(join(home, 'bin', 'pip')) && spawnSync('python3', ['-m', 'venv', home]).status !== 0) return undefined
  return spawnSync(join(home, 'bin', 'pip'), ['install', '--quiet', pinned]).status === 0 ? program : undefined
}
