/** Heartbeats of long activities, and their cancellation when the worker drains. */
import { Context } from '@temporalio/activity'
import type { ActivityInboundCallsInterceptor, ActivityInterceptorsFactory } from '@temporalio/worker'

const BEAT_MS = 2000

const said = new WeakMap<Context, unknown>()

/** Sets the details that operators see with the next heartbeat of this activity. */
export const reportProgress = (details: unknown): void => void said.set(Context.current(), details)

/**
 * Builds a worker interceptor for queues of long activities: sends heartbeats until the end, and stops on cancellation.
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
