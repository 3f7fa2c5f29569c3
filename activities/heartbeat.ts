/**
 * What a worker does beside a call to a partner: says that it lives while that takes long, and lets go when it drains.
 */
import type { ActivityInboundCallsInterceptor, ActivityInterceptorsFactory } from '@temporalio/worker'

const BEAT_MS = 2000

/** Worker interceptor of the partners queue: an activity is heard of until it ends, and given up if it is cancelled. */
export const heartbeatInterceptor: ActivityInterceptorsFactory = (context) => ({
  inbound: {
    async execute(input, next) {
      const beating = setInterval(() => context.heartbeat(), BEAT_MS)
      try {
        return await Promise.race([next(input), context.cancelled])
      } finally {
        clearInterval(beating)
      }
    },
  } satisfies ActivityInboundCallsInterceptor,
})
