/** How much is done at a time. */
import pLimit from 'p-limit'
import { refuse } from './model/errors.ts'

type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * A queue for heavy work off the event loop, so that a storm of it leaves the other requests alone. It runs each work
 * after all work before it, whatever became of that, and refuses `service_unavailable` while `max` of them are waiting
 * or running.
 */
export function queue(max: number, retryAfterSeconds: number): InTurn {
  const limit = pLimit(1)
  return async (work) => {
    const { activeCount, pendingCount } = limit
    if (activeCount + pendingCount >= max) refuse('service_unavailable', { retry_after_seconds: retryAfterSeconds })
    return limit(work)
  }
}

/**
 * Does the work for each of the items, in their order, for so many at once; after the first that fails none is begun.
 */
export async function inLanes<Item>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const limit = pLimit(atOnce)
  const attempt = async (item: Item) => {
    try {
      await work(item)
    } catch (error) {
      limit.clearQueue()
      throw error
    }
  }
  await limit.map(items, attempt)
}

/**
 * A queue as queue() makes it, which also refuses `rate_limited` while `each` works of the same caller are waiting or
 * running: nobody fills it for all others.
 */
export function queueOfMany(
  max: number,
  each: number,
  retryAfterSeconds: number,
): <Result>(caller: string, work: () => Promise<Result>) => Promise<Result> {
  const inTurn = queue(max, retryAfterSeconds)
  const counts = new Map<string, number>()
  const count = (caller: string, more: number) => {
    const now = (counts.get(caller) ?? 0) + more
    if (now > 0) counts.set(caller, now)
    else counts.delete(caller)
  }
  return async (caller, work) => {
    if ((counts.get(caller) ?? 0) >= each) refuse('rate_limited', { retry_after_seconds: retryAfterSeconds })
    count(caller, 1)
    try {
      return await inTurn(work)
    } finally {
      count(caller, -1)
    }
  }
}
