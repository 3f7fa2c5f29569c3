/** `npm start` as a person runs it: in a group like a terminal's, on a folder and ports of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { findProcess } from '../../dev/machine/processes.ts'

const KEPT = ['PATH', 'HOME', 'USER', 'LANG', 'TMPDIR', 'XDG_CACHE_HOME', 'TEMPORAL_CLI_PATH']
const PORTS = ['PORT', 'PG_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT', 'SANDBOX_PORT']

/** Environment of a person who has set nothing but ports that are free, and a folder. */
export const environmentOf = (dataDir: string): Record<string, string> => ({
  ...Object.fromEntries(KEPT.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
  ...Object.fromEntries(PORTS.map((name) => [name, '0'])),
  DATA_DIR: dataDir,
})

export type Start = {
  readonly npm: ChildProcess
  readonly said: () => string
  /** Resolves with the exit code of npm; null if a signal ended it. */
  readonly ended: Promise<number | null>
}

/** Runs a script of package.json; what it prints goes to a file, as nobody may read a pipe any more. */
export function startNpm(words: readonly string[], env: Record<string, string>, log: string): Start {
  const out = openSync(log, 'w')
  const npm = spawn('npm', [...words], { env, stdio: ['ignore', out, out], detached: true })
  closeSync(out)
  const ended = once(npm, 'exit').then(([code]) => code as number | null) // what Node passes to `exit`
  return { npm, said: () => readFileSync(log, 'utf8'), ended }
}

/** Lists the processes of a folder, by their command, working folder or environment: also those without a parent. */
export const processesOf = (folder: string): { readonly pid: number; readonly command: string }[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && belongsTo(name, folder))
    .flatMap((name) => {
      const found = findProcess(Number(name))
      return found ? [{ pid: found.pid, command: found.command }] : []
    })

function belongsTo(pid: string, folder: string): boolean {
  const read = (look: () => string): string => {
    try {
      return look()
    } catch {
      return '' // it has ended
    }
  }
  const place = join('/proc', pid)
  return [
    read(() => readFileSync(join(place, 'cmdline'), 'utf8')),
    read(() => readFileSync(join(place, 'environ'), 'utf8')),
    read(() => readlinkSync(join(place, 'cwd'))),
  ].some((text) => text.includes(folder))
}
