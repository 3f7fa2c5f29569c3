import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { beginReading } from '../../../services/bills/reading.ts'
import { type BillField, TYPED_FIELDS } from '../../../domain/bills/fields.ts'
import type { Reading } from '../../../domain/bills/reader.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { api, organization, person } from '../../support/api.ts'
import { expectRefusal } from '../../support/http/refusals.ts'
import {
  IBAN,
  OTHER_IBAN,
  cancel,
  change,
  create,
  detail,
  eventsOf,
  provenanceOf,
  requestPayment,
  sentFile,
  typed,
  typedBill,
} from '../../support/bills/bills.ts'
import { takeOver, takeSteps } from '../../support/bills/runs.ts'
import { owner } from '../../support/database.ts'

const boss = await person({ authenticator: true })
const { id: organizationId } = await organization(boss, 'Payer')

test('a bill that a person types is extracted at once, and the same key makes it once', async () => {
  const key = randomUUID()
  const { status, body, headers } = await create(boss, organizationId, typed(), key)
  expect(status).toBe(201)
  expect((await create(boss, organizationId, typed(), key)).body).toEqual(body)
  expect(body).toMatchObject({
    ...typed(),
    status: 'extracted',
    organization_id: organizationId,
    created_by_id: boss.userId,
    account_holder_name: null,
    payment_reference: null,
    file_id: null,
    fiat_outgoing_id: null,
    approval_request_id: null,
    payment_contact_id: null,
    extraction_failed_at: null,
  })
  const seen = await detail(boss, body.id)
  expect(seen).toEqual({ bill: body, events: [expect.any(Object)], duplicates: [], known_holder: null, line_items: [] })
  const [event] = seen.events
  expect(event).toMatchObject({
    kind: 'domain',
    event_type: 'bill.created',
    actor_kind: 'user',
    actor_user_id: boss.userId,
    provider: null,
    causation_id: null,
    correlation_id: headers.get('x-request-id'),
    occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  })
  expect(JSON.stringify(event)).not.toContain(IBAN)
  const provenance = await provenanceOf(boss, body.id)
  expect(provenance).toHaveLength(Object.keys(typed()).length)
  for (const one of provenance) expect(one).toMatchObject({ method: 'user', page: null, box: null, event_id: event.id })
})

test('what a person types is taken field by field, null empties, and each change is an event with its cause', async () => {
  const bill = await typedBill(boss, organizationId, { bill_number: 'C-1' })
  const others = { due_date: null, payment_reference: 'RF18539007547034' }
  const changed = await change(boss, bill.id, { ...others, iban: 'DE02 1203 0000 0000 2020 51' })
  expect(changed.body).toMatchObject({ ...others, iban: OTHER_IBAN, amount: '119.00' })
  const { events } = await detail(boss, bill.id)
  const named = (type: string) => events.find((event: { event_type: string }) => event.event_type === type)
  const [updated, account] = [named('bill.updated'), named('bill.bank_details_changed')]
  expect(updated.payload).toEqual({ ...others, bank_details: ['iban'] })
  expect(account).toMatchObject({
    causation_id: updated.id,
    payload: { fields: ['iban'], before: '…3000', after: '…2051' },
  })
})

test('bank details are checked like those of a destination, each by the name that the bill has for it', async () => {
  const bill = await typedBill(boss, organizationId, { bill_number: 'B-1' })
  const wrong = await change(boss, bill.id, { iban: 'DE89370400440532013001' })
  expect([wrong.status, wrong.body.error]).toMatchObject([
    422,
    { type: 'invalid_bank_details', details: { field: 'iban', code: 'checksum' } },
  ])
  expect((await detail(boss, bill.id)).bill.iban).toBe(IBAN)
})

test('other bills that may be the same are named with the surest reason, and cancelled ones are not', async () => {
  const billOf = (bill_number: string, supplier_tax_id: string | null, supplier_name: string, more = {}) =>
    typedBill(boss, organizationId, { bill_number, supplier_tax_id, supplier_name, ...more })
  const first = await billOf('D 100', 'FR12345', 'Dupont')
  const second = await billOf('d-100', 'FR 123 45', 'Dupont SA', { amount: '5.00' })
  const third = await billOf('X', null, 'DUPONT')
  expect((await detail(boss, first.id)).duplicates).toEqual([
    { bill_id: second.id, reason: 'same_number' },
    { bill_id: third.id, reason: 'same_amount_and_date' },
  ])
  expect(await eventsOf(boss, second.id)).toEqual(['bill.created', 'bill.duplicate_found'])
  await cancel(boss, second.id)
  expect((await detail(boss, first.id)).duplicates).toEqual([{ bill_id: third.id, reason: 'same_amount_and_date' }])
  const refused = await requestPayment(boss, third.id)
  expect([refused.status, refused.body.error.details.duplicate_of]).toEqual([409, first.id])
})

test('bills are found by status, supplier, currency, due date, and words without accents', async () => {
  const { id } = await organization(boss, 'Searching')
  const late = await typedBill(boss, id, { supplier_name: 'Café Müller', bill_number: 'L-1', due_date: '2020-01-31' })
  const swiss = { currency: 'CHF', iban: null }
  const due = { bill_number: 'L-2', due_date: '2099-01-31' }
  const later = await typedBill(boss, id, { supplier_name: 'Stadtwerke', ...due, ...swiss })
  const list = async (query: string) => {
    const { body } = await api('GET', `/organizations/${id}/bills?${query}`, { token: boss.token })
    return body.data.map((bill: { id: string }) => bill.id)
  }
  for (const [found, ...queries] of [
    [[later.id, late.id], ''],
    [[], 'status=cancelled', 'q=%25', 'q=L_2', 'q=%5C', 'supplier=EUR', 'supplier=%25', 'due_to=2020-01-30'],
    [[late.id], 'q=cafe%20muller', 'overdue=true', 'due_from=2020-01-31&due_to=2020-01-31'],
    [[late.id], 'status=extracted&supplier=mull&q=136695976'],
    [[later.id], 'q=l-2%20stadt%20l-2', 'supplier=STADT', 'currency=CHF', 'overdue=false', 'due_from=2020-02-01'],
  ] as const) {
    for (const query of queries) expect(await list(query), query).toEqual(found)
  }
  await cancel(boss, late.id)
  expect([await list('overdue=true'), await list('status=cancelled')]).toEqual([[], [late.id]])
  expect(await list('limit=1')).toEqual([later.id])
})

test('a typed amount is money, at the precision of its currency, and answered so', async () => {
  const typed = async (fields: object) => {
    const { status, body } = await create(boss, organizationId, { supplier_name: 'Amounts', ...fields })
    return status === 201 ? body.amount : body.error.type
  }
  for (const [amount, currency, answer] of [
    ['1.001', 'USD', 'amount_precision'],
    ['1234567890123456', 'EUR', 'amount_too_large'],
    ['1234567890123456', undefined, 'amount_too_large'],
    ['10.5', 'EUR', '10.50'],
    ['10', 'BHD', '10.000'],
  ] as const) {
    expect(await typed({ amount, currency }), `${amount} ${currency}`).toEqual(answer)
  }
  const { body: bill } = await create(boss, organizationId, { supplier_name: 'Amounts', amount: '10.5' })
  expect(bill.amount).toBe('10.5')
  expectRefusal(await change(boss, bill.id, { currency: 'JPY' }), 'amount_precision', {
    currency: 'JPY',
    max_decimals: 0,
  })
  expect((await change(boss, bill.id, { currency: 'USD' })).body).toMatchObject({ amount: '10.50', currency: 'USD' })
  expect((await change(boss, bill.id, { amount: '3' })).body.amount).toBe('3.00')
  expect((await change(boss, bill.id, { amount: '3.001' })).body.error.type).toBe('amount_precision')
})

test('any field is typed and emptied, one by one', async () => {
  const { id } = (await create(boss, organizationId, { supplier_name: 'Field by field' })).body
  const values = {
    ...Object.fromEntries(TYPED_FIELDS.map((field) => [field, '0123'])),
    amount: '12.50',
    currency: 'USD',
    issue_date: '2026-02-28',
    due_date: '2028-02-29',
    bank_country_alpha2: 'US',
    aba_code: '021000021',
    bsb_code: '082902',
    cnaps: '102100099996',
    iban: IBAN,
    ifsc_code: 'SBIN0000001',
    address_country: 'DE',
    sort_code: '200000',
    swift_code: 'CHASUS33',
  }
  for (const [field, value] of Object.entries(values)) {
    expect((await change(boss, id, { [field]: value })).body[field], field).toBe(value)
    expect((await change(boss, id, { [field]: null })).body[field], field).toBeNull()
  }
})

test('a bill that is put away is not changed or paid; put away twice it is the same', async () => {
  const bill = await typedBill(boss, organizationId, { bill_number: 'P-1', amount: '7.00' })
  expect((await cancel(boss, bill.id)).body.status).toBe('cancelled')
  expect((await cancel(boss, bill.id)).status).toBe(200)
  const closed = { type: 'invalid_state', details: { current: 'cancelled', allowed: [] } }
  for (const refused of [await change(boss, bill.id, { amount: '8.00' }), await requestPayment(boss, bill.id)])
    expect(refused).toMatchObject({ status: 409, body: { error: closed } })
  expect(await eventsOf(boss, bill.id)).toEqual(['bill.created', 'bill.cancelled'])
})

test('bank details that do not open hide nothing else, and neither a change nor a reading writes over them', async () => {
  const payer = (await organization(boss, 'Locked out')).id as OrganizationId
  const fileId = await sentFile(boss, payer, Buffer.from('<bill/>'), 'application/xml')
  const { id } = (await create(boss, payer, { ...typed(), file_id: fileId })).body
  const [before] = await owner`
    update bills set sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40)) where id = ${id} returning sealed`
  const unreadable = { type: 'service_unavailable', details: { reason: 'bank_details_unreadable' } }
  const refused = { status: 503, body: { error: unreadable } }
  const { iban: _, ...rest } = typed()
  expect((await detail(boss, id)).bill).toMatchObject({ ...rest, iban: null })
  expect(await change(boss, id, { amount: '120.00' })).toMatchObject(refused)
  const reading: Reading = { method: 'ubl', fields: [], doubts: [], notPayable: null }
  for (let tries = 1; tries <= 3; tries += 1) await takeOver(payer, (await beginReading(payer, id))!, [reading])
  expect(await beginReading(payer, id)).toBeNull() // failed three times
  await takeSteps({ id, organizationId: payer })
  expect((await detail(boss, id)).bill).toMatchObject({ status: 'extracted', extraction_error: expect.any(String) })
  expect(await requestPayment(boss, id)).toMatchObject(refused)
  const [after] = await owner`select sealed from bills where id = ${id}`
  expect(after).toEqual(before)
  expect((await cancel(boss, id)).body.status).toBe('cancelled')
})

/** The organization's own tax id, which bills name as their supplier's. */
const OWN = 'DE136695976'
const named = (id: string) => owner`update organizations set vat_id = ${OWN}, country_code = 'DE' where id = ${id}`

test('a bill of the organization itself is never paid, whatever people say, until its supplier is another one', async () => {
  const { id } = await organization(boss, 'Own')
  await named(id)
  const bill = await typedBill(boss, id, { supplier_tax_id: 'DE 136 695 976' })
  expect(bill.not_payable).toBe('own_invoice')
  expect((await change(boss, bill.id, { not_payable: null })).body.not_payable).toBe('own_invoice')
  expect((await requestPayment(boss, bill.id)).body.error.details).toEqual({ reason: 'own_invoice' })
  expect((await change(boss, bill.id, { supplier_tax_id: 'ATU13585627' })).body.not_payable).toBeNull()
})

async function readAs(method: string, found: Partial<Record<BillField, string>>) {
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
  const xml = await readAs('ubl', { supplier_name: 'Any name', supplier_tax_id: OWN })
  expect(xml).toMatchObject({ supplier_tax_id: OWN, not_payable: 'own_invoice', doubts: [] })
  const own = await readAs('text-layer', { supplier_name: 'LINDENHOF WERKSTÄTTEN', supplier_tax_id: OWN })
  expect(own).toMatchObject({ supplier_tax_id: OWN, not_payable: 'own_invoice' })
  const another = await readAs('text-layer', { supplier_name: 'Druckerei Nord', supplier_tax_id: OWN })
  expect(another).toMatchObject({ supplier_name: 'Druckerei Nord', supplier_tax_id: null, not_payable: null })
  expect(another.doubts).toMatchObject([{ code: 'unconfirmed', fields: ['supplier_tax_id'] }])
})
