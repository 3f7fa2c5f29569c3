/** Conformance of the driver `fireblocks`, kills by SIGKILL among the situations. */
import { beforeAll, expect, test } from 'vitest'
import type { Result } from '../../../dev/conform/kit.ts'
import { providerOf } from '../../support/conform/environment.ts'

let results: readonly Result[] = []

beforeAll(async () => {
  const provider = providerOf('fireblocks')
  const { conform } = await import('../../../dev/conform/kit.ts')
  results = await conform(provider)
}, 600_000)

test('every situation conforms that can happen to coins, kills among them', () => {
  const failures = results.filter(({ outcome }) => outcome === 'fails')
  expect(failures.map(({ name, faults }) => `${name}: ${faults.join('; ')}`)).toEqual([])
  const conforming = results.filter(({ outcome }) => outcome === 'conforms').map(({ name }) => name)
  expect(conforming.length).toBeGreaterThanOrEqual(110)
  expect(conforming.filter((name) => name.startsWith('kill -9')).length).toBeGreaterThanOrEqual(10)
})
