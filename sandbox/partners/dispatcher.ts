/** Background work of the stand-ins: moves due payouts, and delivers callbacks until they are taken. */
import { log } from '../../platform/log.ts'
import { type Callback, callbackDelivered, callbackFailed, claimCallbacks, followDispatcher } from '../db/callbacks.ts'
import { nextDueMs, settleDuePayouts } from '../db/payouts.ts'
import type { StandIn } from './stand-in.ts'

/** Longest sleep: another process may have died with work that only it knew. */
const IDLE_MS = 1000
const AFTER_FAILURE_MS = 250
const DELIVERY_TIMEOUT_MS = 3000
const DELIVERIES_AT_ONCE = 32

export type Dispatcher = { readonly wake: () => void; readonly stop: () => Promise<void> }

/** Works until it is stopped. Unfinished work, even after a kill, is taken up by the next dispatcher. */
export async function startDispatcher(
  callbackUrl: string,
  standIns: ReadonlyMap<string, StandIn>,
): Promise<Dispatcher> {
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
    const delivery = deliver(callbackUrl, callback, standIns.get(callback.partner))
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

/** Posts one callback in its provider's words; any status but 2xx is a failure. */
async function deliver(callbackUrl: string, callback: Callback, standIn: StandIn | undefined): Promise<void> {
  const message = await standIn?.message(callback)
  if (!message) return callbackDelivered(callback)
  const taken = await fetch(`${callbackUrl}/partners/${callback.partner}/callbacks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...message.headers },
    body: message.body,
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
