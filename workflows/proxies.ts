/** All timeouts, retry policies and task queues of activities. */
import { type ActivityOptions, proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow'
import type * as registry from '../activities/index.ts'
import type { ConnectionName } from '../domain/partner.ts'
import type { Channel } from '../domain/messages/message.ts'

/** Proxies our own SQL, without a limit of retries, because Postgres may be away; refusals are final. */
export const record = proxyLocalActivities<typeof registry.main>({
  startToCloseTimeout: '10 seconds',
  localRetryThreshold: '30 seconds',
  retry: { initialInterval: '100 milliseconds', maximumInterval: '5 seconds', backoffCoefficient: 2 },
})

/** Proxies a queue. The heartbeat reveals a dead worker within seconds, so a slow step may be slow. */
const on = <Name extends Exclude<keyof typeof registry, 'main'>>(
  name: Name,
  options: ActivityOptions,
  queue: string = name,
) =>
  proxyActivities<(typeof registry)[Name]>({
    taskQueue: workflowInfo().taskQueue.replace(/main$/, queue),
    heartbeatTimeout: '10 seconds',
    ...options,
  })

/** Partner steps: at most five minutes each so that a cancellation is heard; the loop retries. */
const STEP: ActivityOptions = {
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '5 minutes',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '30 seconds', backoffCoefficient: 2 },
}

/** Proxies pages of our own rows. */
export const rows = () => on('rows', STEP)

/** Proxies the connection that moves the money of a row: each has a queue of its name. Old histories name none. */
export const mover = ({ partner }: { readonly partner?: ConnectionName | null }) => on('bank', STEP, partner ?? 'bank')

export const ratesDesk = () => on('rates', STEP)
/** Proxies the connection that compares a name with lists. */
export const screeningAt = ({ partner }: { readonly partner: ConnectionName }) => on('screening', STEP, partner)

export const accounting = () => on('accounting', STEP)

/** Proxies mailing. A server may take ten minutes; a repeat would be a second mail (RFC 5321, 4.5.3.2.6). */
export const mailing = ({ channel }: { readonly channel: Channel }) =>
  on(channel === 'message' ? 'messenger' : 'mail', {
    startToCloseTimeout: '15 minutes',
    scheduleToCloseTimeout: '1 hour',
    retry: { initialInterval: '1 second', maximumInterval: '5 minutes', backoffCoefficient: 2 },
  })

/** Proxies scheduled work, which no run waits for. Its priority stands here: a schedule cannot give its runs one. */
const SCHEDULED: ActivityOptions = {
  priority: { priorityKey: 5 },
  startToCloseTimeout: '15 minutes',
  scheduleToCloseTimeout: '24 hours',
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes', backoffCoefficient: 2 },
}
export const scheduleOn = <Name extends 'rows'>(queue: Name) => on<Name>(queue, SCHEDULED)

/** Proxies the reading of lists of sanctions, as of all files of strangers. */
export const filesOfLists = () => on('bills', SCHEDULED)

/** Proxies the reading of the lists of a connection. */
export const reconcileAt = (name: ConnectionName) => on('bank', SCHEDULED, name)

/** Proxies the questions of a proof to a connection: one that stays silent is left out of it. */
export const proveAt = (name: ConnectionName) =>
  on('bank', { ...SCHEDULED, startToCloseTimeout: '5 minutes', scheduleToCloseTimeout: '10 minutes' }, name)

/** Proxies visits to the folder of a bank: one that is away is visited again by the next run. */
export const visitAt = (name: ConnectionName) =>
  on('bank', { ...SCHEDULED, startToCloseTimeout: '2 minutes', scheduleToCloseTimeout: '5 minutes' }, name)

/** Proxies rounds of deliveries, at most half a minute each; the loop retries. */
export const delivering = () => on('webhooks', { ...STEP, startToCloseTimeout: '1 minute' })

/** Long tries: five minutes, and as long in the queue; restarted soon if the worker dies. */
const LONG: ActivityOptions = {
  startToCloseTimeout: '5 minutes',
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute', backoffCoefficient: 2 },
}

export const heavy = () => on('heavy', LONG)

/** Proxies reading of bills. Bulkhead: users' files may be hostile and slow, and no other work waits behind them. */
export const bills = () => on('bills', LONG)

/** Proxies the language model: a slow one keeps no file from being read. */
export const languageModel = () => on('model', LONG)
