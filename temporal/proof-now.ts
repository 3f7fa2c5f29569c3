/** Proof of funds on an operator's request. */
import { setTimeout as delay } from 'node:timers/promises'
import { describeFunds } from '../services/registries/operator-texts.ts'
import { startNow } from './schedules.ts'

const WAIT_MS = 120_000

/** Asks all connections what they hold, and compares; answers a line for each balance, also while looks go on. */
export async function proveNow(waitMs = WAIT_MS): Promise<string> {
  const handle = await startNow('proof-of-funds')
  const over = new AbortController()
  const late = delay(waitMs, 'looks again: what differs may be on its way', { signal: over.signal }).catch(() => '')
  const ended = handle.result().then(
    () => '',
    (error: unknown) => `failed: ${error instanceof Error ? error.message : String(error)}`,
  )
  const note = await Promise.race([ended, late])
  over.abort()
  return [note, await describeFunds()].filter(Boolean).join('\n')
}
