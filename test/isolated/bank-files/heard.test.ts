/** Files of a bank: each is read once, each entry counts once, and what cannot be is a finding that stops nothing. */
import { beforeAll, expect, test, vi } from 'vitest'
import { account, entry, eur, report, today, visit, write } from '../../support/bank-files/bank.ts'
import {
  filesIn,
  findings,
  hear,
  paymentAt,
  put,
  readFile,
  store,
  uploadAll,
  writeAll,
} from '../../support/bank-files/files.ts'
import { say, xmlOf } from '../../support/bank-files/words.ts'
import { owner } from '../../support/database.ts'
import { fileIdOf } from '../../../domain/bank-files/references.ts'

await vi.hoisted(async () => {
  const { connectFileBank } = await import('../../support/bank-files/connecting.ts')
  connectFileBank()
})

const SENDER = { debtor: { name: 'Sender', account: 'DE02120300000000202051', country: 'DE' }, remittance: 'Invoice 1' }
let sentFile = ''
let sent: string[] = []
beforeAll(async () => {
  sent = await put('1.00', '2.00', '3.00', '4.00', '5.00', '6.00')
  await writeAll()
  await uploadAll()
  const [row] = await owner`select message_id from bank_files where direction = 'out'`
  sentFile = row?.['message_id']
})
const endOf = (at: number) => fileIdOf(sent[at] ?? '')
const statusOf = async (at: number) => (await paymentAt(sent[at] ?? '')).status
const countDeposits = async (amount: string) =>
  (await owner`select from bank_entry_parts where kind = 'deposit' and amount = ${amount}`).length

test('a report takes a part of a file, and rejects a part with its reason', async () => {
  const reasons = [{ code: 'AC04', text: 'closed account' }]
  say(report(sentFile, { status: 'PART', payments: [{ endToEndId: endOf(0), status: 'RJCT', reasons, amount: null }, { endToEndId: endOf(1), status: 'ACSC', reasons: [], amount: null }] })) // prettier-ignore
  await hear()
  expect([await statusOf(0), await statusOf(1), await statusOf(2)]).toEqual(['rejected', 'settled', 'processing'])
  expect(await paymentAt(sent[0] ?? '')).toMatchObject({ detail: expect.stringContaining('AC04') })
  say(report(sentFile, { status: null, payments: [{ endToEndId: endOf(1), status: 'PDNG', reasons: [], amount: null }, { endToEndId: endOf(0), status: 'ACSC', reasons: [], amount: null }] })) // prettier-ignore
  await hear()
  expect([await statusOf(0), await statusOf(1)]).toEqual(['rejected', 'settled'])
})

test('a payment that comes back is returned, less what the bank has kept, whichever file comes first', async () => {
  const returned = { reason: 'AC01', text: null }
  const back = entry('credit', '2.50', { endToEndId: endOf(2), returned, instructed: eur('3.00') })
  say(account([back]))
  say(account([entry('debit', '3.00', { endToEndId: endOf(2) })]))
  say(account([back], { kind: 'statement' }))
  await hear()
  expect(await paymentAt(sent[2] ?? '')).toMatchObject({
    status: 'returned',
    returned: eur('2.50'),
    charges: eur('0.50'),
  })
  expect(await countDeposits('2.50')).toBe(0)
})

test('a debit of another amount settles nothing, and is a finding; one with its charges settles', async () => {
  const strange = entry('debit', '9.99', { endToEndId: endOf(3) })
  say(account([strange]))
  await hear()
  expect(await statusOf(3)).toBe('processing')
  expect((await findings()).join()).toContain('bank_file_entry_unknown')
  const charges = [{ amount: eur('0.20'), isIncluded: true, isCredit: false }]
  say(account([entry('debit', '4.20', { endToEndId: endOf(3), charges })]))
  await hear()
  expect(await paymentAt(sent[3] ?? '')).toMatchObject({ status: 'settled', charges: eur('0.20') })
})

test('the same bytes under another name are not read again, and a name with other bytes is another file', async () => {
  const text = xmlOf(account([entry('credit', '7.00', SENDER)]))
  write('a.xml', text)
  write('b.xml', text)
  await hear()
  await hear()
  expect(await countDeposits('7.00')).toBe(1)
  expect(await filesIn('duplicate')).toHaveLength(1)
  write('a.xml', xmlOf(account([entry('credit', '7.00', { ...SENDER, remittance: 'Invoice 2' })])))
  await hear()
  expect(await countDeposits('7.00')).toBe(2)
})

test('an entry in a notification and the statement is one deposit, twins are two, and readers at once book each once', async () => {
  const [named, twin] = [entry('credit', '8.00', SENDER), entry('credit', '8.00', SENDER, { reference: null })]
  say(account([named, twin, twin]))
  say(account([twin, named, twin], { kind: 'statement' }))
  await visit()
  const files = await filesIn('fetched')
  await Promise.all([...files, ...files].map(readFile))
  expect(await countDeposits('8.00')).toBe(3)
  const { data } = await store.deposits()
  expect(data.find(({ amount }) => amount.amount === '8.00')).toMatchObject({ status: 'received', sender: { name: 'Sender', words: 'Invoice 1' } }) // prettier-ignore
})

test('a crash before the end of a reading: the file is read again, and books nothing twice', async () => {
  say(
    account([
      entry('credit', '12.00', SENDER, { reference: null }),
      entry('credit', '12.00', SENDER, { reference: null }),
    ]),
  )
  await hear()
  const ids = (await owner`select id from bank_entry_parts where amount = 12`).map(({ id }) => id)
  await owner`update bank_files set status = 'fetched' where direction = 'in' and status = 'read'`
  await hear()
  expect((await owner`select id from bank_entry_parts where amount = 12`).map(({ id }) => id)).toEqual(ids)
})

test('a database that was put back gives deposits the same ids when it reads the files again', async () => {
  const name = say(account([entry('credit', '13.00', SENDER), entry('credit', '13.00', SENDER, { reference: null })]))
  await hear()
  const idsOf = async () =>
    (await owner`select id from bank_entry_parts where amount = 13 order by id`).map(({ id }) => id)
  const before = await idsOf()
  await owner`delete from bank_entry_mentions where file_id = (select id from bank_files where name = ${name})`
  await owner`delete from bank_entry_parts where amount = 13`
  await owner`delete from bank_entries where amount = 13`
  await owner`delete from bank_files where name = ${name}`
  await hear()
  expect(await idsOf()).toEqual(before)
  expect(before).toHaveLength(2)
})

test('a file that is no message, one of another account, and one that is cut stop nothing', async () => {
  write('noise.xml', 'no message at all')
  say(account([entry('credit', '14.00', SENDER)], { account: 'DE02120300000000202051' }), 'other.xml')
  const whole = xmlOf(account([entry('credit', '15.00', SENDER)]))
  write('cut.xml', whole.slice(0, -200))
  say(account([entry('credit', '16.00', SENDER)]), 'good.xml')
  await hear()
  expect([await countDeposits('14.00'), await countDeposits('15.00'), await countDeposits('16.00')]).toEqual([0, 0, 1])
  expect(await findings()).toEqual(
    expect.arrayContaining([
      'bank_file_unreadable noise.xml',
      'bank_file_unreadable cut.xml',
      'bank_file_other_account other.xml:DE02120300000000202051',
    ]),
  )
  write('cut.xml', whole)
  await hear()
  expect(await countDeposits('15.00')).toBe(1)
})

test('a batch that the bank books as a whole settles each payment of its file, and a rejected file rejects each', async () => {
  const ids = await put('20.00', '30.00')
  await writeAll()
  const [file] = await owner`select message_id from bank_files where status = 'written'`
  await uploadAll()
  const batch = { messageId: file?.['message_id'], paymentInformationId: null, count: 2 }
  say(account([entry('debit', '50.00', {}, { batch, parts: [] })]))
  await hear()
  expect(await Promise.all(ids.map(async (id) => (await paymentAt(id)).status))).toEqual(['settled', 'settled'])

  const others = await put('21.00', '31.00')
  await writeAll()
  const [next] = await owner`select message_id from bank_files where status = 'written'`
  await uploadAll()
  say(report(next?.['message_id'], { status: 'RJCT', reasons: [{ code: 'FF01', text: null }] }))
  await hear()
  expect(await Promise.all(others.map(async (id) => (await paymentAt(id)).status))).toEqual(['rejected', 'rejected'])
  expect(await filesIn('rejected')).toHaveLength(1)
})

test('statements give the balance of the last day, and a day without one is a finding', async () => {
  expect(await store.balances()).toBeNull()
  const statement = (day: string, opening: string, closing: string) =>
    account([], { kind: 'statement', opening: { amount: eur(opening), day }, closing: { amount: eur(closing), day } })
  say(statement('2026-01-05', '100.00', '100.00'))
  say(statement('2026-01-06', '100.00', '100.00'))
  await hear()
  expect(await store.balances()).toEqual([{ currency: 'EUR', amount: '100.00', asOf: '2026-01-06T23:59:59.999Z' }])
  say(statement(today(), '140.00', '140.00'))
  await hear()
  expect((await findings()).join()).toContain('bank_file_statement_missing')
})
