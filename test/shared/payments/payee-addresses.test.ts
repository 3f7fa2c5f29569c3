/** Payments with the address of their payee: what they keep, show and send. */
import { expect, test } from 'vitest'
import { describe as describePage } from '../../../pages/approvals/subjects/describe.ts'
import { TEXTS } from '../../support/pages/texts.ts'
import { rowsOf } from '../../../pages/frame/rows.ts'
import { api, approvalPath, approve, baseUrl, fund } from '../../support/api.ts'
import { approvalOf } from '../../support/approvals/approvals.ts'
import { bundleOf } from '../../support/approvals/evidence.ts'
import { BANK, WALLET, contactWith } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { tamper } from '../../support/ledger/books.ts'
import { readPdf } from '../../support/exports/pdf.ts'
import { refusal } from '../../support/http/refusals.ts'
import { askPartner, usePartners } from '../../support/partners/partners.ts'
import { become, violations } from '../../support/payments/payouts.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const KOELN = { street: 'Domstraße', building_number: '5', postal_code: '50668', town: 'Köln', country_code: 'DE' }
const SENT = { ...KOELN, street: 'Domstrasse', town: 'Koeln' }
const OTHER = { town: 'Bonn', country_code: 'DE' }
const EUROS = { amount: '10.00', currency: 'EUR' }

type Payment = Parameters<typeof approvalOf>[0]
type Payer = Awaited<ReturnType<typeof contactWith>>

const move = ({ boss, contact }: Payer, payee_address: object | null) =>
  api('PATCH', `/payment-contacts/${contact}`, { token: boss.token, body: { payee_address } })

async function payerTo(destination: object, payee_address: object | null = null) {
  const at = await contactWith([destination])
  await fund(at.payer.id, '500.00', 'EUR')
  if (payee_address) await move(at, payee_address)
  return { ...at, rail: 'fiat' as const }
}

const made = async ({ boss, contact }: Payer) => executed(boss, (await quoteOf(boss, contact, EUROS)).quote_id)
const subjectOf = async (at: Payer, payment: Payment) =>
  (await api('GET', approvalPath(payment), { token: at.boss.token })).body.subject.fiat_outgoing
const bodyOf = async (payment: Payment) => {
  const [row] = await owner<{ subject_body: string }[]>`
    select subject_body from approvals where id = ${payment.approval_request_id}`
  return JSON.parse(row?.subject_body ?? '')
}

test('an approver sees the payee as the request named it, whatever its contact is called since', async () => {
  const at = await payerTo(BANK)
  const payment = await made(at)
  await api('PATCH', `/payment-contacts/${at.contact}`, { token: at.boss.token, body: { name: 'Trusted Ltd' } })
  expect((await subjectOf(at, payment)).payment_contact.name).toBe('Payee')
  expect((await approvalOf(payment, at.boss)).summary).toContain('"Payee"')
})

test('a payment keeps the address that it was made with, through approval, evidence, order and receipt', async () => {
  const at = await payerTo(BANK, KOELN)
  const quote = await quoteOf(at.boss, at.contact, EUROS)
  expect(quote.payee_address).toMatchObject(KOELN)
  const payment = await executed(at.boss, quote.quote_id)
  expect(payment.payee_address).toMatchObject({ ...KOELN, transliterated: { street: 'Domstrasse', town: 'Koeln' } })
  await move(at, OTHER)
  expect(await subjectOf(at, payment)).toMatchObject({ payee_address: KOELN })
  expect((await bodyOf(payment)).payee_address).toMatch(/^[0-9a-f]{64}$/)
  const shown = describePage((await approvalOf(payment, at.boss)).subject, TEXTS)
  const page = String(await rowsOf(shown.rows))
  for (const line of ['Domstraße 5, 50668 Köln, DE', 'Domstrasse 5, 50668 Koeln']) expect(page).toContain(line)
  expect((await approve(at.boss, payment)).status).toBe(200)
  const paid = await become(at, payment, 'succeeded')
  expect(paid.payee_address).toMatchObject(KOELN)
  const ordered = await askPartner('bank', 'GET', `/payouts/${payment.id}`)
  expect(ordered.body.payee_address).toEqual(SENT)
  const bundle = await bundleOf(at.boss, payment)
  expect(bundle.approval.subject).toMatchObject({ fiat_outgoing: { payee_address: KOELN } })
  const headers = { authorization: `Bearer ${at.boss.token}` }
  const answer = await fetch(`${baseUrl}/api/v1/payments/${payment.id}/receipt`, { headers })
  const { text } = readPdf(Buffer.from(await answer.arrayBuffer()))
  for (const line of ['Domstraße 5', '50668 Köln', 'DE']) expect(text).toContain(line)
  expect((await made(at)).payee_address).toMatchObject(OTHER)
})

test('the address of the account wins over that of its contact, and without one the contact’s is used', async () => {
  const own = await payerTo({ ...BANK, payee_address: OTHER }, KOELN)
  expect((await made(own)).payee_address).toMatchObject(OTHER)
  await move(own, null)
  expect((await made(own)).payee_address).toMatchObject(OTHER)
  const of = await payerTo(BANK, KOELN)
  expect((await made(of)).payee_address).toMatchObject(KOELN)
})

test('the same payment to another address is another subject; without one its subject has no such member', async () => {
  const at = await payerTo(BANK, KOELN)
  const [first, again] = [await made(at), await made(at)]
  await move(at, OTHER)
  const [other] = [await made(at)]
  await move(at, null)
  const none = await made(at)
  const [a, b, c] = await Promise.all([first, again, other].map(async (one) => (await bodyOf(one)).payee_address))
  expect([a === b, a === c]).toEqual([true, false])
  expect(await bodyOf(none)).not.toHaveProperty('payee_address')
  expect(await subjectOf(at, none)).toMatchObject({ payee_address: null })
})

test('a bank payment without an address says so in its quote and at its approval, and is paid as before', async () => {
  const at = await payerTo(BANK)
  const quote = await quoteOf(at.boss, at.contact, EUROS)
  expect(quote.payee_address).toBeNull()
  expect(quote.warnings.map(({ type }: { type: string }) => type)).toContain('address_missing')
  expect(quote.blocked_by).toEqual([])
  const payment = await executed(at.boss, quote.quote_id)
  expect((await approvalOf(payment, at.boss)).warnings).toContain('address_missing')
  await move(at, KOELN) // too late for this one
  expect((await approvalOf(payment, at.boss)).warnings).toContain('address_missing')
  expect((await approve(at.boss, payment)).status).toBe(200)
  expect((await become(at, payment, 'succeeded')).payee_address).toBeNull()
  expect((await askPartner('bank', 'GET', `/payouts/${payment.id}`)).body).not.toHaveProperty('payee_address')
})

test('coins and payments by service ID have no address, and no warning about it', async () => {
  const { boss, contact } = await contactWith([WALLET])
  await api('PATCH', `/payment-contacts/${contact}`, { token: boss.token, body: { payee_address: KOELN } })
  const quote = await quoteOf(boss, contact, { amount: '5', currency: 'USDC' })
  expect(quote.payee_address).toBeNull()
  expect(quote.warnings.map(({ type }: { type: string }) => type)).not.toContain('address_missing')
  expect((await executed(boss, quote.quote_id)).payee_address).toBeNull()
})

test('a bank that refuses the address fails the payment, and its money is available again', async () => {
  const at = await payerTo(BANK, { town: 'Nowhere', country_code: 'DE' })
  const payment = await made(at)
  await approve(at.boss, payment)
  expect(await become(at, payment, 'failed')).toMatchObject({ status_detail: 'the address of the payee is wrong' })
})

test('an address is stored for its payment alone: another row’s does not open, and nothing is sent', async () => {
  const at = await payerTo(BANK, KOELN)
  const payment = await made(at)
  const [row] = await owner<{ id: string }[]>`select payee_address_id as id from payments where id = ${payment.id}`
  await move(at, OTHER)
  await owner`
    update payee_addresses a set sealed = (select b.sealed from payee_addresses b join payment_contacts c
      on c.payee_address_id = b.id where c.id = ${at.contact}) where a.id = ${row?.id ?? ''}`
  expect((await subjectOf(at, payment)).payee_address).toMatchObject({ town: '…', country_code: '…' })
  await approve(at.boss, payment)
  expect((await askPartner('bank', 'GET', `/payouts/${payment.id}`)).status).toBe(404)
  expect(refusal(await api('GET', `/payments/${payment.id}/receipt`, { token: at.boss.token }))[0]).toBe(409)
})

test('the audit finds a payment that names another address than was approved', async () => {
  const at = await payerTo(BANK, KOELN)
  const payment = await made(at)
  expect(await violations(at, at.payer.id)).toEqual([])
  await move(at, OTHER)
  await tamper(
    (tx) => tx`update payments set payee_address_id = (select payee_address_id from payment_contacts
      where id = ${at.contact}) where id = ${payment.id}`,
  )
  expect(await violations(at, at.payer.id)).toEqual([{ check: 'payment_address_differs', subject: payment.id }])
})
