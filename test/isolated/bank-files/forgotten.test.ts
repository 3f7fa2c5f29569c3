/** A database put back to before an upload, of which the bank is silent: the payments are not sent again. */
import { Readable } from 'node:stream'
import { beforeEach, expect, test, vi } from 'vitest'
import { account, entry, namesIn, report, takeUploaded, uploaded } from '../../support/bank-files/bank.ts'
import {
  filesIn,
  findings,
  hear,
  orderOf,
  paymentAt,
  store,
  upload,
  uploadAll,
  writeAll,
} from '../../support/bank-files/files.ts'
import { say } from '../../support/bank-files/words.ts'
import { owner } from '../../support/database.ts'
import { fileIdOf } from '../../../domain/bank-files/references.ts'
import { newId } from '../../../domain/ids.ts'
import { listIn, put } from '../../../platform/storage/storage.ts'
import { purgeJournals } from '../../../services/bank-files/journal.ts'

await vi.hoisted(async () => {
  const { connectFileBank } = await import('../../support/bank-files/connecting.ts')
  connectFileBank()
})

beforeEach(() => void takeUploaded())

const timesSent = (id: string): number => {
  takeUploaded()
  return namesIn('taken').filter((name) => uploaded(name).includes(`<EndToEndId>${fileIdOf(id)}<`)).length
}

/** Sends payments in a file, which the bank takes without a word. */
async function sentFile(...amounts: string[]) {
  const orders = amounts.map((amount) => orderOf(amount, newId<'payment'>()))
  for (const order of orders) await store.put(order)
  await writeAll()
  const [fileId = ''] = await filesIn('written')
  await uploadAll()
  takeUploaded()
  return { orders, ids: orders.map(({ id }) => id), fileId, messageId: fileIdOf(fileId) }
}

const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

const statusesOf = (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await paymentAt(id)).status))

/** Puts rows back as they were before the order. */
async function forget(fileId: string): Promise<void> {
  await owner`delete from bank_payments where file_id = ${fileId}`
  await owner`delete from bank_files where id = ${fileId}`
  await owner`update bank_folders set journal_read_on = null`
}

test('before the order: it is on hold when it comes again, and goes on with what the bank says of its file', async () => {
  const { orders, ids, fileId, messageId } = await sentFile('1.00', '2.00')
  await forget(fileId)
  for (const order of orders) await store.put(order)
  expect(await statusesOf(ids)).toEqual(['pending', 'pending'])
  await writeAll()
  await uploadAll()
  expect(namesIn('in')).toEqual([])
  expect(await statusesOf(ids)).toEqual(['on_hold', 'on_hold'])
  expect(await findings()).toContain(`bank_file_not_acknowledged pain001-${messageId}.xml`)
  say(report(messageId))
  await hear()
  expect(await statusesOf(ids)).toEqual(['processing', 'processing'])
  say(account([entry('debit', '1.00', { endToEndId: fileIdOf(ids[0] ?? '') }), entry('debit', '2.00', { endToEndId: fileIdOf(ids[1] ?? '') })])) // prettier-ignore
  await hear()
  expect(await statusesOf(ids)).toEqual(['settled', 'settled'])
  expect([timesSent(ids[0] ?? ''), timesSent(ids[1] ?? '')]).toEqual([1, 1])
})

test('before the order, which comes after another file was written: it is on hold, too', async () => {
  const { orders, ids, fileId } = await sentFile('3.00')
  await forget(fileId)
  const other = await sentFile('4.00')
  for (const order of orders) await store.put(order)
  await writeAll()
  await uploadAll()
  expect(await statusesOf([...ids, ...other.ids])).toEqual(['on_hold', 'processing'])
  expect([timesSent(ids[0] ?? ''), timesSent(other.ids[0] ?? '')]).toEqual([1, 1])
})

test('before the order, and the bank refuses the whole file: it is rejected when it comes again', async () => {
  const { orders, ids, fileId, messageId } = await sentFile('8.00', '9.00')
  await forget(fileId)
  const [first] = orders
  if (first) await store.put(first) // the other comes once the report is read
  say(report(messageId, { status: 'RJCT', reasons: [{ code: 'AM10', text: null }] }))
  await hear()
  for (const order of orders) await store.put(order)
  expect(await statusesOf(ids)).toEqual(['rejected', 'rejected'])
  await writeAll()
  await uploadAll()
  expect(namesIn('in')).toEqual([])
  expect(await findings()).toContainEqual(expect.stringMatching(`^bank_file_about_no_file .*${messageId}`))
})

test('to before it was written: what was in it is on hold, and what came later leaves once', async () => {
  const { ids, fileId } = await sentFile('5.00')
  await owner`update bank_payments set status = 'pending' where file_id = ${fileId}`
  await owner`
    update bank_files set status = 'collecting', name = '', message_id = null, sealed = null, sha256 = null, upload = null,
      due_at = business_now() where id = ${fileId}`
  await owner`update bank_folders set journal_read_on = null`
  const later = orderOf('6.00')
  await store.put(later)
  await writeAll()
  await uploadAll()
  expect(await statusesOf([...ids, later.id])).toEqual(['on_hold', 'processing'])
  expect([timesSent(ids[0] ?? ''), timesSent(later.id)]).toEqual([1, 1])
})

test('to between writing and upload: it is not uploaded again', async () => {
  const { ids, fileId } = await sentFile('7.00')
  await owner`update bank_payments set status = 'pending' where file_id = ${fileId}`
  await owner`update bank_files set status = 'written', upload = null where id = ${fileId}`
  await owner`update bank_folders set journal_read_on = null`
  await upload(fileId as Parameters<typeof upload>[0])
  expect(await statusesOf(ids)).toEqual(['on_hold'])
  expect(timesSent(ids[0] ?? '')).toBe(1)
})

test('days of the journal are removed once no backup is older, and one that the database has not compared stays', async () => {
  const days = [dayBefore(91), dayBefore(92), dayBefore(89)]
  for (const day of days) await put(`bank-files/bank/${day}/x`, Readable.from(['sealed']))
  await owner`update bank_folders set journal_read_on = ${dayBefore(91)}`
  expect(await purgeJournals()).toBe(0)
  await owner`update bank_folders set journal_read_on = ${dayBefore(90)}`
  expect(await purgeJournals()).toBe(1)
  await owner`update bank_folders set journal_read_on = ${dayBefore(0)}`
  expect(await purgeJournals()).toBe(1)
  expect(await listIn('bank-files/bank')).toEqual(expect.arrayContaining([dayBefore(89), dayBefore(0)]))
  expect(await listIn('bank-files/bank')).not.toContain(dayBefore(91))
})
