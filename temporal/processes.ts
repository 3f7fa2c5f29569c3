import { type Workflow, defineSearchAttributeKey } from '@temporalio/common'
import { type Flow, isDriven } from '../domain/flow.ts'
import { PROCESSES } from '../domain/registries/flows.ts'
import { isUuid } from '../domain/ids.ts'
import { PARTNER_CALLED, type ProcessRef } from '../domain/process.ts'
import type { Process } from '../db/postgres/wakes.ts'
import { type SpanOptions, inSpan } from '../platform/traces.ts'
import type * as workflows from '../workflows/index.ts'
import { client, grpcError, mainQueue } from './client.ts'
import { priorityOf } from './priorities.ts'

const WORKFLOW_TASK_TIMEOUT_MS = 5000

// Object.entries of a constant gives exactly its keys
const processes = Object.entries(PROCESSES) as [keyof typeof PROCESSES, Flow][]

function kindOf(workflow: string): {
  readonly type: keyof typeof PROCESSES & keyof typeof workflows
  readonly flow: Flow
} {
  const found = processes.find(([, flow]) => flow.workflow === workflow)
  if (!found) throw new Error(`there is no process ${workflow}`)
  const [type, flow] = found
  return { type, flow }
}

export const workflowIdOf = ({ workflow, id }: Pick<Process, 'workflow' | 'id'>): string => `${workflow}-${id}`

/** Reads the row id from a run's type and workflow id; undefined if it drives no row. */
export function processOf(type: string, workflowId: string): string | undefined {
  const prefix = `${processes.find(([name]) => name === type)?.[1].workflow}-`
  const id = workflowId.slice(prefix.length)
  return workflowId.startsWith(prefix) && isUuid(id) ? id : undefined
}

export const waitsForPeople = ({ workflow, status }: Process): boolean =>
  status !== null && kindOf(workflow).flow.asksPeople.includes(status)

/** Tells whether the run has only to end. A callback causes a poll all the same. */
export const isAtRest = ({ workflow, status, why }: Process): boolean =>
  status !== null && why !== PARTNER_CALLED && !isDriven(kindOf(workflow).flow, status)

const OrganizationKey = defineSearchAttributeKey('OrganizationId', 'KEYWORD')
const StatusKey = defineSearchAttributeKey('BusinessStatus', 'KEYWORD')
const RailKey = defineSearchAttributeKey('Rail', 'KEYWORD')

/**
 * Signals the run of a process, and starts it if none runs. `replace` ends the previous run, which is safe in every
 * state; a run with too many signals is replaced, too. Fails if Temporal is away or slow.
 */
export async function signalRun(process: Process, { replace = false } = {}): Promise<void> {
  await inSpan(`signal ${process.workflow}`, signalSpan(process), async () => {
    try {
      await signalOrStart(process, replace)
    } catch (error) {
      if (replace || !isFull(error)) throw error
      await signalOrStart(process, true)
    }
  })
}

const signalSpan = (process: Process): SpanOptions => ({
  kind: 'producer',
  attributes: { workflow_id: workflowIdOf(process), why: process.why },
  after: [process.traceparent],
})

/** Tells whether a run has its 10,000 signals, the server's limit. */
const isFull = (error: unknown): boolean => String(grpcError(error).message).includes('limit for signal')

async function signalOrStart(process: Process, replace: boolean): Promise<void> {
  const { type, flow } = kindOf(process.workflow)
  const { id, organization_id: organizationId, ref, rail, status, why } = process
  const args: [ProcessRef] = [{ organizationId, id, ...ref }]
  await client.workflow.signalWithStart<Workflow>(type, {
    workflowId: workflowIdOf(process),
    taskQueue: mainQueue,
    args,
    signal: why,
    signalArgs: [],
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
    staticSummary: flow.summary(process),
    priority: priorityOf(type, organizationId),
    typedSearchAttributes: [
      ...(organizationId ? [{ key: OrganizationKey, value: organizationId }] : []),
      ...(status ? [{ key: StatusKey, value: status }] : []),
      ...(rail ? [{ key: RailKey, value: rail }] : []),
    ],
    workflowIdConflictPolicy: replace ? 'TERMINATE_EXISTING' : 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  })
}
