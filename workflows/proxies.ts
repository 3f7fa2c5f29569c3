/** All timeouts, retry policies and task queues of activities. */
import { type ActivityOptions, proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow'
import type * as registry from '../activities/index.ts'

/** Proxies our own SQL, without a limit of retries, because Postgres may be away; refusals are final. */
export const record = proxyLocalActivities<typeof registry.main>({
  startToCloseTimeout: '10 seconds',
  localRetryThreshold: '30 seconds',
  retry: { initialInterval: '100 milliseconds', maximumInterval: '5 seconds', backoffCoefficient: 2 },
})

/** Proxies a queue. The heartbeat reveals a dead worker within seconds, so a slow step may be slow. */
const on = <Activities>(queue: 'partners' | 'heavy' | 'bills' | 'webhooks', options: ActivityOptions) =>
  proxyActivities<Activities>({
    taskQueue: workflowInfo().taskQueue.replace(/main$/, queue),
    heartbeatTimeout: '10 seconds',
    ...options,
  })

const outside = (options: ActivityOptions) => on<typeof registry.partners>('partners', options)

/** Proxies partner steps, at most five minutes each so that a cancellation is heard; the loop retries. */
export const partner = () =>
  outside({
    startToCloseTimeout: '2 minutes',
    scheduleToCloseTimeout: '5 minutes',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '30 seconds', backoffCoefficient: 2 },
  })

/** Proxies mailing. A server may take ten minutes; a repeat would be a second mail (RFC 5321, 4.5.3.2.6). */
export const mailing = () =>
  outside({
    startToCloseTimeout: '15 minutes',
    scheduleToCloseTimeout: '1 hour',
    retry: { initialInterval: '1 second', maximumInterval: '5 minutes', backoffCoefficient: 2 },
  })

/** Proxies scheduled work, which no run waits for. Its priority stands here: a schedule cannot give its runs one. */
export const scheduledProxy = () =>
  outside({
    priority: { priorityKey: 5 },
    startToCloseTimeout: '15 minutes',
    scheduleToCloseTimeout: '24 hours',
    retry: { initialInterval: '1 second', maximumInterval: '5 minutes', backoffCoefficient: 2 },
  })

/** Proxies rounds of deliveries, at most half a minute each; the loop retries. */
export const delivering = () =>
  on<typeof registry.webhooks>('webhooks', {
    startToCloseTimeout: '1 minute',
    scheduleToCloseTimeout: '5 minutes',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '30 seconds', backoffCoefficient: 2 },
  })

/** Long tries: five minutes, and as long in the queue; restarted soon if the worker dies. */
const LONG: ActivityOptions = {
  startToCloseTimeout: '5 minutes',
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute', backoffCoefficient: 2 },
}

export const heavy = () => on<typeof registry.heavy>('heavy', LONG)

/** Proxies reading of bills. Bulkhead: users' files may be hostile and slow, and no other work waits behind them. */
export const bills = () => on<typeof registry.bills>('bills', LONG)
