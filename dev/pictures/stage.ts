/** Stage of the pictures: a whole `npm start` in a temporary folder, with its demo, stopped afterwards. */
import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { findProcess, stopProcess } from '../machine/processes.ts'
import { makeTemporaryFolder } from '../machine/temporary.ts'
import { readyFileIn } from '../ready.ts'
import { rootFolder } from '../settings.ts'
import { CannotStart } from '../terminal.ts'

const PORTS = ['PORT', 'PG_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT', 'SANDBOX_PORT']
const STOP_MS = 60_000
const LOOK_MS = 100

/** Runs the work beside an `npm start`, whose folder DATA_DIR names; stops that in any case. */
export async function onStage(work: () => Promise<void>): Promise<void> {
  const folder = makeTemporaryFolder()
  const dataDir = join(folder.path, 'data')
  const logFile = join(folder.path, 'start.log')
  process.env['DATA_DIR'] = dataDir
  const free = Object.fromEntries(PORTS.map((name) => [name, '0']))
  const log = openSync(logFile, 'w')
  const child = spawn(process.execPath, ['dev/run.cjs', 'dev.ts'], {
    cwd: rootFolder,
    env: { ...process.env, ...free },
    stdio: ['ignore', log, log],
    detached: true, // a Ctrl-C reaches it through us
  })
  closeSync(log)
  const mark = findProcess(child.pid ?? 0) ?? { pid: 0, started: '' }
  const stop = () => stopProcess(mark, STOP_MS)
  const interrupted = () => void stop().then(() => process.exit(130))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupted)
  try {
    while (!existsSync(readyFileIn(dataDir))) {
      if (child.exitCode !== null) throw new CannotStart(readFileSync(logFile, 'utf8'))
      await delay(LOOK_MS)
    }
    await work()
  } finally {
    await stop()
    folder.remove()
  }
}
