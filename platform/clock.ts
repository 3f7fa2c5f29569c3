/**
 * Business time: the system clock in `live`, moved forward by an offset in `test` (db/postgres/clock.ts),
 * which is negative while a new environment makes its history.
 */

let offsetSeconds = 0
let isKnown = false

export const now = (): Date => new Date(Date.now() + offsetSeconds * 1000)

/** Raises the offset of this process; ignores a smaller one than it knows. Returns the present offset. */
export function raiseOffset(seconds: number): number {
  offsetSeconds = isKnown ? Math.max(offsetSeconds, seconds) : seconds
  isKnown = true
  return offsetSeconds
}
