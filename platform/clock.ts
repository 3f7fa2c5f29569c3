/** Business time: the system clock in `live`, moved forward by an offset in `test` (db/postgres/clock.ts). */

let offsetSeconds = 0

export const now = (): Date => new Date(Date.now() + offsetSeconds * 1000)

/** Raises the offset of this process; ignores a smaller one. Returns the present offset. */
export function raiseOffset(seconds: number): number {
  offsetSeconds = Math.max(offsetSeconds, seconds)
  return offsetSeconds
}
