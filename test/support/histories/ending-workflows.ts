/** A payment workflow of a broken build: its runs end as failed. */
import { ApplicationFailure } from '@temporalio/workflow'

export async function payment(): Promise<void> {
  throw ApplicationFailure.nonRetryable('this code gives up')
}
