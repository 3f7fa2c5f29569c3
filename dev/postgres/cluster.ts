/** Embedded Postgres cluster: created once, started or taken over, stopped by its own pg_ctl. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import postgres from 'postgres'

import { freePort } from '../machine/ports.ts'
import { type Home, findHome, makePrivateFolder, writePrivateFile } from './home.ts'
import { patience } from '../machine/patience.ts'
import { type Mark, childrenOf, findProcess, sendSignal, stillRuns } from '../machine/processes.ts'
import { CannotStart, sayFull } from '../terminal.ts'
import { makeTemporaryFolder } from '../machine/temporary.ts'

/** Options of a cluster. `durable: false` turns fsync off: data is lost when the machine dies, not the server. */
export type ClusterOptions = {
  folder: string
  port: number
  password: string
  logFile: string
  durable: boolean
  /** Further settings of the server, each as `name=value` without spaces. */
  settings?: readonly string[]
}

export type Cluster = {
  port: number
  how: 'created' | 'started' | 'taken over'
  notice: string | undefined
  url: (database?: string) => string
  mark: () => Mark
  stop: () => Promise<void>
  /** Kills all processes of the server, as a power cut would. */
  kill: () => Promise<void>
  /** Restarts on the same port and data, after `stop` or `kill`. */
  restart: () => Promise<void>
}

const rootFolder = parse(process.cwd()).root
const LOOK_MS = 50
const SILENT_MS = 60_000
/** Above every process id of a system. */
const noProcess = 2 ** 31 - 1
const settings = ['listen_addresses=127.0.0.1', "unix_socket_directories=''", 'max_connections=300']
const fastSettings = [
  ...['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum', 'jit'].map((name) => `${name}=off`),
  'wal_level=minimal',
  'max_wal_senders=0',
  'shared_buffers=256MB',
  'plan_cache_mode=force_generic_plan', // most statements of a test run once or twice on a connection
]

/** Starts a cluster on 127.0.0.1 with its data in `folder`, or takes over a running one. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const home = findHome(options.folder)
  const created = !existsSync(home.dataDir)
  if (created) await initialise(home, options)
  else refuseOtherVersion(home)
  const reused = await takeOver(home, options)
  if (!reused) await start(home, options)
  return {
    port: options.port,
    how: created ? 'created' : reused ? 'taken over' : 'started',
    notice: home.notice,
    url: (database = 'postgres') => ownerUrl(options, database),
    mark: () => runningServer(home) ?? { pid: 0, started: '' },
    stop: () => stop(home, options),
    kill: () => kill(home),
    restart: async () => {
      if (!runningServer(home)) await start(home, options)
    },
  }
}

export function runningPort(folder: string): number | undefined {
  return runningServer(findHome(folder))?.port
}

/** Stops the cluster of a folder, however far its start has come; `at once` leaves its recovery to the next start. */
export async function stopCluster(options: ClusterOptions, how: 'in order' | 'at once'): Promise<void> {
  const home = findHome(options.folder)
  await (how === 'in order' ? stop(home, options) : end(home, options, 'immediate').catch(() => kill(home)))
}

/** Starts a cluster in a temporary folder on a free port, with fsync and these settings; `stop` removes it. */
export async function startPrivateCluster(own: readonly string[] = []): Promise<Cluster> {
  const folder = makeTemporaryFolder()
  const logFile = join(folder.path, 'postgres.log')
  const place = { folder: folder.path, port: await freePort(), logFile }
  const options = { ...place, password: 'private', durable: true, settings: own }
  const cluster = await startCluster(options)
  folder.holds(cluster.mark())
  return {
    ...cluster,
    stop: async () => {
      await cluster.stop()
      folder.remove()
    },
    restart: async () => {
      await cluster.restart()
      folder.holds(cluster.mark())
    },
  }
}

const ownerUrl = ({ password, port }: ClusterOptions, database: string) =>
  `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`

/** Creates the cluster in a sibling folder, then renames it: never half made. */
async function initialise(home: Home, options: ClusterOptions): Promise<void> {
  const unfinished = `${home.dataDir}.new`
  const secrets = `${home.dataDir}.password`
  makePrivateFolder(unfinished, home.user)
  makePrivateFolder(secrets, home.user)
  writePrivateFile(join(secrets, 'password'), `${options.password}\n`, home.user)
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const zone = ['--set=timezone=UTC', '--set=log_timezone=UTC']
  const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${join(secrets, 'password')}`]
  const sync = options.durable ? [] : ['--no-sync', '--set=scram_iterations=1'] // tests open thousands of connections
  try {
    await run(home, options, 'initdb', [`--pgdata=${unfinished}`, ...access, ...locale, ...zone, ...sync])
  } finally {
    rmSync(secrets, { recursive: true, force: true })
  }
  renameSync(unfinished, home.dataDir)
}

/** Refuses data that another release of Postgres wrote, which this one cannot read. */
function refuseOtherVersion({ dataDir, binaries }: Home): void {
  const { stdout } = spawnSync(join(binaries, 'postgres'), ['--version'], { encoding: 'utf8' })
  const [, own] = /(\d+)\.\d+/.exec(stdout) ?? []
  const theirs = readFileSync(join(dataDir, 'PG_VERSION'), 'utf8').trim()
  if (own === undefined || own === theirs) return
  throw new CannotStart(
    `The data in ${dataDir} is of Postgres ${theirs}, and this is Postgres ${own}: name another folder in DATA_DIR, or ` +
      'remove this one (all that is in it is lost).',
  )
}

/** Starts the server. A recovery may take long: it is waited for as long as the log grows. */
async function start(home: Home, options: ClusterOptions): Promise<void> {
  const all = [...settings, ...(options.durable ? [] : fastSettings), ...(options.settings ?? [])].map(
    (setting) => `-c ${setting}`,
  )
  const flags = [`-p ${options.port}`, ...all].join(' ')
  try {
    await run(home, options, 'pg_ctl', ['start', '-w', '-t', '60', '-D', home.dataDir, '-o', flags])
  } catch (error) {
    const goOn = patience(() => statSync(options.logFile).size, SILENT_MS)
    while (!isReady(home)) {
      if (!runningServer(home) || !goOn()) throw error
      await delay(LOOK_MS)
    }
  }
}

/** Ends all sessions; cuts off what is not over in time, which the next start recovers from the log. */
async function stop(home: Home, options: ClusterOptions): Promise<void> {
  await end(home, options, 'fast').catch((error: unknown) => {
    if (!runningServer(home)) throw error
    return end(home, options, 'immediate')
  })
}

async function end(home: Home, options: ClusterOptions, mode: 'fast' | 'immediate'): Promise<void> {
  if (!runningServer(home)) return
  await run(home, options, 'pg_ctl', ['stop', '-w', '-t', '20', '-m', mode, '-D', home.dataDir])
}

async function kill(home: Home): Promise<void> {
  const server = runningServer(home)
  if (!server) return
  const all: Mark[] = [server, ...childrenOf(server.pid)]
  for (const mark of all) sendSignal(mark, 'SIGKILL')
  while (all.some(stillRuns)) await delay(10)
}

/** Takes over a server that serves this data on this port and accepts our password; stops any other. */
async function takeOver(home: Home, options: ClusterOptions): Promise<boolean> {
  const server = runningServer(home)
  if (!server) return false
  if (server.port === options.port && (await answers(options))) return true
  await stop(home, options)
  return false
}

async function answers(options: ClusterOptions): Promise<boolean> {
  const sql = postgres(ownerUrl(options, 'postgres'), { max: 1, connect_timeout: 5, onnotice: () => {} })
  try {
    await sql`select 1`
    return true
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Reads the last line of postmaster.pid, by which pg_ctl goes, too. */
function isReady({ dataDir }: Home): boolean {
  const file = join(dataDir, 'postmaster.pid')
  return existsSync(file) && readFileSync(file, 'utf8').split('\n')[7]?.trim() === 'ready'
}

/** Reads postmaster.pid of a living Postgres. Removes another process's id, with which no server would start. */
function runningServer(home: Home): (Mark & { port: number }) | undefined {
  const file = join(home.dataDir, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n')
  const found = findProcess(Number(lines[0]))
  if (found && /postgres/.test(found.command)) return { ...found, port: Number(lines[3]) }
  writeFileSync(file, [String(noProcess), ...lines.slice(1)].join('\n'))
  return undefined
}

/** Runs a program of the server as its user, in a folder that every user may enter; output goes to the log. */
async function run(home: Home, options: ClusterOptions, program: string, args: string[]): Promise<void> {
  const log = openSync(options.logFile, 'a', 0o600)
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC', SystemRoot: process.env['SystemRoot'] }
  const stdio = ['ignore', log, log] as const
  try {
    // a group of its own: a Ctrl-C in the terminal reaches the server only through us
    const child = spawn(join(home.binaries, program), args, {
      ...home.user,
      cwd: rootFolder,
      env,
      stdio: [...stdio],
      detached: true,
    })
    const [code] = await once(child, 'exit')
    if (code === 0) return
  } finally {
    closeSync(log)
  }
  const words = readFileSync(options.logFile, 'utf8').trim().split('\n').slice(-5).join('\n  ')
  if (/No space left on device|quota exceeded/i.test(words)) throw new CannotStart(sayFull(home.dataDir))
  throw new CannotStart(`Postgres: ${program} failed. The end of ${options.logFile}:\n  ${words}`)
}
