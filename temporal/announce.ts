/** What was committed is announced to its runs: not awaited by anybody, bounded, and lost at no harm, as the sweep repeats it. */
import pLimit from 'p-limit'
import { log } from '../db/log.ts'
import { type Process, announceBy } from '../db/wakes.ts'
import { isAway } from './client.ts'
import { tell } from './processes.ts'

const AT_ONCE = 20
const QUEUED_MAX = 2000

const limit = pLimit(AT_ONCE)
const underWay = new Set<Promise<void>>()

/**
 * From now on this process announces what it commits. `isOwn` says of a worker which changes its own run has made in the
 * activity that commits: that run looks again by itself.
 */
export function announceCommits(isOwn: (process: Process) => boolean = () => false): void {
  announceBy((fresh) => {
    for (const process of fresh) {
      if (isOwn(process) || limit.pendingCount >= QUEUED_MAX) continue
      const telling = limit(() => tell(process)).catch((error: unknown) => {
        if (isAway(error)) log.debug({ err: error }, 'a run could not be told; the sweep will')
        else log.warn({ err: error, process: process.id }, 'a run could not be told; the sweep will')
      })
      underWay.add(telling)
      void telling.finally(() => underWay.delete(telling))
    }
  })
}

/** Waits until everything that was announced so far was told, or given up. */
export async function announced(): Promise<void> {
  await Promise.all(underWay)
}
