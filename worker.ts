/** The worker process: runs workflows and activities, wakes what waits, repairs what was lost, drains. */
import './platform/start-faults.ts' // first: it explains a start that fails in what is imported next
import { fileURLToPath } from 'node:url'
import { DefaultLogger, type LogEntry, NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker'
import * as activities from './activities/index.ts'
import { dataConverter } from './temporal/data-converter.ts'
import { RefusalInterceptor } from './activities/failures.ts'
import { heartbeatInterceptor } from './activities/heartbeat.ts'
import { runFields, traceInterceptor } from './activities/traces.ts'
import { allowRounds } from './activities/webhooks.ts'
import { MAIL_CONNECTIONS } from './partners/mail.ts'
import { workflowBundle } from './temporal/bundle.ts'
import { requireBoundRole } from './db/postgres/bound-role.ts'
import { followClock } from './db/postgres/clock.ts'
import { requireSessions } from './db/sessions.ts'
import { requireConnections } from './services/connections/open.ts'
import { config } from './platform/config.ts'
import type { Queue } from './platform/queues.ts'
import { prioritize } from './platform/fork.ts'
import { log, nameLinesBy } from './platform/log.ts'
import { startTraces, stopTraces } from './platform/traces.ts'
import { endPools } from './db/postgres/sql.ts'
import { injectFaults } from './platform/faults.ts'
import { endStart } from './platform/start-faults.ts'
import { hasFault, takeFault } from './sandbox/db/faults.ts'
import { announceCommits, flushSignals } from './temporal/announce.ts'
import { answerProbes } from './temporal/health.ts'
import { startBeating } from './temporal/heartbeat.ts'
import { deployment, joinDeployment, registerSearchAttributes } from './temporal/deployment.ts'
import { watchBuilds } from './temporal/pollers.ts'
import { workflowIdOf } from './temporal/processes.ts'
import { startChaining } from './temporal/chain.ts'
import { startReconciler } from './temporal/reconciler.ts'
import { updateSchedules } from './temporal/schedules.ts'
import { startSweeping } from './temporal/sweep.ts'

/** Activities at once of each queue, which others never use up: one slow party holds nobody else. */
export const AT_ONCE: Readonly<Record<Exclude<Queue, 'main'>, number>> = {
  rows: Math.ceil(config.databasePoolSize / 2), // each holds a connection: the others are for steps of payments
  bank: 50,
  custodian: 50,
  rates: 10,
  mail: MAIL_CONNECTIONS,
  messenger: 20,
  accounting: 15,
  model: 5,
  screening: 10,
  webhooks: 200, // rounds of deliveries; slow receivers leave room by themselves
  heavy: 2, // each keeps a processor busy for up to five minutes; one at a time of an organization
  bills: 2,
}
const SHUTDOWN_GRACE = '10 seconds'
/** After a worker's death its workflows move to another one within these. */
const STICKY_TIMEOUT = '2 seconds'

export type RunningWorker = { stop: () => Promise<void>; finished: Promise<void> }

type WorkerParts = {
  /** False for one that is alone with its queues: it takes the runs of every build, and no build is current. */
  versioned?: boolean
  /** False for one that keeps no schedules and leaves lost runs to others. */
  reconciles?: boolean
  /** False for one that leaves the logs as long as they are. */
  chains?: boolean
  /** False for one that does nothing by the clock: no sweep, no heartbeat. */
  ticks?: boolean
}

/**
 * Starts polling its queues; resolves when it does. `finished` rejects when a worker fails for good. A worker without
 * the queue `main` decides nothing about builds, and reconciles nothing.
 */
export async function startWorker(parts: WorkerParts = {}): Promise<RunningWorker> {
  const { versioned = true, chains = true, ticks = true } = parts
  const drives = config.workerQueues.includes('main')
  const reconciles = drives && (parts.reconciles ?? true)
  const connection = await NativeConnection.connect({
    ...config.temporal,
    grpcCompression: { codec: 'none' },
  })
  await requireBoundRole()
  await requireSessions()
  await requireConnections()
  await registerSearchAttributes()
  await followClock()
  if (!config.live) injectFaults({ has: hasFault, take: takeFault })
  nameLinesBy(runFields)
  announceCommits((process) => runFields().workflow_id === workflowIdOf(process))
  const builds = watchBuilds()
  allowRounds(true)
  const options = { connection, dataConverter, ...(versioned && { workerDeploymentOptions: deployment }) }
  const workers = await Promise.all(
    config.workerQueues.map((queue) => (queue === 'main' ? mainWorker(options) : activityWorker(queue, options))),
  )
  const finished = Promise.all(workers.map((worker) => worker.run())).then(() => {})
  const beating = ticks ? startBeating() : undefined
  finished.catch((error: unknown) => {
    log.fatal({ err: error }, 'worker failed')
    void beating?.stop()
  })
  if (versioned && drives) await joinDeployment()
  if (reconciles) void updateSchedules() // payments wait for a worker, and not for what runs by the clock
  const reconciler = reconciles ? startReconciler() : undefined
  const sweeping = ticks ? startSweeping() : undefined
  const chaining = chains ? startChaining() : undefined
  return {
    finished,
    async stop() {
      allowRounds(false)
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
      builds.stop()
      await Promise.all([beating?.stop(), sweeping?.stop(), chaining?.stop(), reconciler?.stop(), finished])
      await flushSignals()
      await connection.close()
    },
  }
}

const SNAKE_CASE: Readonly<Record<string, string>> = {
  workflowId: 'workflow_id',
  runId: 'run_id',
  taskQueue: 'task_queue',
}

/** Writes a line of the SDK or its core as one of ours, with our names of ids. */
function writeSdkLine({ level, message, meta = {} }: LogEntry): void {
  const fields = Object.entries(meta).map(([name, value]) => [SNAKE_CASE[name] ?? name, value] as const)
  log[level === 'ERROR' ? 'error' : 'warn'](Object.fromEntries(fields), message)
}

type SharedOptions = Pick<WorkerOptions, 'connection' | 'dataConverter' | 'workerDeploymentOptions'>

/** Workflows, and the recording beside them. */
const mainWorker = async (options: SharedOptions): Promise<Worker> =>
  Worker.create({
    ...options,
    namespace: config.temporalNamespace,
    taskQueue: `${config.taskQueuePrefix}main`,
    workflowBundle: { codePath: await workflowBundle() },
    activities: activities.main,
    interceptors: { activity: [traceInterceptor, () => ({ inbound: new RefusalInterceptor() })] },
    // A run that this code cannot go on with fails, and is started again from its row; it would be stuck for ever.
    workflowFailureErrorTypes: { '*': ['NondeterminismError', 'DeterminismViolationError'] },
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
    shutdownGraceTime: SHUTDOWN_GRACE,
    maxConcurrentLocalActivityExecutions: config.databasePoolSize * 2,
  })

/** Builds a worker of activities that call partners or keep a processor busy. */
const activityWorker = (name: string, options: SharedOptions): Promise<Worker> => {
  const queue = config.queues.get(name)
  if (!queue || queue === 'main') throw new Error(`the queue ${name} has no activities`)
  return Worker.create({
    ...options,
    namespace: config.temporalNamespace,
    taskQueue: `${config.taskQueuePrefix}${name}`,
    activities: activities[queue],
    interceptors: {
      activity: [traceInterceptor, () => ({ inbound: new RefusalInterceptor() }), heartbeatInterceptor],
    },
    shutdownGraceTime: SHUTDOWN_GRACE,
    maxConcurrentActivityTaskExecutions: AT_ONCE[queue],
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // on one machine answers come first: beside a flood 22 instead of 59 ms (p99), and runs end as soon (docs/scale.md)
  prioritize(process.pid, 'PRIORITY_BELOW_NORMAL')
  const boundHost = config.host.includes(':') ? `[${config.host}]` : config.host
  Runtime.install({
    shutdownSignals: [], // this file drains
    logger: new DefaultLogger('WARN', writeSdkLine),
    telemetryOptions: {
      logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } },
      ...(config.workerMetricsPort && {
        metrics: { prometheus: { bindAddress: `${boundHost}:${config.workerMetricsPort}` } },
      }),
    },
  })
  await startTraces('worker')
  const worker = await startWorker()
  const health = config.workerHealthPort ? await answerProbes(config.host, config.workerHealthPort) : undefined
  endStart()
  log.info({ build: config.buildId }, 'worker ready')
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) return
      stopping = true
      log.info('worker draining')
      void worker.stop()
    })
  }
  await worker.finished
  await Promise.all([endPools(), stopTraces(), health?.stop()])
  log.info('worker stopped')
  process.exit(0)
}
