/**
 * Transactions that are repeated if Postgres broke them off: their claim or decision id makes a repeat answer the first
 * outcome.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import { Refusal, refuse } from '../../domain/errors.ts'
import { isConnectionLost } from '../../db/driver.ts'
import type { TransactionOptions } from '../../db/sql.ts'

const TRIES = 3
const PAUSE_MS = 50

/** A transaction that holds money or an approval gives up a lock that is not let go by then. */
export const BRIEF_LOCKS: TransactionOptions = { lockTimeoutMs: 2000 }

/**
 * Serialization failure, deadlock, lock timeout, and a payment to a contact or an organization that was deleted in that
 * moment: the next try sees how it ended.
 */
const BROKEN_OFF = new Set(['40001', '40P01', '55P03', 'BF003', 'BF004'])

const isBrokenOff = (error: unknown): boolean =>
  isConnectionLost(error) || (error instanceof Error && 'code' in error && BROKEN_OFF.has(String(error.code)))

/**
 * Does the work again, at most three times within the request's deadline, if Postgres broke it off or the connection
 * was lost, also at the commit. Refuses `service_unavailable` if that did not help: nothing is half done, and the same
 * key is safe.
 */
export async function repeating<Result>(work: () => Promise<Result>, alsoIfLost = true): Promise<Result> {
  const deadline = Date.now() + config.requestDeadlineMs
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Refusal || !isBrokenOff(error) || (!alsoIfLost && isConnectionLost(error))) throw error
      if (attempt === TRIES || Date.now() > deadline) {
        log.warn({ err: error }, 'a transaction was broken off again and again')
        refuse('service_unavailable', { retry_after_seconds: 1 })
      }
      // those that broke each other off do not meet again
      await delay(PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2))
    }
  }
}
