/** The driver `http` conforms: every situation of the kit, but those that kill a process (test/long/conform.test.ts). */
import { beforeAll, expect, test, vi } from 'vitest'
import { type Result, conform } from '../../../dev/conform/kit.ts'
import { HttpProvider } from '../../../dev/conform/http/provider.ts'
import { SITUATIONS } from '../../../dev/conform/situations/index.ts'
import { config } from '../../../platform/config.ts'

vi.hoisted(() => Object.assign(process.env, { PARTNER_TIMEOUT_MS: '300' }))

const isWanted = (name: string) => !name.startsWith('kill -9')
const results = new Map<string, Result>()

beforeAll(async () => {
  const provider = new HttpProvider(Number(new URL(config.sandboxPartnersUrl).port))
  for (const result of await conform(provider, { isWanted })) results.set(result.name, result)
}, 300_000)

test('there are sixty situations and more, each with a name of its own', () => {
  expect(SITUATIONS.length).toBeGreaterThanOrEqual(60)
  expect(new Set(SITUATIONS.map(({ name }) => name)).size).toBe(SITUATIONS.length)
  expect([...results.values()].filter(({ outcome }) => outcome === 'conforms').length).toBeGreaterThanOrEqual(60)
})

test.each(SITUATIONS.map(({ name }) => name).filter(isWanted))('%s', (name) => {
  const result = results.get(name)
  expect(result?.faults).toEqual([])
  expect(result?.outcome).not.toBe('fails')
})
