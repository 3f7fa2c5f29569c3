/** A database that was put back has forgotten what it sent: what the bank tells of is not sent again. */
import { expect, test, vi } from 'vitest'
import { v7 } from 'uuid'
import { account, entry, namesIn, report } from '../../support/bank-files/bank.ts'
import { hear, orderOf, paymentAt, store, uploadAll, writeAll } from '../../support/bank-files/files.ts'
import { say } from '../../support/bank-files/words.ts'
import { fileIdOf } from '../../../domain/bank-files/references.ts'

await vi.hoisted(async () => {
  const { connectFileBank } = await import('../../support/bank-files/connecting.ts')
  connectFileBank()
})

test('a payment that the bank has booked or reported is taken as it is there, whether it is ordered before or after', async () => {
  const [reported, booked, late, fresh] = [v7(), v7(), v7(), v7()]
  const payments = [{ endToEndId: fileIdOf(reported), status: 'ACSP', reasons: [], amount: null }] as const
  say(report('a file that we have forgotten', { payments }))
  say(account([entry('debit', '2.00', { endToEndId: fileIdOf(booked) })]))
  await hear()
  await store.put(orderOf('3.00', late))
  say(account([entry('debit', '3.00', { endToEndId: fileIdOf(late) })]))
  await hear()
  for (const [id, amount] of [
    [reported, '1.00'],
    [booked, '2.00'],
  ] as const)
    await store.put(orderOf(amount, id))
  await writeAll()
  await uploadAll()
  expect(namesIn('in')).toEqual([])
  const statuses = await Promise.all([reported, booked, late].map(async (id) => (await paymentAt(id)).status))
  expect(statuses).toEqual(['processing', 'settled', 'settled'])
  say(account([entry('debit', '1.00', { endToEndId: fileIdOf(reported) })]))
  await hear()
  expect(await paymentAt(reported)).toMatchObject({ status: 'settled' })
  await store.put(orderOf('4.00', fresh))
  await writeAll()
  await uploadAll()
  expect(namesIn('in')).toHaveLength(1)
})
