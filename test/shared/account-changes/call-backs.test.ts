/** Call-backs: another person than who changed an account confirms it. */
import { expect, test } from 'vitest'
import {
  ANNA,
  BERT,
  CORA,
  addAccount,
  asked,
  bankAt,
  batchOf,
  blockersOf,
  confirmCall,
  moveTo,
  paid,
  payerOfTwo,
  toName,
} from '../../support/account-changes.ts'
import { api, approve, join, person } from '../../support/api.ts'
import { approvalOf } from '../../support/approvals/approvals.ts'
import { bundleOf } from '../../support/approvals/evidence.ts'
import { change, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { owner } from '../../support/database.ts'
import { delegateOf, tokenOf } from '../../support/identity/delegates.ts'

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
