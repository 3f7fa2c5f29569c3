/** Record of calls to others: a span, and a line of the access log, by which a call can be followed. */
import { Context } from '@temporalio/activity'
import { config } from '../platform/config.ts'
import { accessLog, log } from '../platform/log.ts'
import { inSpan, traceparent } from '../platform/traces.ts'

type Call = {
  /** Partner, or what kind of address it is. */
  readonly partner: string
  /** Queues of the activities that may call it. */
  readonly queues: readonly string[]
  readonly method: string
  /** Path; its query is left out. */
  readonly path: string
}

/** Runs a call in a span of its own, and logs its status and duration. */
export function inCall<Answer extends { readonly status?: number }>(
  { partner, queues, method, path }: Call,
  exchange: () => Promise<Answer>,
): Promise<Answer> {
  checkQueue(partner, queues)
  const named = { partner, method, path: path.split('?', 1)[0] ?? path }
  return inSpan(`${partner} ${method}`, { kind: 'client', attributes: named }, async (span) => {
    const startedAt = performance.now()
    const note = (outcome: { status?: number; failed?: true }) =>
      accessLog.info({ ...named, ...outcome, ms: Math.round(performance.now() - startedAt) }, 'partner call')
    try {
      const answer = await exchange()
      const { status } = answer
      if (status !== undefined) span?.span.setAttribute('http.response.status_code', status)
      note(status === undefined ? { failed: true } : { status })
      return answer
    } catch (error) {
      note({ failed: true })
      throw error
    }
  })
}

/** Reports a call by an activity of another queue: a slow partner would hold slots of others. */
function checkQueue(partner: string, queues: readonly string[]): void {
  const queue = presentQueue()
  if (queue === undefined || queues.includes(queue)) return
  if (!config.live) throw new Error(`an activity of the queue ${queue} calls the ${partner}`)
  log.error({ queue, partner }, 'an activity calls the partner of another queue')
}

/** Names the queue of the present activity; undefined outside of activities. */
function presentQueue(): string | undefined {
  try {
    const queue = Context.current().info.taskQueue.slice(config.taskQueuePrefix.length)
    return config.queues.has(queue) ? queue : undefined
  } catch {
    return undefined // Context.current() throws there
  }
}

/** Names the span of a call to its partner (W3C Trace Context); nothing while traces are off. */
export function traceHeader(): { traceparent?: string } {
  const name = traceparent()
  return name ? { traceparent: name } : {}
}
