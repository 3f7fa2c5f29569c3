/** Whether every row that something must happen to has its workflow: what the reconciler heals, seen by the audit. */
import { Client, Connection } from '@temporalio/client'
import { WorkflowNotFoundError } from '@temporalio/common'
import { config } from '../db/config.ts'
import { drivenRows } from '../db/deadlines.ts'
import { type Finding, SETTLING_MINUTES } from '../db/model/audit.ts'
import { contactFlow } from '../db/model/contact-flow.ts'
import { depositFlow } from '../db/model/deposit-flow.ts'
import { type Flow, workflowId } from '../db/model/flow.ts'
import { invitationFlow } from '../db/model/invitation-flow.ts'
import { paymentFlow } from '../db/model/payment-flow.ts'
import { receivingAccountFlow } from '../db/model/receiving-account-flow.ts'
import { swapFlow } from '../db/model/swap-flow.ts'

/** Whose driven rows have a workflow each: the machines of `PROCESSES` (api/processes.ts), as test/rules.test.ts checks. */
export const MACHINES: readonly Flow[] = [
  paymentFlow,
  contactFlow,
  invitationFlow,
  depositFlow,
  swapFlow,
  receivingAccountFlow,
]
const MISSING_MAX = 1000

/** Rows that nobody touched for ten minutes and that no workflow runs for: the reconciler had ten turns to start one. */
export async function missingRuns(): Promise<Finding[]> {
  const connection = await Connection.connect({ address: config.temporalAddress })
  try {
    const client = new Client({ connection, namespace: config.temporalNamespace })
    const running = await runningIds(client)
    const missing: Finding[] = []
    for (const machine of MACHINES) {
      for await (const { id } of drivenRows(machine, SETTLING_MINUTES * 60)) {
        const run = workflowId(machine, id)
        // a list of runs is behind what runs by a moment
        if (running.has(run) || (await isRunning(client, run))) continue
        missing.push({ check: 'no_workflow', subject: run })
        if (missing.length === MISSING_MAX) return missing
      }
    }
    return missing
  } finally {
    await connection.close()
  }
}

async function runningIds(client: Client): Promise<Set<string>> {
  const query = `ExecutionStatus = 'Running' AND TaskQueue = '${config.taskQueuePrefix}main'`
  const ids = new Set<string>()
  for await (const run of client.workflow.list({ query })) ids.add(run.workflowId)
  return ids
}

async function isRunning(client: Client, id: string): Promise<boolean> {
  try {
    return (await client.workflow.getHandle(id).describe()).status.name === 'RUNNING'
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false
    throw error
  }
}
