/** The whole service as processes that can be killed: Postgres and Temporal on disk, a worker, an API. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll } from 'vitest'
import { migrate } from '../../db/migrate.ts'
import { freePort, untilFree } from '../../dev/machine/ports.ts'
import { type Cluster, startPrivateCluster } from '../../dev/postgres/cluster.ts'
import { type Mark, findProcess, sendSignal, stillRuns } from '../../dev/machine/processes.ts'
import { rootFolder } from '../../dev/settings.ts'
import { removeDatabase, startTemporal } from '../../dev/temporal/server.ts'
import { makeTemporaryFolder } from '../../dev/machine/temporary.ts'
import type { Answer, Call } from './api.ts'
import { compiled } from './compiled.ts'

const DATABASE = 'business_finance'
const APP_PASSWORD = 'app'
const READY_MS = 120_000

const folder = makeTemporaryFolder()
afterAll(() => folder.remove())

/** A server that dies as in a power cut, and restarts on the same port with its data. */
export type Server = { kill: () => Promise<void>; restart: () => Promise<void> }

/** A Temporal that may also restart without its data. */
export type Forgetful = Server & { wipe: () => Promise<void> }

/**
 * Starts private servers for a file that kills both, and sets the environment. Call it before importing anything that
 * reads the environment.
 */
export async function startServers(): Promise<{ postgres: Server; temporal: Forgetful }> {
  const [cluster, temporal] = await Promise.all([startPostgres(), startDurableTemporal()])
  process.env['TEMPORAL_ADDRESS'] = temporal.address
  return { postgres: cluster, temporal }
}

/** Starts a private Postgres that a file may kill or configure, and sets the environment. */
export async function startPostgres(): Promise<Cluster> {
  const cluster = await startDatabase()
  const address = (user: string, password: string) =>
    Object.assign(new URL(cluster.url(DATABASE)), { username: user, password }).href
  Object.assign(process.env, {
    DATABASE_URL: address('business_finance_app', APP_PASSWORD),
    MIGRATION_DATABASE_URL: cluster.url(DATABASE),
  })
  return cluster
}

async function startDatabase(): Promise<Cluster> {
  const cluster = await startPrivateCluster()
  afterAll(() => cluster.stop())
  const sql = postgres(cluster.url(), { max: 1, onnotice: () => {} })
  await sql`create database ${sql(DATABASE)}`
  await sql.end()
  await migrate(cluster.url(DATABASE), APP_PASSWORD)
  return cluster
}

/** Starts a Temporal with histories in a file, so that they survive a kill. */
async function startDurableTemporal(): Promise<Forgetful & { address: string }> {
  let running: Mark | undefined
  const options = {
    port: await freePort(),
    namespace: 'default',
    logFile: join(folder.path, 'temporal.log'),
    databaseFile: join(folder.path, 'temporal.db'),
    say: console.log,
    started: (mark: Mark) => {
      running = mark
      folder.holds(mark)
    },
  }
  const { address } = await startTemporal(options)
  const kill = async () => {
    await killed(running)
    await untilFree(options.port)
  }
  return {
    address,
    kill,
    restart: async () => void (await startTemporal(options)),
    wipe: async () => {
      await kill()
      removeDatabase(options.databaseFile)
      await startTemporal(options)
    },
  }
}

async function killed(mark: Mark | undefined): Promise<void> {
  if (!mark || !sendSignal(mark, 'SIGKILL')) throw new Error('the process to kill does not run')
  while (stillRuns(mark)) await delay(5)
}

export type Child = {
  /** Its log line of readiness. */
  ready: Record<string, unknown>
  /** SIGKILL; rejects if the process had ended before. */
  kill: () => Promise<void>
  /** SIGSTOP: it stops until SIGCONT, without noticing. */
  freeze: () => void
  thaw: () => void
  /** SIGTERM, as an operator stops it; returns the exit code. */
  stop: () => Promise<number | null>
  /** Logged bugs: the caller would have seen a 500. */
  bugs: () => string[]
}

export const startWorker = (env: NodeJS.ProcessEnv = {}): Promise<Child> =>
  startChild('worker.ts', 'worker ready', 0, env)

/** Starts a worker of a build, with other workflow code if a bundle is named. */
export const startWorkerOf = (build: string, bundle?: string): Promise<Child> =>
  startChild('worker.ts', 'worker ready', 0, { BUILD_ID: build, ...(bundle && { WORKFLOW_BUNDLE: bundle }) })

/** Starts an API on a free port, or on the expected one. */
export async function startApi(port = 0): Promise<Child & { url: string }> {
  const child = await startChild('server.ts', 'api ready', port)
  return { ...child, url: `http://127.0.0.1:${Number(child.ready['port'])}` }
}

/** Starts the stand-in partners of the environment; they call back at PUBLIC_URL. */
export const startPartners = (): Promise<Child> => startChild('sandbox/partners/server.ts', 'sandbox ready')

/** Fixes the port of every API that is started, so that partners find it again. */
export async function placeApi(): Promise<number> {
  const port = await freePort()
  process.env['PUBLIC_URL'] = `http://127.0.0.1:${port}`
  return port
}

async function startChild(entry: string, readyMessage: string, port = 0, more: NodeJS.ProcessEnv = {}): Promise<Child> {
  const child = spawn(process.execPath, [compiled(entry)], {
    cwd: rootFolder,
    env: { ...process.env, LOG_LEVEL: 'info', PORT: String(port), DATABASE_POOL_SIZE: '20', ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const mark = findProcess(child.pid ?? 0)
  if (mark) folder.holds(mark)
  const lines = linesOf(child)
  const entries = () => lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
  const deadline = Date.now() + READY_MS
  let ready: Record<string, unknown> | undefined
  while (!(ready = entries().find((line) => line.msg === readyMessage))) {
    if (child.exitCode !== null || child.signalCode || Date.now() > deadline) {
      throw new Error(`${entry} is not ready. Its last words:\n${lines.slice(-20).join('\n')}`)
    }
    await delay(20)
  }
  return {
    ready,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode)
        throw new Error(`${entry} had ended:\n${lines.slice(-20).join('\n')}`)
      await killed(mark)
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = await ended
      return code as number | null // what Node passes to `exit`
    },
    bugs: () =>
      entries()
        .filter((line) => line.msg === 'bug')
        .map((line) => JSON.stringify(line.err)),
  }
}

/** Makes a build current at once, as an operator does. */
export async function deploy(build: string): Promise<void> {
  const { code, said } = await rollOut(build, '--at-once')
  if (code !== 0) throw new Error(`the deployment of ${build} ended with ${code}: ${said}`)
}

/** Runs the last step of a deployment; answers its exit code and its words. */
export async function rollOut(build: string, ...flags: string[]): Promise<{ code: number | null; said: string }> {
  const env = { ...process.env, BUILD_ID: build }
  const child = spawn(process.execPath, [compiled('deploy.ts'), ...flags], { cwd: rootFolder, env })
  const lines = linesOf(child)
  const [code] = await once(child, 'close')
  return { code: code as number | null, said: lines.join('\n') } // what Node passes to `close`
}

function linesOf(child: ChildProcess): string[] {
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    let rest = ''
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts)
    })
  }
  return lines
}

/** Sends one HTTP request to one API; rejects if that died before it answered. */
export async function call(api: { url: string }, method: string, path: string, request: Call = {}): Promise<Answer> {
  const { token, key, body } = request
  const response = await fetch(`${api.url}/api/v1${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(key && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json(), headers: response.headers }
}
