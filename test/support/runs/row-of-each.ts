/** Rows in driven states, one and more of each process, that no worker has seen. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { storeFetched } from '../../../services/bank-files/incoming.ts'
import { accounting, booksOf } from '../accounting/accounting.ts'
import { api, contact, createPayment, organization, payerAndPayee, person } from '../api.ts'
import { asksForApproval, invite } from '../invitations/invitations.ts'
import { setRules } from '../approvals/approvals.ts'
import { submitted } from '../batches/batches.ts'
import { arriveCrypto } from '../deposits/deposits.ts'
import { billingContact } from '../billing-contacts.ts'
import { create as createBill, sentFile } from '../bills/bills.ts'
import { creditNoteOf, creditStep } from '../credit-notes/credit-notes.ts'
import { requestExport } from '../exports/exports.ts'
import { handIn, mailbox } from '../inbound-mails.ts'
import { newEmail } from '../identity/identity.ts'
import { received } from '../invoices/allocations.ts'
import { invoiceOf, step } from '../invoices/invoices.ts'
import { filledIn, submit as submitOnboarding } from '../onboarding/onboarding.ts'
import { offersOf, selected } from '../subscriptions.ts'
import { executed, quoteOf } from '../payments/quotes.ts'
import { oneOfEach } from '../swaps.ts'
import { subscribed } from '../webhooks/webhooks.ts'

/** Creates them by requests. The caller sets an SMTP_URL where mails wait, and starts no worker. */
export async function makeRowOfEach(): Promise<void> {
  const { boss, payer, payee, contactId } = await payerAndPayee()
  await createPayment(boss, contactId)
  const { quote_id } = await quoteOf(boss, contactId, { amount: '1.00', currency: 'USD' })
  await executed(boss, quote_id)
  await submitted(boss, payer.id, [{ svc: payee, amount: '1.00' }])
  await oneOfEach(boss, payer.id)
  await requestExport(boss, payer.id, { type: 'expenses', format: 'csv' })
  const file = await sentFile(boss, payer.id, Buffer.from('<order/>'), 'application/xml')
  expect((await createBill(boss, payer.id, { file_id: file })).body.status).toBe('extracting')
  const { address } = await mailbox(boss, payer.id)
  expect(await handIn(address, 'ann@supplier.example', Buffer.from('Subject: A bill\r\n\r\n'))).toBe(204)
  expect((await arriveCrypto(payer.id, '1000')).status).toBe('held')
  expect((await api('GET', `/organizations/${payer.id}/bank-accounts`, { token: boss.token })).status).toBe(200)
  const customer = await billingContact(boss, payer.id)
  const { id: invoiceId } = await invoiceOf(boss, payer.id, customer.id)
  expect((await step(boss, invoiceId, 'submit')).body.state).toBe('sent')
  await received(payer, '1.00') // may pay it
  const subscribing = { boss, id: payer.id }
  const bytes = Buffer.from(`<Document>${randomUUID()}</Document>`)
  await storeFetched('bank', { name: 'camt.xml', byteSize: bytes.length, modifiedAt: new Date().toISOString() }, bytes)
  await selected(subscribing, (await offersOf(subscribing))['starter']?.id ?? '')
  await booksOf(boss, payer.id) // whose sync begins
  await subscribed(boss, { port: 20_001 }, { organizationId: payer.id })
  const admin = await person()
  expect((await invite(boss, payer.id, [{ email: newEmail() }])).body[0].status).toBe('pending')
  await asksForApproval(boss, payer.id)
  expect((await invite(boss, payer.id, [{ email: newEmail() }])).body[0].status).toBe('pending_approval')
  const careful = await organization(boss, 'Careful')
  const theirs = await billingContact(boss, careful.id)
  const { id: chargedId } = await invoiceOf(boss, careful.id, theirs.id)
  expect((await step(boss, chargedId, 'submit')).body.state).toBe('sent')
  const steps = [{ required: 1, user_ids: [admin.userId], roles: ['owner'] }]
  const asking = ['payment_contact', 'billing_invoice'].map((action_type) => ({ action_type, steps }))
  await setRules(careful.id, boss, asking)
  await filledIn(boss, careful.id)
  expect((await submitOnboarding(boss, careful.id)).body.status).toBe('submitted')
  const note = await creditNoteOf(boss, chargedId, '1.00')
  expect((await creditStep(boss, note.id, 'submit')).body.state).toBe('awaiting_approval')
  await contact(boss, careful.id, payee.svcId)
  await booksOf(boss, careful.id)
  expect((await accounting(boss, careful.id, 'POST', 'disconnect', {})).body.status).toBe('disconnecting')
}
