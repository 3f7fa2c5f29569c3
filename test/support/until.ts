/** Waiting for what will be true, however long a loaded machine takes. */
import { setTimeout as delay } from 'node:timers/promises'

const CONDITION_MS = 25_000
const CONDITION_PAUSE_MS = 20

/** Answers what the condition found, as soon as it finds something. */
export async function until<Found>(
  what: string,
  condition: () => Promise<Found | undefined | false>,
  patienceMs = CONDITION_MS,
): Promise<Found> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const found = await condition()
    if (found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`in vain waited for: ${what}`)
    await delay(CONDITION_PAUSE_MS)
  }
}
