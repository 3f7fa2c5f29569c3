/** Replacement of stuck runs: their build has no pollers, or their task fails again and again. */
import proto from '@temporalio/proto'
import { config } from '../platform/config.ts'
import { log } from '../platform/log.ts'
import type { Process } from '../db/postgres/wakes.ts'
import { client, mainQueue } from './client.ts'
import { isGone } from './pollers.ts'
import { signalRun, workflowIdOf } from './processes.ts'

const MOST = 5
/** Failed attempts of a stuck task: it will not succeed by itself. */
const FAILED_ATTEMPTS = 3

const RUNNING = proto.temporal.api.enums.v1.WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING

/** Replaces runs that cannot look. Leaves a mere backlog alone. */
export async function replaceStuck(processes: readonly Process[]): Promise<void> {
  let replaced = 0
  for (const process of processes) {
    if (replaced === MOST) return
    try {
      const reason = await whyStuck(process)
      if (!reason) continue
      await signalRun(process, { replace: true })
      replaced += 1
      log.warn({ workflow_id: workflowIdOf(process), reason }, 'a stuck run was replaced')
    } catch (error) {
      log.error({ err: error, workflow_id: workflowIdOf(process) }, 'a stuck run could not be replaced')
    }
  }
}

/** Tells why a run cannot look; undefined if it can, or has ended. */
export async function whyStuck(process: Process, gone = isGone): Promise<string | undefined> {
  const { workflowExecutionInfo: info, pendingWorkflowTask: task } =
    await client.workflowService.describeWorkflowExecution({
      namespace: config.temporalNamespace,
      execution: { workflowId: workflowIdOf(process) },
    })
  if (info?.status !== RUNNING || info.taskQueue !== mainQueue) return undefined
  const build = info.versioningInfo?.deploymentVersion?.buildId ?? undefined
  if (build !== undefined && gone(build)) return `nobody polls for its build ${build}`
  const attempt = task?.attempt ?? 0
  return attempt >= FAILED_ATTEMPTS ? `its task failed ${attempt - 1} times` : undefined
}
