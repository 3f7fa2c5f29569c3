/** Changed accounts of suppliers whose bills are paid, and of payees of batches. */
import { expect, test } from 'vitest'
import {
  ANNA,
  BERT,
  CORA,
  age,
  ageRows,
  asked,
  bankAt,
  batchOf,
  confirmCall,
  moveTo,
  paid,
  payerOfTwo,
  setSettings,
  toContact,
  toName,
} from '../../support/account-changes.ts'
import { submit } from '../../support/batches/batches.ts'
import { api, approve } from '../../support/api.ts'
import { approvalOf } from '../../support/approvals/approvals.ts'
import { requestPayment, typedBill } from '../../support/bills/bills.ts'
import { mailsTo } from '../../support/identity/identity.ts'

test('a supplier is known by its tax id, whatever it is called; a call to the new contact ends the waiting', async () => {
  const { id, boss, admin } = await payerOfTwo()
  const supplier = { supplier_tax_id: 'DE811193231', supplier_name: 'Strom AG', iban: ANNA }
  const first = await typedBill(boss, id, { ...supplier, bill_number: 'T-1', amount: '10.00' })
  expect((await approve(boss, (await requestPayment(boss, first.id)).body)).status).toBe(200)
  const renamed = { ...supplier, supplier_name: 'Power Ltd', iban: BERT }
  const second = await typedBill(boss, id, { ...renamed, bill_number: 'T-2', amount: '11.00' })
  const refused = await requestPayment(boss, second.id)
  expect([refused.status, refused.body.error.type]).toEqual([422, 'account_cooling_off'])
  const destination = refused.body.error.details.payment_destination_id
  expect((await requestPayment(admin, second.id)).body.error.details).toEqual(refused.body.error.details)
  expect((await confirmCall(boss, destination)).body.error.details).toEqual({ reason: 'own_account_change' })
  expect((await confirmCall(admin, destination)).status).toBe(200)
  const { body } = await requestPayment(boss, second.id)
  expect((await approvalOf(body, admin)).subject.fiat_outgoing.account_change).toMatchObject({
    old: { account: '…3000' },
    new: { account: '…6199' },
    changed_by: [{ id: boss.userId }],
  })
  expect((await approve(boss, body)).body.error.type).toBe('requester_cannot_approve')
  expect((await approve(admin, body)).status).toBe(200)
})

test('a supplier without a tax id is known by the looks of its name', async () => {
  const { id, boss } = await payerOfTwo()
  const supplier = { supplier_tax_id: null, supplier_name: 'Acme Supplies', iban: ANNA }
  const first = await typedBill(boss, id, { ...supplier, bill_number: 'L-1', amount: '10.00' })
  expect((await approve(boss, (await requestPayment(boss, first.id)).body)).status).toBe(200)
  const alike = { ...supplier, supplier_name: 'Acmе Suppliеs', iban: BERT } // with two Cyrillic letters
  const second = await typedBill(boss, id, { ...alike, bill_number: 'L-2', amount: '11.00' })
  expect((await requestPayment(boss, second.id)).body.error.type).toBe('account_cooling_off')
  const other = { ...supplier, supplier_name: 'Other Supplies', iban: CORA }
  const third = await typedBill(boss, id, { ...other, bill_number: 'L-3', amount: '11.00' })
  expect((await requestPayment(boss, third.id)).body.status).toBe('payment_requested')
})

test('a supplier of a known name with another tax id is known by its name, until that tax id was paid for a week', async () => {
  const { id, boss, admin } = await payerOfTwo()
  const first = await typedBill(boss, id, { supplier_tax_id: 'DE811193231', iban: ANNA, amount: '10.00' })
  expect((await approve(boss, (await requestPayment(boss, first.id)).body)).status).toBe(200)
  const other = { supplier_tax_id: 'DE136695976', iban: BERT }
  const second = await typedBill(boss, id, { ...other, bill_number: 'N-2', amount: '11.00' })
  const refused = await requestPayment(boss, second.id)
  expect(refused.body.error.type).toBe('account_cooling_off')
  const destination = refused.body.error.details.payment_destination_id
  await age(destination)
  const requested = (await requestPayment(boss, second.id)).body
  expect((await approve(admin, requested)).status).toBe(200)
  const third = await typedBill(boss, id, { ...other, iban: CORA, bill_number: 'N-3', amount: '12.00' })
  expect((await requestPayment(boss, third.id)).body.error.type).toBe('account_cooling_off')
})

test('of a bill and a contact with different accounts, the one that is paid decides', async () => {
  const { id, boss, contactOf } = await payerOfTwo()
  const contact = await contactOf({}, bankAt(ANNA))
  await paid(boss, contact.id)
  const bill = await typedBill(boss, id, { bill_number: 'C-1', amount: '10.00', iban: null })
  const { body } = await requestPayment(boss, bill.id, { payment_contact_id: contact.id })
  expect(body.status).toBe('payment_requested')
  await moveTo(boss, contact.id, BERT)
  const next = await typedBill(boss, id, { bill_number: 'C-2', amount: '11.00', iban: null })
  const refused = await requestPayment(boss, next.id, { payment_contact_id: contact.id })
  expect(refused.body.error.type).toBe('account_cooling_off')
})

test('a batch is refused with the numbers of the rows that have to wait, and its approver sees each change', async () => {
  const { id, boss, contactOf } = await payerOfTwo()
  const contact = await contactOf({}, bankAt(ANNA))
  await paid(boss, contact.id)
  const other = await moveTo(boss, contact.id, BERT)
  const batch = await batchOf(
    boss,
    id,
    toName('Somebody New', 'DE02500105170137075030'),
    toContact(contact.id),
    toName('Suрplier GmbH', CORA), // with a Cyrillic letter
  )
  const refused = await submit(boss, batch)
  expect([refused.status, refused.body.error]).toMatchObject([
    422,
    { type: 'account_cooling_off', details: { rows: [2, 3], rows_total: 2, until: expect.any(String) } },
  ])
  await age(other)
  await ageRows(batch)
  const { status, body } = await submit(boss, batch)
  expect(status).toBe(200)
  const { subject } = await approvalOf(body, boss)
  expect(subject.payment_batch.account_change).toMatchObject({
    payees: 2,
    rows: 2,
    changes: [
      { row_number: 2, rows: 1, amount: { amount: '10.00', currency: 'EUR' }, new: { destination_id: other } },
      { row_number: 3, old: { account: '…3000' }, new: { destination_id: null, account: '…2051' } },
    ],
  })
  expect((await approve(boss, body)).status).toBe(200)
})

test('the rows of a batch to one account are one sum, with other payments and batches, also at the last approval', async () => {
  const { id, boss, contactOf } = await payerOfTwo()
  await setSettings(boss, id, { account_change_free_amount: { amount: '100.00', currency: 'EUR' } })
  const contact = await contactOf({}, bankAt(ANNA))
  await paid(boss, contact.id)
  await moveTo(boss, contact.id, BERT)
  const split = await batchOf(boss, id, toContact(contact.id, '60.00'), toName('Supplier GmbH', BERT, '40.01'))
  expect((await submit(boss, split)).body.error.details.rows).toEqual([1, 2])
  const free = await batchOf(boss, id, toContact(contact.id, '60.00'))
  const submitted = (await submit(boss, free)).body
  expect(submitted.status).toBe('awaiting_approval')
  expect((await submit(boss, await batchOf(boss, id, toContact(contact.id, '40.01')))).body.error.type).toBe(
    'account_cooling_off',
  )
  await setSettings(boss, id, { account_change_hours: 0 })
  const payment = await asked(boss, contact.id, '50.00')
  await setSettings(boss, id, { account_change_hours: 24 })
  expect((await approvalOf(payment, boss)).blocked_by).toEqual(['account_cooling_off'])
  expect((await approve(boss, payment)).body.error.type).toBe('account_cooling_off')
  expect((await approvalOf(submitted, boss)).blocked_by).toEqual([]) // it was asked for first
  await api('POST', `/payment-batches/${free}/cancel`, { token: boss.token, body: {} })
  expect((await approve(boss, payment)).status).toBe(200)
})

test('a batch without a changed account has the subject that it had', async () => {
  const { id, boss, contactOf } = await payerOfTwo()
  const contact = await contactOf({}, bankAt(ANNA))
  await paid(boss, contact.id)
  const { body } = await submit(boss, await batchOf(boss, id, toContact(contact.id)))
  expect((await approvalOf(body, boss)).subject.payment_batch).toMatchObject({ account_change: null })
})

test('an account that only a row names waits from its first submission, when the payee is mailed, whenever it was drafted', async () => {
  const { id, boss, contactOf } = await payerOfTwo()
  const email = `${id}@supplier.example`
  const contact = await contactOf({ email }, bankAt(ANNA))
  await paid(boss, contact.id)
  const batch = await batchOf(boss, id, toName('Supplier GmbH', BERT))
  await ageRows(batch)
  expect((await submit(boss, batch)).body.error.type).toBe('account_cooling_off')
  await ageRows(batch)
  const [row] = (await api('GET', `/payment-batches/${batch}/rows`, { token: boss.token })).body.data
  const correct = (body: object) =>
    api('PATCH', `/payment-batches/${batch}/rows/${row.id}`, { token: boss.token, body })
  expect((await correct({ iban: CORA })).status).toBe(200)
  expect((await submit(boss, batch)).body.error.type).toBe('account_cooling_off')
  expect(await mailsTo(email)).toHaveLength(2)
  await ageRows(batch)
  expect((await correct({ amount: '11.00' })).status).toBe(200)
  expect((await submit(boss, batch)).status).toBe(200)
  expect(await mailsTo(email)).toHaveLength(2)
})

test('rows that pay one name at several new accounts are one sum', async () => {
  const { id, boss, contactOf } = await payerOfTwo()
  await setSettings(boss, id, { account_change_free_amount: { amount: '100.00', currency: 'EUR' } })
  const contact = await contactOf({}, bankAt(ANNA))
  await paid(boss, contact.id)
  const rows = (amount: string) => [
    toName('Supplier GmbH', ANNA, '500.00'),
    toName('Supplier GmbH', BERT, '60.00'),
    toName('Supplier GmbH', CORA, amount),
  ]
  expect((await submit(boss, await batchOf(boss, id, ...rows('40.01')))).body.error.details.rows).toEqual([2, 3])
  const free = (await submit(boss, await batchOf(boss, id, ...rows('40.00')))).body
  expect(free.status).toBe('awaiting_approval')
  const more = await submit(boss, await batchOf(boss, id, toName('Supplier GmbH', 'DE02500105170137075030', '0.01')))
  expect(more.body.error.type).toBe('account_cooling_off')
  expect((await approve(boss, free)).status).toBe(200)
})
