/** Previews of payments: they answer as the request does, and write nothing. */
import { expect, test } from 'vitest'
import { api, fund, organization, person } from '../../support/api.ts'
import { OTHER_IBAN, IBAN, detail, eventsOf, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { owner } from '../../support/database.ts'
import { usePartners } from '../../support/partners/partners.ts'

usePartners()

const boss = await person({ authenticator: true })
const payer = await organization(boss, 'Payer')
await fund(payer.id, '1000.00', 'EUR')

const preview = async (id: string, body: object = {}) => {
  const { status, body: answer } = await api('POST', `/bills/${id}/preflight`, { token: boss.token, body })
  expect(status, JSON.stringify(answer)).toBe(200)
  return answer
}

/** Rows of everything that a request for payment writes. */
const rows = () =>
  owner`select (select count(*) from payments where organization_id = ${payer.id})::int as payments,
    (select count(*) from payment_contacts where organization_id = ${payer.id})::int as contacts,
    (select count(*) from approvals where organization_id = ${payer.id})::int as approvals,
    (select count(*) from payment_quotes where organization_id = ${payer.id})::int as quotes,
    (select count(*) from events where organization_id = ${payer.id})::int as events`

test('a preview says payee, account, fee and approvers of the request that follows, and writes none of it', async () => {
  const bill = await typedBill(boss, payer.id, { bill_number: 'P-1' })
  const before = await rows()
  const first = await preview(bill.id)
  expect(first).toMatchObject({
    payment_contact_id: null,
    payee: 'Müller & Söhne GmbH',
    account: IBAN,
    landing: { amount: '119.00', currency: 'EUR' },
    schedule: null,
    acknowledgements: [],
    blocked_by: [],
  })
  expect(await rows()).toEqual(before)
  expect((await detail(boss, bill.id)).bill).toEqual(bill)
  expect(await eventsOf(boss, bill.id)).toEqual(['bill.created'])
  const { body } = await requestPayment(boss, bill.id)
  const { body: payment } = await api('GET', `/payments/${body.fiat_outgoing_id}`, { token: boss.token })
  expect(payment).toMatchObject({ landing: first.landing, deducting: first.deducting })
  expect((await preview(bill.id)).blocked_by).toMatchObject([{ type: 'bill_payment_in_progress' }])
})

test('doubts that a person may acknowledge are listed, and the request takes exactly these', async () => {
  const bill = await typedBill(boss, payer.id, { bill_number: 'P-2', amount: '20.00' })
  const again = await typedBill(boss, payer.id, { bill_number: 'P-2', amount: '20.00' })
  const { acknowledgements, blocked_by: blocked, account } = await preview(again.id)
  expect([acknowledgements, blocked, account]).toEqual([['acknowledge_duplicate'], [], IBAN])
  expect((await requestPayment(boss, again.id)).status).toBe(409)
  const body = Object.fromEntries(acknowledgements.map((name: string) => [name, true]))
  expect((await requestPayment(boss, again.id, body)).body.status).toBe('payment_requested')
  expect((await detail(boss, bill.id)).bill.status).toBe('extracted')
})

test('what blocks a payment is said with the fields that are missing', async () => {
  const nowhere = await typedBill(boss, payer.id, { bill_number: 'P-3', iban: null, supplier_name: 'Nowhere Ltd' })
  expect(await preview(nowhere.id)).toMatchObject({
    payee: null,
    acknowledgements: [],
    blocked_by: [{ type: 'bill_incomplete' }],
    missing: ['iban', 'bank_country_alpha2'],
  })
  const debited = await typedBill(boss, payer.id, { bill_number: 'P-4', not_payable: 'direct_debit' })
  expect((await preview(debited.id)).blocked_by).toMatchObject([{ type: 'unprocessable_entity' }])
  const typed = await typedBill(boss, payer.id, { bill_number: 'P-5', amount: '5.00', iban: OTHER_IBAN })
  expect(await preview(typed.id)).toMatchObject({
    acknowledgements: [],
    blocked_by: [{ type: 'no_eligible_approver' }],
  })
})

test('a preview has the day on which it is paid', async () => {
  const { today } = (await api('GET', `/organizations/${payer.id}/bills/sums`, { token: boss.token })).body
  const due = new Date(Date.parse(`${today}T00:00:00Z`) + 30 * 86_400_000).toISOString().slice(0, 10)
  const bill = await typedBill(boss, payer.id, { bill_number: 'P-6', amount: '6.00', due_date: due })
  expect((await preview(bill.id, { on_due_date: true })).schedule).toMatchObject({
    requested_on: due,
    state: 'waiting',
  })
})
