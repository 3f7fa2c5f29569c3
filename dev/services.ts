/** Sandbox partners, workers and API as child processes: logged to files, restarted after a crash. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { patience } from './machine/patience.ts'
import { type Mark, findProcess, stopProcess } from './machine/processes.ts'
import { CannotStart } from './terminal.ts'
import { rootFolder, typescript } from './settings.ts'

export type ServiceOptions = {
  name: string
  entry: string
  readyLine: string
  env: Record<string, string | undefined>
  logDir: string
  say: (line: string) => void
  started: (mark: Mark) => void
}

export type Service = {
  stop: () => Promise<void>
  /** Restarts with the present sources. Throws CannotStart, with the end of its log, if it does not get ready. */
  restart: () => Promise<void>
}

/** Workers by their queues: what keeps a processor busy has a process of its own, so that payments wait for no file. */
export const WORKERS = {
  worker: { WORKER_QUEUES: 'main,partners,webhooks' },
  'worker-files': { WORKER_QUEUES: 'heavy,bills', WORKER_METRICS_PORT: undefined, WORKER_HEALTH_PORT: undefined },
} as const

const drainMs = 30_000
/** Time without progress, in its log or by the processor, after which a start has failed. */
const silentMs = 90_000
const backoffMs = 1_000
/** Starts a service and waits until it is ready; throws, with the end of its log, if it ends before. */
export async function startService(options: ServiceOptions): Promise<Service> {
  let current = begin()

  function begin(): RunningService {
    const running = launch(options)
    running.child.once('exit', (code, signal) => {
      if (running.works && !running.endExpected) void startAgain(running, signal ?? code ?? 'unknown')
    })
    return running
  }

  async function startAgain(ended: RunningService, cause: string | number): Promise<void> {
    options.say(`The ${options.name} ended (${cause}); starting it again. Its log: ${ended.logFile}`)
    await delay(backoffMs)
    if (ended.endExpected) return
    current = begin()
    current.works = true
  }

  async function stop(): Promise<void> {
    current.endExpected = true
    await stopProcess(current.mark, drainMs, 'SIGINT') // as from a terminal: the API takes no leave of proxies
  }

  await ready(current, options)
  return {
    stop,
    restart: async () => {
      await stop()
      current = begin()
      await ready(current, options)
    },
  }
}

type RunningService = {
  child: ChildProcess
  mark: Mark
  logFile: string
  logStart: number
  /** It was ready once, or is to be restarted whenever it ends. */
  works: boolean
  endExpected: boolean
}

/** Starts a process group of its own, so that a Ctrl-C reaches it only through us, in order. */
function launch({ name, entry, env, logDir, started }: ServiceOptions): RunningService {
  const logFile = join(logDir, `${name}.log`)
  const log = openSync(logFile, 'a', 0o600)
  const logStart = fstatSync(log).size
  const args = [...typescript, join(rootFolder, entry)]
  const stdio = ['ignore' as const, log, log]
  const child = spawn(process.execPath, args, {
    cwd: rootFolder,
    env: { ...process.env, ...env },
    detached: true,
    stdio,
  })
  closeSync(log)
  const mark = findProcess(child.pid ?? 0) ?? { pid: 0, started: '' }
  started(mark)
  return { child, mark, logFile, logStart, works: false, endExpected: false }
}

async function ready(running: RunningService, { name, readyLine }: ServiceOptions): Promise<void> {
  const { mark, logFile } = running
  const goOn = patience(() => `${statSync(logFile).size} ${findProcess(mark.pid)?.worked}`, silentMs)
  while (!readFrom(running).includes(readyLine)) {
    const { exitCode, signalCode } = running.child
    const fault = exitCode !== null || signalCode ? `ended (${signalCode ?? exitCode})` : 'is not ready'
    if (fault !== 'is not ready' || !goOn()) {
      const words = readFrom(running).trim().split('\n').slice(-20).join('\n  ')
      throw new CannotStart(`The ${name} ${fault}. The end of ${running.logFile}:\n  ${words}`)
    }
    await delay(50)
  }
  running.works = true
}

function readFrom({ logFile, logStart }: RunningService): string {
  const log = openSync(logFile, 'r')
  try {
    const text = Buffer.alloc(Math.max(0, fstatSync(log).size - logStart))
    readSync(log, text, 0, text.length, logStart)
    return text.toString('utf8')
  } finally {
    closeSync(log)
  }
}
