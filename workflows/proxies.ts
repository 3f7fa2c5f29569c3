/** The only place where a timeout, a retry policy or a task queue is written. */
import { proxyLocalActivities } from '@temporalio/workflow'
import type * as payments from '../activities/payments.ts'

/** Recording: our own SQL. Retried without limit, because Postgres away for a moment fails nothing; refusals are final. */
export const record = proxyLocalActivities<typeof payments>({
  startToCloseTimeout: '10 seconds',
  localRetryThreshold: '30 seconds',
  retry: { initialInterval: '100 milliseconds', maximumInterval: '5 seconds', backoffCoefficient: 2 },
})
