/** What is missing is started again: every driven row has a running workflow, whatever happened to Temporal. */
import { readOffset } from './db/clock.ts'
import { config } from './db/config.ts'
import {
  compactApprovalCounts,
  drivenRows,
  extendEventChain,
  forgetApprovalWaits,
  queuedMessages,
  withReconcilerLock,
} from './db/deadlines.ts'
import { clearAway } from './db/housekeeping.ts'
import { log } from './db/log.ts'
import { followQueuedMessages } from './db/messages.ts'
import { workflowId } from './db/model/flow.ts'
import { messageFlow } from './db/model/message-flow.ts'
import { resealAll } from './db/resealing.ts'
import { tellOpenCallbacks } from './api/callbacks.ts'
import { signalDue } from './api/due.ts'
import { PROCESSES, startDelivery, startProcess } from './api/processes.ts'
import { askToLook, client } from './api/temporal.ts'

const EVERY_MS = 60_000
const UNTOUCHED_SECONDS = 60
const CHAIN_BATCH = 1000
const HOUSEKEEPING_EVERY_MS = 3_600_000

/** Reconciles at once and then every minute, until it is stopped. */
export function startReconciler(): { stop: () => Promise<void> } {
  let stopped = false
  let wake = () => {}
  const finished = (async () => {
    while (!stopped) {
      await reconcile().catch((error: unknown) => log.error({ err: error }, 'reconciler failed'))
      if (stopped) return
      await new Promise<void>((resume) => {
        const timer = setTimeout(resume, EVERY_MS)
        wake = () => {
          clearTimeout(timer)
          resume()
        }
      })
    }
  })()
  return {
    stop() {
      stopped = true
      wake()
      return finished
    },
  }
}

/**
 * Starts the delivery of each mail as it is queued, and at once of those that were queued while nobody listened. What is
 * missed all the same, the reconciler finds.
 */
export function startDeliveries(): Promise<{ stop: () => Promise<void> }> {
  const failed = (error: unknown) => log.warn({ err: error }, 'a delivery could not be started; the reconciler will')
  return followQueuedMessages(
    (id) => void startDelivery(id).catch(failed),
    () => void startMissingDeliveries(0).catch(failed),
  )
}

/**
 * Starts the workflow of each driven row that nobody touched for a while and that does not run; returns how many. One that
 * runs while its row waits for nobody, or for nothing any more, is made to look at it. What partners said and nobody was
 * told is told. Once an hour, what is over is cleared away.
 */
export async function reconcile(untouchedSeconds = UNTOUCHED_SECONDS): Promise<number> {
  let started = 0
  await withReconcilerLock(async () => {
    for (const process of PROCESSES) started += await startMissing(process, untouchedSeconds)
    started += await startMissingDeliveries(untouchedSeconds)
    await tellOpenCallbacks(untouchedSeconds)
    await signalDue(await readOffset(), true)
    await compactApprovalCounts()
    while ((await extendEventChain(CHAIN_BATCH)) === CHAIN_BATCH);
    await keepHouse()
  })
  return started
}

async function startMissing({ machine, type }: (typeof PROCESSES)[number], untouchedSeconds: number): Promise<number> {
  let started = 0
  const running = await runs(type)
  for await (const row of drivenRows(machine, untouchedSeconds)) {
    const id = workflowId(machine, row.id)
    if (machine.waiting.includes(row.status) && running.delete(id)) continue // as it should be
    if (running.has(id)) continue
    await startProcess(machine, row)
    log.warn({ [`${machine.noun}_id`]: row.id, status: row.status }, 'workflow was missing and is started again')
    started += 1
  }
  const young = Date.now() - untouchedSeconds * 1000
  await askToLook([...running].filter(([, startedAt]) => startedAt.getTime() <= young).map(([id]) => id))
  return started
}

async function startMissingDeliveries(untouchedSeconds: number): Promise<number> {
  let started = 0
  let running: Map<string, Date> | undefined
  for await (const id of queuedMessages(untouchedSeconds)) {
    running ??= await runs('delivery') // mostly nothing is queued, and nobody is asked
    if (running.has(workflowId(messageFlow, id))) continue
    await startDelivery(id)
    log.info({ message_id: id }, 'delivery was missing and is started')
    started += 1
  }
  return started
}

/** Workflow ids of the runs of one type that go on, with the time each started. */
async function runs(type: string): Promise<Map<string, Date>> {
  const running = new Map<string, Date>()
  const query = `WorkflowType = '${type}' AND ExecutionStatus = 'Running' AND TaskQueue = '${config.taskQueuePrefix}main'`
  for await (const run of client.workflow.list({ query })) running.set(run.workflowId, run.startTime)
  return running
}

let keptHouseAt = 0

async function keepHouse(): Promise<void> {
  if (Date.now() - keptHouseAt < HOUSEKEEPING_EVERY_MS) return
  keptHouseAt = Date.now()
  const rows = (await clearAway()) + (await forgetApprovalWaits())
  if (rows > 0) log.info({ rows }, 'cleared away what is over')
  const resealed = await resealAll()
  if (resealed > 0)
    log.info({ resealed }, 'authenticators, destinations and travel rules are sealed with the first key now')
}
