/** Steps of an invoice's run, without a worker: taken once, when due; a repeat changes nothing. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { heavy, main } from '../../../activities/index.ts'
import { viewIncomingPayment } from '../../../services/incoming-payments/view.ts'
import { viewInvoice } from '../../../services/invoices/view.ts'
import { inSnapshot } from '../../../db/postgres/sql.ts'
import type { InvoiceId, OrganizationId, TransactionId } from '../../../domain/ids.ts'
import { person } from '../../support/api.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { owner, untilBlocked } from '../../support/database.ts'
import { sentTo } from '../../support/identity/identity.ts'
import { received, seller, sentInvoice } from '../../support/invoices/allocations.ts'
import { historyOf, step } from '../../support/invoices/invoices.ts'

const boss = await person({ authenticator: true })

async function sent() {
  const at = await seller(boss)
  const email = `customer-${randomUUID()}@example.com`
  const contact = await billingContact(boss, at.id, { emails: [email] })
  const [days] = await owner`
    select business_now()::date::text as issue_date, (business_now()::date + 5)::text as due_date`
  const { id, number } = await sentInvoice({ ...at, contactId: contact.id }, '50', days)
  return { at, email, number, ref: { id: id as InvoiceId, organizationId: at.id as OrganizationId } }
}
type Ref = Awaited<ReturnType<typeof sent>>['ref']

const STEPS = [main.mailInvoice, main.logInvoiceMails, main.resendInvoiceMails, main.remindCustomer]
const versionOf = async ({ id }: Ref) => (await owner`select version, changed_at from processes where id = ${id}`)[0]

async function takeAll(ref: Ref): Promise<boolean> {
  const before = await versionOf(ref)
  for (const take of STEPS) await take(ref)
  return JSON.stringify(await versionOf(ref)) !== JSON.stringify(before)
}
/** Moves dates as if the reminder before the due date were due by now. */
const remindNow = ({ id }: Ref) =>
  owner`update invoices set due_date = due_date - 3, sent_at = sent_at - interval '9 days' where id = ${id}`

test('an invoice is written, mailed and reminded of, each once, and no step is taken before it is due', async () => {
  const { ref, email } = await sent()
  expect(await main.viewInvoice(ref)).toMatchObject({ write_due: true, documents_written: false, mailed: false })
  expect(await takeAll(ref)).toBe(false)
  await heavy.writeInvoiceDocuments(ref)
  await heavy.writeInvoiceDocuments(ref)
  expect(await main.viewInvoice(ref)).toMatchObject({ write_due: false, documents_written: true, mailed: false })
  await main.mailInvoice(ref)
  const done = { mailed: true, mails_to_log: false, failed_mail_due: false, reminder_due: false }
  expect(await main.viewInvoice(ref)).toMatchObject({ ...done, wait_seconds: expect.any(Number) })
  expect(await takeAll(ref)).toBe(false)
  await remindNow(ref)
  expect(await main.viewInvoice(ref)).toMatchObject({ ...done, reminder_due: true })
  expect([await takeAll(ref), await takeAll(ref)]).toEqual([true, false])
  expect(await main.viewInvoice(ref)).toMatchObject(done)
  expect(await sentTo(email)).toHaveLength(2)
  expect(await historyOf(boss, ref.id)).toEqual([
    'invoice.created',
    'invoice.sent',
    'invoice.written',
    'invoice.mailed',
    'invoice.mail_delivered',
    'invoice.reminded',
    'invoice.mail_delivered',
  ])
})

test('an invoice that is paid before it is written is written and mailed all the same', async () => {
  const { ref, email } = await sent()
  await step(boss, ref.id, 'mark-paid')
  expect(await main.viewInvoice(ref)).toMatchObject({ status: 'paid', write_due: true })
  await heavy.writeInvoiceDocuments(ref)
  expect(await main.viewInvoice(ref)).toMatchObject({ status: 'paid', documents_written: true, mailed: false })
  await main.mailInvoice(ref)
  expect(await main.viewInvoice(ref)).toMatchObject({ status: 'paid', at_rest: true })
  expect(await sentTo(email)).toHaveLength(1)
})

/** An invoice whose reminder is due. */
async function mailed() {
  const { ref, email } = await sent()
  await heavy.writeInvoiceDocuments(ref)
  await main.mailInvoice(ref)
  await remindNow(ref)
  return { ref, email }
}
async function mailedWithFailedReminder() {
  const { ref, email } = await mailed()
  await main.remindCustomer(ref)
  await owner`
    update invoice_mails set status = 'failed', logged = false where invoice_id = ${ref.id} and kind = 'reminder'`
  expect(await main.viewInvoice(ref)).toMatchObject({ mails_to_log: true })
  await main.logInvoiceMails(ref)
  expect(await main.viewInvoice(ref)).toMatchObject({ mails_to_log: false, failed_mail_due: false })
  return { ref, email }
}

test('a reminder that failed is given up once its invoice is paid', async () => {
  const { ref, email } = await mailedWithFailedReminder()
  await step(boss, ref.id, 'mark-paid')
  expect(await main.viewInvoice(ref)).toMatchObject({ status: 'paid', failed_mail_due: true })
  expect([await takeAll(ref), await takeAll(ref)]).toEqual([true, false])
  expect(await main.viewInvoice(ref)).toMatchObject({ status: 'paid', at_rest: true })
  expect(await sentTo(email)).toHaveLength(2)
})

test('who pays as the reminder, or a second try of it, goes out is not reminded', async () => {
  const [{ ref: one, email }, { ref: two, email: failing }] = [await mailed(), await mailedWithFailedReminder()]
  await owner`update invoice_mails set try_at = business_now() where invoice_id = ${two.id} and kind = 'reminder'`
  expect([await main.viewInvoice(one), await main.viewInvoice(two)]).toMatchObject([
    { reminder_due: true },
    { failed_mail_due: true },
  ])
  const { looks } = await owner.begin(async (tx) => {
    await tx`update invoices set status = 'paid', paid_elsewhere_at = business_now(), paid_at = business_now()
      where id in (${one.id}, ${two.id})`
    const looks = [main.remindCustomer(one), main.resendInvoiceMails(two)]
    await untilBlocked(tx, 2)
    return { looks }
  })
  await Promise.all(looks)
  expect([(await sentTo(email)).length, (await sentTo(failing)).length]).toEqual([1, 2])
  const reminders = await owner`
    select status, tries, try_at is null as is_over from invoice_mails
    where invoice_id = ${two.id} and kind = 'reminder'`
  expect(reminders).toEqual([{ status: 'failed', tries: 1, is_over: true }])
})

test('an organization that is banned meanwhile has no step taken', async () => {
  const { ref, email } = await sent()
  await heavy.writeInvoiceDocuments(ref)
  await owner`update organizations set status = 'banned' where id = ${ref.organizationId}`
  expect(await takeAll(ref)).toBe(false)
  expect(await main.viewInvoice(ref)).toMatchObject({ halted: true, mailed: false, wait_seconds: null })
  expect(await sentTo(email)).toEqual([])
})

test('a view reads alone', async () => {
  const { at, ref, number } = await sent()
  const view = () => inSnapshot(ref.organizationId, (reader) => viewInvoice(reader, ref.id))
  expect(await view()).toMatchObject({ status: 'sent', step_due: true })
  const money = await received(at, '50.00', number)
  const viewMoney = () =>
    inSnapshot(ref.organizationId, (reader) => viewIncomingPayment(reader, money as TransactionId))
  expect(await viewMoney()).toMatchObject({ status: 'matching', step_due: true })
  const moneyRef = { id: money as TransactionId, organizationId: ref.organizationId }
  await main.matchIncomingPayment(moneyRef)
  await main.matchIncomingPayment(moneyRef)
  await main.reconsiderProposal(moneyRef)
  expect([await view(), await viewMoney()]).toMatchObject([
    { status: 'paid', step_due: true },
    { status: 'allocated', at_rest: true },
  ])
})
