/** Temporal dev server as a child process, on 127.0.0.1 only. */
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

import { Connection } from '@temporalio/client'

import type { TemporalAccess } from '../../platform/temporal-access.ts'

import { refuseWhileEnding } from '../machine/helpers.ts'
import { patience } from '../machine/patience.ts'
import { type Mark, findProcess, sendSignal, stillRuns, stopProcess } from '../machine/processes.ts'
import { CannotStart } from '../terminal.ts'
import { findTemporal } from './binary.ts'

export type TemporalOptions = {
  port: number
  namespace: string
  logFile: string
  databaseFile?: string
  /** The web UI, and the API that opens sealed payloads for it; headless if absent. */
  ui?: { port: number; codec: string }
  settings?: readonly string[]
  say: (line: string) => void
  started?: (mark: Mark) => void
}

export type TemporalServer = {
  address: string
  /** Pauses or resumes the process: it accepts connections but answers nothing. */
  pause: (stands: boolean) => void
  /** Tells whether its process lives. */
  runs: () => boolean
  stop: () => Promise<void>
}

/** Time without progress, in its log or by the processor, after which a start has failed. */
const silentMs = 60_000
/** Poll rates. The one shard reads each queue 20 times a second by default: a first task waits 50 ms. */
const pollRates = ['transferProcessorMaxPollRPS', 'timerProcessorMaxPollRPS', 'visibilityProcessorMaxPollRPS']
const POLLS_PER_SECOND = 2000
/** Lookahead of timers, and so their delay. The default, 1 s, allows for clocks of many machines. */
const TIMERS_AHEAD = 'history.timerProcessorMaxTimeShift="10ms"'
/** Threshold of stuck queues, off: timers read often look stuck, and the server writes their place each time. */
const NEVER_STUCK = `history.queueReaderStuckCriticalAttempts=${2 ** 31 - 1}`
/** Cache of search attributes. Else each start and task reads them: a fifth of the database time. */
const ATTRIBUTES_REMEMBERED = 'system.forceSearchAttributesCacheRefreshOnRead=false'
/**
 * Patience with its own database, 5 s by default: a statement that is cut off on a busy machine leaves the server's SQLite
 * answering `interrupted (9)`, and the shard without a status.
 */
const DATABASE_PATIENCE = 'history.shardIOTimeout="60s"'
const searchAttributes = ['OrganizationId', 'BusinessStatus', 'Rail']

/** Starts a dev server and waits for its namespace. Its own process group: a Ctrl-C does not reach it. */
export async function startTemporal(options: TemporalOptions): Promise<TemporalServer> {
  const binary = await findTemporal(options.say)
  refuseWhileEnding()
  const log = openSync(options.logFile, 'a', 0o600)
  const umask = process.umask(0o077) // else every user could read its database
  const child = spawn(binary, serverArguments(options), { detached: true, stdio: ['ignore', log, log] })
  process.umask(umask)
  closeSync(log)
  let ended = ''
  child.once('error', (error) => (ended = error.message))
  child.once('exit', (code, signal) => (ended = `it ended with ${signal ?? code}`))
  const address = `127.0.0.1:${options.port}`
  const mark = findProcess(child.pid ?? 0) ?? { pid: 0, started: '' }
  options.started?.(mark)
  const goOn = patience(() => `${statSync(options.logFile).size} ${findProcess(mark.pid)?.worked}`, silentMs)
  try {
    await namespaceAnswers(address, options.namespace, () => ended === '' && goOn())
  } catch (error) {
    await stopProcess(mark, 5_000)
    const words = readFileSync(options.logFile, 'utf8').trim().split('\n').slice(-5).join('\n  ')
    throw new CannotStart(
      `Temporal did not start: ${ended || String(error)}. The end of ${options.logFile}:\n  ${words}`,
    )
  }
  child.unref()
  return {
    address,
    pause: (stands) => void sendSignal(mark, stands ? 'SIGSTOP' : 'SIGCONT'),
    runs: () => stillRuns(mark),
    stop: () => stopProcess(mark, 10_000),
  }
}

/** Removes the histories of a server that has ended. */
export function removeDatabase(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
}

/** Waits until the server knows the namespace; rejects with the last fault once it may not `goOn`. */
export async function namespaceAnswers(
  address: string,
  namespace: string,
  goOn: () => boolean,
  access: Partial<TemporalAccess> = {},
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      // more each time: a busy machine may need it, and one that does not listen yet is asked again soon
      const connection = await Connection.connect({ ...access, address, connectTimeout: `${Math.min(tries, 10)}s` })
      try {
        await connection.workflowService.describeNamespace({ namespace })
      } finally {
        await connection.close()
      }
      return
    } catch (error) {
      if (!goOn()) throw error
      await delay(50)
    }
  }
}

const words = (line: string) => line.split(' ')

function serverArguments({ port, namespace, databaseFile, ui, settings = [] }: TemporalOptions): string[] {
  const pragmas = ['journal_mode=wal', 'synchronous=normal'].flatMap((pragma) => ['--sqlite-pragma', pragma])
  return [
    ...words(`server start-dev --ip 127.0.0.1 --port ${port} --namespace ${namespace} --log-level error --color never`),
    ...(databaseFile ? ['--db-filename', databaseFile, ...pragmas] : []),
    ...(ui ? ['--ui-port', String(ui.port), '--ui-codec-endpoint', ui.codec] : ['--headless']),
    ...pollRates.flatMap((name) => ['--dynamic-config-value', `history.${name}=${POLLS_PER_SECOND}`]),
    ...[TIMERS_AHEAD, NEVER_STUCK, ATTRIBUTES_REMEMBERED, DATABASE_PATIENCE, ...settings].flatMap((setting) => [
      '--dynamic-config-value',
      setting,
    ]),
    ...searchAttributes.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
  ]
}
