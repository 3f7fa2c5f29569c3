import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readXml } from '../../../documents/bills/xml/read.ts'
import { config } from '../../../platform/config.ts'
import { fetched } from '../../support/exports/exports.ts'
import { api, organization, person } from '../../support/api.ts'
import { BILL_FIELDS } from '../../../domain/bills/fields.ts'
import { type Truth } from '../../../dev/sample-bills/model.ts'
import { xmlFiles } from '../../../dev/sample-bills/xml-files.ts'
import {
  OTHER_IBAN,
  cancel,
  change,
  create,
  detail,
  eventsOf,
  provenanceOf,
  readBill,
  sentFile,
  typedBill,
  whenRead,
} from '../../support/bills/bills.ts'
import { objectsOf } from '../../support/files/files.ts'
import { refusal } from '../../support/http/refusals.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const boss = await person({ authenticator: true })
const { id: organizationId } = await organization(boss, 'Payer')

const files = xmlFiles().filter(({ half }) => half === 'made')
const fileOf = (kind: string) => files.find(({ name }) => name.startsWith('plain') && name.includes(kind))!
const sentXml = (bytes: Buffer) => sentFile(boss, organizationId, bytes, 'application/xml')
const truthOf = ({ fields }: Truth) => Object.fromEntries(BILL_FIELDS.map((name) => [name, fields?.[name]]))

test('a bill in XML is read exactly, with the evidence that caused it, and each value says where it stands', async () => {
  const { bytes, truth } = fileOf('ubl')
  const bill = await readBill(boss, organizationId, bytes, 'application/xml')
  expect(bill).toMatchObject({ ...truthOf(truth), extraction_failed_at: null, doubts: [] })
  const { events, line_items: lines } = await detail(boss, bill.id)
  expect(lines).toEqual(readXml(bytes, 'file').lineItems)
  expect(lines.length).toBeGreaterThan(0)
  const [created, read, extracted] = events
  expect(await eventsOf(boss, bill.id)).toEqual(['bill.created', 'bill.read', 'bill.extracted'])
  expect(read).toMatchObject({ kind: 'evidence', provider: 'ubl', payload: null, actor_kind: 'worker' })
  expect(extracted).toMatchObject({ kind: 'domain', causation_id: read.id, actor_kind: 'worker', provider: null })
  expect(created.causation_id).toBeNull()
  const provenance = await provenanceOf(boss, bill.id)
  const known = Object.entries(truth.fields ?? {}).filter(([, value]) => value !== null)
  expect(provenance.map(({ field, value }) => [field, value]).toSorted()).toEqual(known.toSorted())
  for (const one of provenance) expect(one).toMatchObject({ method: 'ubl', event_id: read.id, confidence: 1 })
})

test('what a person typed while a bill was read, or before it is read again, is never overwritten', async () => {
  const { bytes, truth } = fileOf('cii')
  const typed = { supplier_name: 'As I know them' }
  const { body } = await create(boss, organizationId, { file_id: await sentXml(bytes), ...typed })
  expect(body).toMatchObject({ status: 'extracting', ...typed })
  expect(await whenRead(boss, body.id)).toMatchObject({ ...truthOf(truth), ...typed })
  const changed = { payment_reference: 'Mine', due_date: null }
  await change(boss, body.id, changed)
  const again = await api('POST', `/bills/${body.id}/extract`, { token: boss.token, body: {} })
  expect(again.body.status).toBe('extracting')
  expect(await whenRead(boss, body.id)).toMatchObject({ ...truthOf(truth), ...typed, ...changed })
  const said = (await provenanceOf(boss, body.id)).find(({ field }) => field === 'supplier_name')
  expect(said).toMatchObject({ method: 'user', page: null })
})

test('who says that a bill has to be paid is not told otherwise by a reading', async () => {
  const { bytes, truth } = files.find((file) => file.truth.not_payable === 'direct_debit')!
  const { body } = await create(boss, organizationId, { file_id: await sentXml(bytes), not_payable: null })
  const bill = await whenRead(boss, body.id)
  expect(bill).toMatchObject({ not_payable: null, bill_number: truth.fields?.bill_number })
})

test('a file that is no bill is given up with the reason, stays to be fetched, and people type what it says', async () => {
  const bytes = Buffer.from('<order/>')
  const bill = await readBill(boss, organizationId, bytes, 'application/xml')
  const said = expect.any(String)
  expect(bill).toMatchObject({ extraction_failed_at: said, extraction_error: said, amount: null })
  expect(await eventsOf(boss, bill.id)).toEqual(['bill.created', 'bill.extraction_failed'])
  const { body } = await api('GET', `/bills/${bill.id}/file`, { token: boss.token })
  expect(body).toMatchObject({ id: bill.file_id, filename: 'bill', byte_size: 8, content_type: 'application/xml' })
  expect((await fetched(body.download_url)).bytes).toEqual(bytes)
  expect((await change(boss, bill.id, { amount: '1.00', currency: 'EUR' })).body).toMatchObject({ amount: '1.00' })
})

test('a file that storage has otherwise than it was sent is not read, whatever it says', async () => {
  const { bytes } = fileOf('ubl')
  const fileId = await sentXml(bytes)
  const changed = Buffer.concat([bytes, Buffer.from('\n')]) // it could be read as well
  for (const name of objectsOf(fileId)) writeFileSync(join(config.storage.folder, fileId, name), changed)
  const { body } = await create(boss, organizationId, { file_id: fileId })
  const bill = await whenRead(boss, body.id)
  expect(bill).toMatchObject({ extraction_error: expect.stringContaining('upload it again'), iban: null, amount: null })
})

test('a bill is made of what was sent to its slot, by no other organization, and names those of the same file', async () => {
  const body = { filename: 'bill.pdf', byte_size: 10, content_type: 'application/pdf' }
  const slot = await api('POST', `/organizations/${organizationId}/bills/upload`, { token: boss.token, body })
  expect(refusal(await create(boss, organizationId, { file_id: slot.body.id }))).toEqual([409, 'file_not_uploaded'])
  const [stranger, bytes] = [await person(), Buffer.from('<bill/>')]
  const { id: elsewhere } = await organization(stranger, 'Elsewhere')
  const theirs = await sentFile(stranger, elsewhere, bytes, 'application/xml')
  expect(refusal(await create(boss, organizationId, { file_id: theirs }))).toEqual([404, 'not_found'])
  expect((await create(stranger, elsewhere, { file_id: theirs })).status).toBe(201)
  const bills: string[] = []
  for (const one of [bytes, bytes])
    bills.push((await create(boss, organizationId, { file_id: await sentXml(one) })).body.id)
  expect((await detail(boss, bills[1] ?? '')).duplicates).toEqual([{ bill_id: bills[0], reason: 'same_file' }])
  const typedOnly = await typedBill(boss, organizationId, { bill_number: 'No file' })
  const unread = await api('POST', `/bills/${typedOnly.id}/extract`, { token: boss.token, body: {} })
  expect(refusal(unread)).toEqual([409, 'file_not_uploaded'])
  expect((await api('GET', `/bills/${typedOnly.id}/file`, { token: boss.token })).status).toBe(404)
})

test('bills to complete, to look at and to pay are things to do, and none once they are put away', async () => {
  const { id } = await organization(boss, 'Doing')
  const attention = async (path: string) =>
    (await api('GET', `/organizations/${id}/attention${path}`, { token: boss.token })).body
  const counts = async () => {
    const { by_kind: kinds } = await attention('/summary')
    return ['fix_bill', 'pay_bill', 'check_bank_details'].map((kind) => kinds[kind].total)
  }
  const due = { supplier_name: 'Müller', amount: '5.00', due_date: '2026-12-24' }
  const first = await typedBill(boss, id, { ...due, bill_number: '1' })
  await create(boss, id, { supplier_name: 'Somebody' })
  const other = await typedBill(boss, id, { ...due, bill_number: '2', iban: OTHER_IBAN })
  expect(await counts()).toEqual([1, 1, 1])
  expect(await attention(`/pay_bill:${first.id}`)).toMatchObject({
    due_at: '2026-12-24T00:00:00Z',
    summary: 'The bill of "Müller", number "1", asks for 5.00 EUR.',
  })
  const href = `/organizations/${id}/bills/${other.id}`
  const check = { severity: 'blocking', due_at: '2026-12-24T00:00:00Z', href, subject: { bill_id: other.id } }
  expect(await attention(`/check_bank_details:${other.id}`)).toMatchObject(check)
  expect((await attention('?kind=fix_bill')).data).toMatchObject([{ severity: 'action', due_at: null }])
  await cancel(boss, other.id)
  expect(await counts()).toEqual([1, 1, 0])
})
