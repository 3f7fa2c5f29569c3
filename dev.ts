/** `npm start`: Postgres, Temporal, migrations, sandbox partners, worker, API and a demo organization. */
import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

import { endStart, explainStart } from './platform/start-faults.ts'
import * as foundation from './dev/foundation.ts'
import type { Mark } from './dev/machine/processes.ts'
import { refuseTakenPorts } from './dev/machine/ports.ts'
import { readyFileIn } from './dev/ready.ts'
import { CannotStart, say, seconds, step, welcome } from './dev/terminal.ts'
import { retireRuns } from './dev/temporal/retired-runs.ts'
import { type RunRecord, claimFolder } from './dev/run-record.ts'
import { type Service, WORKERS, startService } from './dev/services.ts'
import { type Settings, dataFolder, readSettings } from './dev/settings.ts'
import { watchSources } from './dev/watch.ts'
import { writeWhole } from './dev/machine/whole-files.ts'

type Stoppable = { stop: () => Promise<void> }
type ServiceName = 'api' | keyof typeof WORKERS | 'sandbox'

/** Running parts in the order in which they are stopped. */
const running: { [Name in ServiceName | 'temporal' | 'postgres']?: Stoppable } = {}
const underWay = new Set<Promise<unknown>>()
let record: RunRecord | undefined
let readyFile: string | undefined
let stopping = false

const begun = performance.now()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => void (stopping ? stopAtOnce() : stopAll(0)))
}
start().catch((error: unknown) => {
  if (stopping) return
  const words = error instanceof CannotStart ? error.message : explainStart(error, 'MIGRATION_DATABASE_URL')
  console.error(words === undefined ? error : `\n${words}`)
  void stopAll(1)
})

async function start(): Promise<void> {
  const settings = await readSettings(process.env, process.argv.slice(2))
  record = await claimFolder(settings.dataDir, say)
  readyFile = readyFileIn(settings.dataDir)
  rmSync(readyFile, { force: true })
  await refuseTakenPorts(foundation.portsWanted(settings))
  say(`Starting. Data: ${settings.dataDir}, logs: ${settings.logDir}\n`)

  const [database, temporal, bundle] = await Promise.all([
    startDatabase(settings),
    startTemporal(settings, record),
    unlessStopping('workflow bundle', () => foundation.buildBundle(settings)),
  ])
  if (!settings.ownTemporal) await startAfresh(settings, temporal.address, bundle)
  const env = foundation.serviceEnvironment(settings, database, temporal)
  await startOne(
    'sandbox',
    'sandbox/partners/server.ts',
    settings,
    record,
    foundation.sandboxEnvironment(settings, env),
  )
  const services = await Promise.all([
    startOne('worker', 'worker.ts', settings, record, { ...env, ...WORKERS.worker }),
    startOne('worker-files', 'worker.ts', settings, record, { ...env, ...WORKERS['worker-files'] }),
    startOne('api', 'server.ts', settings, record, env),
  ])
  const apiUrl = `http://localhost:${settings.port}`
  const demo = await unlessStopping('demo organization', () => foundation.provideDemo(apiUrl, database))
  if (stopping) return
  const ready = {
    api_url: apiUrl,
    temporal_ui_url: settings.temporalUiUrl,
    temporal_address: temporal.address,
    database_url: database.ownerUrl,
    sandbox_partners_url: env.SANDBOX_PARTNERS_URL,
    demo,
  }
  writeWhole(readyFile, ready)
  const dataDir = settings.dataDir === dataFolder({}) ? null : settings.dataDir
  welcome(ready, { file: readyFile, dataDir, took: seconds(performance.now() - begun) })
  endStart()
  if (settings.watch) watchSources(services, say)
  setInterval(() => record?.orphaned() && !stopping && void stopAll(0), 2_000).unref()
}

async function startDatabase(settings: Settings): Promise<foundation.Database> {
  const work = async () => (running.postgres = await foundation.provideDatabase(settings))
  const database = await unlessStopping('Postgres', work, (found) => found.how)
  const migrate = () => foundation.applyMigrations(database)
  await unlessStopping('migrations', migrate, (names) => `${names.length} applied`)
  return database
}

async function startTemporal(settings: Settings, { add }: RunRecord): Promise<{ address: string }> {
  const started = (mark: Mark) => add('temporal', mark)
  const work = async () => (running.temporal = await foundation.provideTemporal(settings, say, started))
  return unlessStopping('Temporal', work, ({ address }) => address)
}

/** Ends runs of other workflow code; the reconciler starts them again. */
async function startAfresh({ dataDir, namespace }: Settings, address: string, bundle: string): Promise<void> {
  const ended = await retireRuns({ dataDir, address, namespace, bundle })
  if (ended > 0) say(`  ${ended} runs of other code ended; they begin anew within two minutes`)
}

async function startOne(
  name: ServiceName,
  entry: string,
  { logDir }: Settings,
  { add }: RunRecord,
  env: Record<string, string | undefined>,
): Promise<Service> {
  const started = (mark: Mark) => add(name, mark)
  const readyLine = `"msg":"${name in WORKERS ? 'worker' : name} ready"`
  const options = { name, entry, readyLine, env, logDir, say, started }
  return unlessStopping(name, async () => (running[name] = await startService(options)))
}

async function unlessStopping<T>(name: string, work: () => Promise<T>, describe?: (result: T) => string): Promise<T> {
  if (stopping) throw new CannotStart('Stopped before it was ready.')
  const result = step(name, work, describe)
  underWay.add(result)
  return result
}

/** Stops the services, which finish their work, and then Temporal and Postgres. */
async function stopAll(code: number): Promise<void> {
  if (stopping) return
  stopping = true
  if (code === 0) say('\nStopping; once more to stop at once.')
  if (readyFile) rmSync(readyFile, { force: true })
  await Promise.race([Promise.allSettled(underWay), delay(5_000, undefined, { ref: false })])
  for (const name of ['api', 'worker', 'worker-files', 'sandbox', 'temporal', 'postgres'] as const) {
    await running[name]?.stop().catch((error: unknown) => console.error(`${name}: ${String(error)}`))
  }
  await record?.stopChildren()
  record?.remove()
  if (code === 0) say('Stopped.')
  process.exit(code)
}

/** Kills the services; Postgres lives on, and the next start takes it over. */
function stopAtOnce(): void {
  record?.killChildren()
  process.exit(1)
}
