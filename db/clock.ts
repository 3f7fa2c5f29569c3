/** The only business time. In `live` it is the system clock; in `test` an offset in one row moves it forward. */
import { config } from './config.ts'
import { log } from './log.ts'
import { sql } from './sql.ts'

let offsetSeconds = 0

/** Business time in this process: the system clock plus the offset it last heard of. */
export const now = (): Date => new Date(Date.now() + offsetSeconds * 1000)

/** Loads the offset and follows its changes until the pool ends. In `live` there is nothing to follow. */
export async function followClock(): Promise<void> {
  if (config.live) return
  await sql.listen(
    'business_clock',
    (seconds) => {
      offsetSeconds = Math.max(offsetSeconds, Number(seconds))
    },
    // a server that is away again is heard of when it is back
    () => void readOffset().catch((error: unknown) => log.warn({ err: error }, 'the clock was not read')),
  )
  await readOffset()
}

/** The offset in seconds, from its row. */
export async function readOffset(): Promise<number> {
  const [row] = await sql<{ offset_seconds: string }[]>`select offset_seconds from business_clock`
  offsetSeconds = Math.max(offsetSeconds, Number(row?.offset_seconds ?? 0))
  return offsetSeconds
}

/** Moves business time forward for the whole test environment and tells every process. Returns the new offset. */
export async function advanceClock(seconds: number): Promise<number> {
  if (config.live) throw new Error('the clock of a live environment does not move')
  await sql`
    with moved as (update business_clock set offset_seconds = offset_seconds + ${seconds} returning offset_seconds)
    select pg_notify('business_clock', offset_seconds::text) from moved`
  return readOffset()
}
