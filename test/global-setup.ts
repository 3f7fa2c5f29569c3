/** Setup of the whole run: a Postgres with a migrated template, a Temporal, the compiled service and its workflows. */
import { cpSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'

import postgres from 'postgres'
import type { TestProject } from 'vitest/node'

import { compile } from '../compile.ts'
import { migrate } from '../db/migrate.ts'
import { freePort } from '../dev/machine/ports.ts'
import { type Cluster, startCluster } from '../dev/postgres/cluster.ts'
import { rootFolder } from '../dev/settings.ts'
import { startTemporal } from '../dev/temporal/server.ts'
import { type Temporary, makeTemporaryFolder, placeInMemory, sweepTemporaryFolders } from '../dev/machine/temporary.ts'

const template = 'template_business_finance'
const [ownerPassword, appPassword] = ['owner', 'app']
/** More than the databases, files and server log of all tests take. */
const ROOM = 8 * 2 ** 30

declare module 'vitest' {
  export interface ProvidedContext {
    serverUrl: string
    template: string
    appPassword: string
    temporalAddress: string
    workflowBundle: string
    compiledService: string
    /** Folder whose files share a service with earlier files of their process; none in the long run. */
    sharedFolder?: string
    dataFolder: string
  }
}

export default async function startServers({ provide }: TestProject): Promise<() => Promise<void>> {
  sweepTemporaryFolders()
  const folder = makeTemporaryFolder(placeInMemory(ROOM))
  const [cluster, temporal, bundle, compiledService] = await Promise.all([
    startDatabase(folder),
    startTemporalInMemory(folder),
    buildBundle(),
    compileService(folder),
  ])
  provide('serverUrl', cluster.url())
  provide('template', template)
  provide('appPassword', appPassword)
  provide('temporalAddress', temporal.address)
  provide('workflowBundle', bundle)
  provide('compiledService', compiledService)
  provide('dataFolder', join(folder.path, 'data'))
  recordRows(join(folder.path, 'rows'))
  return async () => {
    await Promise.all([temporal.stop(), cluster.stop()])
    folder.remove()
    sweepTemporaryFolders()
  }
}

/** Has each process of the run record the rows of its statements (test/row-types). */
function recordRows(folder: string): void {
  mkdirSync((process.env['ROWS_SEEN'] ??= folder), { recursive: true })
  const recorder = `--import=${new URL('row-types/recorder.js', import.meta.url).href}`
  process.env['NODE_OPTIONS'] = [process.env['NODE_OPTIONS'], recorder].filter(Boolean).join(' ')
}

/**
 * Settings that count what statements cost (test/support/costs). The counters are off until a database asks for them; WAL
 * stays for a while, to be read.
 */
const countingSettings = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track=none',
  'compute_query_id=off',
  'wal_keep_size=256MB',
]

/** Starts Postgres; the migrated template takes no connections, so it can be copied at any moment. */
async function startDatabase({ path, holds }: Temporary): Promise<Cluster> {
  const logFile = join(path, 'postgres.log')
  const cluster = await startCluster({
    folder: path,
    port: await freePort(),
    password: ownerPassword,
    logFile,
    durable: false,
    settings: countingSettings,
  })
  holds(cluster.mark())
  const sql = postgres(cluster.url(), { max: 1, onnotice: () => {} })
  await sql`create database ${sql(template)}`
  await migrate(cluster.url(template), appPassword)
  await sql`alter database ${sql(template)} with is_template true allow_connections false`
  await sql.end()
  return cluster
}

/** Each file has its own task queues, of one partition: more would only forward to each other. */
const temporalSettings = ['Read', 'Write'].map((kind) => `matching.numTaskqueue${kind}Partitions=1`)

async function startTemporalInMemory({ path, holds }: Temporary) {
  // collects garbage only above a quarter of the memory: a lower limit, below its histories at the end of a run, would
  // make it collect all the time
  process.env['GOGC'] ??= 'off'
  process.env['GOMEMLIMIT'] ??= `${Math.floor(totalmem() / 4)}B`
  const [port, logFile] = [await freePort(), join(path, 'temporal.log')]
  const settings = temporalSettings
  return startTemporal({ port, namespace: 'default', logFile, say: console.log, started: holds, settings })
}

async function buildBundle(): Promise<string> {
  const { workflowBundle } = await import('../temporal/bundle.ts')
  return workflowBundle()
}

/** Compiles the service as `npm run build` does, beside its packages. Types are left to `npm run check`. */
async function compileService({ path }: Temporary): Promise<string> {
  const built = join(realpathSync(path), 'service') // as modules are named at run time
  mkdirSync(built)
  const inRoot = (name: string) => join(rootFolder, name)
  symlinkSync(inRoot('node_modules'), join(built, 'node_modules'))
  cpSync(inRoot('package.json'), join(built, 'package.json'))
  await compile(built, 'tsconfig.build.json', ['--noCheck'])
  return built
}
