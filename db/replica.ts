/** Read replica for long reads: as new as the primary was when they began, or not used. */
import { setTimeout as delay } from 'node:timers/promises'
import type { OrganizationId } from '../domain/ids.ts'
import { log } from '../platform/log.ts'
import { type Reader, inSnapshot, replica, sql } from './sql.ts'

const LOOK_MS = 20
const LOOKS_MAX = 250

/**
 * Runs read-only work in one snapshot that has everything committed before the call. The replica serves it once it has
 * replayed the log up to there; after five seconds, or while it cannot be reached, the primary does. What the replica
 * fails later is thrown, such as a query that was cancelled by a conflict with its recovery.
 */
export async function inFreshSnapshot<Result>(
  organizationId: OrganizationId,
  work: (reader: Reader) => Promise<Result>,
): Promise<Result> {
  return inSnapshot(organizationId, work, replica && (await catchesUp(replica)) ? replica : sql)
}

/** Waits until the replica has replayed the present end of the primary's log. Answers false if it does not. */
async function catchesUp(behind: typeof sql): Promise<boolean> {
  const [end] = await sql<{ lsn: string }[]>`select pg_current_wal_insert_lsn()::text as lsn`
  try {
    for (let look = 0; look < LOOKS_MAX; look += 1) {
      const [row] = await behind<{ replayed: boolean | null }[]>`
        select pg_last_wal_replay_lsn() >= ${end?.lsn ?? null}::pg_lsn as replayed`
      if (row?.replayed) return true
      await delay(LOOK_MS)
    }
    throw new Error('the replica is behind')
  } catch (error) {
    log.warn({ err: error }, 'the replica is not used')
    return false
  }
}
