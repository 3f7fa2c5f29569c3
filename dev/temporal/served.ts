/** Temporal as docker-compose.yml has it: its version of the server, with Postgres behind it. Built by Go, once. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { cacheFolder, keepInCache } from '../machine/cache.ts'
import { freePort } from '../machine/ports.ts'
import { within } from '../machine/patience.ts'
import { findProcess, stopProcess } from '../machine/processes.ts'
import { makeTemporaryFolder } from '../machine/temporary.ts'
import { startPrivateCluster } from '../postgres/cluster.ts'
import { buildByGo, findTemporal, hasGo } from './binary.ts'
import { namespaceAnswers } from './server.ts'

const MODULE = 'go.temporal.io/server'
const compose = readFileSync('docker-compose.yml', 'utf8') // of the working folder: compiled code is elsewhere
/** Version of the server's image. */
export const version = /temporalio\/server:([\d.]+)/.exec(compose)?.[1] ?? ''
const STARTED_MS = 120_000
/** Time that the server keeps ended runs. */
const KEPT = '72h'

const program = { server: `temporal-server-${version}`, sql: `temporal-sql-tool-${version}` }

/** Tells if the server is cached, or Go is there to build it with. */
export const canServe = (): boolean => existsSync(join(cacheFolder(), program.server)) || hasGo()

/** Finds a program in the cache, else builds it by the Go that its module asks for. */
async function find(source: string, built: string, name: string): Promise<string> {
  const cached = join(cacheFolder(), name)
  if (existsSync(cached)) return cached
  const folder = makeTemporaryFolder()
  try {
    const module = `${MODULE}/${source}@v${version}`
    return keepInCache(await buildByGo(module, folder.path, built, { GOTOOLCHAIN: 'auto' }), name)
  } finally {
    folder.remove()
  }
}

export type ServedTemporal = {
  readonly address: string
  /** Address of its Postgres. */
  readonly databaseUrl: string
  readonly stop: () => Promise<void>
}

/** Starts the server as docker-compose.yml does, and makes the namespace; `settings` are YAML. */
export async function startServedTemporal(shards = 4, settings = ''): Promise<ServedTemporal> {
  const server = await find('cmd/server', 'server', program.server)
  const sql = await find('cmd/tools/sql', 'sql', program.sql)
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
  const configuration = join(folder.path, 'temporal.yaml')
  writeFileSync(configuration, readFileSync('ops/temporal.yaml', 'utf8') + settings)
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
      DYNAMIC_CONFIG_FILE_PATH: configuration,
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
  await namespaceAnswers(address, 'default', within(STARTED_MS))
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
