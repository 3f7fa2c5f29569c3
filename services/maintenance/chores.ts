/** Locks of chores: each is done by one worker at a time, and one that takes long delays no other. */
import postgres from 'postgres'
import { config } from '../../platform/config.ts'
import { type Chore, releaseChore, tryChore } from '../../db/postgres/locks.ts'
import { socketOptions } from '../../db/postgres/socket.ts'

/**
 * Does a chore unless another worker does it; false then. The lock belongs to a connection of its own, so that a dead
 * worker or a lost connection releases it.
 */
export async function withLock(chore: Chore, work: () => Promise<void>): Promise<boolean> {
  const options = { ...socketOptions(config.databaseUrl), max: 1, connect_timeout: 5, onnotice: () => {} }
  const session = postgres(config.databaseUrl, options)
  try {
    if (!(await tryChore(session, chore))) return false
    await work()
    await releaseChore(session, chore)
    return true
  } finally {
    await session.end({ timeout: 5 })
  }
}
