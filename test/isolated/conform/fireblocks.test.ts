/** The driver `fireblocks` conforms in coins: every situation that can happen there, but kills (test/long/conform). */
import { beforeAll, expect, test, vi } from 'vitest'
import { type Result, conform } from '../../../dev/conform/kit.ts'
import { FireblocksProvider } from '../../../dev/conform/fireblocks/provider.ts'
import { SITUATIONS } from '../../../dev/conform/situations/index.ts'
import { config } from '../../../platform/config.ts'

vi.hoisted(() => Object.assign(process.env, { PARTNER_TIMEOUT_MS: '300', SANDBOX_PARTNERS: 'fireblocks' }))

const isWanted = (name: string) => !name.startsWith('kill -9')
const results = new Map<string, Result>()

beforeAll(async () => {
  const provider = new FireblocksProvider(Number(new URL(config.sandboxPartnersUrl).port))
  for (const result of await conform(provider, { isWanted })) results.set(result.name, result)
}, 300_000)

test('all but what cannot happen to coins is played', () => {
  const played = [...results.values()].filter(({ outcome }) => outcome === 'conforms')
  expect(played.length).toBeGreaterThanOrEqual(100)
})

test.each(SITUATIONS.map(({ name }) => name).filter(isWanted))('%s', (name) => {
  const result = results.get(name)
  expect(result?.faults).toEqual([])
  expect(result?.outcome).not.toBe('fails')
})
