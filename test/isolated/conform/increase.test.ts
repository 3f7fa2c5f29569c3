/** The driver `increase` conforms: situations of its own words and lists; the others are in the long run. */
import { beforeAll, expect, test } from 'vitest'
import type { Result } from '../../../dev/conform/kit.ts'
import { providerOf } from '../../support/conform/environment.ts'

const WORDS = ['the order', 'a look', 'a list', 'money', 'a deposit', 'a callback', 'an opened account', 'comes back']
const isWanted = (name: string) => !name.startsWith('kill -9') && WORDS.some((word) => name.includes(word))
let results: readonly Result[] = []

beforeAll(async () => {
  const provider = providerOf('increase')
  const { conform } = await import('../../../dev/conform/kit.ts')
  results = await conform(provider, { isWanted })
}, 300_000)

test('every situation conforms that can happen at a bank in dollars', () => {
  const failures = results.filter(({ outcome }) => outcome === 'fails')
  expect(failures.map(({ name, faults }) => `${name}: ${faults.join('; ')}`)).toEqual([])
  expect(results.filter(({ outcome }) => outcome === 'conforms').length).toBeGreaterThanOrEqual(60)
})
