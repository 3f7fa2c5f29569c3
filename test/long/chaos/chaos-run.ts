/**
 * `npm run chaos`: CHAOS_PAYMENTS payments (200) while every process is killed in turn, about one per
 * CHAOS_KILL_EVERY_MS (3000); CHAOS_SEED repeats a run.
 */
import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { connectDollars } from '../../support/connections.ts'
import { placeApi, startServers } from '../../support/processes.ts'

Object.assign(process.env, { SANDBOX_SETTLE_MS: '1000', RATE_LIMIT_PER_MINUTE: '100000' })
connectDollars() // half of what is paid by bank goes by a second one
const [servers, apiPort] = await Promise.all([startServers(), placeApi()]) // before anything reads the environment
const { runChaos } = await import('../../support/chaos/chaos.ts')

const MINUTE_MS = 60_000
const PAYMENTS = Number(process.env['CHAOS_PAYMENTS'] ?? 200)
/** Time limits of the clients, and of the quiet after them: more for more payments. */
const CLIENTS_MS = 6 * MINUTE_MS + PAYMENTS * 1000
const QUIET_MS = 4 * MINUTE_MS + PAYMENTS * 200

test(
  'chaos',
  async () => {
    const { faults, lines } = await runChaos({
      servers,
      apiPort,
      seed: Number(process.env['CHAOS_SEED'] ?? randomInt(2 ** 31)),
      payments: PAYMENTS,
      atOnce: 16,
      killEveryMs: Number(process.env['CHAOS_KILL_EVERY_MS'] ?? 3000),
      downMs: 1500,
      clientsMs: CLIENTS_MS,
      quietMs: QUIET_MS,
    })
    process.stdout.write(`\n${lines.join('\n')}\n`)
    expect(faults).toEqual([])
  },
  CLIENTS_MS + QUIET_MS + 5 * MINUTE_MS,
)
