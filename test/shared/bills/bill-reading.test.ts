import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readXml } from '../../../activities/bills/xml/read.ts'
import { config } from '../../../platform/config.ts'
import { fetched } from '../../support/exports/exports.ts'
import { api, organization, person } from '../../support/api.ts'
import { BILL_FIELDS } from '../../../domain/bills/fields.ts'
import { type Truth } from '../../support/bills/model.ts'
import { xmlFiles } from '../../support/bills/xml-files.ts'
import { change, create, detail, eventsOf, readBill, sentFile, typedBill } from '../../support/bills/bills.ts'
import { objectsOf } from '../../support/files/files.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const boss = await person({ authenticator: true })
const { id: organizationId } = await organization(boss, 'Payer')

const files = xmlFiles().filter(({ half }) => half === 'made')
const fileOf = (kind: string) => {
  const found = files.find(({ name, truth }) => name.startsWith('plain') && name.includes(kind) && !truth.refused)
  if (!found) throw new Error(`the corpus has no ${kind}`)
  return found
}
const truthOf = ({ fields }: Truth) => Object.fromEntries(BILL_FIELDS.map((name) => [name, fields?.[name]]))

test('a bill in XML is read exactly, with the evidence that caused it, and each value says where it stands', async () => {
  const { bytes, truth } = fileOf('ubl')
  const bill = await readBill(boss, organizationId, bytes, 'application/xml')
  expect(bill).toMatchObject({ ...truthOf(truth), extraction_failed_at: null, doubts: [] })
  const { events, line_items: lines } = await detail(boss, bill.id)
  expect(lines).toEqual(readXml(bytes, 'file').lineItems)
  expect(lines.length).toBeGreaterThan(0)
  const [created, read, extracted] = events
  expect(events.map((event: any) => event.event_type)).toEqual(['bill.created', 'bill.read', 'bill.extracted'])
  expect(read).toMatchObject({ kind: 'evidence', provider: 'ubl', payload: null, actor_kind: 'worker' })
  expect(extracted).toMatchObject({ kind: 'domain', causation_id: read.id, actor_kind: 'worker', provider: null })
  expect(created.causation_id).toBeNull()
  const { body } = await api('GET', `/bills/${bill.id}/provenance`, { token: boss.token })
  const known = Object.entries(truth.fields ?? {}).filter(([, value]) => value !== null)
  expect(body.data.map(({ field, value }: any) => [field, value]).toSorted()).toEqual(known.toSorted())
  for (const one of body.data) expect(one).toMatchObject({ method: 'ubl', event_id: read.id, confidence: 1 })
})

test('what a person typed while a bill was read, or before it is read again, is never overwritten', async () => {
  const { bytes, truth } = fileOf('cii')
  const fileId = await sentFile(boss, organizationId, bytes, 'application/xml')
  const { body } = await create(boss, organizationId, { file_id: fileId, supplier_name: 'As I know them' })
  expect(body).toMatchObject({ status: 'extracting', supplier_name: 'As I know them' })
  const extracted = () =>
    until('a bill that is read', async () => {
      const { bill } = await detail(boss, body.id)
      return bill.status === 'extracted' && bill
    })
  expect(await extracted()).toMatchObject({ ...truthOf(truth), supplier_name: 'As I know them' })
  await change(boss, body.id, { payment_reference: 'Mine', due_date: null })
  expect((await api('POST', `/bills/${body.id}/extract`, { token: boss.token, body: {} })).body.status).toBe(
    'extracting',
  )
  const typed = { supplier_name: 'As I know them', payment_reference: 'Mine', due_date: null }
  expect(await extracted()).toMatchObject({ ...truthOf(truth), ...typed })
  const { body: provenance } = await api('GET', `/bills/${body.id}/provenance`, { token: boss.token })
  expect(provenance.data.find(({ field }: any) => field === 'supplier_name')).toMatchObject({
    method: 'user',
    page: null,
  })
})

test('who says that a bill has to be paid is not told otherwise by a reading', async () => {
  const debited = files.find(({ truth }) => truth.not_payable === 'direct_debit' && !truth.refused)
  const fileId = await sentFile(boss, organizationId, debited!.bytes, 'application/xml')
  const { body } = await create(boss, organizationId, { file_id: fileId, not_payable: null })
  const bill = await until('a bill that is read', async () => {
    const { bill: found } = await detail(boss, body.id)
    return found.status === 'extracted' && found
  })
  expect(bill).toMatchObject({ not_payable: null, bill_number: debited!.truth.fields?.bill_number })
})

test('a file that is no bill is given up with the reason, stays to be fetched, and people type what it says', async () => {
  const bytes = Buffer.from('<order/>')
  const bill = await readBill(boss, organizationId, bytes, 'application/xml')
  expect(bill).toMatchObject({
    extraction_failed_at: expect.any(String),
    extraction_error: expect.any(String),
    amount: null,
  })
  expect(await eventsOf(boss, bill.id)).toEqual(['bill.created', 'bill.extraction_failed'])
  const { body } = await api('GET', `/bills/${bill.id}/file`, { token: boss.token })
  expect(body).toMatchObject({ id: bill.file_id, filename: 'bill', byte_size: 8, content_type: 'application/xml' })
  expect((await fetched(body.download_url)).bytes).toEqual(bytes)
  expect((await change(boss, bill.id, { amount: '1.00', currency: 'EUR' })).body).toMatchObject({ amount: '1.00' })
})

test('storage that is away is tried three times, and then the bill is given up', async () => {
  const { bytes } = fileOf('ubl')
  const bill = await readBill(boss, organizationId, bytes, 'application/xml', () => fault('storage', 'down', 3))
  expect(bill).toMatchObject({ extraction_error: 'The file could not be read.' })
})

test('a file that storage has otherwise than it was sent is not read, whatever it says', async () => {
  const { bytes } = fileOf('ubl')
  const fileId = await sentFile(boss, organizationId, bytes, 'application/xml')
  const changed = Buffer.concat([bytes, Buffer.from('\n')]) // it could be read as well
  for (const name of objectsOf(fileId)) writeFileSync(join(config.storage.folder, fileId, name), changed)
  const { body } = await create(boss, organizationId, { file_id: fileId })
  const bill = await until('a bill that is given up', async () => {
    const { bill: found } = await detail(boss, body.id)
    return found.status === 'extracted' && found
  })
  expect(bill).toMatchObject({ extraction_error: expect.stringContaining('upload it again'), iban: null, amount: null })
})

test('a file that must not be read is refused with its reason, and nothing is lost', async () => {
  const refused = files.filter(({ truth }) => truth.refused).slice(0, 3) // each begins a process; all: bill-xml-hostile
  expect(refused).toHaveLength(3)
  for (const { bytes, name } of refused) {
    const bill = await readBill(boss, organizationId, bytes, 'application/xml')
    expect(bill, name).toMatchObject({ extraction_failed_at: expect.any(String), amount: null, iban: null })
  }
})

test('a slot takes PDF, PNG, JPEG and XML of at most 10 MB, and a bill is made of what was sent there', async () => {
  const slot = (body: object) =>
    api('POST', `/organizations/${organizationId}/bills/upload`, { token: boss.token, body })
  const good = { filename: 'bill.pdf', byte_size: 10 * 1024 * 1024, content_type: 'application/pdf' }
  for (const type of ['application/pdf', 'image/png', 'image/jpeg', 'application/xml']) {
    const { status, body } = await slot({ ...good, content_type: type })
    expect([status, body.method, body.file_name, body.content_type]).toEqual([201, 'PUT', 'bill.pdf', type])
  }
  for (const wrong of [
    { byte_size: 10 * 1024 * 1024 + 1 },
    { byte_size: 0 },
    { content_type: 'text/csv' },
    { content_type: 'image/svg+xml' },
    { filename: 'two\nlines' },
  ]) {
    expect((await slot({ ...good, ...wrong })).status, JSON.stringify(wrong)).toBe(400)
  }
  const { body: empty } = await slot(good)
  const early = await create(boss, organizationId, { file_id: empty.id })
  expect([early.status, early.body.error.type]).toEqual([409, 'file_not_uploaded'])
  const [first, second] = [Buffer.from('<bill/>'), Buffer.from('<bill/>')]
  const bills: string[] = []
  for (const bytes of [first, second]) {
    const fileId = await sentFile(boss, organizationId, bytes, 'application/xml')
    bills.push((await create(boss, organizationId, { file_id: fileId })).body.id)
  }
  expect((await detail(boss, bills[1] ?? '')).duplicates).toEqual([{ bill_id: bills[0], reason: 'same_file' }])
  const nothing = await create(boss, organizationId, {})
  expect([nothing.status, nothing.body.error.type]).toEqual([400, 'invalid_request'])
  const typedOnly = await typedBill(boss, organizationId, { bill_number: 'No file' })
  const unread = await api('POST', `/bills/${typedOnly.id}/extract`, { token: boss.token, body: {} })
  expect([unread.status, unread.body.error.type]).toEqual([409, 'file_not_uploaded'])
  expect((await api('GET', `/bills/${typedOnly.id}/file`, { token: boss.token })).status).toBe(404)
})

test('bills to complete, to look at and to pay are things to do, and none once they are put away', async () => {
  const { id } = await organization(boss, 'Doing')
  const counts = async () => {
    const { by_kind: kinds } = (await api('GET', `/organizations/${id}/attention/summary`, { token: boss.token })).body
    return ['fix_bill', 'pay_bill', 'check_bank_details'].map((kind) => kinds[kind].total)
  }
  const typed = { amount: '5.00', currency: 'EUR', supplier_name: 'Müller', due_date: '2026-12-24' }
  const first = (await create(boss, id, { ...typed, iban: 'DE89370400440532013000', bill_number: '1' })).body
  await create(boss, id, { supplier_name: 'Somebody' })
  const other = (await create(boss, id, { ...typed, iban: 'DE02120300000000202051', bill_number: '2' })).body
  expect(await counts()).toEqual([1, 1, 1])
  const item = await api('GET', `/organizations/${id}/attention/pay_bill:${first.id}`, { token: boss.token })
  expect(item.body).toMatchObject({
    due_at: '2026-12-24T00:00:00Z',
    summary: 'The bill of "Müller", number "1", asks for 5.00 EUR.',
  })
  for (const kind of ['check_bank_details', 'fix_bill']) {
    const { body: list } = await api('GET', `/organizations/${id}/attention?kind=${kind}`, { token: boss.token })
    const [found] = list.data.filter((one: any) => one.kind === kind)
    expect(found).toMatchObject({
      id: `${kind}:${found.subject.bill_id}`,
      severity: kind === 'fix_bill' ? 'action' : 'blocking',
      audience: 'organization',
      actionable_by_viewer: true,
      due_at: kind === 'fix_bill' ? null : '2026-12-24T00:00:00Z',
      href: `/organizations/${id}/bills/${found.subject.bill_id}`,
      action: { kind, bill_id: found.subject.bill_id },
      subject: { type: 'bill' },
    })
  }
  await api('POST', `/bills/${other.id}/cancel`, { token: boss.token, body: {} })
  expect(await counts()).toEqual([1, 1, 0])
})
