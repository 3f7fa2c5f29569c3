/**
 * Once for the whole run: a Postgres with a migrated template database, a Temporal, the service compiled, its
 * workflows.
 */
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
/** More than the databases and the files of all tests take, with the server's log. */
const ROOM = 8 * 2 ** 30

declare module 'vitest' {
  export interface ProvidedContext {
    serverUrl: string
    template: string
    appPassword: string
    temporalAddress: string
    workflowBundle: string
    /** The folder of what `npm run build` compiles. */
    compiledService: string
    /** Files that share a service with those before them in their process; in the long run none does. */
    sharingFiles?: readonly string[]
    /** Where each file keeps a folder of data. */
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
  return async () => {
    await Promise.all([temporal.stop(), cluster.stop()])
    folder.remove()
    sweepTemporaryFolders()
  }
}

/** Nobody can connect to the template once it is migrated, so that it can be copied at any moment. */
async function startDatabase({ path, holds }: Temporary): Promise<Cluster> {
  const logFile = join(path, 'postgres.log')
  const cluster = await startCluster({
    folder: path,
    port: await freePort(),
    password: ownerPassword,
    logFile,
    durable: false,
  })
  holds(cluster.mark())
  const sql = postgres(cluster.url(), { max: 1, onnotice: () => {} })
  await sql`create database ${sql(template)}`
  await migrate(cluster.url(template), appPassword)
  await sql`alter database ${sql(template)} with is_template true allow_connections false`
  await sql.end()
  return cluster
}

/** Each file has task queues of its own, and each of them one partition: more would only forward to each other. */
const temporalSettings = ['Read', 'Write'].map((kind) => `matching.numTaskqueue${kind}Partitions=1`)

async function startTemporalInMemory({ path, holds }: Temporary) {
  // it collects its garbage when it has a quarter of the memory, and not before: with less than its histories take, by
  // the end of a run, it would do nothing else
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

/** What `npm run build` compiles, beside the packages that it imports. Types are the business of `npm run check`. */
async function compileService({ path }: Temporary): Promise<string> {
  const built = join(realpathSync(path), 'service') // as modules are named when they run
  mkdirSync(built)
  const inRoot = (name: string) => join(rootFolder, name)
  symlinkSync(inRoot('node_modules'), join(built, 'node_modules'))
  cpSync(inRoot('package.json'), join(built, 'package.json'))
  await compile(built, 'tsconfig.build.json', ['--noCheck'])
  return built
}
