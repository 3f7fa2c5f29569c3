/** The driver `increase` conforms: a fifth of the situations of its words and lists. All are in test/long/conform. */
import { beforeAll, expect, test } from 'vitest'
import type { Result } from '../../../dev/conform/kit.ts'
import { providerOf } from '../../support/conform/environment.ts'
import { everyNth, fullScale } from '../../support/model-runs.ts'

const WORDS = ['the order', 'a look', 'a list', 'money', 'a deposit', 'a callback', 'an opened account', 'comes back']
const isOwn = (name: string) => !name.startsWith('kill -9') && WORDS.some((word) => name.includes(word))
let results: readonly Result[] = []

beforeAll(async () => {
  const provider = providerOf('increase')
  const { conform } = await import('../../../dev/conform/kit.ts')
  const { SITUATIONS } = await import('../../../dev/conform/situations/index.ts')
  const wanted = everyNth(
    SITUATIONS.map(({ name }) => name).filter((name) => isOwn(name)),
    5,
  )
  results = await conform(provider, { isWanted: (name) => wanted.includes(name) })
}, 300_000)

test('every situation conforms that can happen at a bank in dollars', () => {
  const failures = results.filter(({ outcome }) => outcome === 'fails')
  expect(failures.map(({ name, faults }) => `${name}: ${faults.join('; ')}`)).toEqual([])
  expect(results.filter(({ outcome }) => outcome === 'conforms').length).toBeGreaterThanOrEqual(fullScale ? 60 : 8)
})
