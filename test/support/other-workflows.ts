/** What the payment workflow might have been in another release: its history fits the present code nowhere. */
import { proxyLocalActivities, sleep } from '@temporalio/workflow'
import type * as looks from '../../activities/looks.ts'
import type { ProcessRef } from '../../db/model/process.ts'

const { lookAtPayment } = proxyLocalActivities<typeof looks>({ startToCloseTimeout: '10 seconds' })

export async function payment(ref: ProcessRef): Promise<void> {
  await sleep('1 millisecond')
  await lookAtPayment(ref)
  await sleep('1 day')
}
