/** What the payment workflow might have been in another release: its history fits the present code nowhere. */
import { sleep } from '@temporalio/workflow'

export async function payment(): Promise<void> {
  await sleep('1 day')
}
