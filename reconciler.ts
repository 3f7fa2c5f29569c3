/** What is missing is started again: every driven row has a running workflow, whatever happened to Temporal. */
import { readOffset } from './db/clock.ts'
import { config } from './db/config.ts'
import { drivenPayments, duePayments, extendEventChain, withReconcilerLock } from './db/deadlines.ts'
import { log } from './db/log.ts'
import { workflowId } from './db/model/flow.ts'
import { paymentFlow } from './db/model/payment-flow.ts'
import type { payment } from './workflows/payment.ts'
import { askToLook, client, paymentOptions, signalClock } from './api/temporal.ts'

const EVERY_MS = 60_000
const UNTOUCHED_SECONDS = 60
const CHAIN_BATCH = 1000

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
 * Starts the workflow of each driven row that nobody touched for a while and that does not run; returns how many. One
 * that runs while its row waits for nobody, or for nothing any more, is made to look at it.
 */
export async function reconcile(untouchedSeconds = UNTOUCHED_SECONDS): Promise<number> {
  let started = 0
  await withReconcilerLock(async () => {
    const running = await runningPayments()
    for await (const row of drivenPayments(untouchedSeconds)) {
      const id = workflowId(paymentFlow, row.id)
      if (row.status === 'awaiting_approval' && running.delete(id)) continue // as it should be
      if (running.has(id)) continue
      const ref = { organizationId: row.organization_id, paymentId: row.id }
      await client.workflow.start<typeof payment>('payment', {
        ...paymentOptions(ref, { rail: row.rail, status: row.status }),
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      })
      log.warn({ payment_id: row.id, status: row.status }, 'workflow was missing and is started again')
      started += 1
    }
    const young = Date.now() - untouchedSeconds * 1000
    await askToLook([...running].filter(([, startedAt]) => startedAt.getTime() <= young).map(([id]) => id))
    const due = await duePayments()
    await signalClock(
      due.map((id) => workflowId(paymentFlow, id)),
      await readOffset(),
    )
    while ((await extendEventChain(CHAIN_BATCH)) === CHAIN_BATCH);
  })
  return started
}

/** Workflow ids of the payments that run, with the time each started. */
async function runningPayments(): Promise<Map<string, Date>> {
  const running = new Map<string, Date>()
  const query = `WorkflowType = 'payment' AND ExecutionStatus = 'Running' AND TaskQueue = '${config.taskQueuePrefix}main'`
  for await (const run of client.workflow.list({ query })) running.set(run.workflowId, run.startTime)
  return running
}
