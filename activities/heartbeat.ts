/**
 * What a worker does beside a call to a partner: says that it lives while that takes long, and lets go when it drains.
 */
import { Context } from '@temporalio/activity'
import type { ActivityInboundCallsInterceptor, ActivityInterceptorsFactory } from '@temporalio/worker'

const BEAT_MS = 2000

const said = new WeakMap<Context, unknown>()

/** What operators see beside the activity that runs, from its next heartbeat on. */
export const saidByHeartbeats = (details: unknown): void => void said.set(Context.current(), details)

/**
 * Worker interceptor of the queues whose activities take long: an activity is heard of until it ends, and given up if
 * it is cancelled.
 */
export const heartbeatInterceptor: ActivityInterceptorsFactory = (context) => ({
  inbound: {
    async execute(input, next) {
      const beating = setInterval(() => context.heartbeat(said.get(context)), BEAT_MS)
      try {
        return await Promise.race([next(input), context.cancelled])
      } finally {
        clearInterval(beating)
      }
    },
  } satisfies ActivityInboundCallsInterceptor,
})
