/** Watch over organizations: one query for all streams of pages of this process. */
import { setTimeout as delay } from 'node:timers/promises'
import { newestEvents } from '../../services/events/log.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { log } from '../../platform/log.ts'

/** Text of each organization that every event of it changes. */
export type Newest = ReadonlyMap<OrganizationId, string>

const ASK_EVERY_MS = 1000

type Waiter = { readonly known: Newest; readonly end: (newer: Newest) => void }
const waiting = new Set<Waiter>()
let isAsking = false

export const readNewest = (organizations: readonly OrganizationId[]): Promise<Newest> => newestEvents(organizations)

/**
 * Waits for an event in one of these organizations. Answers the texts that changed; none after the time, or the signal.
 */
export const waitForNewest = (known: Newest, ms: number, over: AbortSignal): Promise<Newest> =>
  new Promise((resolve) => {
    if (over.aborted) return resolve(new Map())
    const end = (newer: Newest) => {
      clearTimeout(timer)
      over.removeEventListener('abort', endInVain)
      waiting.delete(waiter)
      resolve(newer)
    }
    const endInVain = () => end(new Map())
    const waiter = { known, end }
    const timer = setTimeout(endInVain, ms)
    over.addEventListener('abort', endInVain)
    waiting.add(waiter)
    if (!isAsking) void askForAll()
  })

/** Asks about the organizations of all waiting streams in one statement, while there are any. */
async function askForAll(): Promise<void> {
  isAsking = true
  while (waiting.size > 0) {
    const organizations = new Set([...waiting].flatMap(({ known }) => [...known.keys()]))
    try {
      const latest = await newestEvents([...organizations])
      for (const { known, end } of waiting) {
        const newer = [...known.keys()].flatMap((id) => {
          const newest = latest.get(id)
          return newest === undefined || newest === known.get(id) ? [] : ([[id, newest]] as const)
        })
        if (newer.length > 0) end(new Map(newer))
      }
    } catch (error) {
      log.warn({ err: error }, 'streams of pages missed what happened')
    }
    await delay(ASK_EVERY_MS)
  }
  isAsking = false
}
