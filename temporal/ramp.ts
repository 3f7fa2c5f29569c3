/** Ramp of a deployment: a growing share of new runs goes to this build, and none if it does worse than the one before. */
import { setTimeout as delay } from 'node:timers/promises'
import proto from '@temporalio/proto'
import { config } from '../platform/config.ts'
import { oldestUnseenSeconds, openProcesses } from '../db/processes/processes.ts'
import { queuesWithoutWorker } from '../db/processes/worker-heartbeats.ts'
import { client, grpcError } from './client.ts'
import { currentBuild, deployment, makeCurrent, setRamp } from './deployment.ts'
import { workingBuilds } from './pollers.ts'
import { processOf, workflowIdOf } from './processes.ts'

/** Shares of new runs, in percent, before the build becomes current. */
const STAGES = [5, 50, 100] as const
const LOOK_EVERY_MS = 2000
const WORKERS_EVERY_MS = 500
/** Looks for a worker of a build, within half a minute: the server does not name all who poll, and beats can be late. */
const GONE_LOOKS = 15
/** Unseen processes whose runs are inspected at a time. */
const INSPECTED_MOST = 20
/** Events read from the end of a history to find the failure of its last task. */
const LAST_EVENTS = 10
const GRPC_NOT_FOUND = 5

const { EVENT_TYPE_WORKFLOW_TASK_FAILED } = proto.temporal.api.enums.v1.EventType
/** Causes that lie in the code; others are races with signals, or the server's. */
const {
  WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE,
  WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR,
} = proto.temporal.api.enums.v1.WorkflowTaskFailedCause
const OF_THE_CODE: ReadonlySet<unknown> = new Set([
  WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE,
  WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR,
])

export type RampOptions = {
  /** Length of each stage. */
  readonly pauseMs: number
  /** Age of the oldest unseen change from which the ramp goes back. */
  readonly unseenSecondsMax: number
  readonly say: (line: string) => void
  /** Ends the ramp, which then goes back. */
  readonly signal: AbortSignal
}

/** Thrown if new runs do not go to this build; the message says why, and where they go. */
export class NotDeployed extends Error {}

/**
 * Waits until workers of this build take every queue. Throws `NotDeployed` with the queues that are left: activities of
 * its runs would wait there for ever.
 */
export async function requireWorkers({ patienceMs, say }: Pick<RampOptions, 'say'> & { readonly patienceMs: number }) {
  const until = Date.now() + patienceMs
  for (let told = false; ; told = true) {
    const left = await queuesWithoutWorker(config.buildId)
    if (left.length === 0) return
    const fault = `No worker of build ${config.buildId} takes ${left.join(', ')} (WORKER_QUEUES)`
    if (Date.now() >= until) throw new NotDeployed(`${fault}. Nothing was changed.`)
    if (!told) say(`${fault}: waiting for one.`)
    await delay(WORKERS_EVERY_MS)
  }
}

/**
 * Makes this build current in stages. At once if none is current, or the current one has no worker any more. Throws
 * `NotDeployed`, with the build before still current, if tasks of the build fail or changes stay unseen.
 */
export async function rampUp(options: RampOptions): Promise<void> {
  const before = await currentBuild()
  if (before === config.buildId) return makeCurrent() // ends a ramp that another deployment left
  if (before === null || (await isWithoutWorker(before, options.signal))) {
    options.say(before === null ? 'No build is current.' : `Build ${before} is current and has no worker.`)
    return makeCurrent()
  }
  const unwell = await unseenFault(options.unseenSecondsMax)
  if (unwell) throw new NotDeployed(`${unwell}: see docs/runbook.md first. Nothing was changed: ${before} is current.`)
  const since = new Date()
  await setRamp(STAGES[0]).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    throw new NotDeployed(`No worker of build ${config.buildId} has polled. Nothing was changed: ${before} is current.`)
  })
  try {
    for (const share of STAGES) {
      await setRamp(share)
      options.say(`${share} % of new runs go to build ${config.buildId}, for ${options.pauseMs / 1000} s.`)
      const fault = await watch(since, options)
      if (fault) throw new NotDeployed(`${fault}. New runs go to build ${before} again, which stays current.`)
    }
  } catch (error) {
    await setRamp(0)
    throw error
  }
  await makeCurrent()
}

/** Tells if no look for half a minute finds a worker of the build. */
async function isWithoutWorker(build: string, signal: AbortSignal): Promise<boolean> {
  for (let looks = 1; !(await workingBuilds()).has(build); looks += 1) {
    if (signal.aborted)
      throw new NotDeployed(`The deployment was interrupted. Nothing was changed: ${build} is current.`)
    if (looks >= GONE_LOOKS) return true
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
  }
  return false
}

/** Looks for faults until the stage is over; answers the first. A look that fails counts if the last one does. */
async function watch(since: Date, options: RampOptions): Promise<string | undefined> {
  const end = Date.now() + options.pauseMs
  let missed = 0 // looks without a worker since one had it
  let wasSeen = false
  for (;;) {
    if (options.signal.aborted) return 'The deployment was interrupted'
    const { fault, works, unclear } = await look(since, options)
    if (fault) return fault
    if (works) missed = 0
    else if (!unclear) missed += 1
    wasSeen ||= works
    const left = end - Date.now()
    if (left <= 0 && unclear) return `Whether it works cannot be seen (${unclear})`
    if (missed >= GONE_LOOKS || (left <= 0 && !wasSeen)) return `Build ${config.buildId} has no worker that polls`
    if (left <= 0) return undefined
    await delay(Math.min(left, LOOK_EVERY_MS), undefined, { signal: options.signal }).catch(() => {})
  }
}

type Look = { readonly fault?: string | undefined; readonly works: boolean; readonly unclear?: string }

/** Looks for a fault of the build, and for a worker of it. `unclear` says why that could not be seen. */
async function look(since: Date, { unseenSecondsMax }: RampOptions): Promise<Look> {
  try {
    const works = (await workingBuilds()).has(config.buildId)
    const fault =
      (await findFailedRun(since)) ?? (await findFailingTask(since)) ?? (await unseenFault(unseenSecondsMax))
    return { fault, works }
  } catch (error) {
    return { works: false, unclear: error instanceof Error ? error.message : 'no answer' }
  }
}

async function unseenFault(most: number): Promise<string | undefined> {
  const seconds = (await oldestUnseenSeconds()) ?? 0
  return seconds > most ? `A change has not been looked at for ${Math.round(seconds)} s` : undefined
}

/** Finds a run of a process that failed with this build: these end well or are replaced, whatever happens to a row. */
async function findFailedRun(since: Date): Promise<string | undefined> {
  const { deploymentName, buildId } = deployment.version
  const query = [
    `TemporalWorkerDeploymentVersion = '${deploymentName}:${buildId}'`,
    "ExecutionStatus = 'Failed'",
    `StartTime >= '${since.toISOString()}'`,
  ].join(' AND ')
  for await (const { type, workflowId } of client.workflow.list({ query }))
    if (processOf(type, workflowId)) return `Run ${workflowId} of build ${buildId} has failed`
  return undefined
}

/** Finds a failed task among the runs that have not looked: of this build, or of none, since their first task failed. */
async function findFailingTask(since: Date): Promise<string | undefined> {
  const unseen = (await openProcesses(null, INSPECTED_MOST)).filter((process) => process.unseen_since !== null)
  for (const process of unseen) {
    const workflowId = workflowIdOf(process)
    const fails = await taskFails(workflowId, since).catch((error: unknown) => {
      if (isNotFound(error)) return false // it has no run yet, or none any more
      throw error
    })
    if (fails) return `A task of run ${workflowId} fails with build ${config.buildId}`
  }
  return undefined
}

/** Tells whether a task of the run failed in the code since. The failure itself is sealed: the worker's log has it. */
async function taskFails(workflowId: string, since: Date): Promise<boolean> {
  const execution = { workflowId }
  const { workflowExecutionInfo: info, pendingWorkflowTask: task } =
    await client.workflowService.describeWorkflowExecution({ namespace: config.temporalNamespace, execution })
  const build = info?.versioningInfo?.deploymentVersion?.buildId ?? config.buildId
  if (build !== config.buildId || (task?.attempt ?? 0) < 2) return false
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: config.temporalNamespace,
    execution,
    maximumPageSize: LAST_EVENTS,
  })
  return (history?.events ?? []).some(
    ({ eventType, eventTime, workflowTaskFailedEventAttributes: failed }) =>
      eventType === EVENT_TYPE_WORKFLOW_TASK_FAILED &&
      OF_THE_CODE.has(failed?.cause) &&
      Number(eventTime?.seconds ?? 0) >= Math.floor(since.getTime() / 1000),
  )
}

const isNotFound = (error: unknown): boolean => grpcError(error).code === GRPC_NOT_FOUND
