/** A short chaos run; `npm run chaos` is the long one. */
import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { connectDollars } from '../support/connections.ts'
import { placeApi, startServers } from '../support/processes.ts'

Object.assign(process.env, { SANDBOX_SETTLE_MS: '300', RATE_LIMIT_PER_MINUTE: '100000' })
connectDollars() // half of what is paid by bank goes by a second one
const [servers, apiPort] = await Promise.all([startServers(), placeApi()]) // before anything reads the environment
const { runChaos } = await import('../support/chaos/chaos.ts')

test('while partners misbehave and every process is killed in turn, no money is lost or moved twice, and all ends well', async () => {
  const { faults, lines } = await runChaos({
    servers,
    apiPort,
    seed: Number(process.env['CHAOS_SEED'] ?? randomInt(2 ** 31)),
    payments: 24,
    atOnce: 16,
    killEveryMs: 600,
    downMs: 600,
    clientsMs: 60_000,
    quietMs: 60_000,
  })
  expect(faults, lines.join('\n')).toEqual([])
}, 180_000)
