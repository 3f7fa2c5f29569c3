/** The driver `iso20022` conforms, by SFTP: some situations of each kind; all of them are in the long run. */
import { beforeAll, expect, test } from 'vitest'
import type { Result } from '../../../dev/conform/kit.ts'
import { providerOf } from '../../support/conform/environment.ts'

const PLAYED = [
  'answer lost after the order',
  'half an answer to the order',
  'the key is refused for a while: 401',
  'the answer to the order names another amount',
  'three workers order at once',
  'paid, then called rejected, though the money has left',
  'rejected, and paid nevertheless',
  'a payout comes back short',
  'money is announced to two workers at once',
  'half an answer about a deposit',
  'a deposit is taken back after it was credited',
  'the database is restored by three days, to before the order',
  'an instant order is taken and settles',
  'an instant order is refused',
  'each file is cut, and comes whole under another name',
] as const
let results: readonly Result[] = []

beforeAll(async () => {
  const provider = providerOf('iso20022')
  const { conform } = await import('../../../dev/conform/kit.ts')
  results = await conform(provider, { isWanted: (name) => PLAYED.some((one) => one === name) })
}, 300_000)

test.each(PLAYED)('%s', (name) => {
  const result = results.find((one) => one.name === name)
  expect(result?.faults).toEqual([])
  expect(result?.outcome).toBe('conforms')
})
