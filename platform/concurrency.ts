import pLimit from 'p-limit'
import { refuse } from '../domain/errors.ts'

type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Makes a queue of one work at a time. Refuses `service_unavailable` while `max` are waiting or running. */
export function queue(max: number, retryAfterSeconds: number): InTurn {
  const inTurn = queueOfMany({ max, each: {} }, retryAfterSeconds)
  return (work) => inTurn({}, work)
}

/** Works on items in order, `atOnce` at a time; starts none after a failure. */
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

type Places<Kind extends string> = { readonly max: number; readonly each: Readonly<Record<Kind, number>> }
type Callers<Kind extends string> = Readonly<Partial<Record<Kind, string>>>

/**
 * Makes a queue of one work at a time, round-robin by the first kind of its callers. Refuses `rate_limited` above a
 * caller's limit, `service_unavailable` above `max`.
 */
export function queueOfMany<Kind extends string>(
  { max, each }: Places<Kind>,
  retryAfterSeconds: number,
): <Result>(callers: Callers<Kind>, work: () => Promise<Result>) => Promise<Result> {
  const limit = pLimit(1)
  const over = { retry_after_seconds: retryAfterSeconds }
  const counts = new Counts()
  const waiting = new Map<string, (() => Promise<void>)[]>()
  /** Runs the first work of the next caller, who then goes to the end. */
  const runNext = async () => {
    const [[caller, works] = ['', []]] = waiting
    const [next, ...later] = works
    waiting.delete(caller)
    if (later.length > 0) waiting.set(caller, later)
    await next?.()
  }
  return async (callers, work) => {
    const named = Object.entries(callers) as [Kind, string | undefined][] // its keys are kinds
    const own = named.flatMap(([kind, id]) => (id === undefined ? [] : [{ key: `${kind} ${id}`, most: each[kind] }]))
    if (own.some(({ key, most }) => counts.of(key) >= most)) refuse('rate_limited', over)
    if (limit.activeCount + limit.pendingCount >= max) refuse('service_unavailable', over)
    for (const { key } of own) counts.add(key, 1)
    try {
      return await new Promise((resolve, reject) => {
        const turn = own[0]?.key ?? ''
        const run = async () => {
          try {
            resolve(await work())
          } catch (error) {
            reject(error)
          }
        }
        waiting.set(turn, [...(waiting.get(turn) ?? []), run])
        void limit(runNext)
      })
    } finally {
      for (const { key } of own) counts.add(key, -1)
    }
  }
}

/** Makes a bulkhead: refuses `rate_limited` while `each` works of the same key are running. */
export function bulkhead(
  each: number,
  retryAfterSeconds: number,
): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  const counts = new Counts()
  return async (key, work) => {
    if (counts.of(key) >= each) refuse('rate_limited', { retry_after_seconds: retryAfterSeconds })
    counts.add(key, 1)
    try {
      return await work()
    } finally {
      counts.add(key, -1)
    }
  }
}

/** Counts by key; a zero takes no memory. */
class Counts {
  readonly #numbers = new Map<string, number>()

  of(key: string): number {
    return this.#numbers.get(key) ?? 0
  }

  add(key: string, more: number): void {
    const now = this.of(key) + more
    if (now > 0) this.#numbers.set(key, now)
    else this.#numbers.delete(key)
  }
}
