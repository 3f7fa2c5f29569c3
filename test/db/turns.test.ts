/** Turns of organizations, without a worker: each look is the test's. */
import { expect, test } from 'vitest'
import { findBatchState } from '../../db/batches/look.ts'
import { findBillState } from '../../db/bills/look.ts'
import { findExportState } from '../../db/exports/look.ts'
import { findInvoiceState } from '../../db/invoices/look.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import type { Found } from '../../domain/process.ts'
import { type Tx, asSystem } from '../../db/sql.ts'
import { type TestPerson, organization, person } from '../support/api.ts'
import { HEADER, importFile, newBatch, uploaded } from '../support/batches/imports.ts'
import { cancel, create, sentFile } from '../support/bills/bills.ts'
import { owner } from '../support/database.ts'
import { requestExport } from '../support/exports/exports.ts'
import { seller, sentInvoice } from '../support/invoices/allocations.ts'

const boss = await person({ authenticator: true })
const anOrganization = async () => (await organization(boss, 'Payer')).id as OrganizationId

async function newBill(organizationId: string): Promise<string> {
  const fileId = await sentFile(boss, organizationId, Buffer.from('<bill/>'), 'application/xml')
  return (await create(boss, organizationId, { file_id: fileId })).body.id
}

type Look = (tx: Tx, ref: { id: string; organizationId: OrganizationId }) => Promise<Found<string> | undefined>

/** What the process of a bill, or of another thing, would do now. */
const looked = (organizationId: OrganizationId, id: string, look: Look = findBillState) =>
  asSystem(organizationId, (tx) => look(tx, { id, organizationId }))
const mayBegin = async (organizationId: OrganizationId, id: string, look?: Look) =>
  (await looked(organizationId, id, look))?.due_now
/** As if the file of a bill had been read. */
const read = (id: string) => owner`update bills set status = 'extracted' where id = ${id}`
const wokenBy = async (id: string) => {
  const [process] = await owner<{ why: string }[]>`select why from processes where id = ${id}`
  return process?.why
}

test('the second bill of an organization is begun when the first is done, and that of another one meanwhile', async () => {
  const [own, other] = [await anOrganization(), await anOrganization()]
  const [first, second, third] = [await newBill(own), await newBill(own), await newBill(own)]
  const elsewhere = await newBill(other)
  expect(await mayBegin(own, first)).toBe(true)
  expect(await looked(own, second)).toMatchObject({ driven: true, due_now: false, look_at: expect.any(String) })
  expect(await mayBegin(own, third)).toBe(false)
  expect(await mayBegin(other, elsewhere)).toBe(true)
  expect(await mayBegin(own, first)).toBe(true) // a repeat keeps its turn
  await read(first)
  await looked(own, first)
  expect([await wokenBy(second), await wokenBy(third)]).toEqual(['turn', expect.not.stringMatching('turn')])
  expect(await mayBegin(own, third)).toBe(false) // it has not waited longest
  expect(await mayBegin(own, second)).toBe(true)
})

test('a bill that is tried again later, or was cancelled while it waited, leaves its turn to the next', async () => {
  const own = await anOrganization()
  const [first, second, third] = [await newBill(own), await newBill(own), await newBill(own)]
  expect(await mayBegin(own, first)).toBe(true)
  expect([await mayBegin(own, second), await mayBegin(own, third)]).toEqual([false, false])
  expect((await cancel(boss, second)).status).toBe(200)
  await looked(own, second)
  await owner`update bills set ask_at = business_now() + interval '1 minute' where id = ${first}`
  expect(await mayBegin(own, first)).toBe(false)
  expect(await wokenBy(third)).toBe('turn')
  expect(await mayBegin(own, third)).toBe(true)
})

test('the turn of a process that is not heard of any more ends by time', async () => {
  const own = await anOrganization()
  const [first, second] = [await newBill(own), await newBill(own)]
  expect([await mayBegin(own, first), await mayBegin(own, second)]).toEqual([true, false])
  await owner`update turns set until = clock_timestamp() - interval '1 second' where process_id = ${first}`
  expect([await mayBegin(own, second), await mayBegin(own, first)]).toEqual([true, false])
})

test('exports and imports of an organization take turns; bills and four invoices at a time have turns of their own', async () => {
  const selling = await seller(boss)
  const own = selling.id as OrganizationId
  const invoices: string[] = []
  for (let count = 0; count < 5; count += 1) invoices.push((await sentInvoice(selling, '10.00')).id)
  const [exported, imported] = [await anExport(boss, own), await anImport(boss, own)]
  expect(await mayBegin(own, imported, findBatchState)).toBe(true)
  expect(await mayBegin(own, exported, findExportState)).toBe(false)
  const begun = []
  for (const id of invoices) begun.push(await mayBegin(own, id, findInvoiceState))
  expect(begun).toEqual([true, true, true, true, false])
  expect(await mayBegin(own, await newBill(own))).toBe(true)
  await owner`update payment_batches set status = 'draft', importing_file_id = null where id = ${imported}`
  expect(await mayBegin(own, imported, findBatchState)).toBe(false)
  expect(await wokenBy(exported)).toBe('turn')
  expect(await mayBegin(own, exported, findExportState)).toBe(true)
})

async function anExport(by: TestPerson, organizationId: string): Promise<string> {
  return (await requestExport(by, organizationId, { type: 'transactions', format: 'csv' })).body.id
}

async function anImport(by: TestPerson, organizationId: string): Promise<string> {
  const id = await newBatch(by, organizationId)
  const { status } = await importFile(by, id, await uploaded(by, id, HEADER))
  expect(status).toBe(202)
  return id
}

test('however many look at once, one at a time has the turn, and each gets it once another one is done', async () => {
  const own = await anOrganization()
  const ids: string[] = []
  for (let count = 0; count < 8; count += 1) ids.push(await newBill(own))
  const looking = async (of: readonly string[]) => {
    const found = await Promise.all(of.map(async (id) => ((await mayBegin(own, id)) ? [id] : [])))
    return found.flat()
  }
  let holders = await looking(ids)
  const begun: string[] = []
  while (holders.length > 0) {
    expect(holders).toHaveLength(1)
    begun.push(...holders)
    await read(holders[0]!)
    // those that wait look only when they are woken, but for one that looks at the moment of the change
    await Promise.all([looked(own, holders[0]!), looked(own, ids.find((id) => !begun.includes(id)) ?? holders[0]!)])
    const woken: string[] = []
    for (const id of ids) if (!begun.includes(id) && (await wokenBy(id)) === 'turn') woken.push(id)
    holders = await looking(woken)
  }
  expect(begun.toSorted()).toEqual(ids.toSorted())
})
