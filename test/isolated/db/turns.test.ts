/** Turns of organizations, without a worker: each step is the test's. */
import { expect, test } from 'vitest'
import { main } from '../../../activities/index.ts'
import { type LongWork, acquireTurn, leaveTurn } from '../../../db/processes/turns.ts'
import { billFlow } from '../../../domain/bills/flow.ts'
import { exportFlow } from '../../../domain/exports/flow.ts'
import { invoiceFlow } from '../../../domain/invoices/flow.ts'
import { batchFlow } from '../../../domain/batches/flow.ts'
import type { BillId, ExportId, InvoiceId, OrganizationId } from '../../../domain/ids.ts'
import { asSystem } from '../../../db/postgres/sql.ts'
import { type TestPerson, organization, person } from '../../support/api.ts'
import { HEADER, importFile, newBatch, uploaded } from '../../support/batches/imports.ts'
import { cancel, create, sentFile } from '../../support/bills/bills.ts'
import { owner } from '../../support/database.ts'
import { requestExport } from '../../support/exports/exports.ts'
import { seller, sentInvoice } from '../../support/invoices/allocations.ts'

const boss = await person({ authenticator: true })
const anOrganization = async () => (await organization(boss, 'Payer')).id as OrganizationId

async function newBill(organizationId: string): Promise<BillId> {
  const fileId = await sentFile(boss, organizationId, Buffer.from('<bill/>'), 'application/xml')
  return (await create(boss, organizationId, { file_id: fileId })).body.id
}

const READING: LongWork = { flow: billFlow, queue: 'bills', states: ['extracting'] }
const WRITING: LongWork = { flow: exportFlow, queue: 'heavy', states: ['pending'] }
const IMPORTING: LongWork = { flow: batchFlow, queue: 'heavy', states: ['importing'] }
const DRAWING: LongWork = { flow: invoiceFlow, queue: 'documents', states: ['sent'] }

/** Begins a step of long work, unless it is queued. */
const begins = (organizationId: OrganizationId, id: string, work = READING) =>
  asSystem(organizationId, (tx) => acquireTurn(tx, { ...work, id }))
const ends = (organizationId: OrganizationId, id: string) => asSystem(organizationId, (tx) => leaveTurn(tx, id))
const wokenBy = async (id: string) =>
  (await owner<{ why: string }[]>`select why from processes where id = ${id}`)[0]?.why

test('the second bill of an organization is begun when the first is done, and that of another one meanwhile', async () => {
  const [own, other] = [await anOrganization(), await anOrganization()]
  const [first, second, third] = [await newBill(own), await newBill(own), await newBill(own)]
  const elsewhere = await newBill(other)
  expect([await begins(own, first), await begins(own, second)]).toEqual([true, false])
  expect(await wokenBy(second)).toBe('queued')
  const viewed = await main.viewBill({ id: second, organizationId: own })
  expect(viewed).toMatchObject({ waits_for_turn: true, try_due: false, wait_seconds: expect.any(Number) })
  expect(await begins(own, third)).toBe(false)
  expect(await begins(other, elsewhere)).toBe(true)
  expect(await begins(own, first)).toBe(true) // a repeat keeps its turn
  await ends(own, first)
  expect([await wokenBy(second), await wokenBy(third)]).toEqual(['turn', 'queued'])
  expect(await begins(own, third)).toBe(false) // it has not waited longest
  expect(await begins(own, second)).toBe(true)
})

test('the turn of a process that is not heard of any more ends by time', async () => {
  const own = await anOrganization()
  const [first, second] = [await newBill(own), await newBill(own)]
  expect([await begins(own, first), await begins(own, second)]).toEqual([true, false])
  await owner`update turns set until = clock_timestamp() - interval '1 second' where process_id = ${first}`
  expect([await begins(own, second), await begins(own, first)]).toEqual([true, false])
})

test('exports and imports of an organization take turns; bills and four invoices at a time have turns of their own', async () => {
  const selling = await seller(boss)
  const own = selling.id as OrganizationId
  const invoices: InvoiceId[] = []
  for (let count = 0; count < 5; count += 1) invoices.push((await sentInvoice(selling, '10.00')).id)
  const [exported, imported] = [await anExport(boss, own), await anImport(boss, own)]
  const viewed = () => main.viewExport({ id: exported, organizationId: own })
  expect(await viewed()).toMatchObject({ write_due: true, waits_for_turn: false })
  expect(await begins(own, imported, IMPORTING)).toBe(true)
  expect(await begins(own, exported, WRITING)).toBe(false)
  expect(await viewed()).toMatchObject({ write_due: false, waits_for_turn: true, wait_seconds: expect.any(Number) })
  const begun = []
  for (const id of invoices) begun.push(await begins(own, id, DRAWING))
  expect(begun).toEqual([true, true, true, true, false])
  const viewedInvoice = (id: InvoiceId) => main.viewInvoice({ id, organizationId: own })
  expect(await viewedInvoice(invoices[3]!)).toMatchObject({ write_due: true, waits_for_turn: false })
  const waits = { write_due: false, waits_for_turn: true, wait_seconds: expect.any(Number) }
  expect(await viewedInvoice(invoices[4]!)).toMatchObject(waits)
  expect(await begins(own, await newBill(own))).toBe(true)
  await ends(own, imported)
  expect(await wokenBy(exported)).toBe('turn')
  expect(await viewed()).toMatchObject({ write_due: true, waits_for_turn: false })
  expect(await begins(own, exported, WRITING)).toBe(true)
})

const anExport = async (by: TestPerson, organizationId: string): Promise<ExportId> =>
  (await requestExport(by, organizationId, { type: 'transactions', format: 'csv' })).body.id

async function anImport(by: TestPerson, organizationId: string): Promise<string> {
  const id = await newBatch(by, organizationId)
  const { status } = await importFile(by, id, await uploaded(by, id, HEADER))
  expect(status).toBe(202)
  return id
}

test('a bill that is cancelled leaves its turn, or its place in the queue, to the next', async () => {
  const own = await anOrganization()
  const [first, second, third] = [await newBill(own), await newBill(own), await newBill(own)]
  expect([await begins(own, first), await begins(own, second), await begins(own, third)]).toEqual([true, false, false])
  for (const id of [second, first]) expect((await cancel(boss, id)).status).toBe(200)
  expect(await wokenBy(third)).toBe('turn')
  expect(await begins(own, third)).toBe(true)
})

test('work that is at rest takes no turn and waits for none; of a worker that died it hands its turn on', async () => {
  const own = await anOrganization()
  const [first, second, third] = [await newBill(own), await newBill(own), await newBill(own)]
  const holders = () => owner`
    select process_id as id from turns where organization_id = ${own} and until is not null`
  expect((await cancel(boss, first)).status).toBe(200)
  expect([await begins(own, first), await begins(own, second), await begins(own, third)]).toEqual([false, true, false])
  expect(await holders()).toEqual([{ id: second }])
  await owner`update bills set status = 'extracted' where id = ${second}` // died before it left
  expect(await begins(own, second)).toBe(false)
  expect(await wokenBy(third)).toBe('turn')
  expect(await holders()).toEqual([{ id: third }])
})

test('however many begin at once, one at a time has the turn, and each gets it once another one is done', async () => {
  const own = await anOrganization()
  const ids: string[] = []
  for (let count = 0; count < 5; count += 1) ids.push(await newBill(own))
  const beginning = async (of: readonly string[]) => {
    const found = await Promise.all(of.map(async (id) => ((await begins(own, id)) ? [id] : [])))
    return found.flat()
  }
  let holders = await beginning(ids)
  const begun: string[] = []
  while (holders.length > 0) {
    expect(holders).toHaveLength(1)
    begun.push(...holders)
    // waiting ones begin only when woken, except one that begins at the moment of the change
    await Promise.all([ends(own, holders[0]!), begins(own, ids.find((id) => !begun.includes(id)) ?? holders[0]!)])
    const woken: string[] = []
    for (const id of ids) if (!begun.includes(id) && (await wokenBy(id)) === 'turn') woken.push(id)
    holders = await beginning(woken)
  }
  expect(begun.toSorted()).toEqual(ids.toSorted())
})
