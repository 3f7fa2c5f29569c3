/** Steps of every program of the demo. */
import { setTimeout as delay } from 'node:timers/promises'

const LOOK_MS = 100

/** Makes the key that a request needs which moves money. */
export const newKey = () => ({ idempotencyKey: crypto.randomUUID() })

/** Reads again and again until it is done. */
export async function follow<Thing>(read: () => Promise<Thing>, isDone: (now: Thing) => boolean): Promise<Thing> {
  for (;;) {
    const now = await read()
    if (isDone(now)) return now
    await delay(LOOK_MS)
  }
}
