/** Lock of the reconciler: one at a time over all workers. */
import postgres from 'postgres'
import { config } from '../../platform/config.ts'
import { releaseReconciler, tryReconciler } from '../locks.ts'
import { socketOptions } from '../socket.ts'

/**
 * Does the work unless another worker does it; false then. The lock belongs to a connection of its own, so that a dead
 * worker or a lost connection releases it.
 */
export async function withReconcilerLock(work: () => Promise<void>): Promise<boolean> {
  const options = { ...socketOptions(config.databaseUrl), max: 1, connect_timeout: 5, onnotice: () => {} }
  const session = postgres(config.databaseUrl, options)
  try {
    if (!(await tryReconciler(session))) return false
    await work()
    await releaseReconciler(session)
    return true
  } finally {
    await session.end({ timeout: 5 })
  }
}
