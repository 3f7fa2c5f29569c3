/** Payees that were last paid at another account. */
import { expect, test } from 'vitest'
import {
  ANNA,
  BERT,
  CORA,
  addAccount,
  age,
  asked,
  bankAt,
  blockersOf,
  confirmCall,
  moveTo,
  paid,
  payerOfTwo,
  quoted,
  setSettings,
} from '../../support/account-changes.ts'
import { api, approve } from '../../support/api.ts'
import { approvalOf, setRules } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { mailsTo } from '../../support/identity/identity.ts'
import { execute } from '../../support/payments/quotes.ts'

/** Ends a payment as its bank would. */
const settled = (id: string) => owner`update payments set status = 'succeeded' where id = ${id}`

const COOLING = ['account_cooling_off']

test('another account than was last paid is refused until its hours are over, at preflight and at execute', async () => {
  const { boss, contactOf } = await payerOfTwo()
  const { id } = await contactOf({}, bankAt(ANNA))
  await paid(boss, id)
  expect(await blockersOf(boss, id)).toEqual([])
  const other = await moveTo(boss, id, BERT)
  const quote = await quoted(boss, id)
  expect(quote.blocked_by.map(({ type }: { type: string }) => type)).toEqual(COOLING)
  const refused = await execute(boss, quote.quote_id)
  expect(refused.status).toBe(422)
  expect(refused.body.error).toMatchObject({
    type: 'account_cooling_off',
    details: { until: expect.any(String), payment_destination_id: other },
  })
  await age(other)
  const payment = await asked(boss, id)
  expect((await approvalOf(payment, boss)).warnings).toContain('account_changed')
  expect((await approve(boss, payment)).status).toBe(200)
  expect((await approvalOf(await asked(boss, id, '7.00'), boss)).warnings).not.toContain('account_changed')
})

test('the approver sees both accounts, who changed them, and what the old one got; other subjects stay as they are', async () => {
  const { boss, admin, contactOf } = await payerOfTwo()
  const { id, destinations } = await contactOf({}, bankAt(ANNA))
  const before = await paid(boss, id, '100.00')
  await paid(boss, id, '20.50')
  const other = await moveTo(admin, id, BERT)
  await age(other)
  const payment = await asked(boss, id)
  const { subject } = await approvalOf(payment, boss)
  expect(subject.fiat_outgoing.account_change).toEqual({
    old: {
      destination_id: destinations[0]?.id,
      type: 'bank',
      account: '…3000',
      account_holder_name: 'Supplier GmbH',
      country_code: 'DE',
      currency: 'EUR',
    },
    new: {
      destination_id: other,
      type: 'bank',
      account: '…6199',
      account_holder_name: 'Supplier GmbH',
      country_code: 'DE',
      currency: 'EUR',
    },
    changed_by: [{ id: admin.userId, name: 'Test Person' }],
    changed_at: expect.any(String),
    paid_to_old: { count: 2, totals: [{ amount: '120.50', currency: 'EUR' }], last_at: expect.any(String) },
    call_back: null,
  })
  expect((await approvalOf(before, boss)).subject.fiat_outgoing).toMatchObject({ account_change: null })
})

test('below the free amount a new account is paid at once, and parts within the hours are one sum', async () => {
  const { id: payer, boss, contactOf } = await payerOfTwo()
  expect(
    (await setSettings(boss, payer, { account_change_free_amount: { amount: '100', currency: 'EUR' } })).body,
  ).toMatchObject({ account_change_hours: 24, account_change_free_amount: { amount: '100.00', currency: 'EUR' } })
  const { id } = await contactOf({}, bankAt(ANNA))
  await paid(boss, id)
  const other = await moveTo(boss, id, BERT)
  expect(await blockersOf(boss, id, '100.01')).toEqual(COOLING)
  await paid(boss, id, '60.00')
  expect(await blockersOf(boss, id, '40.00')).toEqual([])
  expect(await blockersOf(boss, id, '40.01')).toEqual(COOLING)
  await age(other)
  expect(await blockersOf(boss, id, '5000.00')).toEqual([])
})

test('parts that are split over several new accounts of a payee are one sum', async () => {
  const { id: payer, boss, contactOf } = await payerOfTwo()
  await setSettings(boss, payer, { account_change_free_amount: { amount: '100', currency: 'EUR' } })
  const { id } = await contactOf({}, bankAt(ANNA))
  await paid(boss, id, '5000.00')
  await moveTo(boss, id, BERT)
  const waiting = await asked(boss, id, '60.00')
  const last = await moveTo(boss, id, CORA)
  expect([await blockersOf(boss, id, '40.00'), await blockersOf(boss, id, '40.01')]).toEqual([[], COOLING])
  expect((await approve(boss, waiting)).status).toBe(200)
  expect(await blockersOf(boss, id, '40.01')).toEqual(COOLING)
  await age(last)
  expect(await blockersOf(boss, id, '40.01')).toEqual([])
})

test('in another currency the last stored rate says what is free; without one nothing is', async () => {
  const { id: payer, boss, contactOf } = await payerOfTwo()
  await setSettings(boss, payer, { account_change_free_amount: { amount: '100', currency: 'ISK' } })
  const { id } = await contactOf({}, bankAt(ANNA))
  await paid(boss, id)
  await moveTo(boss, id, BERT)
  await owner`insert into daily_rates (currency, day, usd) values ('EUR', '1999-01-01', 5), ('EUR', '2999-01-01', 2)
    on conflict do nothing`
  expect(await blockersOf(boss, id, '1.00')).toEqual(COOLING)
  await owner`insert into daily_rates (currency, day, usd) values ('ISK', '2999-01-01', 1) on conflict do nothing`
  expect(await blockersOf(boss, id, '50.00')).toEqual([])
  expect(await blockersOf(boss, id, '50.01')).toEqual(COOLING)
  await owner`delete from daily_rates where day = any ('{1999-01-01,2999-01-01}')`
})

test('of two that were asked for before either counted the other, the last approval gives the first and refuses the second', async () => {
  const { id: payer, boss, contactOf } = await payerOfTwo()
  await setSettings(boss, payer, { account_change_free_amount: { amount: '100.00', currency: 'EUR' } })
  const { id } = await contactOf({}, bankAt(ANNA))
  await paid(boss, id)
  await moveTo(boss, id, BERT)
  const quotes = [await quoted(boss, id, '60.00'), await quoted(boss, id, '60.00')]
  await setSettings(boss, payer, { account_change_hours: 0 })
  const payments = []
  for (const { quote_id } of quotes) payments.push((await execute(boss, quote_id)).body)
  await setSettings(boss, payer, { account_change_hours: 24 })
  expect((await approvalOf(payments[1], boss)).blocked_by).toEqual(COOLING)
  expect((await approve(boss, payments[1])).body.error.type).toBe('account_cooling_off')
  expect((await approve(boss, payments[0])).status).toBe(200)
  expect((await approve(boss, payments[1])).body.error.type).toBe('account_cooling_off')
})

test('a contact whose name, by its looks, was paid at another account waits, until it was paid for a week', async () => {
  const { boss, contactOf } = await payerOfTwo()
  const { id } = await contactOf({}, bankAt(ANNA))
  await paid(boss, id)
  const twin = await contactOf({ name: 'Suррlier GmbH' }, bankAt(BERT)) // with two Cyrillic letters
  expect(await blockersOf(boss, twin.id)).toEqual(COOLING)
  await age(twin.destinations[0]?.id ?? '')
  const first = await asked(boss, twin.id)
  expect((await approvalOf(first, boss)).warnings).toContain('account_changed')
  expect((await approvalOf(first, boss)).subject.fiat_outgoing.account_change.old.account).toBe(`…${ANNA.slice(-4)}`)
  expect((await approve(boss, first)).status).toBe(200)
  await owner`update payments set inserted_at = inserted_at - interval '8 days'
    where payment_contact_id in (${id}, ${twin.id})`
  await paid(boss, id, '9.00')
  expect((await approvalOf(await asked(boss, twin.id, '8.00'), boss)).warnings).not.toContain('account_changed')
  const other = await contactOf({ name: 'Other GmbH' }, bankAt(CORA))
  expect((await approvalOf(await asked(boss, other.id), boss)).warnings).not.toContain('account_changed')
})

test('back at the account that was paid before, the change is shown and nothing waits', async () => {
  const { boss, contactOf } = await payerOfTwo()
  const { id, destinations } = await contactOf({}, bankAt(ANNA))
  const first = destinations[0]?.id ?? ''
  await paid(boss, id)
  const other = await moveTo(boss, id, BERT)
  await age(other)
  await paid(boss, id)
  const back = await asked(boss, id, '9.00', first)
  expect((await approvalOf(back, boss)).subject.fiat_outgoing.account_change).toMatchObject({
    old: { destination_id: other },
    new: { destination_id: first },
  })
  expect((await approve(boss, back)).status).toBe(200)
})

test('an account that is deleted and added again is the same one', async () => {
  const { boss, contactOf } = await payerOfTwo()
  const { id, destinations } = await contactOf({}, bankAt(ANNA))
  await paid(boss, id)
  const other = await moveTo(boss, id, BERT)
  await age(other)
  const { id: paymentId } = await paid(boss, id)
  await settled(paymentId)
  expect((await api('DELETE', `/payment-destinations/${other}`, { token: boss.token })).status).toBe(200)
  const again = await moveTo(boss, id, BERT)
  expect(await blockersOf(boss, id)).toEqual([])
  expect((await approvalOf(await asked(boss, id, '8.00', again), boss)).warnings).not.toContain('account_changed')
  const unpaid = await moveTo(boss, id, CORA)
  await age(unpaid)
  expect((await api('DELETE', `/payment-destinations/${unpaid}`, { token: boss.token })).status).toBe(200)
  await moveTo(boss, id, CORA)
  expect(await blockersOf(boss, id)).toEqual(COOLING) // nothing was paid to it: its hours begin again
  expect(destinations).toHaveLength(1)
})

test('the contact is mailed once, also at the address from before a change of it, without a word of who changed it', async () => {
  const { id: payer, boss, contactOf } = await payerOfTwo()
  await setSettings(boss, payer, { contact_name: 'Paula Pay', contact_phone: '+49 30 1234' })
  const [email, forged] = [`${payer}@supplier.example`, `${payer}@attacker.example`]
  const { id } = await contactOf({ email }, bankAt(ANNA))
  await paid(boss, id)
  for (const address of [`${payer}@first.example`, forged]) {
    await api('PATCH', `/payment-contacts/${id}`, { token: boss.token, body: { email: address } })
  }
  const renamed = { name: 'Call 0900 now' }
  await api('PATCH', `/payment-contacts/${id}`, { token: boss.token, body: renamed })
  const hostile = bankAt(BERT, { default: true, account_holder_name: 'See evil.example', label: 'Click here' })
  expect((await addAccount(boss, id, hostile)).status).toBe(201)
  await quoted(boss, id)
  const mails = await mailsTo(email)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.subject).toBe('Another bank account for payments to you was entered at "Payer"')
  expect(mails[0]?.text).toContain('Paula Pay')
  expect(mails[0]?.text).not.toMatch(/0900|evil|Click|6199|Supplier/)
  expect((await mailsTo(forged)).map(({ subject }) => subject)).toEqual([mails[0]?.subject])
})

test('a contact that has to be approved is told, and its hours begin, when the change is approved', async () => {
  const { id: payer, boss, admin, contactOf } = await payerOfTwo()
  const email = `${payer}@supplier.example`
  const { id } = await contactOf({ email }, bankAt(ANNA))
  await paid(boss, id)
  await setRules(payer, boss, [{ action_type: 'payment_contact', steps: [{ required: 1, roles: ['admin'] }] }])
  const { body } = await addAccount(boss, id, bankAt(BERT, { default: true }))
  await age(body.id)
  expect(await mailsTo(email)).toEqual([])
  const approval = { organization_id: payer, approval_request_id: body.approval_request_id }
  expect((await approve(admin, approval)).status).toBe(200)
  expect(await mailsTo(email)).toHaveLength(1)
  expect(await blockersOf(boss, id)).toEqual(COOLING)
  expect((await confirmCall(boss, body.id)).body.error.details).toEqual({ reason: 'own_account_change' })
  expect((await confirmCall(admin, body.id)).status).toBe(200)
})

test('without hours nothing waits, and what is out of range is refused', async () => {
  const { id: payer, boss, contactOf } = await payerOfTwo()
  for (const hours of [-1, 169, 1.5]) {
    expect((await setSettings(boss, payer, { account_change_hours: hours })).body.error.type).toBe('invalid_request')
  }
  const refused = await setSettings(boss, payer, { account_change_free_amount: { amount: '1.005', currency: 'EUR' } })
  expect(refused.body.error.type).toBe('amount_precision')
  await setSettings(boss, payer, { account_change_hours: 0 })
  const { id } = await contactOf({}, bankAt(ANNA))
  await paid(boss, id)
  await moveTo(boss, id, BERT)
  const payment = await asked(boss, id)
  expect((await approvalOf(payment, boss)).warnings).toContain('account_changed')
  expect((await approve(boss, payment)).status).toBe(200)
})

test('who may confirm accounts is mailed when another member changes how long they wait', async () => {
  const { id: payer, boss, admin } = await payerOfTwo()
  const subject = 'Changed bank accounts of payees wait otherwise now at "Payer"'
  const about = async (by: { email: string }) => (await mailsTo(by.email)).filter((mail) => mail.subject === subject)
  await setSettings(boss, payer, { account_change_hours: 0 })
  await setSettings(boss, payer, { account_change_hours: 0 })
  expect((await about(admin)).map(({ text }) => text)).toEqual([expect.stringContaining('24 hours, now 0 hours')])
  expect(await about(boss)).toEqual([])
})

test('a contact without an address gets no mail, and its change is noted', async () => {
  const { boss, contactOf } = await payerOfTwo()
  const { id } = await contactOf({}, bankAt(ANNA))
  await paid(boss, id)
  const other = await moveTo(boss, id, BERT)
  const noted = await owner`select mailed from account_changes where destination_id = ${other}`
  expect(noted).toEqual([{ mailed: false }])
})
