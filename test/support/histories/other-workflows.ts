/** A payment workflow of another release, whose history never fits the present code. */
import { proxyLocalActivities, sleep } from '@temporalio/workflow'
import type { main } from '../../../activities/index.ts'
import type { PaymentId } from '../../../domain/ids.ts'
import type { ProcessRef } from '../../../domain/process.ts'

const { viewPayment } = proxyLocalActivities<typeof main>({ startToCloseTimeout: '10 seconds' })

export async function payment(ref: ProcessRef<PaymentId>): Promise<void> {
  await sleep('1 millisecond')
  await viewPayment(ref)
  await sleep('1 day')
}
