/** Movable clock of test: an expiry, a reminder, a 30-day session in a second. */
import * as v from 'valibot'
import { advanceClock } from '../../db/postgres/clock.ts'
import { now } from '../../platform/clock.ts'
import { model, timestamp, describe } from '../../domain/text.ts'
import { log } from '../../platform/log.ts'
import { sweepAll } from '../../temporal/sweep.ts'
import { operations } from '../../api/http/operation.ts'

const { query, byHand } = operations('Sandbox')

const SECONDS_MAX = 31_536_000
/** Time limit of the sweep: thousands may be due, and the request has a deadline. */
const SWEEP_MS = 2000
const Clock = model('SandboxClock', { now: describe(timestamp, 'Present instant of the clock.') })
export const sandboxClock = [
  byHand('post', '/sandbox/clock/advance', 'advanceClock')
    .says('Move business time forward for the whole test environment')
    .for('sandbox')
    .takes(v.object({ seconds: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(SECONDS_MAX)) }))
    .answers(Clock)
    // no transaction: the sweep must see the new time, after the commit
    .does(async ({ body }) => {
      await advanceClock(body.seconds)
      await sweepAll(SWEEP_MS).catch((error: unknown) =>
        log.warn({ err: error }, 'workers signal the runs that are due now'),
      )
      return { now: now().toISOString() }
    }),
  query('/sandbox/clock', 'getClock')
    .says('Read business time')
    .for('sandbox')
    .answers(Clock)
    .does(async () => ({ now: now().toISOString() })),
]
