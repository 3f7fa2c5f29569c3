/** Payers: a payment keeps who pays as it was asked for, shows it to approvers, and names it in its order. */
import { expect, test } from 'vitest'
import { bank } from '../../../activities/index.ts'
import { describe as describePage } from '../../../pages/approvals/subjects/describe.ts'
import { rowsOf } from '../../../pages/frame/rows.ts'
import { batchOf, setSettings } from '../../support/account-changes.ts'
import { api, approvalPath, approve, fund } from '../../support/api.ts'
import { approvalOf } from '../../support/approvals/approvals.ts'
import { submit, takeStep } from '../../support/batches/batches.ts'
import { BANK, WALLET, contactWith } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { tamper } from '../../support/ledger/books.ts'
import { TEXTS } from '../../support/pages/texts.ts'
import { askPartner, usePartners } from '../../support/partners/partners.ts'
import { violations } from '../../support/payments/payouts.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'
import type { BatchId, OrganizationId, PaymentId } from '../../../domain/ids.ts'

// no worker runs: each step is taken when the test says so
usePartners()

const KOELN = { line1: 'Domstraße 5', line2: null, postal_code: '50668', city: 'Köln', country_code: 'DE' }
const BONN = { ...KOELN, line1: 'Münsterplatz 1', line2: 'Hinterhof', postal_code: '53111', city: 'Bonn' }
const SENT = { line1: 'Domstrasse 5', postal_code: '50668', town: 'Koeln', country_code: 'DE' }
const EUROS = { amount: '10.00', currency: 'EUR' }

type Payment = Parameters<typeof approvalOf>[0] & { readonly id: PaymentId }
type Payer = Awaited<ReturnType<typeof contactWith>>

async function payerAt(postal_address: object | null, destination: object = BANK) {
  const at = await contactWith([destination])
  await fund(at.payer.id, '500.00', 'EUR')
  await setSettings(at.boss, at.payer.id, { postal_address, account_change_hours: 0 })
  return at
}
const made = async ({ boss, contact }: Payer, amount: typeof EUROS = EUROS): Promise<Payment> =>
  executed(boss, (await quoteOf(boss, contact, amount)).quote_id)
const refOf = ({ payer }: Payer, { id }: { id: PaymentId }) => ({ id, organizationId: payer.id as OrganizationId })
const ordered = async (partner: 'bank' | 'custodian', id: string) =>
  (await askPartner(partner, 'GET', `/payouts/${id}`)).body
const subjectOf = async (at: Payer, payment: Payment) =>
  (await api('GET', approvalPath(payment), { token: at.boss.token })).body.subject
const bodyOf = async (payment: Payment) => {
  const [row] = await owner<{ subject_body: string }[]>`
    select subject_body from approvals where id = ${payment.approval_request_id}`
  return JSON.parse(row?.subject_body ?? '')
}

test('a payment names its payer as it was asked for, to approvers and in its order, each time the same', async () => {
  const at = await payerAt(KOELN)
  const payment = await made(at)
  await setSettings(at.boss, at.payer.id, { postal_address: BONN })
  await api('PATCH', `/organizations/${at.payer.id}`, { token: at.boss.token, body: { name: 'Renamed' } })
  expect((await subjectOf(at, payment)).fiat_outgoing.payer).toEqual({ name: 'Payer', address: KOELN })
  const shown = describePage((await approvalOf(payment, at.boss)).subject, TEXTS)
  expect(String(await rowsOf(shown.rows))).toContain('Payer, Domstraße 5, 50668 Köln, DE')
  expect((await approve(at.boss, payment)).status).toBe(200)
  await bank.orderPayout(refOf(at, payment))
  expect((await ordered('bank', payment.id)).payer).toEqual({ name: 'Payer', address: SENT })
  // the answer is lost: what is sent again is what was sent before, else the partner says 409
  await owner`update payments set status = 'submitted', partner_version = -1 where id = ${payment.id}`
  await bank.orderPayout(refOf(at, payment))
  const [row] = await owner`select partner_version >= 0 as taken from payments where id = ${payment.id}`
  expect(row).toEqual({ taken: true })
  const after = await made(at)
  expect((await subjectOf(at, after)).fiat_outgoing.payer).toEqual({ name: 'Renamed', address: BONN })
})

test('the account of the payer at its bank is named, if it was open when the payment was made', async () => {
  const at = await payerAt(KOELN)
  const before = await made(at)
  const path = `/organizations/${at.payer.id}/bank-accounts`
  const { data } = (await api('GET', path, { token: at.boss.token })).body
  for (const { id } of data) await bank.openReceivingAccount({ id, organizationId: at.payer.id as OrganizationId })
  const [own] = await owner<{ account: string }[]>`
    select account from receiving_accounts where organization_id = ${at.payer.id} and currency = 'EUR'`
  const after = await made(at)
  for (const payment of [before, after]) {
    expect((await approve(at.boss, payment)).status).toBe(200)
    await bank.orderPayout(refOf(at, payment))
  }
  expect((await ordered('bank', before.id)).payer).not.toHaveProperty('account')
  expect((await ordered('bank', after.id)).payer.account).toBe(own?.account)
})

test('the same payer is one version, to which the subject of an approval is bound; without one it is as before', async () => {
  const at = await payerAt(KOELN)
  const [one, other] = [await bodyOf(await made(at)), await bodyOf(await made(at))]
  await setSettings(at.boss, at.payer.id, { postal_address: BONN })
  const moved = await bodyOf(await made(at))
  expect([one.payer === other.payer, one.payer === moved.payer]).toEqual([true, false])
  const versions = await owner`select id from payers where organization_id = ${at.payer.id}`
  expect(versions.map(({ id }) => id).toSorted()).toEqual([one.payer, moved.payer].toSorted())
  await setSettings(at.boss, at.payer.id, { postal_address: null })
  const without = await made(at)
  expect(await bodyOf(without)).not.toHaveProperty('payer')
  expect((await subjectOf(at, without)).fiat_outgoing.payer).toBeNull()
  await approve(at.boss, without)
  await bank.orderPayout(refOf(at, without))
  expect(await ordered('bank', without.id)).not.toHaveProperty('payer')
})

test('the audit finds a payment that names another payer than was approved', async () => {
  const at = await payerAt(KOELN)
  const payment = await made(at)
  await setSettings(at.boss, at.payer.id, { postal_address: BONN })
  const { payer: other } = await bodyOf(await made(at))
  const audited = { ...at, rail: 'fiat' } as const
  expect(await violations(audited, at.payer.id)).toEqual([])
  await tamper((tx) => tx`update payments set payer_id = ${other} where id = ${payment.id}`)
  expect(await violations(audited, at.payer.id)).toEqual([{ check: 'payer_differs', subject: payment.id }])
})

test('an order in coins names who pays and who is paid', async () => {
  const at = await payerAt(KOELN, WALLET)
  await fund(at.payer.id, '50', 'USDC', 'crypto')
  const payment = await made(at, { amount: '5', currency: 'USDC' })
  expect((await subjectOf(at, payment)).crypto_outgoing.payer).toEqual({ name: 'Payer', address: KOELN })
  expect((await approve(at.boss, payment)).status).toBe(200)
  await bank.orderPayout(refOf(at, payment))
  expect(await ordered('custodian', payment.id)).toMatchObject({
    payer: { name: 'Payer', address: SENT },
    payee: { name: 'Payee' },
  })
})

test('rows of a batch name their payer, those by bank alone', async () => {
  const at = await payerAt(KOELN)
  const row = { payment_contact_id: at.contact, amount: '3.00', currency: 'EUR' }
  const id = (await batchOf(at.boss, at.payer.id, row)) as BatchId
  const organizationId = at.payer.id as OrganizationId
  await bank.checkBatchPayees({ id, organizationId })
  const { body } = await submit(at.boss, id)
  expect((await approve(at.boss, body)).status).toBe(200)
  await takeStep({ id, organizationId })
  const [paid] = await owner<{ id: PaymentId }[]>`select id from payments where payment_batch_id = ${id}`
  if (!paid) throw new Error('no payment was made')
  await bank.orderPayout({ id: paid.id, organizationId })
  expect((await ordered('bank', paid.id)).payer).toEqual({ name: 'Payer', address: SENT })
})
