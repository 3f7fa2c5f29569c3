import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  type TestPerson,
  api,
  approvalPath,
  approve,
  fund,
  join,
  organization,
  payerAndPayee,
  person,
} from '../../support/api.ts'
import { OTHER_IBAN, change, detail, eventsOf, readBill, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { violations } from '../../support/batches/batches.ts'
import { owner, untilBlocked } from '../../support/database.ts'
import { expectRefusal, refusal } from '../../support/http/refusals.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { approvalOf, statusOf } from '../../support/approvals/approvals.ts'
import { rule, setPolicy } from '../../support/approvals/policies.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'
import { electronic, electronicTruth } from '../../../dev/sample-bills/electronic.ts'
import { billOf } from '../../../dev/sample-bills/random.ts'
import { advance } from '../../support/payments/payouts.ts'
import { movePayments } from '../../../services/payouts/settlement.ts'
import { asSystem } from '../../../db/postgres/sql.ts'
import type { OrganizationId, PaymentId } from '../../../domain/ids.ts'
import { type Payment } from '../../support/runs/runs.ts'

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

test('a bill is open again by the word of the bank that sends its payment back, or by time alone', async () => {
  const { id } = await organization(boss, 'Opened')
  await fund(id, '100.00', 'EUR')
  const bill = await typedBill(boss, id, { amount: '2.00' })
  const opened = (type: string, meanwhile = async () => {}) =>
    until(`a bill that is ${type}`, async () => {
      await meanwhile()
      const found = await detail(boss, bill.id)
      return found.bill.status === 'extracted' && found
    })
  const returned = (await requestPayment(boss, bill.id)).body
  await approve(boss, returned)
  await until('a payment that has succeeded', async () => {
    const [row] = await owner`select status from payments where id = ${returned.fiat_outgoing_id}`
    return row?.['status'] === 'succeeded'
  })
  expect((await advance({ id: returned.fiat_outgoing_id }, 'reversed')).status).toBe(200)
  expect((await opened('sent back')).events.at(-1)).toMatchObject({
    event_type: 'bill.payment_ended',
    actor_kind: 'webhook',
    actor_user_id: null,
    payload: { payment_id: returned.fiat_outgoing_id, status: 'reversed' },
  })
  const expiring = (await requestPayment(boss, bill.id)).body
  await owner`update approvals set expires_at = business_now() where id = ${expiring.approval_request_id}`
  // a look that began earlier would set its run to sleep until the day before
  const due = async () =>
    void (await owner`update processes set look_at = business_now() - interval '1 minute'
      where id = ${expiring.fiat_outgoing_id}`) // the sweep leaves alone what is due for less than three seconds
  expect((await opened('expired', due)).events.at(-1)).toMatchObject({
    event_type: 'bill.payment_ended',
    actor_kind: 'system',
    payload: { payment_id: expiring.fiat_outgoing_id, status: 'cancelled' },
  })
  expect(await violations(id)).toEqual([])
})

test('a new account that a reading found is named to approvers, of whom who handed in a large bill is none', async () => {
  const { id } = await organization(boss, 'Read')
  const second = await person({ authenticator: true })
  await join(id, second, 'admin')
  await fund(id, '300000.00', 'EUR')
  const model = billOf(12, 'de')
  const { supplier_name, supplier_tax_id } = electronicTruth(model, 'ubl-peppol').fields ?? {}
  await typedBill(boss, id, { supplier_name, supplier_tax_id })
  const bill = await readBill(boss, id, Buffer.from(electronic(model, 'ubl-peppol')), 'application/xml')
  expect(bill.bank_details_differ).toBe(true)
  const { body } = await requestPayment(boss, bill.id)
  expect((await approvalOf(body, boss)).summary).toContain('the bank details are not those of before')
  expect((await approve(boss, body)).body.error.type).toBe('requester_cannot_approve')
  expect((await approve(second, body)).status).toBe(200)
})

test('reason and statement are what is asked for, else services and what the bill says of itself', async () => {
  const textsOf = async (more: object, texts: object = {}) => {
    const bill = await typedBill(boss, payer.id, more)
    const asked = { acknowledge_duplicate: true, ...texts }
    const { fiat_outgoing_id: made } = (await requestPayment(boss, bill.id, asked)).body
    const [row] = await owner`select payout_reason, statement_description from payments where id = ${made}`
    return row && Object.values(row)
  }
  expect(await textsOf({ bill_number: 'X-1', payment_reference: 'Ref 1' })).toEqual(['services', 'Ref 1'])
  expect(await textsOf({ bill_number: 'X-2' })).toEqual(['services', 'X-2'])
  const texts = { payout_reason: 'goods', statement_description: 'As asked' }
  expect(await textsOf({ bill_number: 'X-3' }, texts)).toEqual(['goods', 'As asked'])
})

test('one bill is not paid twice by two keys, nor two bills by one', async () => {
  const [key, other] = [randomUUID(), randomUUID()]
  const bill = await typedBill(boss, payer.id, { amount: '7.00', bill_number: 'K-1' })
  const answers = await Promise.all([key, other, key, other].map((one) => requestPayment(boss, bill.id, {}, one)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409])
  expect(await owner`select from payments where bill_id = ${bill.id}`).toHaveLength(1)
  const second = await typedBill(boss, payer.id, { amount: '3.00', bill_number: 'K-2' })
  const won = answers.findIndex(({ status }) => status === 200) % 2 === 0 ? key : other
  expect(refusal(await requestPayment(boss, second.id, {}, won))).toEqual([422, 'idempotency_key_reused'])
  expect((await detail(boss, second.id)).bill.status).toBe('extracted')
})

test('a duplicate that is acknowledged once is asked about again, and the event keeps that it was', async () => {
  const { id } = await organization(boss, 'Twice')
  const first = await typedBill(boss, id, { amount: '2.00' })
  const bill = await typedBill(boss, id, { amount: '2.00' })
  const { body } = await requestPayment(boss, bill.id, { acknowledge_duplicate: true })
  expect((await detail(boss, bill.id)).events.at(-1).payload).toMatchObject({ acknowledged_duplicate: true })
  const rejected = { token: boss.token, body: {} }
  expect((await api('POST', `${approvalPath(body)}/reject`, rejected)).status).toBe(200)
  await change(boss, bill.id, { amount: '150.00' })
  expect((await requestPayment(boss, bill.id)).body.error.type).toBe('duplicate_bill')
  await change(boss, bill.id, { bill_number: 'Another' })
  expect((await requestPayment(boss, bill.id)).status).toBe(200)
  expect((await requestPayment(boss, first.id)).status).toBe(200)
})

type Requested = Payment & { readonly fiat_outgoing_id: PaymentId }

async function billTo(boss: TestPerson, payerId: string, contactId: string) {
  const bill = await typedBill(boss, payerId, { amount: '5.00', currency: 'USD', iban: null })
  const { body } = await requestPayment(boss, bill.id, { payment_contact_id: contactId })
  return { id: bill.id as string, asked: body as Requested }
}

const remove = ({ id }: { id: string }) => owner`update organizations set status = 'deleted' where id = ${id}`

const balanceOf = async (boss: TestPerson, payerId: string) =>
  (await api('GET', `/organizations/${payerId}/balances`, { token: boss.token })).body.data[0]

test('the bill is locked before any account is, opened, and caused by the end of its payment', async () => {
  const { boss, payer, payee, contactId } = await payerAndPayee('20.00')
  const { id, asked } = await billTo(boss, payer.id, contactId)
  await remove(payee)
  const approving = await owner.begin(async (tx) => {
    await tx`select from bills where id = ${id} for update`
    const decided = approve(boss, asked)
    await untilBlocked(tx)
    const free = await tx`
      select from ledger_accounts where organization_id = ${payer.id} and balance > 0 for update skip locked`
    expect(free.length).toBe(1)
    return { decided }
  })
  expect((await approving.decided).body.status).toBe('approved')
  expect(await statusOf(asked.fiat_outgoing_id)).toBe('failed')
  const { bill, events } = await detail(boss, id)
  expect(bill).toMatchObject({ status: 'extracted', fiat_outgoing_id: null, approval_request_id: null })
  const [failed] = await owner`
    select id from events where subject_id = ${asked.fiat_outgoing_id} and type = 'payment.failed'`
  expect(events.at(-1)).toMatchObject({
    event_type: 'bill.payment_ended',
    actor_kind: 'user',
    actor_user_id: boss.userId,
    causation_id: failed?.['id'],
    payload: { payment_id: asked.fiat_outgoing_id, status: 'failed' },
  })
  expect(await balanceOf(boss, payer.id)).toMatchObject({ available: { amount: '20.00' }, held: { amount: '0.00' } })
  expect(await violations(payer.id)).toEqual([])
})

test('by service ID a bill is paid at once; what its cause did before opens it no more', async () => {
  const { boss, payer, contactId } = await payerAndPayee('20.00')
  const { id, asked } = await billTo(boss, payer.id, contactId)
  await approve(boss, asked)
  expect(await balanceOf(boss, payer.id)).toMatchObject({ available: { amount: '15.00' }, held: { amount: '0.00' } })
  const [submitted] = await owner<{ cause: string }[]>`
    select cause from events where subject_id = ${asked.fiat_outgoing_id} and type = 'payment.submitted'`
  await asSystem(payer.id as OrganizationId, (tx) =>
    movePayments(tx, asked.fiat_outgoing_id, { events: ['submit', 'fail'], cause: submitted?.cause ?? '' }),
  )
  expect(await statusOf(asked.fiat_outgoing_id)).toBe('succeeded')
  expect((await detail(boss, id)).bill).toMatchObject({
    status: 'payment_requested',
    fiat_outgoing_id: asked.fiat_outgoing_id,
  })
})
