/** Bulkhead: limits how many slow activities run at once, so that fast ones always get a slot. */

import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'

/** Makes a limit of concurrent calls in this process; without a free slot the activity is repeated after a while. */
export function activityBulkhead(
  most: number,
  { guests, againMs }: { readonly guests: string; readonly againMs: number },
) {
  let underWay = 0
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (underWay >= most) {
      throw ApplicationFailure.create({
        message: `${guests} have all their places`,
        nextRetryDelay: againMs * (1 + Math.random()), // jitter
        category: ApplicationFailureCategory.BENIGN, // no incident: no warning in log or metrics
      })
    }
    underWay += 1
    try {
      return await work()
    } finally {
      underWay -= 1
    }
  }
}
