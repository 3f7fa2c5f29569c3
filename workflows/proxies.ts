/** The only place where a timeout, a retry policy or a task queue is written. */
import { type ActivityOptions, proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow'
import type * as registry from '../activities/index.ts'

/** Looks: our own SQL. Retried without limit, because Postgres away for a moment fails nothing; refusals are final. */
export const record = proxyLocalActivities<typeof registry.main>({
  startToCloseTimeout: '10 seconds',
  localRetryThreshold: '30 seconds',
  retry: { initialInterval: '100 milliseconds', maximumInterval: '5 seconds', backoffCoefficient: 2 },
})

/** On a queue of its own. Slow is not dead: the worker says within seconds that it died. */
const on = <Activities>(queue: 'partners' | 'heavy' | 'bills' | 'webhooks', options: ActivityOptions) =>
  proxyActivities<Activities>({
    taskQueue: workflowInfo().taskQueue.replace(/main$/, queue),
    heartbeatTimeout: '10 seconds',
    ...options,
  })

/** The outside. */
const outside = (options: ActivityOptions) => on<typeof registry.partners>('partners', options)

/**
 * A step at a partner that a loop waits for: it never takes longer than five minutes, so that a cancellation is heard.
 * What the step cannot tell it records by itself; the loop is the repeat of everything else.
 */
export const partner = () =>
  outside({
    startToCloseTimeout: '2 minutes',
    scheduleToCloseTimeout: '5 minutes',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '30 seconds', backoffCoefficient: 2 },
  })

/**
 * A mail server may take ten minutes to answer (RFC 5321, 4.5.3.2.6), and gets the mail twice if it is not waited for.
 */
export const mailing = () =>
  outside({
    startToCloseTimeout: '15 minutes',
    scheduleToCloseTimeout: '1 hour',
    retry: { initialInterval: '1 second', maximumInterval: '5 minutes', backoffCoefficient: 2 },
  })

/** What the clock starts, and nobody waits for. */
export const scheduled = () =>
  outside({
    startToCloseTimeout: '15 minutes',
    scheduleToCloseTimeout: '24 hours',
    retry: { initialInterval: '1 second', maximumInterval: '5 minutes', backoffCoefficient: 2 },
  })

/** Rounds of deliveries to an endpoint, which end within half a minute; the loop is the repeat. */
export const delivering = () =>
  on<typeof registry.webhooks>('webhooks', {
    startToCloseTimeout: '1 minute',
    scheduleToCloseTimeout: '5 minutes',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '30 seconds', backoffCoefficient: 2 },
  })

/**
 * What takes long: one try has five minutes, and waits for its turn as long. Another one begins anew within seconds if
 * the worker died; the loop is the repeat of everything else.
 */
const LONG: ActivityOptions = {
  startToCloseTimeout: '5 minutes',
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute', backoffCoefficient: 2 },
}

/** Exports, imports and documents of our own. */
export const heavy = () => on<typeof registry.heavy>('heavy', LONG)

/** Files of strangers, which may be made to cost as much as they can: nothing else waits behind them. */
export const bills = () => on<typeof registry.bills>('bills', LONG)
