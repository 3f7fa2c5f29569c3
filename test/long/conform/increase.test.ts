/** Conformance of the driver `increase`, kills by SIGKILL among the situations. */
import { beforeAll, expect, test } from 'vitest'
import type { Result } from '../../../dev/conform/kit.ts'
import { providerOf } from '../../support/conform/environment.ts'

let results: readonly Result[] = []

beforeAll(async () => {
  const provider = providerOf('increase')
  const { conform } = await import('../../../dev/conform/kit.ts')
  results = await conform(provider)
}, 400_000)

test('every situation conforms that can happen at a bank in dollars', () => {
  const failures = results.filter(({ outcome }) => outcome === 'fails')
  expect(failures.map(({ name, faults }) => `${name}: ${faults.join('; ')}`)).toEqual([])
  expect(results.filter(({ outcome }) => outcome === 'conforms').length).toBeGreaterThanOrEqual(115)
})
