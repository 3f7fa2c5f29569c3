import { randomUUID } from 'node:crypto'
import { log } from '../platform/log.ts'
import { BEAT_EVERY_MS, beat, endBeat } from '../db/processes/worker-heartbeats.ts'
import { recordHeard } from '../services/connections/answers.ts'
import { takeHeard } from '../partners/heard.ts'
import { watchEventLoop } from './health.ts'
import { repeatEvery } from './rounds.ts'

const BLOCKED_MS = 1000

/** Writes a heartbeat every five seconds, with how long the worker was blocked; deletes it at the end. */
export function startBeating(): { stop: () => Promise<void> } {
  const id = randomUUID()
  const eventLoop = watchEventLoop()
  const attempt = (work: Promise<unknown>) =>
    work.catch((error: unknown) => log.debug({ err: error }, 'the heartbeat was not written'))
  const beating = repeatEvery(BEAT_EVERY_MS, () => {
    const ms = eventLoop.longestMs()
    if (ms > BLOCKED_MS) log.warn({ ms }, 'the worker was blocked: its event loop did not turn')
    return attempt(Promise.all([beat(id, ms), recordHeard(takeHeard())]))
  })
  return {
    async stop() {
      await beating.stop()
      eventLoop.stop()
      await attempt(endBeat(id))
    },
  }
}
