import { expect, test } from 'vitest'
import type { OrganizationId } from '../../../domain/ids.ts'
import { moveOrganization } from '../../support/organizations/status.ts'
import { type TestPerson, api, approve, fund, join, organization, person } from '../../support/api.ts'
import { approvalOf, setRules, statusOf } from '../../support/approvals/approvals.ts'
import { violations } from '../../support/batches/batches.ts'
import { OTHER_IBAN, IBAN, change, detail, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { owner } from '../../support/database.ts'
import { advance } from '../../support/identity/identity.ts'
import { leave, remove } from '../../support/organizations/members.ts'
import { fullRefusal } from '../../support/http/refusals.ts'

const DAY_SECONDS = 86_400

const boss = await person({ authenticator: true })
async function payerWith(...admins: TestPerson[]): Promise<string> {
  const { id } = await organization(boss, 'Payer')
  await fund(id, '200.00', 'EUR')
  for (const admin of admins) await join(id, admin, 'admin')
  return id
}
const admin = await person({ authenticator: true })

const contactAt = async (id: string, destination: object, name = 'Mueller'): Promise<string> => {
  const body = { name, type: 'business', destinations: [destination] }
  return (await api('POST', `/organizations/${id}/payment-contacts`, { token: boss.token, body })).body.id
}
const bankAt = (iban: string) => {
  const account = { country_code: 'DE', currency: 'EUR', account_holder_name: 'Müller', iban }
  return { type: 'bank', ...account }
}
const NO_OTHER = [422, 'no_eligible_approver', { reason: 'bank_details_changed' }]
/** Sessions outlive the moved clock. */
const move = async (seconds: number) => {
  await advance(seconds)
  await owner`update sessions set last_used_at = business_now(), signed_in_at = business_now()`
}

test('whether anybody else could approve is judged by what is deducted, with the fee, as the approval is', async () => {
  const id = await payerWith(admin)
  await setRules(id, boss, [
    { steps: [{ required: 1, roles: ['owner', 'admin'] }] },
    { amount_from: '100.00', steps: [{ required: 1, roles: ['owner'] }] },
  ])
  await typedBill(boss, id, { bill_number: 'F-1', amount: '1.00' })
  const below = await typedBill(boss, id, { bill_number: 'F-2', amount: '99.70', iban: OTHER_IBAN })
  expect((await requestPayment(boss, below.id)).status).toBe(200)
  const above = await typedBill(boss, id, { bill_number: 'F-3', amount: '99.90', iban: OTHER_IBAN })
  expect(fullRefusal(await requestPayment(boss, above.id))).toEqual(NO_OTHER)
})

test('alone, who typed a new account pays it a day later if they say so, and the approval says so too', async () => {
  const id = await payerWith()
  await typedBill(boss, id, { bill_number: 'D-1', amount: '1.00' })
  const bill = await typedBill(boss, id, { bill_number: 'D-2', amount: '2.00', iban: OTHER_IBAN })
  const acknowledged = { acknowledge_bank_details: true }
  expect(fullRefusal(await requestPayment(boss, bill.id, acknowledged))).toEqual(NO_OTHER)
  await move(DAY_SECONDS - 60)
  expect(fullRefusal(await requestPayment(boss, bill.id, acknowledged))).toEqual(NO_OTHER)
  await change(boss, bill.id, { account_holder_name: 'Müller' })
  await move(61)
  expect(fullRefusal(await requestPayment(boss, bill.id, acknowledged))).toEqual(NO_OTHER) // the change restarted the day
  await move(DAY_SECONDS)
  expect(fullRefusal(await requestPayment(boss, bill.id))).toEqual(NO_OTHER)
  const { body } = await requestPayment(boss, bill.id, acknowledged)
  expect(body).toMatchObject({ status: 'payment_requested', bank_details_differ: true })
  expect((await approvalOf(body, boss)).summary).toContain('the bank details are not those of before')
  expect((await detail(boss, bill.id)).events.at(-1)).toMatchObject({
    event_type: 'bill.payment_requested',
    payload: { payment_id: body.fiat_outgoing_id, acknowledged_bank_details: true },
  })
  expect((await approve(boss, body)).status).toBe(200)
  expect(await violations(id)).toEqual([])
})

test('from 1,000 on an account that is new to the organization takes a second person, or a day', async () => {
  const { id } = await organization(boss, 'Payer')
  await fund(id, '9000.00', 'EUR')
  const supplier = (name: string, iban: string) => ({ supplier_name: name, supplier_tax_id: null, iban })
  const below = await typedBill(boss, id, { ...supplier('Alpha', IBAN), amount: '999.99' })
  expect((await requestPayment(boss, below.id)).body.status).toBe('payment_requested')
  const bill = await typedBill(boss, id, { ...supplier('Beta', OTHER_IBAN), amount: '1000' })
  expect(fullRefusal(await requestPayment(boss, bill.id, { acknowledge_bank_details: true }))).toEqual(NO_OTHER)
  await contactAt(id, bankAt(OTHER_IBAN), 'Beta') // of the same person, just now
  expect(fullRefusal(await requestPayment(boss, bill.id, { acknowledge_bank_details: true }))).toEqual(NO_OTHER)

  await join(id, admin, 'admin')
  const { body } = await requestPayment(boss, bill.id)
  expect(body).toMatchObject({ status: 'payment_requested', bank_details_differ: false })
  expect((await approvalOf(body, admin)).summary).toContain('the bank details are new to the organization')
  const alone = await approve(boss, body)
  expect(fullRefusal(alone).slice(1)).toMatchObject(['requester_cannot_approve', { reason: 'typed_bank_details' }])
  expect((await approve(admin, body)).status).toBe(200)
  await owner`update payments set status = 'succeeded' where id = ${body.fiat_outgoing_id}`
  const next = await typedBill(boss, id, { ...supplier('Beta', OTHER_IBAN), bill_number: 'N-2', amount: '2000' })
  const known = (await requestPayment(boss, next.id)).body
  expect((await approve(boss, known)).status).toBe(200)
})

test('a pause keeps bills from being paid, and from nothing else; a ban opens those again whose payment waits, and deletion shows none', async () => {
  const { id } = await organization(boss, 'Ending')
  await moveOrganization(id as OrganizationId, 'pause')
  const bill = await typedBill(boss, id, { amount: '2.00' })
  expect((await requestPayment(boss, bill.id)).body.error.type).toBe('organization_unavailable')
  expect((await change(boss, bill.id, { due_date: null })).status).toBe(200)
  await moveOrganization(id as OrganizationId, 'resume')
  const { body } = await requestPayment(boss, bill.id)
  await moveOrganization(id as OrganizationId, 'ban')
  expect(await statusOf(body.fiat_outgoing_id)).toBe('cancelled')
  await moveOrganization(id as OrganizationId, 'unban')
  const { bill: open, events } = await detail(boss, bill.id)
  expect(open).toMatchObject({ status: 'extracted', fiat_outgoing_id: null, approval_request_id: null })
  expect(events.at(-1)).toMatchObject({
    event_type: 'bill.payment_ended',
    actor_kind: 'admin',
    causation_id: expect.any(String),
    payload: { payment_id: body.fiat_outgoing_id, status: 'cancelled' },
  })
  await moveOrganization(id as OrganizationId, 'delete')
  const seen = await api('GET', `/bills/${bill.id}`, { token: boss.token })
  for (const answer of [seen, await requestPayment(boss, bill.id), await change(boss, bill.id, { amount: '3.00' })])
    expect(fullRefusal(answer)).toEqual([404, 'not_found', undefined])
})

test('the payment of a bill goes on when its requester has left', async () => {
  const gone = await person()
  const id = await payerWith(gone)
  const { body } = await requestPayment(gone, (await typedBill(gone, id, { amount: '2.00' })).id)
  expect((await leave(gone, id)).status).toBe(200)
  expect((await approve(boss, body)).status).toBe(200)
  expect(await statusOf(body.fiat_outgoing_id)).toBe('submitted')
})

test('who typed a new account does not approve it after leaving and coming back', async () => {
  const typist = await person({ authenticator: true })
  const id = await payerWith(typist)
  await typedBill(boss, id, { bill_number: 'L-1', amount: '1.00' })
  const bill = await typedBill(typist, id, { bill_number: 'L-2', amount: '2.00', iban: OTHER_IBAN })
  const { body } = await requestPayment(boss, bill.id)
  expect((await remove(boss, id, typist.userId)).status).toBe(200)
  await join(id, typist, 'owner')
  expect((await approve(typist, body)).body.error.type).toBe('requester_cannot_approve')
  expect((await approve(boss, body)).status).toBe(200)
})

test('a contact that is deleted takes the payment that waits with it; one that changes is paid where its approver read it', async () => {
  const id = await payerWith()
  const bill = await typedBill(boss, id, { amount: '2.00' })
  const { payment_contact_id: contact, fiat_outgoing_id: paymentId } = (await requestPayment(boss, bill.id)).body
  expect((await api('DELETE', `/payment-contacts/${contact}`, { token: boss.token })).status).toBe(200)
  expect(await statusOf(paymentId)).toBe('cancelled')
  expect((await detail(boss, bill.id)).bill).toMatchObject({ status: 'extracted', payment_contact_id: contact })
  expect((await requestPayment(boss, bill.id, { payment_contact_id: contact })).body.error.type).toBe('not_found')
  const anew = (await requestPayment(boss, bill.id)).body
  expect(anew.status).toBe('payment_requested')
  expect(anew.payment_contact_id).not.toBe(contact)
  await change(boss, bill.id, { iban: null })
  const at = `/payment-contacts/${anew.payment_contact_id}`
  const other = { ...bankAt(OTHER_IBAN), default: true }
  expect((await api('PATCH', at, { token: boss.token, body: { name: 'Else' } })).status).toBe(200)
  expect((await api('POST', `${at}/destinations`, { token: boss.token, body: other })).status).toBe(201)
  expect((await approve(boss, anew)).status).toBe(200)
  const paid = await api('GET', `/payments/${anew.fiat_outgoing_id}`, { token: boss.token })
  const account = await api('GET', `/payment-destinations/${paid.body.destination_id}`, { token: boss.token })
  expect(account.body.iban).toBe(IBAN)
  const inUse = await api('DELETE', `/payment-contacts/${anew.payment_contact_id}`, { token: boss.token })
  expect(inUse.body.error.type).toBe('contact_in_use')
})

test('an account that is emptied so that a contact’s own is paid is a new one too', async () => {
  const id = await payerWith(admin)
  await typedBill(boss, id, { bill_number: 'N-1', amount: '1.00' })
  const bill = await typedBill(boss, id, { bill_number: 'N-2', amount: '2.00', account_holder_name: 'Müller' })
  const own = await contactAt(id, bankAt(OTHER_IBAN))
  await change(boss, bill.id, { iban: null })
  const { body } = await requestPayment(boss, bill.id, { payment_contact_id: own })
  expect((await approvalOf(body, admin)).summary).toContain('the bank details are not those of before')
  expect((await approve(boss, body)).body.error.type).toBe('requester_cannot_approve')
  expect((await approve(admin, body)).status).toBe(200)
})

test('a contact of another organization is not found, and one that is paid in another currency is refused with what to do', async () => {
  const id = await payerWith()
  const american = { country_code: 'US', currency: 'USD', aba_code: '021000021', account_number: '123456789' }
  const dollars = await contactAt(id, { ...bankAt(IBAN), iban: undefined, ...american })
  const bill = await typedBill(boss, id, { amount: '2.00', iban: null })
  const foreign = await contactAt((await organization(boss, 'Elsewhere')).id, bankAt(IBAN))
  const elsewhere = await requestPayment(boss, bill.id, { payment_contact_id: foreign })
  expect(fullRefusal(elsewhere)).toEqual([404, 'not_found', undefined])
  expect(fullRefusal(await requestPayment(boss, bill.id, { payment_contact_id: dollars }))).toEqual([
    422,
    'unsupported_currency',
    { currency: 'EUR', supported: ['USD'], what_to_do: expect.any(String) },
  ])
})

test('no amount that a file says is paid unless it is money', async () => {
  const id = await payerWith()
  const bill = await typedBill(boss, id)
  for (const [amount, type, details] of [
    ['0.00', 'unprocessable_entity', { reason: 'nothing_to_pay' }],
    ['-119.00', 'unprocessable_entity', { reason: 'nothing_to_pay' }],
    ['1.005', 'amount_precision', expect.any(Object)],
    ['999999999999999.99', 'amount_too_large', expect.any(Object)],
  ] as const) {
    await owner`update bills set amount = ${amount} where id = ${bill.id}` // as a reading writes it
    expect(fullRefusal(await requestPayment(boss, bill.id)), amount).toEqual([422, type, details])
    expect((await detail(boss, bill.id)).bill).toMatchObject({ status: 'extracted', fiat_outgoing_id: null })
  }
})

test('a bill that is handed in again and again is told of the twenty oldest, and its log grows by no more', async () => {
  const { id } = await organization(boss, 'Again')
  for (let number = 0; number < 22; number += 1) await typedBill(boss, id)
  const last = await detail(boss, (await typedBill(boss, id)).id)
  expect(last.duplicates).toHaveLength(20)
  expect(last.events).toHaveLength(21)
})
