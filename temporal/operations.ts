import { WorkflowNotFoundError } from '@temporalio/common'
import { config } from '../platform/config.ts'
import { refuse } from '../domain/errors.ts'
import type { Flow } from '../domain/flow.ts'
import { PROCESSES } from '../domain/registries/flows.ts'
import { minuteOf } from '../domain/instants.ts'
import { type OpenProcess, openProcesses } from '../db/processes/processes.ts'
import { joinLines } from '../services/registries/operator-texts.ts'
import { client } from './client.ts'
import { findPolledBuilds } from './pollers.ts'
import { signalRun, workflowIdOf } from './processes.ts'
import { whyStuck } from './replacements.ts'

const LISTED_MAX = 1000

/** Lists open processes: unseen ones first, then those that changed longest ago. */
export async function listProcesses(filter = ''): Promise<string> {
  return joinLines((await openProcesses(null, LISTED_MAX)).map(lineOf), 'nothing is open', filter)
}

function lineOf(process: OpenProcess): string {
  const {
    organization_id: organization,
    status,
    why,
    changed_at: changedAt,
    look_at: lookAt,
    unseen_since: unseen,
  } = process
  const of = organization ? ` of organization ${organization}` : ''
  const waits = lookAt ? `waits until ${minuteOf(lookAt)}` : 'waits for a change'
  const stands = unseen ? `nobody has looked since ${minuteOf(unseen)}, told ${process.told} times` : waits
  return `${minuteOf(changedAt)} ${workflowIdOf(process)}${of}: ${status ?? 'unknown'} (${why}), ${stands}`
}

/** Describes a process and its run, or the last ended run. Refuses `not_found` if there was none. */
export async function showProcess(id: string): Promise<string> {
  const [process] = await openProcesses(id, 1)
  if (process) return [lineOf(process), ...(await describeRun(process))].join('\n')
  return (await describeEnded(id)) ?? refuse('not_found')
}

/** Describes the last run of any noun with this id, if its row is at rest. */
export async function describeEnded(id: string): Promise<string | undefined> {
  for (const { workflow } of Object.values<Flow>(PROCESSES)) {
    const handle = client.workflow.getHandle(`${workflow}-${id}`)
    try {
      const { status, closeTime } = await handle.describe()
      const ended = closeTime ? ` at ${minuteOf(closeTime.toISOString())}` : ''
      const result = status.name === 'COMPLETED' ? `, ${String(await handle.result())}` : ''
      return `nothing is open: run ${handle.workflowId} is ${status.name.toLowerCase()}${ended}${result}`
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error
    }
  }
  return undefined
}

/** Replaces the run of a process; the new one resumes from the row. Refuses `not_found`. */
export async function restartProcess(id: string): Promise<string> {
  const process = await find(id)
  await signalRun({ ...process, why: 'operator' }, { replace: true })
  return `${workflowIdOf(process)} runs afresh`
}

async function find(id: string): Promise<OpenProcess> {
  const [process] = await openProcesses(id, 1)
  return process ?? refuse('not_found')
}

/** Run of a process as Temporal has it. */
export type ProcessRun = {
  readonly id: string
  readonly status: string
  readonly since: string
  readonly build: string | null
  /** Builds for which a worker polls; restarting a run helps only where there is one. */
  readonly polled: readonly string[]
  /** Reason why it does not move; null if it does. */
  readonly stuck: string | null
  readonly pendingAttempt: number | null
  readonly steps: readonly { readonly name: string; readonly attempt: number; readonly hasFailed: boolean }[]
  /** Words of the run about its wait; null if no worker answers. */
  readonly says: string | null
}

/** Reads the run of a process; null if it has none yet. */
export async function readRun(process: OpenProcess): Promise<ProcessRun | null> {
  const handle = client.workflow.getHandle(workflowIdOf(process))
  try {
    const { status, startTime, raw } = await handle.describe()
    const { pendingActivities, pendingWorkflowTask: task, workflowExecutionInfo: info } = raw
    const builds = await findPolledBuilds()
    return {
      id: handle.workflowId,
      status: status.name,
      since: startTime.toISOString(),
      build: info?.versioningInfo?.deploymentVersion?.buildId ?? null,
      polled: [...builds],
      stuck: (await whyStuck(process, (name) => !builds.has(name))) ?? null,
      pendingAttempt: task ? (task.attempt ?? 1) : null,
      steps: (pendingActivities ?? []).map(({ activityType, attempt, lastFailure }) => ({
        name: activityType?.name ?? '?',
        attempt: attempt ?? 1,
        hasFailed: Boolean(lastFailure),
      })),
      says: status.name === 'RUNNING' ? await detailsOf(handle.workflowId) : null,
    }
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null
    throw error
  }
}

/** Returns the address of a run in the Temporal UI; null without one. */
export const uiAddressOf = (workflowId: string): string | null =>
  config.temporalUiUrl ? `${config.temporalUiUrl}/namespaces/${config.temporalNamespace}/workflows/${workflowId}` : null

async function describeRun(process: OpenProcess): Promise<string[]> {
  const run = await readRun(process)
  if (!run) return ['it has no run; the reconciler starts one within two minutes']
  const { stuck, polled, pendingAttempt: attempt, says } = run
  const remedy = polled.length > 0 ? `npm run admin -- processes restart ${process.id}` : 'start a worker'
  const address = uiAddressOf(run.id)
  return [
    `run ${run.id}: ${run.status} since ${run.since}, build ${run.build ?? 'none yet'}` +
      ` (builds with workers: ${polled.join(', ') || 'none'})`,
    stuck ? `it does not move: ${stuck}; ${remedy}` : 'it moves',
    ...(attempt === null ? [] : [`a task is pending, attempt ${attempt}`]),
    ...run.steps.map(
      (one) => `step ${one.name} is under way, attempt ${one.attempt}${one.hasFailed ? ', it failed before' : ''}`,
    ),
    ...(run.status === 'RUNNING' ? [says === null ? 'no worker answers what it waits for' : `it says: ${says}`] : []),
    ...(address ? [address] : []),
  ]
}

/** Queries the run for what it waits for; null if no worker answers. */
async function detailsOf(workflowId: string): Promise<string | null> {
  try {
    const handle = client.workflow.getHandle(workflowId)
    const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata')
    return metadata.currentDetails || 'nothing yet'
  } catch {
    return null
  }
}
