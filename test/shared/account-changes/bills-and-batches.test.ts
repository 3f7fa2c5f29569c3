/** Changed accounts of suppliers whose bills are paid, and of payees of batches. */
import { expect, test } from 'vitest'
import {
  ANNA,
  BERT,
  CORA,
  addAccount,
  age,
  ageRows,
  asked,
  bankAt,
  batchOf,
  blockersOf,
  confirmCall,
  moveTo,
  paid,
  payerOfTwo,
  setSettings,
  toContact,
  toName,
} from '../../support/account-changes.ts'
import { submit } from '../../support/batches/batches.ts'
import { api, approve, join, person } from '../../support/api.ts'
import { approvalOf } from '../../support/approvals/approvals.ts'
import { change, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { mailsTo } from '../../support/identity/identity.ts'
import { bundleOf } from '../../support/approvals/evidence.ts'
import { owner } from '../../support/database.ts'
import { delegateOf, tokenOf } from '../../support/identity/delegates.ts'

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

const COOLING = ['account_cooling_off']

test('a call-back by another person ends the waiting, is kept once, and is seen from then on', async () => {
  const { boss, admin, contactOf } = await payerOfTwo()
  const { id } = await contactOf({}, bankAt(ANNA))
  await paid(boss, id)
  const other = await moveTo(boss, id, BERT)
  const own = await confirmCall(boss, other)
  expect([own.status, own.body.error.details]).toEqual([403, { reason: 'own_account_change' }])
  const call = { spoken_to: 'Erna Muster', note: 'On the number of the contract.' }
  const confirmed = await confirmCall(admin, other, call)
  expect(confirmed.body).toMatchObject({
    id: other,
    call_back: { ...call, confirmed_by: { id: admin.userId }, confirmed_at: expect.any(String) },
  })
  expect((await confirmCall(admin, other, { spoken_to: 'Another' })).body).toEqual(confirmed.body)
  expect(await blockersOf(boss, id)).toEqual([])
  const payment = await asked(boss, id)
  expect((await approvalOf(payment, boss)).subject.fiat_outgoing.account_change.call_back).toMatchObject(call)
  expect((await approve(boss, payment)).status).toBe(200)
  await moveTo(admin, id, CORA)
  expect(await blockersOf(boss, id)).toEqual(COOLING)
})

test('a call-back is about an account that is there, of whatever kind', async () => {
  const { boss, admin, contactOf } = await payerOfTwo()
  const coin = {
    type: 'crypto',
    network: 'ethereum',
    coin: 'USDC',
    address: '0x52908400098527886e0f7030069857d2e4169ee7',
  }
  const { destinations } = await contactOf({}, bankAt(ANNA), coin)
  expect((await confirmCall(admin, destinations[1]?.id ?? '')).status).toBe(200)
  const first = destinations[0]?.id ?? ''
  expect((await api('DELETE', `/payment-destinations/${first}`, { token: boss.token })).status).toBe(200)
  expect((await confirmCall(admin, first)).status).toBe(404)
})

test('the evidence has the events of the new account, and its call-back', async () => {
  const { boss, admin, contactOf } = await payerOfTwo()
  const { id } = await contactOf({}, bankAt(ANNA))
  const before = await paid(boss, id)
  const other = await moveTo(boss, id, BERT)
  await confirmCall(admin, other)
  const payment = await paid(boss, id)
  const bundle = await bundleOf(boss, payment)
  expect(bundle.call_backs).toMatchObject([{ destination_id: other, confirmed_by: { id: admin.userId } }])
  const events: { subject_id: string; type: string }[] = bundle.events
  const ofAccount = events.filter(({ subject_id }) => subject_id === other).map(({ type }) => type)
  expect(ofAccount).toEqual(['payment_destination.created', 'payment_destination.confirmed_by_callback'])
  expect((await bundleOf(boss, before)).call_backs).toEqual([])
})

test('of two call-backs at once one is kept, with one event', async () => {
  const { boss, admin, id: payer, contactOf } = await payerOfTwo()
  const third = await person({ authenticator: true })
  await join(payer, third, 'admin')
  const { id } = await contactOf({}, bankAt(ANNA))
  await paid(boss, id)
  const other = await moveTo(boss, id, BERT)
  const answers = await Promise.all([confirmCall(admin, other), confirmCall(third, other), confirmCall(admin, other)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(answers.map(({ body }) => body.call_back.confirmed_by.id)).size).toBe(1)
  const events = await owner`
    select id from events where subject_id = ${other} and type = 'payment_destination.confirmed_by_callback'`
  expect(events).toHaveLength(1)
})

test('a delegate confirms nothing, and its person does not confirm what it added', async () => {
  const { boss, admin, id: payer, contactOf } = await payerOfTwo()
  const { id } = await contactOf({}, bankAt(ANNA))
  await paid(boss, id)
  const made = await delegateOf(boss, payer, { name: 'Books', kind: 'agent', access: 'prepare' })
  const agent = { ...boss, token: await tokenOf(made) }
  const { body } = await addAccount(agent, id, bankAt(BERT))
  expect((await approve(admin, { organization_id: payer, approval_request_id: body.approval_request_id })).status).toBe(
    200,
  )
  expect((await confirmCall(agent, body.id)).body.error.type).toBe('delegate_not_permitted')
  expect((await confirmCall(boss, body.id)).body.error.details).toEqual({ reason: 'own_account_change' })
  expect((await confirmCall(admin, body.id)).status).toBe(200)
})

test('attention asks those who may confirm, and no other', async () => {
  const { boss, admin, id: payer, contactOf } = await payerOfTwo()
  const { id } = await contactOf({}, bankAt(ANNA))
  await paid(boss, id)
  const other = await moveTo(boss, id, BERT)
  const itemsOf = async ({ token }: { token: string }) =>
    (await api('GET', `/organizations/${payer}/attention?kind=account_changed`, { token })).body.data
  expect(await itemsOf(boss)).toEqual([])
  expect(await itemsOf(admin)).toMatchObject([
    {
      id: `account_changed:${other}`,
      severity: 'action',
      action: { kind: 'account_changed', payment_destination_id: other },
      due_at: expect.any(String),
    },
  ])
  await confirmCall(admin, other)
  expect(await itemsOf(admin)).toEqual([])
})

test('who brought an account first does not confirm it after another person has deleted it and added it again', async () => {
  const { id: payer, boss, admin, contactOf } = await payerOfTwo()
  const third = await person({ authenticator: true })
  await join(payer, third, 'admin')
  const { id } = await contactOf({}, bankAt(ANNA))
  await paid(boss, id)
  const first = await moveTo(boss, id, BERT)
  expect((await api('DELETE', `/payment-destinations/${first}`, { token: admin.token })).status).toBe(200)
  const { body } = await addAccount(admin, id, bankAt(BERT, { currency: 'USD', swift_code: 'WELADEM1', default: true }))
  for (const by of [boss, admin]) {
    expect((await confirmCall(by, body.id)).body.error.details).toEqual({ reason: 'own_account_change' })
  }
  expect((await confirmCall(third, body.id)).status).toBe(200)
})

test('who had a file with the account imported does not confirm it for a contact', async () => {
  const { id: payer, boss, admin, contactOf } = await payerOfTwo()
  const third = await person({ authenticator: true })
  await join(payer, third, 'admin')
  const { id } = await contactOf({}, bankAt(ANNA))
  await paid(boss, id)
  await batchOf(admin, payer, toName('Supplier GmbH', BERT))
  const moved = await moveTo(boss, id, BERT)
  expect((await confirmCall(admin, moved)).body.error.details).toEqual({ reason: 'own_account_change' })
  expect((await confirmCall(third, moved)).status).toBe(200)
})

test('who brought an account by a bill does not confirm it, whatever the bill says since', async () => {
  const { id, boss, admin } = await payerOfTwo()
  const clerk = await person({ authenticator: true })
  await join(id, clerk, 'admin')
  const supplier = { supplier_tax_id: 'DE811193231', supplier_name: 'Strom AG', iban: ANNA }
  const first = await typedBill(boss, id, { ...supplier, bill_number: 'E-1', amount: '10.00' })
  expect((await approve(boss, (await requestPayment(boss, first.id)).body)).status).toBe(200)
  const second = await typedBill(clerk, id, { ...supplier, iban: BERT, bill_number: 'E-2', amount: '11.00' })
  const refused = await requestPayment(admin, second.id)
  const destination = refused.body.error.details.payment_destination_id
  expect((await change(clerk, second.id, { iban: CORA })).status).toBe(200)
  expect((await confirmCall(clerk, destination)).body.error.details).toEqual({ reason: 'own_account_change' })
  expect((await confirmCall(boss, destination)).status).toBe(200)
})
