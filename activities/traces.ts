/** Spans of activities: each is linked to what caused the change that its run looks at. */
import { Context } from '@temporalio/activity'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import { causeOf } from '../db/processes/processes.ts'
import type { ProcessRef } from '../domain/process.ts'
import { inSpan, isTracing } from '../platform/traces.ts'

/** Runs each activity of a worker in a span. Only activities have one: workflows are replayed. */
export const traceInterceptor: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    async execute(input, next) {
      if (!isTracing()) return next(input)
      const { id, organizationId } = (input.args[0] ?? {}) as Partial<ProcessRef> // of processes; others have none
      const cause = id === undefined ? null : await causeOf(id).catch(() => null)
      const attributes = {
        workflow_id: info.workflowExecution?.workflowId ?? '',
        run_id: info.workflowExecution?.runId ?? '',
        attempt: info.attempt,
        ...(organizationId && { organization_id: organizationId }),
      }
      return inSpan(info.activityType, { kind: 'consumer', attributes, after: [cause] }, () => next(input))
    },
  },
})

/** Names the run of the present activity for log lines; nothing outside of activities. */
export function runFields(): { workflow_id?: string } {
  try {
    const { workflowExecution } = Context.current().info
    return workflowExecution ? { workflow_id: workflowExecution.workflowId } : {}
  } catch {
    return {} // Context.current() throws there
  }
}
