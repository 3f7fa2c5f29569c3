import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { api, approvalPath, approve, fund, organization, person, join } from '../../support/api.ts'
import { approvalOf } from '../../support/approvals/approvals.ts'
import { violations } from '../../support/batches/batches.ts'
import { electronic, electronicTruth } from '../../support/bills/electronic.ts'
import { billOf } from '../../support/bills/random.ts'
import { change, detail, readBill, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { advance } from '../../support/payments/payouts.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const boss = await person({ authenticator: true })
const payer = await organization(boss, 'Payer')

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
