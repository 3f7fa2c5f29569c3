/** Waits for conditions, however long a loaded machine takes. */
import { setTimeout as delay } from 'node:timers/promises'

const CONDITION_MS = 45_000
/** Pauses between looks, which grow for slow conditions. */
const [PAUSE_MS, PAUSE_MAX_MS, PAUSE_GROWTH] = [10, 100, 1.3]

/** Waits until the condition finds something, and returns that. */
export async function until<Found>(
  what: string,
  condition: () => Promise<Found | undefined | false>,
  patienceMs = CONDITION_MS,
): Promise<Found> {
  const deadline = Date.now() + patienceMs
  for (let pause = PAUSE_MS; ; pause = Math.min(pause * PAUSE_GROWTH, PAUSE_MAX_MS)) {
    const found = await condition()
    if (found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`in vain waited for: ${what}`)
    await delay(pause)
  }
}
