/** Warnings of an approval: how a payment differs from those before it. */
import { expect, test } from 'vitest'
import { age } from '../../support/account-changes.ts'
import { api, approve, fund, organization, person } from '../../support/api.ts'
import { approvalOf, decide } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'

const [ANNA, BERT, BERLIN] = ['DE89370400440532013000', 'FR1420041010050500013M02606', 'DE75512108001245126199']

const boss = await person({ authenticator: true })

async function payer(): Promise<string> {
  const { id } = await organization(boss, 'Payer')
  await fund(id, '9000.00', 'EUR')
  return id
}

async function payeeAt(id: string, ...ibans: string[]): Promise<{ id: string; destinations: { id: string }[] }> {
  const bank = { type: 'bank', currency: 'EUR', account_holder_name: 'Supplier' }
  const destinations = ibans.map((iban) => ({ ...bank, country_code: iban.slice(0, 2), iban }))
  const address = { town: 'Berlin', country_code: 'DE' }
  const body = { name: `Supplier ${ibans[0]}`, type: 'business', payee_address: address, destinations }
  return (await api('POST', `/organizations/${id}/payment-contacts`, { token: boss.token, body })).body
}

async function requested(contactId: string, amount: string, more: object = {}) {
  const { quote_id } = await quoteOf(boss, contactId, { amount, currency: 'EUR' }, { side: 'landing', ...more })
  return executed(boss, quote_id)
}

const warningsOf = async (payment: Parameters<typeof approvalOf>[0]): Promise<string[]> =>
  (await approvalOf(payment, boss)).warnings

async function paid(contactId: string, amount: string, more: object = {}): Promise<void> {
  expect((await approve(boss, await requested(contactId, amount, more))).status).toBe(200)
}

test('the first payment to an account, and to a country, says so; the next does not, at whichever contact', async () => {
  const id = await payer()
  const [anna, bert] = [await payeeAt(id, ANNA), await payeeAt(id, BERT)]
  const first = await requested(anna.id, '10.00')
  expect(await warningsOf(first)).toEqual(['first_payment', 'new_country'])
  expect((await approve(boss, first)).status).toBe(200)
  expect(await warningsOf(first)).toEqual([]) // decided
  expect(await warningsOf(await requested(anna.id, '11.00'))).toEqual([])
  expect(await warningsOf(await requested((await payeeAt(id, ANNA)).id, '12.00'))).toEqual([])
  expect(await warningsOf(await requested((await payeeAt(id, BERLIN)).id, '13.00'))).toEqual(['first_payment'])
  expect(await warningsOf(await requested(bert.id, '14.00'))).toEqual(['first_payment', 'new_country'])
})

test('another account than the one that the payee was last paid at says so', async () => {
  const { id: contactId, destinations } = await payeeAt(await payer(), ANNA, BERLIN)
  const [one, other] = destinations.map((destination) => ({ destination_id: destination.id }))
  for (const { id } of destinations) await age(id)
  await paid(contactId, '10.00', one)
  expect(await warningsOf(await requested(contactId, '11.00', one))).toEqual([])
  expect(await warningsOf(await requested(contactId, '12.00', other))).toEqual(['first_payment', 'account_changed'])
  await paid(contactId, '13.00', other)
  expect(await warningsOf(await requested(contactId, '14.00', one))).toEqual(['account_changed'])
})

test('the same amount within 30 days is a duplicate, also while the other waits; not after, nor if that was given up', async () => {
  const { id: contactId } = await payeeAt(await payer(), ANNA)
  await paid(contactId, '10.00')
  const second = await requested(contactId, '20.00')
  expect(await warningsOf(await requested(contactId, '20.00'))).toEqual(['duplicate'])
  expect(await warningsOf(second)).toEqual([]) // the later one repeats it
  await decide(boss, second, 'reject')
  const again = await requested(contactId, '10.00')
  expect(await warningsOf(again)).toEqual(['duplicate'])
  await owner`update payments set inserted_at = inserted_at - interval '31 days'
    where payment_contact_id = ${contactId} and id <> ${again.id}`
  expect(await warningsOf(again)).toEqual([])
})

test('an amount of more than three times the median of at least three says so', async () => {
  const { id: contactId } = await payeeAt(await payer(), ANNA)
  for (const amount of ['10.00', '11.00']) await paid(contactId, amount)
  expect(await warningsOf(await requested(contactId, '500.00'))).toEqual([])
  await paid(contactId, '90.00')
  expect(await warningsOf(await requested(contactId, '33.00'))).toEqual([])
  expect(await warningsOf(await requested(contactId, '33.01'))).toEqual(['unusual_amount'])
})
