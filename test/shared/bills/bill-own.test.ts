/** Bills that name the organization's own tax id as their supplier's. */
import { expect, test } from 'vitest'
import { beginReading } from '../../../db/bills/reading.ts'
import type { BillField } from '../../../domain/bills/fields.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { organization, person } from '../../support/api.ts'
import { change, create, detail, requestPayment, sentFile, typedBill } from '../../support/bills/bills.ts'
import { takeOver } from '../../support/bills/runs.ts'
import { owner } from '../../support/database.ts'

const boss = await person({ authenticator: true })
const OWN = 'DE136695976'
const named = (id: string) => owner`update organizations set vat_id = ${OWN}, country_code = 'DE' where id = ${id}`

test('a bill of the organization itself is never paid, whoever says so, until its supplier is another one', async () => {
  const { id } = await organization(boss, 'Own')
  await named(id)
  const bill = await typedBill(boss, id, { supplier_tax_id: 'DE 136 695 976' })
  expect(bill.not_payable).toBe('own_invoice')
  expect((await change(boss, bill.id, { not_payable: null })).body.not_payable).toBe('own_invoice')
  expect((await requestPayment(boss, bill.id)).body.error.details).toEqual({ reason: 'own_invoice' })
  expect((await change(boss, bill.id, { supplier_tax_id: 'ATU13585627' })).body.not_payable).toBeNull()
})

async function read(method: string, found: Partial<Record<BillField, string>>) {
  const { id } = await organization(boss, 'Lindenhof Werkstätten GmbH')
  await named(id)
  const payer = id as OrganizationId
  const fileId = await sentFile(boss, payer, Buffer.from('<bill/>'), 'application/xml')
  const bill = (await create(boss, payer, { file_id: fileId })).body
  const nowhere = { page: null, box: null, text: null, confidence: method === 'ubl' ? 1 : null }
  // each key of found is a field
  const fields = Object.entries(found).map(([field, value]) => ({ field: field as BillField, value, ...nowhere }))
  const begun = await beginReading(payer, bill.id)
  await takeOver(payer, begun!, [{ method, fields, doubts: [], notPayable: null }])
  return (await detail(boss, bill.id)).bill
}

test('XML that names the organization as its supplier is its own invoice, a page only under its own name', async () => {
  const xml = await read('ubl', { supplier_name: 'Any name', supplier_tax_id: OWN })
  expect(xml).toMatchObject({ supplier_tax_id: OWN, not_payable: 'own_invoice', doubts: [] })
  const own = await read('text-layer', { supplier_name: 'LINDENHOF WERKSTÄTTEN', supplier_tax_id: OWN })
  expect(own).toMatchObject({ supplier_tax_id: OWN, not_payable: 'own_invoice' })
  const another = await read('text-layer', { supplier_name: 'Druckerei Nord', supplier_tax_id: OWN })
  expect(another).toMatchObject({ supplier_name: 'Druckerei Nord', supplier_tax_id: null, not_payable: null })
  expect(another.doubts).toMatchObject([{ code: 'unconfirmed', fields: ['supplier_tax_id'] }])
})
