/** Approvers in a real browser: they sign in, decide on a phone, and see what follows. */
import { generate } from 'otplib'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type TestPerson,
  api,
  contact,
  createPayment,
  fund,
  join,
  organization,
  payerAndPayee,
  person,
  withStepUp,
} from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { nameSubstitute } from '../../support/approvals/substitutions.ts'
import { submitted } from '../../support/batches/batches.ts'
import { change, readBill, requestPayment } from '../../support/bills/bills.ts'
import { LAYOUTS } from '../../../dev/sample-bills/layouts.ts'
import { printBill } from '../../../dev/sample-bills/printed.ts'
import { billOf } from '../../../dev/sample-bills/random.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { creditNoteOf, creditStep } from '../../support/credit-notes/credit-notes.ts'
import type { WebauthnOptions } from '../../../domain/factors/passkey.ts'
import { passkey } from '../../support/identity/passkeys.ts'
import { softwareAuthenticator } from '../../support/identity/software-authenticator.ts'
import { approvalDevice } from '../../support/identity/devices.ts'
import { newEmail, withAuthenticator } from '../../support/identity/identity.ts'
import { invite } from '../../support/invitations/invitations.ts'
import { invoiceOf, step } from '../../support/invoices/invoices.ts'
import {
  DESK,
  PHONE,
  expectSound,
  givePassword,
  makePasskey,
  openTab,
  pagesUrl,
  signInOn,
} from '../../support/pages/browser.ts'
import { addAuthenticator } from '../../../dev/walk/authenticator.ts'
import { outgoing, payerBy } from '../../support/payments/payouts.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

/** An approver with an authenticator, and payments in US dollars that wait for them. */
async function approverOf(...amounts: string[]) {
  const { payer, boss, contactId } = await payerAndPayee('100.00')
  const approver = await withAuthenticator()
  await join(payer.id, approver, 'admin')
  const ids: string[] = []
  for (const amount of amounts) ids.push((await createPayment(boss, contactId, amount)).approval_request_id)
  const count = async (status: string): Promise<number> =>
    (await api('GET', `/organizations/${payer.id}/approvals?status=${status}`, { token: boss.token })).body.data.length
  return {
    boss,
    contactId,
    approver,
    path: `/approve/${ids[0]}`,
    at: `/organizations/${payer.id}/approvals/${ids[0]}`,
    count,
  }
}

test('a person signs in on a phone, makes a passkey, approves by it, and sees the payment paid without a reload', async () => {
  const payer = await payerBy('fiat')
  const approver = await withAuthenticator()
  await join(payer.payer.id, approver, 'admin')
  const { approval_request_id: id } = await outgoing(payer)
  const tab = await openTab(null)
  const { page } = tab
  await addAuthenticator(page)
  await page.goto(`/approve/${id}`)
  await signInOn(page, approver)
  await page.getByText('100.00 EUR').first().waitFor() // where they wanted to go

  await makePasskey(page, approver)
  await expectSound(tab)

  await page.goto(`/approve/${id}`)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Approve: Pay 100.00 EUR to').waitFor() // what the proof is bound to, in words
  await page.getByText(/^For /).waitFor()
  await page.evaluate('globalThis.isSameDocument = true')
  await page.getByRole('button', { name: 'Confirm with passkey' }).click()
  await page.getByText('You approved this.').waitFor()
  await page.evaluate('globalThis.isSameDocument = true')
  await page.getByText('Paid.').waitFor()
  expect(await page.evaluate('globalThis.isSameDocument')).toBe(true)
  await page.goto('/approve/devices')
  await page.getByRole('button', { name: 'Remove' }).click() // by the proof of a moment ago
  await page.getByText('No passkey yet.').waitFor()
  expect(tab.faults).toEqual([])
})

test('where the browser has a payment window, it shows payee and total, and its answer approves', async () => {
  const payer = await payerBy('fiat')
  const [approver, authenticator] = [await person(), softwareAuthenticator()]
  await join(payer.payer.id, approver, 'admin')
  await passkey(approver, authenticator)
  const { approval_request_id: id } = await outgoing(payer)
  const tab = await openTab(approver)
  const { page } = tab
  await page.exposeFunction('sign', (options: WebauthnOptions, payment: object) =>
    authenticator.assert(options, { type: 'payment.get', payment, origin: pagesUrl }),
  )
  // the window itself, which no browser without a screen has
  await page.addInitScript(`globalThis.PaymentRequest = class {
    static securePaymentConfirmationAvailability = async () => 'available'
    constructor([{ supportedMethods, data }], { total }) {
      if (supportedMethods !== 'secure-payment-confirmation') throw new TypeError(supportedMethods)
      this.asked = { data, total }
    }
    async show() {
      const { data, total } = this.asked
      const inText = (bytes) => new Uint8Array(bytes).toBase64({ alphabet: 'base64url', omitPadding: true })
      const options = {
        challenge: inText(data.challenge),
        rp_id: data.rpId,
        allow_credentials: data.credentialIds.map((id) => ({ id: inText(id) })),
      }
      const { rpId, payeeName, instrument } = data
      const answer = await sign(options, { rpId, payeeName, instrument, total: total.amount, topOrigin: origin })
      return { details: { toJSON: () => answer }, complete: async () => {} }
    }
  }`)
  await page.goto(`/approve/${id}`)
  await page.getByRole('button', { name: 'Approve' }).click()
  await expectSound(tab)
  await page.getByRole('button', { name: 'Confirm in the payment window of the browser' }).click()
  await page.getByText('You approved this.').waitFor()
  expect(tab.faults).toEqual([])
})

test('a member whose organization asks for an authenticator sets one up at the sign-in', async () => {
  const boss = await withAuthenticator()
  const { id } = await organization(boss, 'Careful')
  const member = await person()
  await join(id, member, 'member')
  await withStepUp('PATCH', `/organizations/${id}/settings`, {
    token: boss.token,
    body: { requires_authenticator: true },
  })
  const tab = await openTab(null)
  const { page } = tab
  await page.goto('/approve')
  await givePassword(page, member)
  await page.getByRole('img', { name: 'Code to scan' }).waitFor()
  await expectSound(tab)
  await page.getByLabel('Code that the app shows').fill('000000')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  const secret = (await page.locator('p code').textContent()) ?? ''
  await page.getByLabel('Code that the app shows').fill(await generate({ secret }))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Nothing for you to decide').waitFor()
})

test('without script, a set is approved by one code, which names count and total; the keyboard is enough', async () => {
  const { approver, count } = await approverOf('1.00', '2.50')
  const { page } = await openTab(approver, { javaScriptEnabled: false })
  await page.goto('/approve')
  await page.getByRole('heading', { name: '2 for you to decide' }).waitFor()
  for (const box of await page.getByRole('checkbox').all()) {
    await box.focus()
    await page.keyboard.press('Space')
  }
  await page.getByRole('button', { name: 'Approve selected' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Approve 2 requests?' }).waitFor()
  expect(await page.getByText('of them have warnings').count()).toBe(0) // a first payment is to be noted only
  expect(await page.getByText('First payment to this account').count()).toBe(2)
  await page.getByRole('button', { name: 'Approve' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Approve 2 requests: 3.50 USD').waitFor()
  await page.getByLabel('Code of your authenticator').fill('000000')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('wrong').waitFor()
  await page.getByLabel('Code of your authenticator').fill(await approver.code())
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Nothing for you to decide' }).waitFor()
  expect(await count('approved')).toBe(2)
})

test('several are rejected after a look at them, with one reason', async () => {
  const { approver, count } = await approverOf('1.00', '2.50')
  const { page } = await openTab(approver, { javaScriptEnabled: false })
  await page.goto('/approve')
  for (const box of await page.getByRole('checkbox').all()) await box.check()
  await page.getByRole('button', { name: 'Reject…' }).click()
  expect(await count('rejected')).toBe(0) // nothing is rejected by one tap
  await page.getByLabel('Reason (optional)').fill('not ours')
  await page.getByRole('button', { name: 'Reject' }).click()
  await page.getByRole('status').getByText('Rejected.').waitFor()
  expect(await count('rejected')).toBe(2)
})

test('a new request appears by itself, and one that another person has decided says so', async () => {
  const { approver, boss, contactId } = await approverOf()
  const { page } = await openTab(approver)
  await page.goto('/approve')
  await page.getByText('Nothing for you to decide').waitFor()
  const { approval_request_id: id } = await createPayment(boss, contactId, '4.00')
  await page.getByRole('heading', { name: '1 for you to decide' }).waitFor()

  const [first, late] = [
    await openTab(approver, { javaScriptEnabled: false }),
    await openTab(boss, { javaScriptEnabled: false }),
  ]
  for (const { page: one } of [first, late]) {
    await one.goto(`/approve/${id}`)
    await one.getByText('Reject…').click()
  }
  await first.page.getByLabel('Reason').fill('Not ours')
  await first.page.getByRole('button', { name: 'Reject' }).click()
  await first.page.getByText('You rejected this.').waitFor()
  await late.page.getByRole('button', { name: 'Reject' }).click()
  await late.page.getByText('This was decided meanwhile').waitFor()
  await late.page.getByText('Not ours').waitFor()
  await late.page.getByText('Rejected by Test Person').waitFor() // who was faster
})

test('a session that ends in the middle leads to the sign-in and back, and a comment is not lost; after a sign-out no page is left', async () => {
  const { approver, boss, path, at } = await approverOf('4.00')
  const { page } = await openTab(approver, { javaScriptEnabled: false })
  await page.goto(path)
  await page.getByLabel('Comment').fill('Compared with the order')
  await api('POST', '/auth/sign-out', { token: approver.token })
  await page.getByRole('button', { name: 'Approve' }).click()
  const [beside] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Sign in in a new tab' }).click(),
  ])
  await signInOn(beside, approver)
  await beside.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByLabel('Code of your authenticator').fill(await approver.code(1))
  await page.getByRole('button', { name: 'Confirm with code' }).click()
  await page.getByText('You approved this.').waitFor()
  const { body } = await api('GET', at, { token: boss.token })
  expect(body.decisions).toMatchObject([{ decision: 'approve', comment: 'Compared with the order' }])
  await page.locator('.person summary').click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('a substitute sees on the page for whom they decide, and the page names both afterwards', async () => {
  const { payer, boss, contactId } = await payerAndPayee('100.00')
  const [admin, substitute] = [await person({ name: 'Ada' }), await withAuthenticator()]
  await join(payer.id, admin, 'admin')
  await join(payer.id, substitute, 'member')
  await setRules(payer.id, boss, [{ steps: [{ required: 1, roles: ['admin'] }] }])
  const { approval_request_id: id } = await createPayment(boss, contactId, '4.00')
  await nameSubstitute(admin, payer.id, substitute)
  const { page } = await openTab(substitute, { javaScriptEnabled: false })
  await page.goto('/approve')
  await page.getByText('you decide as a substitute').waitFor()
  await page.goto(`/approve/${id}`)
  await page.getByText('You decide for Ada Person').waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByLabel('Code of your authenticator').fill(await substitute.code())
  await page.getByRole('button', { name: 'Confirm with code' }).click()
  await page.getByText('You approved this.').waitFor()
  await page.getByText(/✓ .* for Ada Person/).waitFor()
})

test('the number on the page releases the approval on the phone, and nothing else does', async () => {
  const { approver, path } = await approverOf('4.00')
  const phone = await approvalDevice(approver)
  const { page } = await openTab(approver, { javaScriptEnabled: false })
  await page.goto(path)
  await page.getByRole('button', { name: 'Approve' }).click()
  const number = (await page.locator('.number').textContent()) ?? ''
  await page.getByRole('button', { name: 'I have entered it' }).click()
  await page.getByText('The other device has not confirmed yet.').waitFor()
  const { body } = await api('GET', '/me/challenges', { token: phone.token })
  const answer = { credential: phone.credential, match_code: number }
  await api('POST', `/me/challenges/${body.data[0].id}/approve`, { token: phone.token, body: answer })
  await page.getByRole('button', { name: 'I have entered it' }).click()
  await page.getByText('You approved this.').waitFor()
})

test('the bill that a payment pays is beside it: what was read, and its page with the fields marked', async () => {
  const boss = await person({ authenticator: true })
  const { id } = await organization(boss, 'Payer')
  await fund(id, '90000.00', 'EUR')
  const [layout] = LAYOUTS
  if (!layout) throw new Error('there is no layout')
  const bill = await readBill(boss, id, await printBill(billOf(900, 'de'), layout), 'application/pdf')
  await change(boss, bill.id, { amount: '12.00' })
  const { body, status } = await requestPayment(boss, bill.id)
  expect(status, JSON.stringify(body)).toBe(200)
  const tab = await openTab(boss)
  await tab.page.goto(`/approve/${body.approval_request_id}`)
  await tab.page.getByRole('link', { name: 'The bill that this pays' }).click()
  await tab.page.getByText(String(bill.bill_number)).first().waitFor()
  await expectSound(tab)
  await expect.poll(() => tab.page.evaluate('document.querySelector("figure img").naturalWidth')).toBeGreaterThan(1000)
})

describe('every screen is accessible, on a phone and a desk, light and dark, and complains of nothing', () => {
  const NAME = `<img src=x onerror=alert(1)> ${'ñ'.repeat(60)}` // an invoice refuses other scripts
  let boss: TestPerson
  const waiting: string[] = []

  beforeAll(async () => {
    const made = await payerBy('fiat')
    boss = made.boss
    const { payer } = made
    await outgoing(made)
    const crypto = await payerBy('crypto')
    await join(crypto.payer.id, boss, 'admin')
    await outgoing(crypto)
    const payee = await organization(await person(), 'Payee')
    await submitted(boss, payer.id, [{ svc: payee, amount: '1.00' }])
    const customer = await billingContact(boss, payer.id, { company_name: NAME })
    const charged = await invoiceOf(boss, payer.id, customer.id)
    await step(boss, charged.id, 'submit')
    const steps = [{ required: 1, roles: ['owner', 'admin'] }]
    const asking = ['payment_contact', 'organization_invitation', 'billing_invoice', 'payment_batch']
    await setRules(payer.id, boss, [{ steps }, ...asking.map((action_type) => ({ action_type, steps }))])
    await contact(boss, payer.id, payee.svcId)
    await invite(boss, payer.id, [{ email: newEmail() }])
    await step(boss, (await invoiceOf(boss, payer.id, customer.id)).id, 'submit')
    await creditStep(boss, (await creditNoteOf(boss, charged.id, '1.00', { reason: NAME })).id, 'submit')
    for (const { id } of [payer, crypto.payer]) {
      const { body } = await api('GET', `/organizations/${id}/approvals`, { token: boss.token })
      waiting.push(...body.data.map((one: { approval_id: string }) => one.approval_id))
    }
    expect(waiting.length).toBeGreaterThanOrEqual(6)
  })

  test.each([
    ['a phone', { viewport: PHONE, colorScheme: 'light' }],
    ['a desk in the dark', { viewport: DESK, colorScheme: 'dark' }],
  ] as const)('on %s', async (_, options) => {
    const tab = await openTab(boss, options)
    const nowhere = boss.userId
    for (const path of ['', ...waiting, 'history', 'devices', 'devices/passkeys/new', nowhere]) {
      await tab.page.goto(`/approve/${path}`.replace(/\/$/, ''))
      await expectSound(tab)
    }
    const stranger = await openTab(null, options)
    await stranger.page.goto('/approve')
    await expectSound(stranger)
  })
})
