/** Shared parts of the recorders of histories. */
import type { WorkflowHandle } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { test } from 'vitest'
import { PROCESSES } from '../../../domain/registries/flows.ts'
import { client } from '../../../temporal/client.ts'
import { type ScheduleName, scheduleId } from '../../../temporal/schedules.ts'
import { listStatements, owner } from '../database.ts'
import { runScheduled } from '../ledger/books.ts'
import { type History, keepHistory } from './recorded.ts'
import { eventually } from '../runs/runs.ts'
import { until } from '../until.ts'
import { requireListed } from '../../histories/scenes.ts'

export const runOf = (workflow: string, id: string): WorkflowHandle => client.workflow.getHandle(`${workflow}-${id}`)

export async function historyOf(run: WorkflowHandle): Promise<History> {
  return JSON.parse(historyToJSON(await run.fetchHistory())) as History // the shape that historyToJSON documents
}

/** Tables of rows that runs drive, with what these wait for. */
const DRIVEN = new Set([...Object.values(PROCESSES).map(({ table }) => table), 'approvals', 'partner_callbacks'])

/** Walks each path and stores the history of its latest run, or of the named one. */
export function recordPaths(paths: Readonly<Record<string, () => Promise<WorkflowHandle>>>): void {
  test.each(Object.entries(paths))('%s', async (name, walk) => {
    const statements = listStatements()
    const run = await walk()
    requireListed(name, statements, DRIVEN)
    const isOpen = () => owner`select from processes where workflow || '-' || id = ${run.workflowId}`
    await eventually(async () => (await isOpen()).length).toBe(0)
    const end = name.endsWith('continued-as-new') ? 'CONTINUED_AS_NEW' : 'COMPLETED'
    await eventually(async () => (await run.describe()).status.name).toBe(end)
    keepHistory(name, await historyOf(run))
  })
}

/** The run of a schedule that is done at once, when Temporal lists it. */
export async function scheduledRun(name: ScheduleName): Promise<WorkflowHandle> {
  await runScheduled(name)
  const query = `WorkflowId STARTS_WITH '${scheduleId(name)}' AND ExecutionStatus = 'Completed'`
  return until(`${name} to be listed`, async () => {
    for await (const { workflowId, runId } of client.workflow.list({ query }))
      return client.workflow.getHandle(workflowId, runId)
    return undefined
  })
}
