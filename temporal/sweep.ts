import pLimit from 'p-limit'
import { log } from '../platform/log.ts'
import { type SweptProcess, putBackProcesses, sweepProcesses } from '../db/processes/processes.ts'
import { isAway } from './client.ts'
import { makeCurrentIfNone } from './deployment.ts'
import { signalRun } from './processes.ts'
import { replaceStuck } from './replacements.ts'
import { repeatEvery } from './rounds.ts'

/** Grace of fresh commits, which are being announced. */
const GRACE_SECONDS = 3
/** Limit for each worker and second. */
const MOST = 200
const AT_ONCE = 20
const EVERY_MS = 1000
/** Time without a look after a signal, before a run counts as stuck. */
const OVERDUE_SECONDS = 60
const LOOKED_INTO_MOST = 20
const VERSION_KEPT_MS = 10_000

/** Signals runs that have not looked; answers what was taken. Gives the rest back if Temporal is away. */
export async function sweep(graceSeconds = GRACE_SECONDS): Promise<readonly SweptProcess[]> {
  const swept = await sweepProcesses(graceSeconds, MOST)
  let away: unknown
  const untold: SweptProcess[] = []
  await pLimit(AT_ONCE).map(swept, async (process) => {
    try {
      if (away === undefined) return await signalRun(process)
    } catch (error) {
      if (isAway(error)) away = error
      else log.error({ err: error, process: process.id }, 'a run could not be signalled')
    }
    if (away !== undefined) untold.push(process)
  })
  if (away === undefined) return swept
  await putBackProcesses(untold)
  log.warn({ err: away, untold: untold.length }, 'Temporal is away: runs are signalled when it is back')
  return swept.filter((process) => !untold.includes(process))
}

/** Replaces runs that have not looked for a minute, and keeps a build with workers current. */
async function mend(swept: readonly SweptProcess[]): Promise<void> {
  const overdue = swept.filter(({ told, unseen_seconds: seconds }) => told > 1 || seconds > OVERDUE_SECONDS)
  if (overdue.length === 0 || mending) return
  mending = true
  try {
    if (Date.now() - versionKeptAt > VERSION_KEPT_MS) {
      versionKeptAt = Date.now()
      await makeCurrentIfNone()
    }
    await replaceStuck(overdue.slice(0, LOOKED_INTO_MOST))
  } catch (error) {
    log.warn({ err: error }, 'stuck runs could not be inspected')
  } finally {
    mending = false
  }
}

let mending = false
let versionKeptAt = 0

/** Sweeps without grace until less than a full page is due, or `withinMs` is over. */
export async function sweepAll(withinMs = Infinity): Promise<void> {
  const end = Date.now() + withinMs
  while ((await sweep(0)).length === MOST && Date.now() < end);
}

/** Sweeps every second until it is stopped, and replaces stuck runs. */
export const startSweeping = (): { stop: () => Promise<void> } =>
  repeatEvery(EVERY_MS, () =>
    sweep()
      .then((swept) => void mend(swept)) // not awaited: it must not delay the next sweep
      .catch((error: unknown) => log.error({ err: error }, 'the sweep failed')),
  )
