import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type TestPerson, api, approvalPath, approve, fund, join, organization, person } from '../../support/api.ts'
import { OTHER_IBAN, change, detail, eventsOf, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { violations } from '../../support/batches/batches.ts'
import { owner } from '../../support/database.ts'
import { expectRefusal, refusal } from '../../support/http/refusals.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { approvalOf } from '../../support/approvals/approvals.ts'
import { setPolicy, rule } from '../../support/approvals/policies.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const boss = await person({ authenticator: true })
const payer = await organization(boss, 'Payer')
await fund(payer.id, '10000.00', 'EUR')
const admin = await person({ authenticator: true })
async function payerWith(...admins: TestPerson[]): Promise<string> {
  const { id } = await organization(boss, 'Other')
  await fund(id, '100.00', 'EUR')
  for (const one of admins) await join(id, one, 'admin')
  return id
}

const payment = async (id: string) => (await api('GET', `/payments/${id}`, { token: boss.token })).body
const become = (id: string, status: string) =>
  until(`a payment that has ${status}`, async () => (await payment(id)).status === status)
const reject = (organizationId: string, { approval_request_id: id }: { approval_request_id: string }) =>
  api('POST', `/organizations/${organizationId}/approvals/${id}/reject`, {
    token: boss.token,
    body: { reason: 'wrong' },
  })

test('a bill is paid to a new contact of its account, with its reference, and its rows of the feed name it', async () => {
  const bill = await typedBill(boss, payer.id, { payment_reference: 'RF18539007547034' })
  const key = randomUUID()
  const requested = await requestPayment(boss, bill.id, {}, key)
  const approval_request_id = expect.any(String)
  expect(requested.body).toMatchObject({ status: 'payment_requested', waits_for: null, approval_request_id })
  expect((await requestPayment(boss, bill.id, {}, key)).body).toEqual(requested.body)
  const { fiat_outgoing_id: paymentId, payment_contact_id: contact } = requested.body
  expect(await payment(paymentId)).toMatchObject({
    landing: { amount: '119.00', currency: 'EUR' },
    payment_contact_id: contact,
    rail: 'fiat',
  })
  expect(refusal(await requestPayment(boss, bill.id))).toEqual([409, 'bill_payment_in_progress'])
  expectRefusal(await change(boss, bill.id, { amount: '7.00' }), 'invalid_state', { allowed: ['payment_ended'] })
  await approve(boss, await payment(paymentId))
  await become(paymentId, 'succeeded')
  expect((await detail(boss, bill.id)).bill).toMatchObject({ status: 'payment_requested', fiat_outgoing_id: paymentId })
  const feed = await api('GET', `/organizations/${payer.id}/transactions`, { token: boss.token })
  const ofBill = feed.body.data.filter((row: { bill_id: string }) => row.bill_id === bill.id)
  expect(ofBill.map((row: { type: string }) => row.type).toSorted()).toEqual(['fee', 'payment'])
  expect(await eventsOf(boss, bill.id)).toEqual(['bill.created', 'bill.payment_requested'])
  expect(await violations(payer.id)).toEqual([])
})

test('the next bill of the supplier goes to the same contact; rejected, it can be paid again', async () => {
  const supplier = { supplier_tax_id: 'DE811193231', supplier_name: 'Strom AG', iban: OTHER_IBAN }
  const first = await typedBill(boss, payer.id, { bill_number: 'S-1', amount: '10.00', ...supplier })
  const second = await typedBill(boss, payer.id, { bill_number: 'S-2', amount: '11.00', ...supplier })
  const contact = (await requestPayment(boss, first.id)).body.payment_contact_id
  const { body } = await requestPayment(boss, second.id)
  expect(body.payment_contact_id).toBe(contact)
  expect((await reject(payer.id, body)).status).toBe(200)
  const { bill, events } = await detail(boss, second.id)
  expect(bill).toMatchObject({
    status: 'extracted',
    approval_request_id: null,
    fiat_outgoing_id: null,
    payment_contact_id: contact,
  })
  expect(events.at(-1)).toMatchObject({
    event_type: 'bill.payment_ended',
    actor_user_id: boss.userId,
    causation_id: expect.any(String),
    payload: { status: 'cancelled' },
  })
  expect((await requestPayment(boss, second.id)).body.status).toBe('payment_requested')
})

test('what is missing is named, and what nobody has to pay is refused', async () => {
  const nothing = await typedBill(boss, payer.id, { amount: null, currency: null, bill_number: 'M-1' })
  expectRefusal(await requestPayment(boss, nothing.id), 'bill_incomplete', { fields: ['amount', 'currency'] })
  const nowhere = await typedBill(boss, payer.id, { iban: null, bill_number: 'M-2', amount: '3.00' })
  expectRefusal(await requestPayment(boss, nowhere.id), 'bill_incomplete', { fields: ['iban', 'bank_country_alpha2'] })
  const debited = await typedBill(boss, payer.id, { bill_number: 'M-3', not_payable: 'direct_debit' })
  expectRefusal(await requestPayment(boss, debited.id), 'unprocessable_entity', { reason: 'direct_debit' })
})

test('a new account of a known supplier is approved by somebody else than who typed it', async () => {
  const id = await payerWith()
  await typedBill(boss, id, { bill_number: 'A-1', amount: '1.00' })
  const bill = await typedBill(boss, id, { bill_number: 'A-2', amount: '2.00', iban: OTHER_IBAN })
  expect(bill.bank_details_differ).toBe(true)
  expect(await eventsOf(boss, bill.id)).toContain('bill.bank_details_differ')
  const nobodyElse = { type: 'no_eligible_approver', details: { reason: 'bank_details_changed' } }
  expect(await requestPayment(boss, bill.id)).toMatchObject({ status: 422, body: { error: nobodyElse } })
  await join(id, admin, 'admin')
  const { body } = await requestPayment(boss, bill.id)
  const made = await payment(body.fiat_outgoing_id)
  expect((await approve(boss, made)).body.error).toMatchObject({
    type: 'requester_cannot_approve',
    message: expect.stringContaining('typed bank details'),
    details: { reason: 'typed_bank_details' },
  })
  expect((await approvalOf(body, boss)).summary).toContain('bank details')
  expect((await approve(admin, made)).status).toBe(200)
  await become(body.fiat_outgoing_id, 'succeeded')
})

test('a bill goes to the account that it names now, and who typed that after a payment does not approve it', async () => {
  const id = await payerWith(admin)
  const bill = await typedBill(boss, id, { amount: '2.00' })
  const first = (await requestPayment(boss, bill.id)).body
  await reject(id, first)
  expect((await change(boss, bill.id, { iban: OTHER_IBAN })).body.bank_details_differ).toBe(true)
  const second = (await requestPayment(boss, bill.id)).body
  expect(second).toMatchObject({ status: 'payment_requested', bank_details_differ: true })
  const made = await payment(second.fiat_outgoing_id)
  const destination = await api('GET', `/payment-destinations/${made.destination_id}`, { token: boss.token })
  expect(destination.body.iban).toBe(OTHER_IBAN)
  expect((await approve(boss, made)).body.error.type).toBe('requester_cannot_approve')
  await reject(id, second)
  const third = await payment((await requestPayment(boss, bill.id)).body.fiat_outgoing_id)
  expect((await approve(boss, third)).body.error.type).toBe('requester_cannot_approve')
  const evidence = await api('GET', `${approvalPath(third)}/evidence`, { token: boss.token })
  expect(evidence.body.policy.barred).toEqual([boss.userId])
  expect((await approve(admin, third)).status).toBe(200)
})

test('bills that nobody has paid vouch for no new account, and an older bill that is changed names a new one', async () => {
  const { id } = await organization(boss, 'Decoys')
  const first = await typedBill(boss, id, { bill_number: 'V-1', amount: '1.00' })
  await typedBill(boss, id, { bill_number: 'V-2', amount: '2.00' })
  const decoy = await typedBill(boss, id, { bill_number: 'V-3', amount: '3.00', iban: OTHER_IBAN })
  const wanted = await typedBill(boss, id, { bill_number: 'V-4', amount: '4.00', iban: OTHER_IBAN })
  expect([decoy.bank_details_differ, wanted.bank_details_differ]).toEqual([true, true])
  expect((await change(boss, first.id, { iban: OTHER_IBAN })).body.bank_details_differ).toBe(true)
})

test('whoever typed any part of a new account does not approve it, however many they are', async () => {
  const id = await payerWith(admin)
  await typedBill(boss, id, { bill_number: 'W-1', amount: '1.00' })
  const bill = await typedBill(boss, id, { bill_number: 'W-2', amount: '2.00', iban: OTHER_IBAN })
  await change(admin, bill.id, { account_holder_name: 'Müller' })
  expectRefusal(await requestPayment(boss, bill.id), 'no_eligible_approver', { reason: 'bank_details_changed' })
})

test('the proof of the books misses the bill of a payment, and the payment of a bill', async () => {
  const { id } = await organization(boss, 'Proved')
  const bill = await typedBill(boss, id, { amount: '2.00' })
  const { fiat_outgoing_id: paymentId } = (await requestPayment(boss, bill.id)).body
  expect(await violations(id)).toEqual([])
  const force = (status: string) =>
    owner.begin(async (tx) => {
      await tx`set local session_replication_role = 'replica'` // no trigger sees it
      await tx`update payments set status = ${status} where id = ${paymentId}`
    })
  await force('cancelled')
  expect(await violations(id)).toEqual([`bill_without_payment ${bill.id}`])
  await force('awaiting_approval')
  await owner`update bills set status = 'extracted', payment_id = null, approval_request_id = null where id = ${bill.id}`
  expect(await violations(id)).toEqual([`payment_of_no_bill ${paymentId}`])
})

test('where contacts are approved, the bill says which approval it waits for, and goes on after it', async () => {
  const id = await payerWith()
  await setPolicy(boss, id, rule({ action_type: 'payment_contact' }))
  const bill = await typedBill(boss, id, { amount: '2.00' })
  const waiting = await requestPayment(boss, bill.id)
  const payment_contact_id = expect.any(String)
  expect(waiting.body).toMatchObject({ status: 'extracted', approval_request_id: null, payment_contact_id })
  expect((await requestPayment(boss, bill.id)).body).toEqual(waiting.body)
  await approve(boss, { organization_id: id, approval_request_id: waiting.body.waits_for.approval_request_id })
  const { body } = await requestPayment(boss, bill.id)
  expect(body).toMatchObject({ status: 'payment_requested', payment_contact_id: waiting.body.payment_contact_id })
  const zander = { supplier_name: 'Zander', supplier_tax_id: null, iban: OTHER_IBAN }
  const other = await typedBill(boss, id, { amount: '3.00', bill_number: 'Z-1', ...zander })
  const first = (await requestPayment(boss, other.id)).body
  expect((await reject(id, first.waits_for)).status).toBe(200)
  expect((await detail(boss, other.id)).bill).toMatchObject({ status: 'extracted', waits_for: null })
  const second = (await requestPayment(boss, other.id)).body
  expect(second).toMatchObject({ status: 'extracted', waits_for: expect.any(Object) })
  expect(second.payment_contact_id).not.toBe(first.payment_contact_id)
})
