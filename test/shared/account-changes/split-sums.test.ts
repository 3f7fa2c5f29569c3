/** Sums that are split over several new accounts, rows and batches. */
import { expect, test } from 'vitest'
import {
  ANNA,
  BERT,
  CORA,
  bankAt,
  batchOf,
  blockersOf,
  moveTo,
  paid,
  payerOfTwo,
  setSettings,
  toContact,
  toName,
} from '../../support/account-changes.ts'
import { submit } from '../../support/batches/batches.ts'
import { api, approve } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'

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
