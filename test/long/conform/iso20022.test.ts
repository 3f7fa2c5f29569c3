/** Conformance of the driver `iso20022`, by SFTP: kills by SIGKILL between the steps of a file among the situations. */
import { beforeAll, expect, test } from 'vitest'
import type { Result } from '../../../dev/conform/kit.ts'
import { providerOf } from '../../support/conform/environment.ts'

let results: readonly Result[] = []

beforeAll(async () => {
  const provider = providerOf('iso20022')
  const { conform } = await import('../../../dev/conform/kit.ts')
  results = await conform(provider)
}, 1_200_000)

test('every situation conforms that can happen at a bank by files, kills among them', () => {
  const failures = results.filter(({ outcome }) => outcome === 'fails')
  expect(failures.map(({ name, faults }) => `${name}: ${faults.join('; ')}`)).toEqual([])
  const conforming = results.filter(({ outcome }) => outcome === 'conforms').map(({ name }) => name)
  expect(conforming.length).toBeGreaterThanOrEqual(110)
  expect(conforming.filter((name) => name.startsWith('kill -9')).length).toBeGreaterThanOrEqual(15)
})

test('what cannot happen there has its reason', () => {
  const impossible = results.filter(({ outcome }) => outcome === 'impossible')
  expect(impossible.filter(({ happened }) => happened === '')).toEqual([])
})
