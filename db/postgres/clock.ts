/** Offset of business time in the test environment: stored in one row, followed by every process. */
import { raiseOffset } from '../../platform/clock.ts'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import { sql } from './sql.ts'

/** Loads the offset and follows its changes until the pool ends. Does nothing in `live`. */
export async function followClock(): Promise<void> {
  if (config.live) return
  await sql.listen(
    'business_clock',
    (seconds) => {
      raiseOffset(Number(seconds))
    },
    // a lost connection is repaired by the driver
    () => void readOffset().catch((error: unknown) => log.warn({ err: error }, 'the business clock could not be read')),
  )
  await readOffset()
}

export async function readOffset(): Promise<number> {
  const [row] = await sql<{ offset_seconds: string }[]>`select offset_seconds from business_clock`
  return raiseOffset(Number(row?.offset_seconds ?? 0))
}

/** Moves business time forward for the whole test environment and signals every process. Returns the new offset. */
export async function advanceClock(seconds: number): Promise<number> {
  if (config.live) throw new Error('the clock of a live environment does not move')
  await sql`
    with moved as (update business_clock set offset_seconds = offset_seconds + ${seconds} returning offset_seconds)
    select pg_notify('business_clock', offset_seconds::text) from moved`
  return readOffset()
}
