/** Stage of a rehearsal: its own Postgres, Temporal and partners in a temporary folder, on free ports. */
import { join } from 'node:path'
import postgres from 'postgres'

import { freePort } from '../machine/ports.ts'
import { type Temporary, makeTemporaryFolder, sweepTemporaryFolders } from '../machine/temporary.ts'
import { type Cluster, type ClusterOptions, startCluster } from '../postgres/cluster.ts'
import { startTemporal } from '../temporal/server.ts'
import { CannotStart, say } from '../terminal.ts'
import type { Build } from './builds.ts'
import { type Child, Children, type Environment } from './children.ts'

export const DATABASE = 'business_finance'
const APP_PASSWORD = 'rehearsal'
const UNLIMITED = '1000000'
/** Limits by network, person or organization: the load comes from one address. */
const LIMITS = [
  'RATE_LIMIT_PER_MINUTE',
  'RATE_LIMIT_ORGANIZATION_PER_MINUTE',
  'RATE_LIMIT_ADDRESS_PER_MINUTE',
  'SIGN_IN_LIMIT_PER_MINUTE',
]

export type Database = {
  readonly cluster: Cluster
  readonly options: ClusterOptions
  readonly url: string
  readonly ownerUrl: string
}

export type Stage = {
  readonly folder: Temporary
  readonly database: Database
  /** Database of the stand-in partners: they keep their books whatever becomes of ours. */
  readonly partners: Database
  readonly children: Children
  /** Environment of every process of the service. */
  readonly env: Record<string, string | undefined>
  /** Port of the balancer, or of the only API: partners call back there. */
  readonly port: number
}

export type StageOptions = {
  /** Build whose migrations are applied. */
  readonly build: Build
  /** The partners have a cluster of their own, which no restore touches. */
  readonly apart?: boolean
  /** Further settings of every process. */
  readonly env?: Environment
}

/** Starts the servers. All of them end with the folder, which ends with this process. */
export async function openStage(options: StageOptions): Promise<Stage> {
  sweepTemporaryFolders()
  const folder = makeTemporaryFolder()
  const [database, temporalAddress] = await Promise.all([startDatabase(folder, 'postgres'), startEmptyTemporal(folder)])
  const partners = options.apart ? await startDatabase(folder, 'partners') : database
  const [port, partnersPort] = [await freePort(), await freePort()]
  const env: Record<string, string | undefined> = {
    DATABASE_URL: database.url,
    MIGRATION_DATABASE_URL: database.ownerUrl,
    DATABASE_APP_PASSWORD: APP_PASSWORD,
    DATABASE_POOL_SIZE: '10',
    TEMPORAL_ADDRESS: temporalAddress,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SANDBOX_PARTNERS_URL: `http://127.0.0.1:${partnersPort}`,
    DATA_DIR: join(folder.path, 'data'),
    NODE_ENV: 'production',
    SERVICE_ENV: 'test',
    LOG_LEVEL: 'info',
    API_PROCESSES: '2',
    ...Object.fromEntries(LIMITS.map((name) => [name, UNLIMITED])),
    ...options.env,
  }
  const stage = { folder, database, partners, children: new Children(folder, env), env, port }
  for (const one of new Set([database, partners])) await migrate(stage, options.build, one)
  return stage
}

/** Applies the migrations of a build, as its first step of a deployment. */
export async function migrate(
  { children }: Stage,
  build: Build,
  { ownerUrl }: Database,
  env: Environment = {},
): Promise<void> {
  const { code, said } = await children.run(build, ['db/migrate.js'], { MIGRATION_DATABASE_URL: ownerUrl, ...env })
  if (code !== 0) throw new CannotStart(`The migrations of build ${build.id} ended with ${code}: ${said}`)
}

/** Starts the stand-in partners on the port that the service calls them at. */
export const startPartners = (stage: Stage, build: Build, env: Environment = {}): Promise<Child> =>
  stage.children.start(
    build,
    { entry: 'sandbox/partners/server.js', name: 'partners', ready: 'sandbox ready' },
    { DATABASE_URL: stage.partners.url, ...env },
  )

export const startApi = (stage: Stage, build: Build, port: number, env: Environment = {}): Promise<Child> =>
  stage.children.start(build, { entry: 'server.js', name: 'api', ready: 'api ready' }, { ...env, PORT: String(port) })

export const startWorker = (stage: Stage, build: Build, env: Environment = {}): Promise<Child> =>
  stage.children.start(build, { entry: 'worker.js', name: 'worker', ready: 'worker ready' }, env)

/** Makes a build current at once, as the first deployment does. */
export async function deployAtOnce(stage: Stage, build: Build): Promise<void> {
  const { code, said } = await stage.children.run(build, ['deploy.js', '--at-once'])
  if (code !== 0) throw new Error(`deploy.js ended with ${code}: ${said}`)
}

async function startDatabase(folder: Temporary, name: string): Promise<Database> {
  const logFile = join(folder.path, `${name}.log`)
  const options = { folder: join(folder.path, name), port: await freePort(), password: 'private', logFile }
  const cluster = await startCluster({ ...options, durable: true })
  folder.holds(cluster.mark())
  const server = postgres(cluster.url(), { max: 1, onnotice: () => {} })
  await server`create database ${server(DATABASE)}`
  await server.end()
  return describeDatabase(cluster, { ...options, durable: true })
}

export function describeDatabase(cluster: Cluster, options: ClusterOptions): Database {
  const ownerUrl = cluster.url(DATABASE)
  const app = Object.assign(new URL(ownerUrl), { username: 'business_finance_app', password: APP_PASSWORD })
  return { cluster, options, url: app.href, ownerUrl }
}

/** Starts a Temporal with its data in a file; answers its address. */
async function startEmptyTemporal(folder: Temporary): Promise<string> {
  const { address } = await startTemporal({
    port: await freePort(),
    namespace: 'default',
    logFile: join(folder.path, 'temporal.log'),
    databaseFile: join(folder.path, 'temporal.db'),
    say,
    started: folder.holds,
  })
  return address
}
