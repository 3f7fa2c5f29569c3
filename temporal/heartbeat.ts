import { randomUUID } from 'node:crypto'
import { log } from '../platform/log.ts'
import { BEAT_EVERY_MS, beat, endBeat } from '../db/worker-heartbeats.ts'
import { repeatEvery } from './rounds.ts'

/** Writes a heartbeat every five seconds until it is stopped, and deletes it then. */
export function startBeating(): { stop: () => Promise<void> } {
  const id = randomUUID()
  const attempt = (work: Promise<void>) =>
    work.catch((error: unknown) => log.debug({ err: error }, 'the heartbeat was not written'))
  const beating = repeatEvery(BEAT_EVERY_MS, () => attempt(beat(id)))
  return {
    async stop() {
      await beating.stop()
      await attempt(endBeat(id))
    },
  }
}
