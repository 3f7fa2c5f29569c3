/** Background work of the stand-ins: moves due payouts, and delivers callbacks until they are taken. */
import { Webhook } from 'standardwebhooks'
import { findConnection } from '../../services/connections/connections.ts'
import { log } from '../../platform/log.ts'
import { type Callback, callbackDelivered, callbackFailed, claimCallbacks, followDispatcher } from '../db/callbacks.ts'
import { nextDueMs, settleDuePayouts } from '../db/payouts.ts'

/** Longest sleep: another process may have died with work that only it knew. */
const IDLE_MS = 1000
const AFTER_FAILURE_MS = 250
const DELIVERY_TIMEOUT_MS = 3000
const DELIVERIES_AT_ONCE = 32

export type Dispatcher = { readonly wake: () => void; readonly stop: () => Promise<void> }

/** Works until it is stopped. Unfinished work, even after a kill, is taken up by the next dispatcher. */
export async function startDispatcher(callbackUrl: string): Promise<Dispatcher> {
  const deliveries = new Set<Promise<void>>()
  let [stopped, woken] = [false, false]
  let wakeUp = () => {}
  const wake = () => {
    woken = true
    wakeUp()
  }

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
      if (woken || stopped) wakeUp()
    })

  async function work(): Promise<void> {
    while (!stopped) {
      woken = false
      try {
        const settled = await settleDuePayouts()
        const room = DELIVERIES_AT_ONCE - deliveries.size
        const claimed = room > 0 ? await claimCallbacks(room) : []
        for (const callback of claimed) start(callback)
        if (settled + claimed.length > 0) continue
        const dueMs = (await nextDueMs()) ?? IDLE_MS
        // without room the end of a delivery wakes it
        await pause(room > 0 ? Math.min(Math.ceil(dueMs), IDLE_MS) : IDLE_MS)
      } catch (error) {
        log.warn({ err: error }, 'the sandbox partners were interrupted')
        woken = false
        await pause(AFTER_FAILURE_MS)
      }
    }
  }

  function start(callback: Callback): void {
    const delivery = deliver(callbackUrl, callback)
      .catch((error: unknown) => log.warn({ err: error }, 'a callback of the sandbox partners was not sent'))
      .finally(() => {
        deliveries.delete(delivery)
        wake()
      })
    deliveries.add(delivery)
  }

  const following = await followDispatcher(wake)
  const working = work()
  return {
    wake,
    stop: async () => {
      stopped = true
      wakeUp()
      await working
      await Promise.all(deliveries)
      await following.stop()
    },
  }
}

/** Posts one callback, signed by Standard Webhooks; any status but 2xx is a failure. */
async function deliver(callbackUrl: string, callback: Callback): Promise<void> {
  const { id, partner, type, subjectId, version } = callback
  const body = JSON.stringify({ type, id: subjectId, version })
  const at = new Date()
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(findConnection(partner)?.callbackSecret ?? '').sign(id, at, body),
  }
  const taken = await fetch(`${callbackUrl}/partners/${partner}/callbacks`, {
    method: 'POST',
    headers,
    body,
    signal: AbortSignal.timeout(DELIVERY_TIMEOUT_MS),
  }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.ok
    },
    () => false,
  )
  await (taken ? callbackDelivered(callback) : callbackFailed(callback))
}
