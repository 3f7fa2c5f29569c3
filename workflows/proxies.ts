/** The only place where a timeout, a retry policy or a task queue is written. */
import { proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow'
import type * as registry from '../activities/index.ts'

/** Recording: our own SQL. Retried without limit, because Postgres away for a moment fails nothing; refusals are final. */
export const record = proxyLocalActivities<typeof registry.main>({
  startToCloseTimeout: '10 seconds',
  localRetryThreshold: '30 seconds',
  retry: { initialInterval: '100 milliseconds', maximumInterval: '5 seconds', backoffCoefficient: 2 },
})

/**
 * The outside, on a queue of its own. Slow is not dead: a partner may take its time as long as the worker is heard of,
 * which says within seconds that it died. One that is away is asked again for a day.
 */
export const partner = () =>
  proxyActivities<typeof registry.partners>({
    taskQueue: workflowInfo().taskQueue.replace(/main$/, 'partners'),
    startToCloseTimeout: '15 minutes',
    heartbeatTimeout: '10 seconds',
    scheduleToCloseTimeout: '24 hours',
    retry: { initialInterval: '1 second', maximumInterval: '5 minutes', backoffCoefficient: 2 },
  })

/**
 * A question to a partner who can be asked as often as one likes, for so many seconds; whoever asked decides what no clear
 * answer means.
 */
export const asking = (patienceSeconds: number) =>
  proxyActivities<typeof registry.partners>({
    taskQueue: workflowInfo().taskQueue.replace(/main$/, 'partners'),
    startToCloseTimeout: '1 minute',
    heartbeatTimeout: '10 seconds',
    scheduleToCloseTimeout: patienceSeconds * 1000,
    retry: { initialInterval: '200 milliseconds', maximumInterval: '30 seconds', backoffCoefficient: 2 },
  })
