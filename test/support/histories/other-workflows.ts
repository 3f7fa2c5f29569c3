/** What the payment workflow might have been in another release: its history fits the present code nowhere. */
import { proxyLocalActivities, sleep } from '@temporalio/workflow'
import type { main } from '../../../activities/index.ts'
import type { ProcessRef } from '../../../domain/process.ts'

const { lookAtPayment } = proxyLocalActivities<typeof main>({ startToCloseTimeout: '10 seconds' })

export async function payment(ref: ProcessRef): Promise<void> {
  await sleep('1 millisecond')
  await lookAtPayment(ref)
  await sleep('1 day')
}
