/** The only business time. In `live` it is the system clock; in `test` an offset moves it forward (db/clock.ts). */

let offsetSeconds = 0

/** Business time in this process: the system clock plus the offset it last heard of. */
export const now = (): Date => new Date(Date.now() + offsetSeconds * 1000)

/** Moves business time of this process forward to an offset; a smaller one changes nothing. Returns what holds. */
export function raiseOffset(seconds: number): number {
  offsetSeconds = Math.max(offsetSeconds, seconds)
  return offsetSeconds
}
