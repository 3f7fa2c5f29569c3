import { expect, test, vi } from 'vitest'
import type { OrganizationId } from '../../../domain/ids.ts'
import { moveOrganization } from '../../support/organizations/status.ts'
import { api, baseUrl, organization, person, withStepUp } from '../../support/api.ts'
import { expectRefusal } from '../../support/http/refusals.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { owner } from '../../support/database.ts'
import { sha256 } from '../../support/files/files.ts'
import { newEmail, wait } from '../../support/identity/identity.ts'
import { dayIn, historyOf, invoiceOf, pdfOf, readInvoice, step } from '../../support/invoices/invoices.ts'
import { fault } from '../../support/partners/partners.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'
import { longTest } from '../../support/model-runs.ts'

const { mails } = await vi.hoisted(async () => {
  const { startMailServer } = await import('../../support/mail-server.ts')
  const mails = await startMailServer()
  Object.assign(process.env, { SMTP_URL: `smtp://${mails.address}`, MAIL_FROM: 'The Bank <hello@bank.test>' })
  return { mails }
})
useWorker()

const boss = await person({ authenticator: true })
const PAUSE_SECONDS = 12 * 3600

async function seller(name = 'Lindenhof GmbH') {
  const { id } = await organization(boss, 'Legal name')
  await owner`update organizations set invoice_name = ${name}, contact_email = 'billing@lindenhof.example' where id = ${id}`
  return id
}

async function sent(organizationId: string, emails: string[], { dueIn = 30, language = 'en' } = {}) {
  const contact = await billingContact(boss, organizationId, { emails, language })
  const dates = { issue_date: await dayIn(0), due_date: await dayIn(dueIn) }
  const { id } = await invoiceOf(boss, organizationId, contact.id, dates)
  const { status, body } = await step(boss, id, 'submit')
  if (status !== 200) throw new Error(`submit: ${JSON.stringify(body)}`)
  return body
}

/** Moves business time to nine o'clock on the day `days` after another. */
async function waitUntil(day: string, days: number): Promise<void> {
  const [row] = await owner<{ seconds: number }[]>`
    select ceil(extract(epoch from ((${day}::date + ${days}::int + time '09:00') at time zone 'UTC') - business_now()))::int
      as seconds`
  if (row && row.seconds > 0) await wait(row.seconds)
}
const handed = (email: string, count: number) =>
  until(`${count} mails`, async () => mails.handed(email).length >= count && mails.handed(email))
const happened = (id: string, type: string, times = 1) =>
  until(`${type} of ${id}`, async () => (await historyOf(boss, id)).filter((one) => one === type).length >= times)
const bytesOf = (content: unknown): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content as ArrayBuffer) // of an attachment

test('each address gets the PDF that the API has, in the language of the customer, from the seller, who is answered', async () => {
  const [one, other] = [newEmail(), newEmail()]
  const invoice = await sent(await seller('Linden"hof, & Söhne'), [one, other], { language: 'de' })
  await pdfOf(boss, invoice.id)
  const authorization = `Bearer ${boss.token}`
  const pdf = await fetch(`${baseUrl}/api/v1/invoices/${invoice.id}/pdf`, { headers: { authorization } })
  const expected = sha256(new Uint8Array(await pdf.arrayBuffer()))
  for (const email of [one, other]) {
    const [mail, ...more] = await handed(email, 1)
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      from: { name: 'Linden"hof, & Söhne', address: 'hello@bank.test' },
      replyTo: [{ address: 'billing@lindenhof.example' }],
      to: [{ address: email }],
      subject: `Rechnung ${invoice.number} von „Linden'hof, & Söhne“`,
    })
    expect(mail?.text).toContain('172,50')
    expect(mail?.text).toContain(invoice.public_url)
    expect(mail?.attachments).toMatchObject([{ filename: 'INV-000001.pdf', mimeType: 'application/pdf' }])
    expect(sha256(bytesOf(mail?.attachments[0]?.content))).toBe(expected)
    expect(mail?.html).toContain(`href="${invoice.public_url}"`)
    for (const words of ['172,50', 'Linden&#39;hof, &amp; Söhne']) expect(mail?.html).toContain(words)
    const types = [...(mails.sources(email)[0] ?? '').matchAll(/^content-type: ([^;\r]+)/gim)].map(([, type]) => type)
    const parts = ['multipart/mixed', 'multipart/alternative', 'text/plain', 'text/html', 'application/pdf']
    expect(types).toEqual(parts)
  }
  await happened(invoice.id, 'invoice.mail_delivered', 2)
})

longTest('a mail that is put off, and one that finds storage away, is taken once', async () => {
  const email = newEmail()
  mails.misbehave(email, 451)
  const invoice = await sent(await seller(), [email])
  await until('a try', async () => {
    const [row] = await owner`select attempts from messages where recipient = ${email}`
    return Number(row?.['attempts']) >= 1
  })
  await fault('storage', 'down', 1)
  const [mail] = await handed(email, 1)
  expect(mail?.attachments).toHaveLength(1)
  await happened(invoice.id, 'invoice.mail_delivered')
  expect(await historyOf(boss, invoice.id)).not.toContain('invoice.mail_failed')
  expect(mails.handed(email)).toHaveLength(1)
})

const mailsOf = (id: string) =>
  owner`select kind, status, tries, try_at is null as is_over from invoice_mails where invoice_id = ${id} order by inserted_at, id`

test('a refused mail is tried again after 12 hours, at most six times in all, and each failure is in the log', async () => {
  const organizationId = await seller()
  const [second, never] = [newEmail(), newEmail()]
  mails.misbehave(second, 550)
  mails.misbehave(never, 550, 550)
  const [one, other] = [await sent(organizationId, [second]), await sent(organizationId, [never])]
  for (const { id } of [one, other]) await happened(id, 'invoice.mail_failed')
  await owner`update invoice_mails set tries = 5 where invoice_id = ${other.id}` // as after two days of tries
  await wait(PAUSE_SECONDS - 60)
  expect(mails.handed(second)).toEqual([])
  await wait(60)
  const [mail] = await handed(second, 1)
  expect(mail?.attachments).toHaveLength(1)
  await happened(one.id, 'invoice.mail_delivered')
  await happened(other.id, 'invoice.mail_failed', 2)
  expect(await mailsOf(other.id)).toEqual([{ kind: 'invoice', status: 'failed', tries: 6, is_over: true }])
  expect(await mailsOf(one.id)).toEqual([{ kind: 'invoice', status: 'delivered', tries: 2, is_over: true }])
  const events = await historyOf(boss, one.id)
  expect(events.slice(-3)).toEqual(['invoice.mailed', 'invoice.mail_failed', 'invoice.mail_delivered'])
})

test('customers are reminded before and after the due date, once of what was missed, and not of what is paid', async () => {
  const organizationId = await seller()
  const [open, paid, accepted] = [newEmail(), newEmail(), newEmail()]
  const one = await sent(organizationId, [open], { dueIn: 5 })
  const two = await sent(organizationId, [paid], { dueIn: 5 })
  const three = await sent(organizationId, [accepted], { dueIn: 5 })
  for (const email of [open, paid, accepted]) await handed(email, 1)
  await step(boss, three.id, 'finalize', { accepted_amount: '100' })
  await waitUntil(one.due_date, -3)
  for (const email of [open, paid, accepted]) await handed(email, 2)
  const due = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(one.due_date))
  expect(mails.handed(open)[1]?.subject).toBe(`Invoice ${one.number} from "Lindenhof GmbH" is due on ${due}`)
  expect(mails.handed(open)[1]?.text).toContain('172.50')
  expect(mails.handed(accepted)[1]?.text).toContain('100.00')
  expect((await step(boss, two.id, 'mark-paid')).status).toBe(200)
  expect((await readInvoice(boss, one.id)).is_overdue).toBe(false)
  await waitUntil(one.due_date, 8)
  for (const email of [open, accepted]) await handed(email, 3)
  expect(mails.handed(open)[2]?.subject).toContain('overdue')
  expect((await readInvoice(boss, one.id)).is_overdue).toBe(true)
  await waitUntil(one.due_date, 14)
  await handed(open, 4)
  await happened(one.id, 'invoice.reminded', 3)
  const reminded = await owner`
    select reminder_day as day from invoice_mails where invoice_id = ${one.id} and kind = 'reminder' order by inserted_at`
  expect(reminded.map(({ day }) => day)).toEqual([-3, 7, 14])
  expect(mails.handed(paid)).toHaveLength(2)
})

longTest('reminders that the settings get later are sent of invoices that were sent before', async () => {
  const organizationId = await seller()
  const settings = (body: object) =>
    withStepUp('PATCH', `/organizations/${organizationId}/settings`, { token: boss.token, body })
  expect((await settings({ invoice_reminder_days: [] })).status).toBe(200)
  const email = newEmail()
  const invoice = await sent(organizationId, [email], { dueIn: 5 })
  await handed(email, 1)
  expect((await settings({ invoice_reminder_days: [-2] })).status).toBe(200)
  await waitUntil(invoice.due_date, -2)
  const [, reminder] = await handed(email, 2)
  expect(reminder?.subject).toContain('is due on')
})

test('it is sent again to whom it says, five times an hour, with the amount that it was sent with', async () => {
  const [email, other] = [newEmail(), newEmail()]
  const invoice = await sent(await seller(), [email])
  await handed(email, 1)
  await step(boss, invoice.id, 'mark-paid')
  const resend = (body: object = {}) => step(boss, invoice.id, 'resend', body)
  expect((await resend()).status).toBe(200)
  const [, again] = await handed(email, 2)
  expect(again?.text).toContain('172.50')
  for (let times = 2; times <= 5; times += 1) expect((await resend({ emails: [other] })).status).toBe(200)
  expectRefusal(await resend(), 'rate_limited', { retry_after_seconds: expect.any(Number) })
  await handed(other, 4)
  expect(mails.handed(email)).toHaveLength(2)
  await wait(3601)
  expect((await resend()).status).toBe(200)
  await handed(email, 3)
})

test('without addresses it is sent by nobody, also when the customer has some later, until somebody asks for it', async () => {
  const invoice = await sent(await seller(), [])
  await pdfOf(boss, invoice.id)
  expectRefusal(await step(boss, invoice.id, 'resend'), 'invalid_request', { errors: [{ path: 'emails' }] })
  const email = newEmail()
  await until('its process has seen it written', async () => {
    const [row] = await owner`select mailed_at from invoices where id = ${invoice.id} and mailed_at is not null`
    return row
  })
  const later = { token: boss.token, body: { emails: [email] } }
  await api('PATCH', `/billing-contacts/${invoice.billing_contact.id}`, later)
  expect((await step(boss, invoice.id, 'finalize')).status).toBe(200)
  expect((await step(boss, invoice.id, 'resend')).status).toBe(200)
  await handed(email, 1)
  await happened(invoice.id, 'invoice.mail_delivered')
  expect(await mailsOf(invoice.id)).toMatchObject([{ kind: 'resend', status: 'delivered' }])
})

test('an organization that is banned mails nothing; once it is not, its customers get what they were to get', async () => {
  const [email, reminded] = [newEmail(), newEmail()]
  const organizationId = await seller()
  const late = await sent(organizationId, [reminded], { dueIn: 5 })
  await handed(reminded, 1)
  const unwritten = await sent(organizationId, [])
  await pdfOf(boss, unwritten.id)
  const id = organizationId as OrganizationId
  await moveOrganization(id, 'ban')
  // as if the ban had come first
  await owner`update invoices set mailed_at = null, mail_to = ${[email]} where id = ${unwritten.id}`
  await waitUntil(late.due_date, -3)
  await owner`update processes set look_at = business_now() - interval '1 minute' where id in (${late.id}, ${unwritten.id})`
  await until('both to have looked', async () => {
    // a look under way may have set its next time
    await owner`
      update processes set look_at = business_now() - interval '1 minute'
      where id in (${late.id}, ${unwritten.id}) and look_at > business_now() and look_at <> 'infinity'`
    const seen = await owner`select from processes where id in (${late.id}, ${unwritten.id}) and look_at = 'infinity'`
    return seen.length === 2
  })
  expect([mails.handed(email).length, mails.handed(reminded).length]).toEqual([0, 1])
  await moveOrganization(id, 'unban')
  await handed(email, 1)
  await handed(reminded, 2)
})

test('who names several requests alike is answered each, and what is done is in the log as often', async () => {
  const invoice = await sent(await seller(), [newEmail()])
  await pdfOf(boss, invoice.id)
  const asked = (name: string, body: object = {}) =>
    api('POST', `/invoices/${invoice.id}/${name}`, { token: boss.token, body, headers: { 'x-request-id': 'trace' } })
  const answers = [await asked('resend'), await asked('resend'), await asked('mark-paid'), await asked('mark-paid')]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 409])
  expect((await historyOf(boss, invoice.id)).filter((type) => type === 'invoice.resent')).toHaveLength(2)
})
