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
 * Makes a queue, round-robin by the first kind of its callers: of one work at a time, or in lanes that it shares.
 * Refuses `rate_limited` above a caller's limit, `service_unavailable` above `max`.
 */
export function queueOfMany<Kind extends string>(
  { max, each }: Places<Kind>,
  retryAfterSeconds: number,
  lanes = new FairLanes(1),
): <Result>(callers: Callers<Kind>, work: () => Promise<Result>) => Promise<Result> {
  const over = { retry_after_seconds: retryAfterSeconds }
  const counts = new Counts()
  let all = 0
  return async (callers, work) => {
    const named = Object.entries(callers) as [Kind, string | undefined][] // its keys are kinds
    const own = named.flatMap(([kind, id]) => (id === undefined ? [] : [{ key: `${kind} ${id}`, most: each[kind] }]))
    if (own.some(({ key, most }) => counts.of(key) >= most)) refuse('rate_limited', over)
    if (all >= max) refuse('service_unavailable', over)
    const keys = own.map(({ key }) => key)
    all += 1
    for (const key of keys) counts.add(key, 1)
    try {
      return await lanes.run(keys, work)
    } finally {
      all -= 1
      for (const key of keys) counts.add(key, -1)
    }
  }
}

type Waiter = { readonly keys: readonly string[]; readonly begin: () => void }

/** Lanes of works: one at a time of each caller, callers in turn, so that a flood delays itself alone. */
export class FairLanes {
  readonly #busy = new Counts()
  /** Works by the first key of their callers, who has waited longest first. */
  readonly #waiting = new Map<string, Waiter[]>()
  #free: number

  constructor(count: number) {
    this.#free = count
  }

  /** Runs a work in a lane of its own, once no other work of its callers runs. */
  async run<Result>(keys: readonly string[], work: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((begin) => {
      const turn = keys[0] ?? ''
      this.#waiting.set(turn, [...(this.#waiting.get(turn) ?? []), { keys, begin }])
      this.#beginNext()
    })
    try {
      return await work()
    } finally {
      this.#free += 1
      for (const key of keys) this.#busy.add(key, -1)
      this.#beginNext()
    }
  }

  /** Begins the first work of each caller of whom none runs, in turn, while there are lanes. */
  #beginNext(): void {
    for (const [turn, works] of this.#waiting) {
      const next = works.find(({ keys }) => keys.every((key) => this.#busy.of(key) === 0))
      if (this.#free === 0) return
      if (!next) continue
      const later = works.filter((one) => one !== next)
      this.#waiting.delete(turn) // the caller goes to the end
      if (later.length > 0) this.#waiting.set(turn, later)
      this.#free -= 1
      for (const key of next.keys) this.#busy.add(key, 1)
      next.begin()
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
