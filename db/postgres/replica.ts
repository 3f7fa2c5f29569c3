/** Read replica for long reads: as new as the primary was when they began, or not used. */
import { setTimeout as delay } from 'node:timers/promises'
import type { OrganizationId } from '../../domain/ids.ts'
import { log } from '../../platform/log.ts'
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

/** A point of the log of a cluster: its positions say nothing about the log of another one, or after a restore. */
type Point = { readonly cluster: string; readonly timeline: number; readonly lsn: string }

/** Waits until the replica has replayed the present end of the primary's log. Answers false if it does not. */
async function catchesUp(behind: typeof sql): Promise<boolean> {
  try {
    const end = await readEnd()
    for (let look = 0; look < LOOKS_MAX; look += 1) {
      if (await hasReplayed(behind, end)) return true
      await delay(LOOK_MS)
    }
    throw new Error('the replica is behind')
  } catch (error) {
    log.warn({ err: error }, 'the replica is not used')
    return false
  }
}

async function readEnd(): Promise<Point> {
  const [end] = await sql<Point[]>`
    select system_identifier::text as cluster, pg_current_wal_insert_lsn()::text as lsn,
      ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int as timeline
    from pg_control_system()`
  if (!end) throw new Error('a cluster has an identity')
  return end
}

/** Tells if the replica has replayed the log to a point. Throws unless it follows this log. */
async function hasReplayed(behind: typeof sql, { cluster, timeline, lsn }: Point): Promise<boolean> {
  const [row] = await behind<{ follows: boolean; replayed: boolean | null }[]>`
    select pg_is_in_recovery() and system_identifier::text = ${cluster} and timeline_id = ${timeline}::int as follows,
      pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn as replayed
    from pg_control_system(), pg_control_checkpoint()`
  if (!row?.follows) throw new Error('the replica does not follow this primary')
  return row.replayed === true
}
