/** Payees that are to be paid in another way than last, or under another contact. */
import { describe, expect, test } from 'vitest'
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
  quoted,
  setSettings,
  toContact,
  toName,
} from '../../support/account-changes.ts'
import { type Answer, api, approve, createPayment, fund, organization, paymentBody, person } from '../../support/api.ts'
import { approvalOf, setRules } from '../../support/approvals/approvals.ts'
import { submit } from '../../support/batches/batches.ts'
import { requestPayment, typedBill } from '../../support/bills/bills.ts'
import { WALLET } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { execute, executed, quoteOf } from '../../support/payments/quotes.ts'
import { TERMS, changeRow, fileOf, imported, rowsOf } from '../../support/batches/imports.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const COOLING = ['account_cooling_off']

test('a service ID or a wallet instead of the account that was paid waits as another account does', async () => {
  const { boss, admin, id: payer, contactOf } = await payerOfTwo()
  const payee = await organization(await person(), 'Payee')
  await fund(payer, '100.00', 'USD')
  await fund(payer, '100.00', 'USDC', 'crypto')
  const email = 'erna@supplier.example'
  const { id } = await contactOf({ email }, bankAt(ANNA))
  await paid(boss, id)
  for (const [account, money, shown] of [
    [
      { type: 'svc_id', svc_id: payee.svcId },
      { amount: '5.00', currency: 'USD' },
      { type: 'svc_id', account: payee.svcId },
    ],
    [
      WALLET,
      { amount: '5', currency: 'USDC' },
      { type: 'crypto', account: `…${WALLET.address.slice(-4)}`, account_holder_name: 'ethereum' },
    ],
  ] as const) {
    const { body: added } = await addAccount(boss, id, { ...account, default: true })
    const quote = await quoteOf(boss, id, money, { side: 'landing', destination_id: added.id })
    expect(quote.blocked_by.map(({ type }: { type: string }) => type)).toEqual(COOLING)
    if (account.type === 'svc_id') {
      const body = paymentBody(id, '5.00')
      expect(refusal(await api('POST', '/payments', { token: boss.token, body }))).toEqual([422, 'account_cooling_off'])
      expect(
        (await submit(boss, await batchOf(boss, payer, { payment_contact_id: id, ...money }))).body.error.type,
      ).toBe('account_cooling_off')
    }
    expect((await confirmCall(admin, added.id)).status).toBe(200)
    const payment =
      account.type === 'svc_id' ? await createPayment(boss, id, '5.00') : await executed(boss, quote.quote_id)
    const { subject, warnings } = await approvalOf(payment, boss)
    expect(warnings).toContain('account_changed')
    expect(subject[subject.type].account_change).toMatchObject({ new: shown, call_back: { spoken_to: 'Erna Muster' } })
    expect((await approve(boss, payment)).status).toBe(200)
  }
  const mails = await owner<{ subject: string }[]>`
    select distinct destination_id from account_changes where organization_id = ${payer} and mailed`
  expect(mails).toHaveLength(2)
})

test('a row of a batch that names an approved contact by its service ID waits as one that names the contact', async () => {
  const { boss, id: payer, contactOf } = await payerOfTwo()
  await fund(payer, '100.00', 'USD')
  const { id } = await contactOf({}, bankAt(ANNA))
  await paid(boss, id)
  const payee = await organization(await person(), 'Payee')
  await addAccount(boss, id, { type: 'svc_id', svc_id: payee.svcId })
  await setRules(payer, boss, [{ action_type: 'payment_contact', steps: [{ required: 1, roles: ['owner'] }] }])
  const batch = await batchOf(boss, payer, { payee_svc_id: payee.svcId, amount: '5.00', currency: 'USD' })
  expect((await submit(boss, batch)).body.error?.type).toBe('account_cooling_off')
})

test('a second contact of a name that is paid by service ID or wallet is the payee that was paid at a bank', async () => {
  const { boss, id: payer, contactOf } = await payerOfTwo()
  await fund(payer, '100.00', 'USD')
  const { id } = await contactOf({}, bankAt(ANNA))
  await paid(boss, id)
  const payee = await organization(await person(), 'Payee')
  const twin = await contactOf({ name: 'SUPPLIER gmbh' }, { type: 'svc_id', svc_id: payee.svcId })
  const body = paymentBody(twin.id, '5.00')
  expect(refusal(await api('POST', '/payments', { token: boss.token, body }))).toEqual([422, 'account_cooling_off'])
  const other = await contactOf({ name: 'Another' }, { type: 'svc_id', svc_id: payee.svcId })
  expect((await createPayment(boss, other.id, '5.00')).status).toBe('awaiting_approval')
})

test('the free amount is one sum over contacts of one name, and over contacts of one account', async () => {
  const { boss, id: payer, contactOf } = await payerOfTwo()
  await setSettings(boss, payer, { account_change_free_amount: { amount: '100.00', currency: 'EUR' } })
  const { id } = await contactOf({}, bankAt(ANNA))
  await paid(boss, id)
  const [twin, third] = [await contactOf({}, bankAt(BERT)), await contactOf({}, bankAt(CORA))]
  await asked(boss, twin.id, '60.00')
  expect([await blockersOf(boss, third.id, '40.00'), await blockersOf(boss, third.id, '40.01')]).toEqual([[], COOLING])
  const same = await contactOf({ name: 'Of the same account' }, bankAt(BERT))
  await asked(boss, same.id, '30.00')
  expect([await blockersOf(boss, twin.id, '10.00'), await blockersOf(boss, twin.id, '10.01')]).toEqual([[], COOLING])
})

test('requests at once to changed accounts, by payments, batches and bills, pass no more than the free amount, and each that passes is approved', async () => {
  const { id: payer, boss, admin, contactOf } = await payerOfTwo()
  await setSettings(boss, payer, { account_change_free_amount: { amount: '100.00', currency: 'EUR' } })
  const { id } = await contactOf({}, bankAt(ANNA))
  await paid(boss, id)
  await moveTo(boss, id, BERT)
  const asking: (() => Promise<Answer>)[] = []
  for (let index = 0; index < 50; index += 1) {
    const by = index % 2 === 0 ? boss : admin
    if (index % 5 === 0) {
      const batch = await batchOf(by, payer, toContact(id, '15.00'))
      asking.push(() => submit(by, batch))
    } else if (index % 5 === 1) {
      const bill = await typedBill(by, payer, {
        bill_number: `R-${index}`,
        amount: '15.00',
        iban: BERT,
        supplier_name: 'Supplier GmbH',
      })
      const body = { payment_contact_id: id, acknowledge_duplicate: true }
      asking.push(() => requestPayment(by, bill.id, body))
    } else {
      const quote = await quoted(by, id, '15.00')
      asking.push(() => execute(by, quote.quote_id))
    }
  }
  const answers = await Promise.all(asking.map((ask) => ask()))
  const passed = answers.filter(({ status }) => status < 300)
  const refused = answers.filter(({ status }) => status >= 300)
  expect(passed).toHaveLength(6) // of 15 each, in 100
  expect(new Set(refused.map((answer) => refusal(answer).join()))).toEqual(new Set(['422,account_cooling_off']))
  const approvals = passed.map(({ body }) => body.approval_request_id as string)
  for (const approval of approvals.toReversed()) {
    const at = { organization_id: payer, approval_request_id: approval }
    const [one, other] = [await approve(boss, at), await approve(admin, at)]
    expect([one.status, other.status]).toContain(200)
  }
})

const FREE = { account_change_free_amount: { amount: '100.00', currency: 'EUR' } }
const CONTACTS = [{ action_type: 'payment_contact', steps: [{ required: 1, roles: ['admin'] }] }]

/** Pays a contact at one account, and adds others as new ones; up to 100 is free. */
async function movedTo(...accounts: readonly string[]) {
  const { id, boss, admin, contactOf } = await payerOfTwo()
  await setSettings(boss, id, FREE)
  const contact = await contactOf({}, bankAt(ANNA))
  await paid(boss, contact.id)
  for (const account of accounts) await moveTo(boss, contact.id, account)
  return { id, boss, admin, contactId: contact.id }
}

test('rows that pay an approved contact at several new accounts are one sum', async () => {
  const { id, boss } = await movedTo(BERT, CORA)
  await setRules(id, boss, CONTACTS)
  const rows = (amount: string) => [toName('Supplier GmbH', BERT, '60.00'), toName('Supplier', CORA, amount)]
  expect((await submit(boss, await batchOf(boss, id, ...rows('40.01')))).body.error).toMatchObject({
    type: 'account_cooling_off',
    details: { rows: [1, 2], rows_total: 2 },
  })
  const free = (await submit(boss, await batchOf(boss, id, ...rows('40.00')))).body
  expect((await approve(boss, free)).status).toBe(200)
})

test('rows that pay a contact and its name at two new accounts are one sum, whatever the contact is called since', async () => {
  const { id, boss, contactId } = await movedTo(BERT)
  await api('PATCH', `/payment-contacts/${contactId}`, { token: boss.token, body: { name: 'Renamed GmbH' } })
  const rows = (amount: string) => [toContact(contactId, '60.00'), toName('Supplier GmbH', CORA, amount)]
  expect((await submit(boss, await batchOf(boss, id, ...rows('40.01')))).body.error?.details.rows).toEqual([1, 2])
  const same = [toContact(contactId, '60.00'), toName('Supplier GmbH', BERT, '40.00')]
  const counted = await batchOf(boss, id, ...same)
  expect((await submit(boss, counted)).status).toBe(200)
  await api('POST', `/payment-batches/${counted}/cancel`, { token: boss.token, body: {} })
  const free = (await submit(boss, await batchOf(boss, id, ...rows('40.00')))).body
  expect((await approve(boss, free)).status).toBe(200)
})

test('what pays a contact and its name at two new accounts is one sum also in two batches', async () => {
  const { id, boss, contactId } = await movedTo(BERT)
  const byName = await batchOf(boss, id, toName('Supplier GmbH', CORA, '60.00'))
  const waiting = (await submit(boss, byName)).body
  expect(waiting.status).toBe('awaiting_approval')
  expect([await blockersOf(boss, contactId, '40.00'), await blockersOf(boss, contactId, '40.01')]).toEqual([
    [],
    ['account_cooling_off'],
  ])
  await api('POST', `/payment-batches/${byName}/cancel`, { token: boss.token, body: {} })
  expect((await submit(boss, await batchOf(boss, id, toContact(contactId, '60.00')))).status).toBe(200)
  expect((await submit(boss, await batchOf(boss, id, toName('Supplier GmbH', CORA, '40.01')))).body.error?.type).toBe(
    'account_cooling_off',
  )
  expect((await submit(boss, await batchOf(boss, id, toName('Supplier GmbH', CORA, '40.00')))).status).toBe(200)
})

test('all that a batch pays to a changed account counts at the last approval, however its rows name it', async () => {
  for (const [rules, name] of [
    [CONTACTS, 'Supplier'],
    [[], 'Somebody New'],
  ] as const) {
    const { id, boss, contactId } = await movedTo(BERT)
    if (rules.length > 0) await setRules(id, boss, [...rules])
    const rows = (amount: string) => [toContact(contactId), toName(name, BERT, amount)]
    const one = (await submit(boss, await batchOf(boss, id, ...rows('40.00')))).body
    await setSettings(boss, id, { account_change_hours: 0 })
    const other = (await submit(boss, await batchOf(boss, id, ...rows('50.00')))).body
    await setSettings(boss, id, { account_change_hours: 24 })
    expect((await approve(boss, other)).body.error?.type).toBe('account_cooling_off')
    expect((await approve(boss, one)).status).toBe(200)
    expect((await approve(boss, other)).body.error?.type).toBe('account_cooling_off')
  }
})

describe('row changers', () => {
  test('an account that only a row names was changed by who added or imported the row, and who changed its account', async () => {
    const { id, boss, admin, contactOf } = await payerOfTwo()
    await paid(boss, (await contactOf({}, bankAt(ANNA))).id)
    await setSettings(boss, id, { account_change_hours: 0 })
    const changersOf = async (batchId: string) => {
      const { subject } = await approvalOf((await submit(boss, batchId)).body, boss)
      return subject.payment_batch.account_change.changes[0].changed_by.map(({ id: person }: { id: string }) => person)
    }
    const changed = async (cells: object) => {
      const batchId = await batchOf(boss, id, toName('Supplier GmbH', BERT))
      const [row] = await rowsOf(boss, batchId)
      expect((await changeRow(admin, batchId, row.id, cells)).status).toBe(200)
      return changersOf(batchId)
    }
    expect(await changed({ amount: '11.00' })).toEqual([boss.userId])
    expect(await changed({ iban: CORA })).toEqual([boss.userId, admin.userId].toSorted())
    const file = fileOf(`,,Supplier GmbH,${BERT},10.00,EUR,${TERMS}`)
    const drafted = await batchOf(boss, id, toName('Supplier GmbH', CORA))
    await imported(admin, drafted, file)
    expect(await changersOf(drafted)).toEqual([admin.userId])
  })
})
