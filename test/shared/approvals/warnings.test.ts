/** Warnings of an approval: how a payment differs from those before it. */
import { expect, test } from 'vitest'
import { ANNA, BERT, age, asked, bankAt, paid, payerOfTwo } from '../../support/account-changes.ts'
import { approve } from '../../support/api.ts'
import { approvalOf, decide } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'

const FRENCH = 'FR1420041010050500013M02606'

async function payer() {
  const { boss, contactOf } = await payerOfTwo()
  const warningsOf = async (payment: Parameters<typeof approvalOf>[0]): Promise<string[]> =>
    (await approvalOf(payment, boss)).warnings
  /** Asks for a payment, and reads its warnings. */
  const warned = async (contactId: string, amount: string, destination?: string): Promise<string[]> =>
    warningsOf(await asked(boss, contactId, amount, destination))
  const payee_address = { town: 'Berlin', country_code: 'DE' }
  const payeeAt = (...ibans: string[]) =>
    contactOf({ name: `Supplier ${ibans[0]}`, payee_address }, ...ibans.map((iban) => bankAt(iban)))
  return { boss, payeeAt, warningsOf, warned }
}

test('the first payment to an account, and to a country, says so; the next does not, at whichever contact', async () => {
  const { boss, payeeAt, warningsOf, warned } = await payer()
  const anna = await payeeAt(ANNA)
  const first = await asked(boss, anna.id, '10.00')
  expect(await warningsOf(first)).toEqual(['first_payment', 'new_country'])
  expect((await approve(boss, first)).status).toBe(200)
  expect(await warningsOf(first)).toEqual([]) // decided
  expect(await warned(anna.id, '11.00')).toEqual([])
  for (const [iban, warnings] of [
    [ANNA, []],
    [BERT, ['first_payment']],
    [FRENCH, ['first_payment', 'new_country']],
  ] as const)
    expect(await warned((await payeeAt(iban)).id, '12.00')).toEqual(warnings)
})

test('another account than the one that the payee was last paid at says so', async () => {
  const { boss, payeeAt, warned } = await payer()
  const { id, destinations } = await payeeAt(ANNA, BERT)
  const [one, other] = destinations.map((destination) => destination.id)
  for (const destination of destinations) await age(destination.id)
  await paid(boss, id, '10.00', one)
  expect(await warned(id, '11.00', one)).toEqual([])
  expect(await warned(id, '12.00', other)).toEqual(['first_payment', 'account_changed'])
  await paid(boss, id, '13.00', other)
  expect(await warned(id, '14.00', one)).toEqual(['account_changed'])
})

test('the same amount within 30 days is a duplicate, also while the other waits; not after, nor if that was given up', async () => {
  const { boss, payeeAt, warningsOf, warned } = await payer()
  const { id } = await payeeAt(ANNA)
  await paid(boss, id, '10.00')
  const second = await asked(boss, id, '20.00')
  expect(await warned(id, '20.00')).toEqual(['duplicate'])
  expect(await warningsOf(second)).toEqual([]) // the later one repeats it
  await decide(boss, second, 'reject')
  const again = await asked(boss, id, '10.00')
  expect(await warningsOf(again)).toEqual(['duplicate'])
  await owner`update payments set inserted_at = inserted_at - interval '31 days'
    where payment_contact_id = ${id} and id <> ${again.id}`
  expect(await warningsOf(again)).toEqual([])
})

test('an amount of more than three times the median of at least three says so', async () => {
  const { boss, payeeAt, warned } = await payer()
  const { id } = await payeeAt(ANNA)
  for (const amount of ['10.00', '11.00']) await paid(boss, id, amount)
  expect(await warned(id, '500.00')).toEqual([])
  await paid(boss, id, '90.00')
  expect(await warned(id, '33.00')).toEqual([])
  expect(await warned(id, '33.01')).toEqual(['unusual_amount'])
})
