/** Daily limits of invoice mails: of an organization, and of each customer from all organizations. */
import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { api, approve, organization, person } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { owner } from '../../support/database.ts'
import { wait } from '../../support/identity/identity.ts'
import { dayIn, historyOf, invoiceOf, pdfOf, readInvoice, step } from '../../support/invoices/invoices.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

vi.hoisted(() =>
  Object.assign(process.env, {
    FIRST_CUSTOMER_MAIL_LIMIT_PER_DAY: '3',
    CUSTOMER_MAIL_LIMIT_PER_DAY: '5',
    MAILS_TO_CUSTOMER_LIMIT_PER_DAY: '4',
  }),
)
useWorker()

const boss = await person({ authenticator: true })
const emails = (count: number) => Array.from({ length: count }, () => `customer-${randomUUID()}@example.com`)

/** An organization that is older than its first week. */
async function oldSeller(): Promise<string> {
  const { id } = await organization(boss)
  await owner`update organizations set inserted_at = business_now() - interval '8 days' where id = ${id}`
  return id
}

async function draftTo(organizationId: string, to: readonly string[] | null, dueIn = 30): Promise<string> {
  const contact = await billingContact(boss, organizationId, { emails: to })
  const dates = { issue_date: await dayIn(0), due_date: await dayIn(dueIn) }
  return (await invoiceOf(boss, organizationId, contact.id, dates)).id
}
const submit = (id: string) => step(boss, id, 'submit')
const expectOver = ({ status, body, headers }: Awaited<ReturnType<typeof submit>>, policy: string) => {
  expect([status, body.error?.type, body.error?.details.policy]).toEqual([429, 'rate_limited', policy])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
}

test('in its first week an organization mails few customers a day: what is over is refused, and takes no number', async () => {
  const { id } = await organization(boss)
  const [first, over] = [await draftTo(id, emails(2)), await draftTo(id, emails(2))]
  const [fits, nobody] = [await draftTo(id, emails(1)), await draftTo(id, null)]
  expect((await submit(first)).body).toMatchObject({ number: 'INV-000001' })
  expectOver(await submit(over), 'first_customer_mails')
  expect(await readInvoice(boss, over)).toMatchObject({ state: 'draft', number: null })
  expect(await historyOf(boss, over)).not.toContain('invoice.sent')
  expect((await submit(fits)).body).toMatchObject({ number: 'INV-000002' })
  expect((await submit(nobody)).body).toMatchObject({ number: 'INV-000003' })
})

test('later it mails more of them, and one customer gets few from all organizations together', async () => {
  const [id, other] = [await oldSeller(), await oldSeller()]
  const [customer = ''] = emails(1)
  for (let count = 0; count < 3; count += 1) expect((await submit(await draftTo(id, [customer]))).status).toBe(200)
  expect((await submit(await draftTo(other, [customer]))).status).toBe(200)
  for (const seller of [id, other]) expectOver(await submit(await draftTo(seller, [customer])), 'mails_to_customer')
  expect((await submit(await draftTo(id, emails(2)))).status).toBe(200)
  expectOver(await submit(await draftTo(id, emails(1))), 'customer_mails')
})

test('addresses that a customer gets after the invoice was sent are mailed nothing of itself', async () => {
  const id = await oldSeller()
  const [first = '', ...later] = emails(9)
  const invoiceId = await draftTo(id, [first])
  const sent = await submit(invoiceId)
  const more = { token: boss.token, body: { emails: [first, ...later] } }
  await api('PATCH', `/billing-contacts/${sent.body.billing_contact.id}`, more)
  await until('the mail', async () => (await historyOf(boss, invoiceId)).includes('invoice.mailed'))
  const rows = await owner<{ recipient: string }[]>`select recipient from invoice_mails where invoice_id = ${invoiceId}`
  expect(rows.map(({ recipient }) => recipient)).toEqual([first])
})

test('a mail that is asked for once more is counted, whoever gets it', async () => {
  const id = await oldSeller()
  const invoiceId = await draftTo(id, emails(2))
  await submit(invoiceId)
  await pdfOf(boss, invoiceId)
  expect((await step(boss, invoiceId, 'resend')).status).toBe(200)
  expectOver(await step(boss, invoiceId, 'resend', { emails: emails(2) }), 'customer_mails')
  expect((await step(boss, invoiceId, 'resend', { emails: emails(1) })).status).toBe(200)
  expectOver(await step(boss, invoiceId, 'resend'), 'customer_mails')
})

test('an approval that would send more than may be mailed is refused, and can be given later', async () => {
  const id = await oldSeller()
  await setRules(id, boss, [{ action_type: 'billing_invoice', steps: [{ required: 1, roles: ['owner'] }] }])
  const invoiceId = await draftTo(id, emails(2))
  const { body: waiting } = await submit(invoiceId)
  expect(waiting.state).toBe('awaiting_approval')
  const other = await draftTo(id, emails(5))
  const { body: second } = await submit(other)
  expect((await approve(boss, second)).status).toBe(200)
  expectOver(await approve(boss, waiting), 'customer_mails')
  expect(await readInvoice(boss, invoiceId)).toMatchObject({ state: 'awaiting_approval', number: null })
  await owner`delete from rate_limits where key like '%mails%'`
  expect((await approve(boss, waiting)).status).toBe(200)
})

test('a reminder for which there is no room today is sent on another day', async () => {
  const id = await oldSeller()
  const invoiceId = await draftTo(id, emails(1), 5)
  await submit(invoiceId)
  await until('the mail', async () => (await historyOf(boss, invoiceId)).includes('invoice.mailed'))
  expect((await submit(await draftTo(id, emails(4)))).status).toBe(200)
  const waitsLonger = () =>
    until('its process to wait', async () => {
      const [row] = await owner<{ waits: boolean }[]>`
        select look_at > business_now() and isfinite(look_at) and unseen_since is null as waits from processes where id = ${invoiceId}`
      return row?.waits
    })
  await waitsLonger()
  await wait(3 * 86_400)
  await waitsLonger()
  expect(await historyOf(boss, invoiceId)).not.toContain('invoice.reminded')
  await owner`delete from rate_limits where key like '%mails%'`
  await wait(86_400)
  await until('the reminder', async () => (await historyOf(boss, invoiceId)).includes('invoice.reminded'))
})
