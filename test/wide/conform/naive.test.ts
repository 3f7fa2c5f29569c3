/** A naive driver fails by name: the kit finds what a first day overlooks. */
import { beforeAll, expect, test, vi } from 'vitest'
import type { HttpConnection } from '../../../partners/http/driver.ts'
import { type Result, conform } from '../../../dev/conform/kit.ts'
import { HttpProvider } from '../../../dev/conform/http/provider.ts'
import { config } from '../../../platform/config.ts'

vi.hoisted(() => Object.assign(process.env, { PARTNER_TIMEOUT_MS: '300' }))

vi.mock(import('../../../partners/http/driver.ts'), async (original) => {
  const { httpDriver } = await original()
  const { naiveDriver } = await import('../../support/partners/naive-driver.ts')
  return { httpDriver: (one: HttpConnection) => ({ ...httpDriver(one), ...naiveDriver(httpDriver(one), one) }) }
})

/** Situations that it fails, and the fault that each shows. */
const FAILURES = [
  ['answer lost after the order', 'paid twice: 200.00 EUR'],
  ['half an answer to the order', 'paid twice'],
  ['the order is answered 500 after it counts', 'paid twice'],
  ['three workers order at once', 'paid twice'],
  ['a proxy answers the order with a page', 'paid twice'],
  ['the order is refused', 'is succeeded, must be failed'],
  ['a look shows another amount', 'must be on_hold'],
  ['a payout comes back', 'is succeeded, must be reversed: 100.00 EUR'],
  ['the order is answered by a redirect', 'the key went to another address'],
  ['a callback is forged', 'taken'],
  ['a callback is ten minutes old', 'taken'],
] as const

/** Situations that it handles nevertheless: what stands around every driver does it. */
const HANDLED = ['an order is taken and settles', 'a gateway answers a look with 404', 'no callback ever comes']

const results = new Map<string, Result>()

beforeAll(async () => {
  const wanted = new Set<string>([...FAILURES.map(([name]) => name), ...HANDLED])
  const provider = new HttpProvider(Number(new URL(config.sandboxPartnersUrl).port))
  const isWanted = (name: string) => wanted.has(name)
  for (const result of await conform(provider, { isWanted })) results.set(result.name, result)
}, 300_000)

test.each(FAILURES)('%s: %s', (name, fault) => {
  expect(results.get(name)?.outcome).toBe('fails')
  expect(results.get(name)?.faults.join('\n')).toContain(fault)
})

test.each(HANDLED)('%s: is handled', (name) => {
  expect(results.get(name)?.faults).toEqual([])
})
