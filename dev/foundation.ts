/** Foundation of worker and API: a migrated database, Temporal, the workflow bundle. Embedded or given. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import postgres from 'postgres'

import { UnknownSchema, migrate } from '../db/migrate.ts'
import { beginHistory } from './demo/history.ts'
import type { Demo } from './demo/organization.ts'
import type { Requests } from './demo/requests.ts'
import { beginHelper } from './machine/helpers.ts'
import { within } from './machine/patience.ts'
import { type ClusterOptions, runningPort, startCluster, stopCluster } from './postgres/cluster.ts'
import type { Mark } from './machine/processes.ts'
import { CannotStart } from './terminal.ts'
import { type OwnDatabase, type Settings, databasePasswords, mailSettings, rootFolder, typescript } from './settings.ts'
import { keepTemporal } from './temporal/keeper.ts'
import { type TemporalServer, namespaceAnswers } from './temporal/server.ts'

/** Database with two roles: `url` of the service, `ownerUrl` of the tables' owner. `renewal` says how to empty it. */
export type Database = {
  url: string
  ownerUrl: string
  appPassword: string
  how: string
  renewal: string
}

const databaseName = 'business_finance'
const roleName = 'business_finance_app'
/** Time in which a Temporal of the caller's own has to answer. */
const OWN_SERVER_MS = 15_000

export function portsWanted(settings: Settings): Record<string, number> {
  const taken = settings.ownDatabase ? undefined : runningPort(settings.dataDir)
  return {
    PORT: settings.port,
    SANDBOX_PORT: settings.sandboxPort,
    ...(!settings.ownDatabase && taken !== settings.postgresPort && { PG_PORT: settings.postgresPort }),
    ...(!settings.ownTemporal && { TEMPORAL_PORT: settings.temporalPort, TEMPORAL_UI_PORT: settings.temporalUiPort }),
  }
}

export async function provideDatabase(settings: Settings): Promise<Database> {
  if (settings.ownDatabase) return describeOwn(settings.ownDatabase)
  const passwords = databasePasswords(settings.dataDir)
  const cluster = await startCluster(clusterOptions(settings))
  await createDatabase(cluster.url())
  return {
    url: `postgres://${roleName}:${passwords.app}@127.0.0.1:${cluster.port}/${databaseName}`,
    ownerUrl: cluster.url(databaseName),
    appPassword: passwords.app,
    how: [cluster.how, cluster.notice].filter(Boolean).join('; '),
    renewal: `remove the folder of data, ${settings.dataDir}, and start again: all that is in it is lost`,
  }
}

/** Stops the embedded Postgres, however far its start has come. */
export async function stopDatabase(settings: Settings, how: 'in order' | 'at once'): Promise<void> {
  if (!settings.ownDatabase) await stopCluster(clusterOptions(settings), how)
}

const clusterOptions = ({ dataDir, logDir, postgresPort }: Settings): ClusterOptions => ({
  folder: dataDir,
  port: postgresPort,
  password: databasePasswords(dataDir).owner,
  logFile: join(logDir, 'postgres.log'),
  durable: true,
})

function describeOwn({ url, migrationUrl }: OwnDatabase): Database {
  const appPassword = process.env['DATABASE_APP_PASSWORD'] || decodeURIComponent(new URL(url).password)
  const renewal = 'name an empty database in DATABASE_URL and MIGRATION_DATABASE_URL'
  return { url, ownerUrl: migrationUrl, appPassword, how: 'your own (DATABASE_URL)', renewal }
}

async function createDatabase(serverUrl: string): Promise<void> {
  const sql = postgres(serverUrl, { max: 1, onnotice: () => {} })
  try {
    const [found] = await sql`select 1 from pg_database where datname = ${databaseName}`
    if (!found) await sql`create database ${sql(databaseName)}`
  } finally {
    await sql.end()
  }
}

export async function applyMigrations({ ownerUrl, appPassword, renewal }: Database): Promise<string[]> {
  try {
    const applied = await migrate(ownerUrl, appPassword)
    const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} })
    await beginHistory(sql).finally(() => sql.end())
    return applied
  } catch (error) {
    throw error instanceof UnknownSchema ? new CannotStart(`${error.message}\nFor that, ${renewal}.`) : error
  }
}

export async function provideTemporal(
  settings: Settings,
  say: (line: string) => void,
  started: (mark: Mark) => void,
): Promise<Pick<TemporalServer, 'address' | 'stop'>> {
  const { namespace, ownTemporal } = settings
  if (ownTemporal) {
    await namespaceAnswers(ownTemporal, namespace, within(OWN_SERVER_MS), settings.temporalAccess).catch(
      (error: unknown) => {
        throw new CannotStart(`TEMPORAL_ADDRESS: no namespace ${namespace} at ${ownTemporal} (${String(error)}).`)
      },
    )
    return { address: ownTemporal, stop: async () => {} }
  }
  return keepTemporal({
    port: settings.temporalPort,
    namespace,
    logFile: join(settings.logDir, 'temporal.log'),
    databaseFile: join(settings.dataDir, 'temporal.db'),
    ui: { port: settings.temporalUiPort, codec: `http://localhost:${settings.port}/codec` },
    say: (line) => say(`  ${line}`),
    started,
  })
}

/** Builds the bundle in its own process, as that keeps a processor busy; answers its path. */
export async function buildBundle({ logDir }: Settings): Promise<string> {
  const logFile = join(logDir, 'bundle.log')
  const log = openSync(logFile, 'w', 0o600)
  const script = "console.log(await (await import('./temporal/bundle.ts')).workflowBundle())"
  const args = [...typescript, '--input-type=module', '--eval', script]
  const options = { cwd: rootFolder, stdio: ['ignore' as const, log, log], detached: true }
  const child = beginHelper(() => spawn(process.execPath, args, options))
  closeSync(log)
  const [code] = await once(child, 'exit')
  const lines = readFileSync(logFile, 'utf8').trim().split('\n')
  if (code === 0) return lines.at(-1) ?? ''
  const words = lines.slice(-12).join('\n  ')
  throw new CannotStart(`The workflow bundle could not be built. The end of ${logFile}:\n  ${words}`)
}

/** Seeds the demo. Imported late: it reads the configuration, which needs a database. */
export async function provideDemo(apiUrl: string, database: Database): Promise<{ demo: Demo } & Requests> {
  process.env['DATABASE_URL'] = database.url
  const [{ seedDemo }, { endPools }] = await Promise.all([
    import('./demo/organization.ts'),
    import('../db/postgres/sql.ts'),
  ])
  try {
    return await seedDemo(apiUrl, database.ownerUrl)
  } finally {
    await endPools() // a pool that loses its server throws out of nowhere
  }
}

/** Makes the services' environment, without the owner's address: row-level security binds their role. */
export function serviceEnvironment(settings: Settings, database: Database, temporal: { address: string }) {
  return {
    PORT: String(settings.port),
    DATA_DIR: settings.dataDir,
    DATABASE_URL: database.url,
    MIGRATION_DATABASE_URL: undefined,
    DATABASE_APP_PASSWORD: undefined,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_UI_URL: settings.temporalUiUrl ?? undefined,
    SANDBOX_PARTNERS_URL: `http://localhost:${settings.sandboxPort}`,
    ...mailSettings(process.env),
  }
}

export function sandboxEnvironment(
  { port }: Settings,
  env: Record<string, string | undefined>,
): Record<string, string | undefined> {
  return { ...env, PUBLIC_URL: `http://localhost:${port}` }
}
