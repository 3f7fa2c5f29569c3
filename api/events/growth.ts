/** How streams hear of their logs: one question for all of them, four times a second while somebody waits. */
import { setTimeout as delay } from 'node:timers/promises'
import { placesOfHeads } from '../../db/events/log.ts'
import { log } from '../../platform/log.ts'
import type { OrganizationId } from '../../domain/ids.ts'

const EVERY_MS = 250

type Waiter = { readonly organizationId: OrganizationId; readonly seq: number; readonly end: () => void }
const waiting = new Set<Waiter>()
let isAsking = false

/** Waits until the log of an organization goes beyond a place, for so long at most, or until the signal. */
export const growth = (organizationId: OrganizationId, seq: number, ms: number, over: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (over.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      over.removeEventListener('abort', end)
      waiting.delete(waiter)
      resolve()
    }
    const waiter = { organizationId, seq, end }
    const timer = setTimeout(end, ms)
    over.addEventListener('abort', end)
    waiting.add(waiter)
    if (!isAsking) void ask()
  })

async function ask(): Promise<void> {
  isAsking = true
  while (waiting.size > 0) {
    await delay(EVERY_MS)
    const organizations = new Set([...waiting].map(({ organizationId }) => organizationId))
    try {
      const heads = await placesOfHeads([...organizations])
      for (const { organizationId, seq, end } of waiting) if ((heads.get(organizationId) ?? 0) > seq) end()
    } catch (error) {
      log.warn({ err: error }, 'streams did not hear of their logs')
    }
  }
  isAsking = false
}
