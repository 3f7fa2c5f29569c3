/** Temporal as docker-compose.yml has it: its version of the server, with Postgres behind it. Built by Go, once. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '../machine/ports.ts'
import { findProcess, stopProcess } from '../machine/processes.ts'
import { makeTemporaryFolder } from '../machine/temporary.ts'
import { startPrivateCluster } from '../postgres/cluster.ts'
import { findTemporal } from './binary.ts'
import { namespaceAnswers } from './server.ts'
import { setTimeout as delay } from 'node:timers/promises'

const GO = 'go'
const MODULE = 'go.temporal.io/server'
const compose = readFileSync('docker-compose.yml', 'utf8') // of the working folder: compiled code is elsewhere
/** Version of the server's image. */
export const version = /temporalio\/server:([\d.]+)/.exec(compose)?.[1] ?? ''
const STARTED_MS = 120_000
/** Time that the server keeps ended runs. */
const KEPT = '72h'

/** Tells if the binaries are there, or Go to build them with. */
export const canServe = (): boolean => existsSync(programs().server) || spawnSync(GO, ['version']).status === 0

function programs() {
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'business-finance-service')
  return { cache, server: join(cache, `temporal-server-${version}`), sql: join(cache, `temporal-sql-tool-${version}`) }
}

/** Builds server and schema tool, unless they are cached; Go takes the toolchain that the module asks for. */
function build(): ReturnType<typeof programs> {
  const found = programs()
  mkdirSync(found.cache, { recursive: true })
  const parts = [
    ['cmd/server', 'server', found.server],
    ['cmd/tools/sql', 'sql', found.sql],
  ] as const
  for (const [source, built, file] of parts) {
    if (existsSync(file)) continue
    const folder = makeTemporaryFolder()
    const env = { ...process.env, CGO_ENABLED: '0', GOBIN: folder.path, GOTOOLCHAIN: 'auto' }
    const args = ['install', '-ldflags', '-s -w', `${MODULE}/${source}@v${version}`]
    execFileSync(GO, args, { cwd: folder.path, env, stdio: ['ignore', 'ignore', 'pipe'] })
    copyFileSync(join(folder.path, built), `${file}.${process.pid}`)
    renameSync(`${file}.${process.pid}`, file)
    folder.remove()
  }
  return found
}

export type Served = {
  readonly address: string
  /** Address of its Postgres. */
  readonly databaseUrl: string
  readonly stop: () => Promise<void>
}

/** Starts the server with the settings of docker-compose.yml, and makes the namespace. */
export async function startServedTemporal(shards = 4): Promise<Served> {
  const { server, sql } = build()
  const cluster = await startPrivateCluster()
  const folder = makeTemporaryFolder()
  const { port, username, password } = new URL(cluster.url())
  for (const [store, database] of Object.entries(STORES)) {
    const at = ['--plugin', 'postgres12', '--ep', '127.0.0.1', '-p', port, '-u', username, '--pw', password]
    const tool = (...words: string[]) => execFileSync(sql, [...at, '--db', database, ...words], { stdio: 'pipe' })
    tool('create-database')
    tool('setup-schema', '-v', '0.0')
    tool('update-schema', '--schema-name', `postgresql/v12/${store}`)
  }
  const grpcPort = await freePort()
  const log = openSync(join(folder.path, 'temporal.log'), 'a')
  const child = spawn(server, ['--allow-no-auth', 'start'], {
    detached: true,
    stdio: ['ignore', log, log],
    env: {
      ...(await portsOf(grpcPort)),
      DB: 'postgres12',
      DB_PORT: port,
      POSTGRES_SEEDS: '127.0.0.1',
      POSTGRES_USER: username,
      POSTGRES_PWD: password,
      BIND_ON_IP: '127.0.0.1',
      LOG_LEVEL: 'warn',
      NUM_HISTORY_SHARDS: String(shards),
      DYNAMIC_CONFIG_FILE_PATH: resolve('ops/temporal.yaml'),
    },
  })
  closeSync(log)
  const mark = findProcess(child.pid ?? 0)
  if (!mark) throw new Error('the server did not start')
  folder.holds(mark)
  const address = `127.0.0.1:${grpcPort}`
  const cli = await findTemporal(console.log)
  const deadline = Date.now() + STARTED_MS
  while (!makeNamespace(cli, address) && Date.now() < deadline) await delay(200)
  await namespaceAnswers(address, 'default', STARTED_MS)
  return {
    address,
    databaseUrl: cluster.url(),
    stop: async () => {
      await stopProcess(mark, 10_000)
      await cluster.stop()
      folder.remove()
    },
  }
}

const STORES = { temporal: 'temporal', visibility: 'temporal_visibility' }

/** Gives each part of the server ports of its own, since others may run on this machine. */
async function portsOf(grpcPort: number): Promise<Record<string, string>> {
  const names = ['FRONTEND_MEMBERSHIP', 'FRONTEND_HTTP', 'MATCHING_GRPC', 'MATCHING_MEMBERSHIP']
  names.push('HISTORY_GRPC', 'HISTORY_MEMBERSHIP', 'WORKER_GRPC', 'WORKER_MEMBERSHIP')
  const ports: Record<string, string> = { FRONTEND_GRPC_PORT: String(grpcPort) }
  for (const name of names) ports[`${name}_PORT`] = String(await freePort())
  return ports
}

/** Makes the namespace as docker-compose.yml does; false while the server starts. */
const makeNamespace = (cli: string, address: string): boolean => {
  const words = ['operator', 'namespace', 'create', '-n', 'default', '--retention', KEPT, '--address', address]
  return spawnSync(cli, words).status === 0
}
