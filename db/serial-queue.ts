/** Heavy work off the event loop, one at a time: a storm of it leaves the other requests alone. */
import { refuse } from './model/errors.ts'

type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * A queue of its own. It runs each work after all work before it, whatever became of that, and refuses
 * `service_unavailable` while `max` of them are waiting or running.
 */
export function queue(max: number, retryAfterSeconds: number): InTurn {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  return async (work) => {
    if (waiting >= max) refuse('service_unavailable', { retry_after_seconds: retryAfterSeconds })
    waiting += 1
    const done = last.then(work).finally(() => (waiting -= 1))
    last = done.catch(() => {}) // the next in the queue does not care; the caller of this one does
    return done
  }
}
