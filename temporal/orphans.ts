/** Orphans: open runs of rows at rest, as after a restore of Temporal. Signalled, then ended. */
import { WorkflowNotFoundError } from '@temporalio/common'
import { log } from '../platform/log.ts'
import { withoutProcess } from '../db/processes/processes.ts'
import { client, mainQueue } from './client.ts'
import { processOf } from './processes.ts'

export type OpenRun = { readonly runId: string; readonly id: string; readonly startedAt: Date }

/** Limits of a round; each signal costs a worker a look. */
const TOLD_MOST = 100
const ENDED_MOST = 20
const ASKED_AT_ONCE = 5000
/** Grace of a fresh run: its process may have ended since. */
const GRACE_MS = 60_000
/** Time between the signal and the end of an orphan. */
const PATIENCE_MS = 150_000

let told = new Map<string, number>()

/** Lists open runs by workflow id; Temporal's list lags by a moment. */
export async function listOpenRuns(): Promise<Map<string, OpenRun>> {
  const query = `ExecutionStatus = 'Running' AND TaskQueue = '${mainQueue}'`
  const runs = new Map<string, OpenRun>()
  for await (const { workflowId, runId, type, startTime } of client.workflow.list({ query })) {
    const id = processOf(type, workflowId)
    if (id) runs.set(workflowId, { runId, id, startedAt: startTime })
  }
  return runs
}

/**
 * Signals orphans, up to a hundred a round, and ends those that stay open for some rounds. For a change meanwhile there
 * is a process, and the sweep starts its run.
 */
export async function endOrphans(
  runs: ReadonlyMap<string, OpenRun>,
  { graceMs = GRACE_MS, patienceMs = PATIENCE_MS } = {},
): Promise<void> {
  const now = Date.now()
  const old = [...runs].filter(([, { startedAt }]) => now - startedAt.getTime() >= graceMs)
  const orphans = await keepOrphans(old)
  const known = new Set(orphans.map(([, { runId }]) => runId))
  told = new Map([...told].filter(([runId]) => known.has(runId)))
  const untold = orphans.filter(([, { runId }]) => !told.has(runId)).slice(0, TOLD_MOST)
  const deaf = orphans.filter(([, { runId }]) => now - (told.get(runId) ?? now) > patienceMs).slice(0, ENDED_MOST)
  for (const [workflowId, { runId }] of untold) {
    await unlessEnded(client.workflow.getHandle(workflowId, runId).signal('at_rest'))
    told.set(runId, now)
  }
  for (const [workflowId, { runId }] of deaf) {
    await unlessEnded(client.workflow.getHandle(workflowId, runId).terminate('its row is at rest, and it did not look'))
  }
  if (untold.length > 0) log.warn({ runs: untold.length }, 'runs of finished rows were open and were signalled')
  if (deaf.length > 0) log.warn({ runs: deaf.length }, 'runs of finished rows did not respond and were terminated')
}

type NamedRun = readonly [string, OpenRun]

async function keepOrphans(runs: readonly NamedRun[]): Promise<NamedRun[]> {
  const orphans: NamedRun[] = []
  for (let first = 0; first < runs.length; first += ASKED_AT_ONCE) {
    const page = runs.slice(first, first + ASKED_AT_ONCE)
    const absent = await withoutProcess(page.map(([, { id }]) => id))
    orphans.push(...page.filter(([, { id }]) => absent.has(id)))
  }
  return orphans
}

/** Ignores the failure of a run that has ended. */
async function unlessEnded(request: Promise<unknown>): Promise<void> {
  await request.catch((error: unknown) => {
    if (!(error instanceof WorkflowNotFoundError)) throw error
  })
}
