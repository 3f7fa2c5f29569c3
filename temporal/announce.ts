/** Announcement of committed changes to runs. Bounded, awaited by no request; the sweep repeats losses. */
import pLimit from 'p-limit'
import { config } from '../platform/config.ts'
import { log } from '../platform/log.ts'
import { type ProcessChange, type Process, announceBy } from '../db/postgres/wakes.ts'
import { isAway } from './client.ts'
import { isAtRest, signalRun, waitsForPeople } from './processes.ts'

const AT_ONCE = 20
const QUEUED_MAX = 2000

const limit = pLimit(AT_ONCE)
const underWay = new Set<Promise<void>>()

type PostponedProcess = { readonly process: Process; readonly timer: NodeJS.Timeout }
const postponed = new Map<string, PostponedProcess>()

/**
 * Announces all later commits of this process. `isOwn` tells which changes the present activity's run made: it looks
 * again by itself. A run that waits for people is signalled ANNOUNCE_PATIENCE_MS later, so that a decision right after
 * costs one look, not two.
 */
export function announceCommits(isOwn: (process: Process) => boolean = () => false): void {
  announceBy((changed) => {
    for (const process of changed) if (!isOwn(process)) announceOne(process)
  })
}

function announceOne({ fresh, ...process }: ProcessChange): void {
  const earlier = postponed.get(process.id)
  // an earlier change is unseen: its signal covers this one
  if (!fresh && !earlier) return
  if (config.announcePatienceMs > 0 && (waitsForPeople(process) || (earlier && isAtRest(process)))) {
    return postpone(process, earlier)
  }
  tellSoon(process)
}

/** Delays the signal; later changes of the process share it. */
function postpone(process: Process, earlier: PostponedProcess | undefined): void {
  if (!earlier && isQueueFull()) return
  const tellIt = () => tellSoon(postponed.get(process.id)?.process ?? process)
  const timer = earlier?.timer ?? setTimeout(tellIt, config.announcePatienceMs).unref()
  postponed.set(process.id, { process, timer })
}

function tellSoon(process: Process): void {
  clearTimeout(postponed.get(process.id)?.timer)
  postponed.delete(process.id)
  if (isQueueFull()) return
  const telling = limit(() => signalRun(process)).catch((error: unknown) => {
    if (isAway(error)) log.debug({ err: error }, 'a run could not be signalled; the sweep repeats it')
    else log.warn({ err: error, process: process.id }, 'a run could not be signalled; the sweep repeats it')
  })
  underWay.add(telling)
  void telling.finally(() => underWay.delete(telling))
}

const isQueueFull = (): boolean => limit.pendingCount + postponed.size >= QUEUED_MAX

/** Sends delayed signals; waits until all are sent or given up. */
export async function flushSignals(): Promise<void> {
  for (const { process } of postponed.values()) tellSoon(process)
  await Promise.all(underWay)
}
