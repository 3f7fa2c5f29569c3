/** The driver `fireblocks` conforms in coins: every fifth situation that is no kill. All are in test/long/conform. */
import { beforeAll, expect, test, vi } from 'vitest'
import { type Result, conform } from '../../../dev/conform/kit.ts'
import { FireblocksProvider } from '../../../dev/conform/fireblocks/provider.ts'
import { SITUATIONS } from '../../../dev/conform/situations/index.ts'
import { config } from '../../../platform/config.ts'
import { everyNth, fullScale } from '../../support/model-runs.ts'

vi.hoisted(() => Object.assign(process.env, { PARTNER_TIMEOUT_MS: '300', SANDBOX_PARTNERS: 'fireblocks' }))

const wanted = everyNth(
  SITUATIONS.map(({ name }) => name).filter((name) => !name.startsWith('kill -9')),
  5,
)
const results = new Map<string, Result>()

beforeAll(async () => {
  const provider = new FireblocksProvider(Number(new URL(config.sandboxPartnersUrl).port))
  for (const result of await conform(provider, { isWanted: (name) => wanted.includes(name) }))
    results.set(result.name, result)
}, 300_000)

test('all but what cannot happen to coins is played', () => {
  const played = [...results.values()].filter(({ outcome }) => outcome === 'conforms')
  expect(played.length).toBeGreaterThanOrEqual(fullScale ? 100 : 12)
})

test.each(wanted)('%s', (name) => {
  const result = results.get(name)
  expect(result?.faults).toEqual([])
  expect(result?.outcome).not.toBe('fails')
})
