/** What the reconciler does across all organizations, in one worker at a time. */
import postgres from 'postgres'
import { config } from '../../platform/config.ts'
import { releaseReconciler, tryReconciler } from '../locks.ts'
import { sql } from '../sql.ts'

/** Forgets what no approval waits for any more; returns how many rows that were. */
export async function forgetApprovalRequirements(): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`select forget_approval_waits() as rows`
  return row?.rows ?? 0
}

/**
 * One reconciler at a time over all workers: true for whoever gets the turn. The lock lives with a connection of its
 * own, so that a dead worker or a lost connection gives it back.
 */
export async function withReconcilerLock(work: () => Promise<void>): Promise<boolean> {
  const session = postgres(config.databaseUrl, { max: 1, connect_timeout: 5, onnotice: () => {} })
  try {
    if (!(await tryReconciler(session))) return false
    await work()
    await releaseReconciler(session)
    return true
  } finally {
    await session.end({ timeout: 5 })
  }
}
