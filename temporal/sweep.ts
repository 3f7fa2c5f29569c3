/** The sweep: what was changed and not looked at, and what is due, is told to its run, as often as it takes. */
import pLimit from 'p-limit'
import { log } from '../db/log.ts'
import { type Swept, putBackProcesses, sweepProcesses } from '../db/processes.ts'
import { isAway } from './client.ts'
import { keepCurrentVersion } from './deployment.ts'
import { tell } from './processes.ts'
import { replaceStuck } from './replacements.ts'

/** What was committed a moment ago is being announced; this long it is left alone. */
const GRACE_SECONDS = 3
/** For each worker and second. */
const MOST = 200
const AT_ONCE = 20
const EVERY_MS = 1000

/**
 * Tells runs of what nobody looked at; answers how many. At the first that says that Temporal is away, the rest is given
 * back. What was told twice and not looked at has a run that does not move.
 */
export async function sweep(graceSeconds = GRACE_SECONDS): Promise<number> {
  const swept = await sweepProcesses(graceSeconds, MOST)
  let away: unknown
  const untold: Swept[] = []
  const limit = pLimit(AT_ONCE)
  await Promise.all(
    swept.map((process) =>
      limit(async () => {
        try {
          if (away === undefined) return await tell(process)
        } catch (error) {
          if (isAway(error)) away = error
          else log.error({ err: error, process: process.id }, 'a run could not be told')
        }
        if (away !== undefined) untold.push(process)
      }),
    ),
  )
  if (away !== undefined) {
    await putBackProcesses(untold)
    log.warn({ err: away, untold: untold.length }, 'Temporal is away: runs are told when it is back')
    return swept.length - untold.length
  }
  const toldTwice = swept.filter(({ told }) => told > 1)
  if (toldTwice.length > 0) {
    await keepCurrentVersion() // new runs must not go to where nobody is
    await replaceStuck(toldTwice)
  }
  return swept.length
}

/** Sweeps until it took less than it may, at once and without the grace: business time has moved. */
export async function sweepAll(): Promise<void> {
  while ((await sweep(0)) === MOST);
}

/** Sweeps every second until it is stopped. */
export function startSweeping(): { stop: () => Promise<void> } {
  let stopped = false
  let wake = () => {}
  const finished = (async () => {
    while (!stopped) {
      await sweep().catch((error: unknown) => log.error({ err: error }, 'the sweep failed'))
      if (stopped) return
      await new Promise<void>((resume) => {
        const timer = setTimeout(resume, EVERY_MS)
        wake = () => {
          clearTimeout(timer)
          resume()
        }
      })
    }
  })()
  return {
    stop() {
      stopped = true
      wake()
      return finished
    },
  }
}
