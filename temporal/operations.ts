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
  const waits = lookAt ? `waits until ${minuteOf(lookAt)}` : 'waits for somebody'
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
async function describeEnded(id: string): Promise<string | undefined> {
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

async function describeRun(process: OpenProcess): Promise<string[]> {
  const handle = client.workflow.getHandle(workflowIdOf(process))
  try {
    const { status, startTime, raw } = await handle.describe()
    const { pendingActivities, pendingWorkflowTask: task, workflowExecutionInfo: info } = raw
    const build = info?.versioningInfo?.deploymentVersion?.buildId
    const builds = await findPolledBuilds()
    const stuck = await whyStuck(process, (name) => !builds.has(name))
    return [
      `run ${handle.workflowId}: ${status.name} since ${startTime.toISOString()}, build ${build ?? 'none yet'}` +
        ` (builds with workers: ${[...builds].join(', ') || 'none'})`,
      stuck ? `it does not move: ${stuck}; npm run admin -- processes restart ${process.id}` : 'it moves',
      ...(task ? [`a task is pending, attempt ${task.attempt ?? 1}`] : []),
      ...(pendingActivities ?? []).map(
        ({ activityType, attempt, lastFailure }) =>
          `step ${activityType?.name ?? '?'} is under way, attempt ${attempt ?? 1}${lastFailure ? ', it failed before' : ''}`,
      ),
      ...(status.name === 'RUNNING' ? [await detailsOf(handle.workflowId)] : []),
      ...(config.temporalUiUrl
        ? [`${config.temporalUiUrl}/namespaces/${config.temporalNamespace}/workflows/${handle.workflowId}`]
        : []),
    ]
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return ['it has no run; the reconciler starts one within two minutes']
    throw error
  }
}

/** Queries the run for what it waits for; needs a worker. */
async function detailsOf(workflowId: string): Promise<string> {
  try {
    const handle = client.workflow.getHandle(workflowId)
    const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata')
    return `it says: ${metadata.currentDetails || 'nothing yet'}`
  } catch {
    return 'no worker answers what it waits for'
  }
}
