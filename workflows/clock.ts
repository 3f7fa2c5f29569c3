/** Deadlines by business time: `until` wakes at an instant of the movable clock, or when its predicate holds. */
import { condition, defineSignal, setHandler } from '@temporalio/workflow'

/** Tells a workflow how far business time is ahead of system time now. */
export const clockMoved = defineSignal<[{ offset_seconds: number }]>('clock')

export type BusinessClock = {
  /** Learns an offset that an activity saw. Time never goes back. */
  learn(offsetSeconds: number): void
  /**
   * True when the predicate held first, false when the instant has come by the offset known so far. `summary` says in
   * the history what the timer is for.
   */
  until(instant: string, predicate: () => boolean, summary: string): Promise<boolean>
}

/** Sets the `clock` handler; call it before the first await. */
export function businessClock(): BusinessClock {
  let offsetMs = 0
  const learn = (seconds: number) => {
    offsetMs = Math.max(offsetMs, seconds * 1000)
  }
  setHandler(clockMoved, ({ offset_seconds }) => learn(offset_seconds))
  return {
    learn,
    async until(instant, predicate, summary) {
      const deadline = Date.parse(instant)
      for (;;) {
        const seen = offsetMs
        const remainingMs = deadline - (Date.now() + seen)
        if (predicate()) return true
        if (remainingMs <= 0) return false
        await condition(() => predicate() || offsetMs !== seen, remainingMs, { summary })
      }
    },
  }
}
