/** The payment workflow in its former form: one loop that interprets a table of states, and a look that acts. */
import {
  condition,
  proxyActivities,
  proxyLocalActivities,
  setDefaultSignalHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { FormerLocal, FormerSteps } from './former-activities.ts'
import type { PaymentRef } from './former-activities.ts'

const { lookAtPayment } = proxyLocalActivities<FormerLocal>({ startToCloseTimeout: '10 seconds' })

export async function payment(ref: PaymentRef): Promise<string> {
  const { pursuePayout } = proxyActivities<FormerSteps>({
    taskQueue: workflowInfo().taskQueue.replace(/main$/, 'partners'),
    startToCloseTimeout: '2 minutes',
  })
  let woken = false
  setDefaultSignalHandler(() => {
    woken = true
  })
  for (;;) {
    woken = false
    const row = await lookAtPayment(ref)
    if (row.again || woken) continue
    if (!row.driven) return row.status
    if (row.due_now) await pursuePayout(ref)
    else if (row.wait_seconds === null) await condition(() => woken)
    else await condition(() => woken, Math.max(Math.ceil(row.wait_seconds * 1000), 1))
  }
}
