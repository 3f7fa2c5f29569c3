/** Files to a bank: whatever breaks between their steps, each payment leaves once. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { namesIn, report, takeUploaded, uploaded } from '../../support/bank-files/bank.ts'
import { folder } from '../../support/bank-files/connecting.ts'
import {
  filesIn,
  hear,
  orderOf,
  paymentAt,
  put,
  store,
  upload,
  uploadAll,
  writeAll,
} from '../../support/bank-files/files.ts'
import { say } from '../../support/bank-files/words.ts'
import { owner } from '../../support/database.ts'
import { fileIdOf } from '../../../domain/bank-files/references.ts'
import { holdBankFile } from '../../../activities/bank-files.ts'
import { claimRename, findUpload } from '../../../services/bank-files/outgoing.ts'

await vi.hoisted(async () => {
  const { connectFileBank } = await import('../../support/bank-files/connecting.ts')
  connectFileBank({ file_payments_max: 5 })
})

beforeEach(() => void takeUploaded())

/** Counts how often payments stand in files that the bank has got. */
const timesSent = (ids: readonly string[]): number[] => {
  takeUploaded()
  const texts = namesIn('taken').map(uploaded)
  return ids.map((id) => texts.filter((text) => text.includes(`<EndToEndId>${fileIdOf(id)}<`)).length)
}

async function written(...amounts: string[]) {
  const ids = await put(...amounts)
  await writeAll()
  const [fileId] = await filesIn('written')
  const file = fileId && (await findUpload(fileId))
  if (!fileId || !file) throw new Error('no file is written')
  return { ids, fileId, file }
}

const inFolder = (name: string, bytes: Uint8Array) => writeFileSync(join(folder(), 'in', name), bytes)

test('an order that comes twice, also at once, is one payment; another content under its id is refused', async () => {
  const order = orderOf('10.00')
  const stored = await Promise.all([store.put(order), store.put(order), store.put(order)])
  expect(stored.map((one) => one?.status)).toEqual(['pending', 'pending', 'pending'])
  expect(await store.put(orderOf('11.00', order.id))).toBeNull()
  await writeAll()
  expect(await store.put(order)).toMatchObject({ status: 'pending' })
  await uploadAll()
  expect(await store.put(order)).toMatchObject({ status: 'processing' })
  expect(timesSent([order.id])).toEqual([1])
})

test('payments beyond those of a file leave in the next ones, each once', async () => {
  const ids = await put(...Array.from({ length: 12 }, (_, at) => `${at + 1}.00`))
  await writeAll()
  const files = await owner`select count, sum::float8 as sum from bank_files where status = 'written' order by sum`
  expect(files.map(({ count }) => count).toSorted()).toEqual([2, 5, 5])
  expect(files.reduce((all, { sum }) => all + sum, 0)).toBe(78)
  await uploadAll()
  expect(timesSent(ids)).toEqual(ids.map(() => 1))
})

test('while payments are put into a file that is being written, none is lost and none leaves twice', async () => {
  const first = await put('1.00')
  const others = Promise.all(Array.from({ length: 20 }, (_, at) => put(`${at + 1}.00`)))
  await writeAll()
  const ids = [...first, ...(await others).flat()]
  await writeAll()
  await uploadAll()
  expect(timesSent(ids)).toEqual(ids.map(() => 1))
})

test('a crash before the rename leaves a temporary file, which the next try clears away', async () => {
  const { ids, fileId, file } = await written('10.00')
  inFolder(`${file.name}.${randomUUID()}.tmp`, file.bytes.subarray(0, 100))
  await upload(fileId)
  expect(namesIn('in')).toEqual([file.name])
  expect(timesSent(ids)).toEqual([1])
})

test('a crash between the claim and the rename: the next try renames, and writes nothing', async () => {
  const { ids, fileId, file } = await written('10.00')
  const by = randomUUID()
  inFolder(`${file.name}.${by}.tmp`, file.bytes)
  expect(await claimRename(fileId, by)).toBe(true)
  await upload(fileId)
  expect(namesIn('in')).toEqual([file.name])
  expect(timesSent(ids)).toEqual([1])
})

test('a crash between the claim and the rename: workers that rename at once bring one, and none fails', async () => {
  const { ids, fileId, file } = await written('10.00')
  const by = randomUUID()
  inFolder(`${file.name}.${by}.tmp`, file.bytes)
  expect(await claimRename(fileId, by)).toBe(true)
  await Promise.all(Array.from({ length: 6 }, () => upload(fileId)))
  expect(namesIn('in')).toEqual([file.name])
  expect(timesSent(ids)).toEqual([1])
})

test.each(['still there', 'taken by the bank'])(
  'a crash after the rename, the file %s: it is not sent again',
  async (where) => {
    const { ids, fileId, file } = await written('10.00')
    expect(await claimRename(fileId, randomUUID())).toBe(true)
    inFolder(file.name, file.bytes)
    if (where === 'taken by the bank') takeUploaded()
    await upload(fileId)
    expect(await filesIn('written')).toEqual([])
    expect(timesSent(ids)).toEqual([1])
  },
)

test('other bytes under the name of a file are left alone, and nothing is uploaded', async () => {
  const { ids, fileId, file } = await written('10.00')
  inFolder(file.name, Buffer.from('of another'))
  await expect(upload(fileId)).rejects.toThrow('other bytes')
  expect(await paymentAt(ids[0] ?? '')).toMatchObject({ status: 'pending' })
  await owner`update bank_files set status = 'on_hold' where id = ${fileId}`
})

test('workers that upload a file at once bring one', async () => {
  const { ids, fileId } = await written('10.00', '20.00')
  await Promise.all(Array.from({ length: 6 }, () => upload(fileId)))
  expect(namesIn('in').filter((name) => name.endsWith('.xml'))).toHaveLength(1)
  takeUploaded()
  await upload(fileId)
  expect(timesSent(ids)).toEqual([1, 1])
})

test('a file is written only after what the bank has said before is read', async () => {
  mkdirSync(join(folder(), 'out'), { recursive: true })
  await put('10.00')
  const [fileId] = await filesIn('collecting')
  await owner`update bank_files set due_at = business_now() where id = ${fileId ?? ''}`
  say(report('a file of which we know nothing'))
  const { visit } = await import('../../support/bank-files/bank.ts')
  const { transaction } = await import('../../../db/postgres/sql.ts')
  const { writeFile } = await import('../../../services/bank-files/outgoing.ts')
  await visit()
  await transaction((tx) => writeFile(tx, fileId!))
  expect(await filesIn('collecting')).toEqual([fileId])
  await hear()
  await transaction((tx) => writeFile(tx, fileId!))
  expect(await filesIn('collecting')).toEqual([])
  await uploadAll()
})

test('a file that is not acknowledged holds its payments and is not sent again; a late report goes on', async () => {
  const { ids, fileId } = await written('10.00')
  const [id = ''] = ids
  await upload(fileId)
  const ref = { id: fileId, organizationId: null }
  await holdBankFile(ref)
  expect(await paymentAt(id)).toMatchObject({ status: 'processing' })
  await owner`update bank_files set due_at = business_now() where id = ${fileId}`
  await holdBankFile(ref)
  expect(await paymentAt(id)).toMatchObject({ status: 'on_hold' })
  await upload(fileId)
  expect(timesSent(ids)).toEqual([1])
  say(report(fileIdOf(fileId)))
  await hear()
  expect(await paymentAt(id)).toMatchObject({ status: 'processing' })
})
