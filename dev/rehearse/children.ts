/** Processes of a rehearsal: compiled programs, whose output goes to files of its folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { type Mark, findProcess, stopProcess } from '../machine/processes.ts'
import type { Temporary } from '../machine/temporary.ts'
import { rootFolder } from '../settings.ts'
import { CannotStart } from '../terminal.ts'
import type { Build } from './builds.ts'

const READY_MS = 120_000
const DRAIN_MS = 60_000
const LOOK_MS = 50

export type Environment = Readonly<Record<string, string | undefined>>
export type Program = { readonly entry: string; readonly name: string; readonly ready: string }
export type Child = { readonly name: string; readonly log: () => string; readonly stop: () => Promise<void> }

/** Runs programs of builds; each ends with the folder at the latest. */
export class Children {
  private started = 0

  constructor(
    private readonly folder: Temporary,
    private readonly env: Environment,
  ) {}

  /** Starts a program; resolves when its log says that it is ready. Throws CannotStart with the end of the log. */
  async start(build: Build, { entry, name, ready }: Program, env: Environment = {}): Promise<Child> {
    const logFile = join(this.folder.path, `${(this.started += 1)}-${name}.log`)
    const child = this.spawn(build, [entry], env, logFile)
    const mark = findProcess(child.pid ?? 0) ?? { pid: 0, started: '' }
    this.folder.holds(mark)
    const log = () => readFileSync(logFile, 'utf8')
    const deadline = Date.now() + READY_MS
    while (!log().includes(`"msg":"${ready}"`)) {
      if (child.exitCode !== null || child.signalCode || Date.now() > deadline)
        throw new CannotStart(`The ${name} is not ready. The end of its log:\n${log().slice(-3000)}`)
      await delay(LOOK_MS)
    }
    return { name, log, stop: () => stopProcess(mark, DRAIN_MS) }
  }

  /** Runs a command to its end; answers its exit code and all that it printed. */
  async run(build: Build, args: readonly string[], env: Environment = {}): Promise<{ code: number; said: string }> {
    const logFile = join(this.folder.path, `${(this.started += 1)}-command.log`)
    const child = this.spawn(build, args, env, logFile)
    const mark: Mark | undefined = findProcess(child.pid ?? 0)
    if (mark) this.folder.holds(mark)
    const [code] = await once(child, 'exit')
    return { code: typeof code === 'number' ? code : 1, said: readFileSync(logFile, 'utf8') }
  }

  /** Spawns in a process group of its own: a Ctrl-C reaches it through us, in order. */
  private spawn(build: Build, [entry = '', ...args]: readonly string[], env: Environment, file: string): ChildProcess {
    const log = openSync(file, 'w', 0o600)
    const child = spawn(process.execPath, [join(build.folder, entry), ...args], {
      cwd: rootFolder,
      env: { ...process.env, ...this.env, BUILD_ID: build.id, ...env },
      detached: true,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    return child
  }
}
