/** Records of partners' lists that cannot be compared are kept by name, and reported once. */
import { afterEach, expect, test } from 'vitest'
import { forgetUnreadableRecords, recordUnreadableRecords } from '../../../services/callbacks/unreadable-records.ts'
import { owner } from '../../support/database.ts'

const NAMES = ['a', '2 after a']
afterEach(() => forgetUnreadableRecords('bank', 'deposits', NAMES))

const kept = () => owner`
  select name, is_nothing from partner_oddities where partner = 'bank' and name = any (${NAMES}) order by name`

test('a record that cannot be read is new once, though it comes twice or again, and stays until it can be read', async () => {
  const odd = NAMES.map((name) => ({ name, isZeroAmount: false }))
  const record = (records: typeof odd) => recordUnreadableRecords('bank', 'deposits', records)
  expect(await record([...odd, ...odd])).toEqual(expect.arrayContaining(odd))
  expect(await record(odd)).toEqual([])
  expect(await record([{ name: 'a', isZeroAmount: true }])).toEqual([])
  expect(await kept()).toEqual([
    { name: '2 after a', is_nothing: false },
    { name: 'a', is_nothing: true },
  ])
  await forgetUnreadableRecords('bank', 'deposits', ['a'])
  expect(await kept()).toEqual([{ name: '2 after a', is_nothing: false }])
})
