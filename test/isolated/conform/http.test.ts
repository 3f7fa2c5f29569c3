/** The driver `http` conforms: every fourth situation of the kit, but those that kill a process (test/long/conform). */
import { beforeAll, expect, test, vi } from 'vitest'
import { type Result, conform } from '../../../dev/conform/kit.ts'
import { HttpProvider } from '../../../dev/conform/http/provider.ts'
import { SITUATIONS } from '../../../dev/conform/situations/index.ts'
import { config } from '../../../platform/config.ts'
import { everyNth, fullScale } from '../../support/model-runs.ts'

vi.hoisted(() => Object.assign(process.env, { PARTNER_TIMEOUT_MS: '300' }))

const wanted = everyNth(
  SITUATIONS.map(({ name }) => name).filter((name) => !name.startsWith('kill -9')),
  4,
)
const results = new Map<string, Result>()

beforeAll(async () => {
  const provider = new HttpProvider(Number(new URL(config.sandboxPartnersUrl).port))
  for (const result of await conform(provider, { isWanted: (name) => wanted.includes(name) }))
    results.set(result.name, result)
}, 300_000)

test('there are sixty situations and more, each with a name of its own', () => {
  expect(SITUATIONS.length).toBeGreaterThanOrEqual(60)
  expect(new Set(SITUATIONS.map(({ name }) => name)).size).toBe(SITUATIONS.length)
  expect([...results.values()].filter(({ outcome }) => outcome === 'conforms').length).toBeGreaterThanOrEqual(
    fullScale ? 60 : 12,
  )
})

test.each(wanted)('%s', (name) => {
  const result = results.get(name)
  expect(result?.faults).toEqual([])
  expect(result?.outcome).not.toBe('fails')
})
