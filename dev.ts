/** `npm start`: Postgres, Temporal, migrations, sandbox partners, worker, API and a demo organization. */
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { endStart } from './platform/start-faults.ts'
import * as foundation from './dev/foundation.ts'
import { endHelpers, refuseWhileEnding } from './dev/machine/helpers.ts'
import { type Mark, descendantsOf, killGroup } from './dev/machine/processes.ts'
import { refuseTakenPorts } from './dev/machine/ports.ts'
import { readyFileIn } from './dev/ready.ts'
import { say, seconds, step, welcome } from './dev/terminal.ts'
import { retireRuns } from './dev/temporal/retired-runs.ts'
import { type RunRecord, claimFolder } from './dev/run-record.ts'
import { type Service, WORKERS, startService } from './dev/services.ts'
import { type Settings, dataFolder, readSettings } from './dev/settings.ts'
import { explainFault } from './dev/start-faults.ts'
import { watchSources } from './dev/watch.ts'
import { writeWhole } from './dev/machine/whole-files.ts'

type Stoppable = { stop: () => Promise<void> }
type ServiceName = 'api' | keyof typeof WORKERS | 'sandbox'

/** Npm and the terminal both deliver a Ctrl-C: a signal so soon after another is the same one. */
const SAME_SIGNAL_MS = 1_000
/** Time for steps that use Postgres to end before it does. */
const STEPS_END_MS = 30_000

/** Running parts in the order in which they are stopped, and Postgres after them. */
const running: { [Name in ServiceName | 'temporal']?: Stoppable } = {}
/** Steps that use Postgres, or begin it. */
const atDatabase = new Set<Promise<unknown>>()
let known: Settings | undefined
let record: RunRecord | undefined
let readyFile: string | undefined
let stopping = false
let hurried = false
let lastSignal = -Infinity

const begun = performance.now()
endStart() // faults are explained here, at any time
process.on('uncaughtException', fail)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, hear)
// a terminal that was closed, or the end of a pipe
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => void stopAll(1))
start().catch(fail)

function hear(): void {
  const again = performance.now() - lastSignal > SAME_SIGNAL_MS && lastSignal !== -Infinity
  lastSignal = performance.now()
  if (!stopping) void stopAll(0)
  else if (again) void stopAtOnce()
}

function fail(fault: unknown): void {
  if (stopping) return
  console.error(`\n${explainFault(fault, known)}`)
  void stopAll(1)
}

async function start(): Promise<void> {
  const settings = await readSettings(process.env, process.argv.slice(2))
  known = settings
  record = await claimFolder(settings.dataDir, say)
  setInterval(() => record?.orphaned() && void stopAll(0), 2_000).unref()
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
  const { demo, waiting, faults } = await untilStopping(
    'demo organization',
    () => foundation.provideDemo(apiUrl, database),
    (found) => `${found.waiting} requests wait for approval`,
  )
  for (const fault of faults) say(`  The demo lacks ${fault}`)
  if (stopping) return
  const ready = {
    api_url: apiUrl,
    temporal_ui_url: settings.temporalUiUrl,
    temporal_address: temporal.address,
    database_url: database.ownerUrl,
    sandbox_partners_url: env.SANDBOX_PARTNERS_URL,
    partners_file: process.env['PARTNERS_FILE'] ? resolve(process.env['PARTNERS_FILE']) : null,
    sandbox_partners: process.env['SANDBOX_PARTNERS'] ?? '',
    demo,
  }
  writeWhole(readyFile, ready)
  const dataDir = settings.dataDir === dataFolder({}) ? null : settings.dataDir
  await welcome(ready, { file: readyFile, dataDir, waiting, took: seconds(performance.now() - begun) })
  if (settings.watch) watchSources(services, say)
}

async function startDatabase(settings: Settings): Promise<foundation.Database> {
  const database = await untilStopping(
    'Postgres',
    () => foundation.provideDatabase(settings),
    (found) => found.how,
  )
  const migrate = () => foundation.applyMigrations(database)
  await untilStopping('migrations', migrate, (names) => `${names.length} applied`)
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
  refuseWhileEnding()
  return step(name, work, describe, () => !stopping)
}

/** Runs a step that Postgres waits for when all is stopped. */
async function untilStopping<T>(name: string, work: () => Promise<T>, describe?: (result: T) => string): Promise<T> {
  const result = unlessStopping(name, work, describe)
  atDatabase.add(result)
  return result
}

async function stopAll(code: number): Promise<void> {
  if (stopping) return
  stopping = true
  await stopParts(code).catch((error: unknown) => {
    console.error(explainFault(error, known))
    return stopAtOnce()
  })
  if (!hurried) end(code)
}

/** Stops the services, Temporal and then Postgres, however far each has come. */
async function stopParts(code: number): Promise<void> {
  if (code === 0) say('\nStopping; once more to stop at once.')
  if (readyFile) rmSync(readyFile, { force: true })
  endHelpers()
  for (const name of ['api', 'worker', 'worker-files', 'sandbox', 'temporal'] as const) {
    await running[name]?.stop().catch((error: unknown) => console.error(`${name}: ${String(error)}`))
  }
  await record?.stopChildren() // those that were not ready yet, too
  await Promise.race([Promise.allSettled(atDatabase), delay(STEPS_END_MS, undefined, { ref: false })])
  await endDatabase('in order')
}

/** Kills the services and what is under way; Postgres recovers when it is started again. */
async function stopAtOnce(): Promise<void> {
  hurried = true
  endHelpers()
  record?.killChildren()
  killRest()
  await endDatabase('at once')
  end(1)
}

async function endDatabase(how: 'in order' | 'at once'): Promise<void> {
  if (!record || !known) return // it was never ours
  await foundation
    .stopDatabase(known, how)
    .catch((error: unknown) => console.error(`Postgres: ${explainFault(error, known)}`))
}

function end(code: number): void {
  killRest()
  record?.remove()
  if (code === 0) say('Stopped.')
  process.exit(code)
}

/** Kills the children that are left: a program that has just begun another one, for example. */
function killRest(): void {
  for (const child of descendantsOf(process.pid)) killGroup(child)
}
