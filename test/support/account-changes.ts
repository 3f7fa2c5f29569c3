/** Payees that are paid at bank accounts, one after another. */
import { expect } from 'vitest'
import { type Answer, type TestPerson, api, approve, fund, join, organization, person, withStepUp } from './api.ts'
import { owner } from './database.ts'
import { executed, quoteOf } from './payments/quotes.ts'

/** Accounts of three banks. */
export const [ANNA, BERT, CORA] = ['DE89370400440532013000', 'DE75512108001245126199', 'DE02120300000000202051']

export const bankAt = (iban: string, more: object = {}): object => {
  const account = { country_code: iban.slice(0, 2), currency: 'EUR', account_holder_name: 'Supplier GmbH', iban }
  return { type: 'bank', ...account, ...more }
}

type Contact = { readonly id: string; readonly destinations: readonly { readonly id: string }[] }

/** An organization with money and two people who may change payees and approve payments. */
export async function payerOfTwo() {
  const [boss, admin] = [await person({ authenticator: true }), await person({ authenticator: true })]
  const { id } = await organization(boss, 'Payer')
  await join(id, admin, 'admin')
  await fund(id, '50000.00', 'EUR')
  const contactOf = async (more: object = {}, ...accounts: readonly object[]): Promise<Contact> => {
    const body = { name: 'Supplier GmbH', type: 'business', destinations: accounts, ...more }
    return (await api('POST', `/organizations/${id}/payment-contacts`, { token: boss.token, body })).body
  }
  return { id, boss, admin, contactOf }
}

export const addAccount = (by: TestPerson, contactId: string, account: object): Promise<Answer> =>
  api('POST', `/payment-contacts/${contactId}/destinations`, { token: by.token, body: account })

/** Adds an account as the one that is paid, and answers its id. */
export async function moveTo(by: TestPerson, contactId: string, iban: string): Promise<string> {
  const { status, body } = await addAccount(by, contactId, bankAt(iban, { default: true }))
  expect(status).toBe(201)
  return body.id
}

const EUR = (amount: string) => ({ amount, currency: 'EUR' })

export const quoted = (by: TestPerson, contactId: string, amount = '100.00', destination_id: string | null = null) =>
  quoteOf(by, contactId, EUR(amount), { side: 'landing', destination_id })

/** Quotes and executes a payment; it waits for approval. */
export const asked = async (by: TestPerson, contactId: string, amount = '100.00', destination: string | null = null) =>
  executed(by, (await quoted(by, contactId, amount, destination)).quote_id)

/** Pays at the contact's default account, or at another one. */
export async function paid(by: TestPerson, contactId: string, amount = '100.00', destination: string | null = null) {
  const payment = await asked(by, contactId, amount, destination)
  expect((await approve(by, payment)).status).toBe(200)
  return payment
}

/** Makes a destination older, as if its hours had passed. */
export const age = (destinationId: string, hours = 25) =>
  owner`update payment_destinations set inserted_at = inserted_at - make_interval(hours => ${hours}),
    usable_at = usable_at - make_interval(hours => ${hours}) where id = ${destinationId}`

export const confirmCall = (by: TestPerson, destinationId: string, body: object = { spoken_to: 'Erna Muster' }) =>
  withStepUp('POST', `/payment-destinations/${destinationId}/confirm-by-callback`, { token: by.token, body })

export const setSettings = (by: TestPerson, id: string, body: object): Promise<Answer> =>
  withStepUp('PATCH', `/organizations/${id}/settings`, { token: by.token, body })

export const blockersOf = async (by: TestPerson, contactId: string, amount?: string): Promise<string[]> =>
  (await quoted(by, contactId, amount)).blocked_by.map(({ type }: { type: string }) => type)

const PREPARED = { payout_reason: 'services', statement_description: 'Invoice 1' }

/** Creates a draft with these rows, and answers its id. */
export async function batchOf(by: TestPerson, organizationId: string, ...rows: object[]): Promise<string> {
  const { token } = by
  const path = `/organizations/${organizationId}/payment-batches`
  const { body } = await api('POST', path, { token, body: { name: 'June' } })
  for (const row of rows) {
    const added = await api('POST', `/payment-batches/${body.id}/rows`, { token, body: { ...PREPARED, ...row } })
    expect([added.status, added.body.errors]).toEqual([201, []])
  }
  return body.id
}

export const toName = (name: string, iban: string, amount = '10.00') => ({
  account_holder_name: name,
  iban,
  amount,
  currency: 'EUR',
})

export const toContact = (id: string, amount = '10.00') => ({ payment_contact_id: id, amount, currency: 'EUR' })

/** Makes the first submission of a batch older, as if the hours had passed. */
export const ageRows = (batchId: string) =>
  owner`update payment_batch_rows set updated_at = updated_at - interval '25 hours',
    account_seen_at = account_seen_at - interval '25 hours' where payment_batch_id = ${batchId}`
