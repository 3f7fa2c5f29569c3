/** Conformance of our drivers, kills by SIGKILL among the situations: `npm run conform` in the long run. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Result } from '../../../dev/conform/kit.ts'
import { providerOf } from '../../support/conform/environment.ts'

const DRIVER = 'http-24h'
let results: readonly Result[] = []

beforeAll(async () => {
  const provider = providerOf(DRIVER)
  const { conform } = await import('../../../dev/conform/kit.ts')
  const { files } = await import('../../../dev/conform/situations/files.ts')
  const byFiles = new Set(files.map(({ name }) => name))
  results = await conform(provider, { isWanted: (name) => !byFiles.has(name) })
}, 400_000)

describe(`${DRIVER}, a partner that forgets our ids after a day`, () => {
  test('every situation of calls conforms, and all of them can happen there', () => {
    const failures = results.filter(({ outcome }) => outcome !== 'conforms')
    expect(failures.map(({ name, faults }) => `${name}: ${faults.join('; ')}`)).toEqual([])
    expect(results.length).toBeGreaterThanOrEqual(140)
  })
})
