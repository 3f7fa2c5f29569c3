/** The movable clock of a test environment: an expiry, a reminder, a 30-day session in a second. */
import * as v from 'valibot'
import { advanceClock } from '../../db/clock.ts'
import { now } from '../../platform/clock.ts'
import { timestamp } from '../../domain/text.ts'
import { log } from '../../platform/log.ts'
import { sweepAll } from '../../temporal/sweep.ts'
import { route } from '../../api/http/route.ts'

const SECONDS_MAX = 31_536_000
/** Thousands may be due at once, and the answer is due within a request's deadline. */
const SWEEP_MS = 2000
const Clock = v.object({ now: timestamp })
const shared = { tag: 'Sandbox', credential: 'sandbox', returns: Clock } as const

export const sandboxClock = [
  route({
    ...shared,
    method: 'post',
    path: '/sandbox/clock/advance',
    operationId: 'advanceClock',
    summary: 'Move business time forward for the whole test environment',
    body: v.object({ seconds: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(SECONDS_MAX)) }),
    handle: async ({ body }) => {
      await advanceClock(body.seconds)
      await sweepAll(SWEEP_MS).catch((error: unknown) =>
        log.warn({ err: error }, 'what is due now is told by the workers'),
      )
      return { now: now().toISOString() }
    },
  }),
  route({
    ...shared,
    method: 'get',
    path: '/sandbox/clock',
    operationId: 'getClock',
    summary: 'Read business time',
    handle: async () => ({ now: now().toISOString() }),
  }),
]
