/** `npm run histories`: walks the paths of invoices, credit notes and incoming payments and records their histories. */
import { vi } from 'vitest'
import { client } from '../../temporal/client.ts'
import { type TestPerson, organization, person, withStepUp } from '../support/api.ts'
import { setRules } from '../support/approvals/approvals.ts'
import { billingContact } from '../support/billing-contacts.ts'
import { creditFileOf, creditHistoryOf, creditNoteOf, creditStep } from '../support/credit-notes/credit-notes.ts'
import { owner } from '../support/database.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { recordPaths, runOf } from '../support/histories/recording.ts'
import { wait } from '../support/identity/identity.ts'
import { matched, received, seller, sentInvoice } from '../support/invoices/allocations.ts'
import { dayIn, historyOf, invoiceOf, pdfOf, step } from '../support/invoices/invoices.ts'
import { fault } from '../support/partners/partners.ts'
import { waits } from '../support/runs/runs.ts'
import { until } from '../support/until.ts'
import { useWorker } from '../support/worker.ts'

const { mails } = await vi.hoisted(async () => {
  const { startMailServer } = await import('../support/mail-server.ts')
  const mails = await startMailServer()
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-invoices-'
  process.env['SMTP_URL'] = `smtp://${mails.address}`
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
  return { mails }
})
useWorker({ whole: true })

const HOUR = 3600
const DAY = 24 * HOUR

type Waits = { readonly organization_id: string; readonly approval_request_id: string }

async function approve(boss: TestPerson, { organization_id: id, approval_request_id: approval }: Waits) {
  const path = `/organizations/${id}/approvals/${approval}/approve`
  const { status, body } = await withStepUp('POST', path, { token: boss.token, body: {} })
  if (status !== 200) throw new Error(`approve: ${JSON.stringify(body)}`)
}

const asksFor = (boss: TestPerson, organizationId: string) =>
  setRules(organizationId, boss, [
    { action_type: 'billing_invoice', steps: [{ required: 1, roles: ['owner'] }], expires_after_hours: 48 },
  ])

/** A seller with a customer, the first `refused` of whose mails the mail server refuses. */
async function scene({ refused = 0, silent = false } = {}) {
  const boss = await person({ name: PRIVATE.firstName, authenticator: true })
  const { id } = await organization(boss, PRIVATE.payer)
  const email = `customer-${id}@example.com`
  const emails = silent ? null : [email]
  const contact = await billingContact(boss, id, { company_name: PRIVATE.payee, emails })
  const refuses = () => mails.misbehave(email, ...Array.from({ length: refused }, () => 550))
  return { boss, organizationId: id, contact, refuses }
}

/** A submitted invoice, which admins approve with `approval`. */
async function submitted({ approval = false, refused = 0 } = {}) {
  const { boss, organizationId, contact, refuses } = await scene({ refused })
  if (approval) await asksFor(boss, organizationId)
  refuses()
  const dates = { issue_date: await dayIn(0), due_date: await dayIn(5) }
  const { id } = await invoiceOf(boss, organizationId, contact.id, { comments: PRIVATE.notes, ...dates })
  const { status, body } = await step(boss, id, 'submit')
  if (status !== 200) throw new Error(`submit: ${JSON.stringify(body)}`)
  return { boss, id, invoice: body, run: runOf('invoice', id) }
}

const happened = (by: TestPerson, id: string, type: string) =>
  until(`${type} of an invoice`, async () => (await historyOf(by, id)).includes(type))
const mailed = (by: TestPerson, id: string) => happened(by, id, 'invoice.mail_delivered')

async function paid({ boss, id, run }: Awaited<ReturnType<typeof submitted>>) {
  await mailed(boss, id)
  await step(boss, id, 'mark-paid')
  return run
}

recordPaths({
  async 'invoice-sent-then-paid'() {
    const { boss, id, run } = await submitted()
    await mailed(boss, id)
    await step(boss, id, 'finalize')
    await step(boss, id, 'mark-paid')
    return run
  },
  async 'invoice-approved'() {
    const asked = await submitted({ approval: true })
    await approve(asked.boss, asked.invoice)
    return paid(asked)
  },
  async 'invoice-written-at-second-try'() {
    await fault('storage', 'down', 1)
    const sent = await submitted()
    await pdfOf(sent.boss, sent.id)
    return paid(sent)
  },
  async 'invoice-reminded'() {
    const { boss, id, run } = await submitted()
    await mailed(boss, id)
    await wait(3 * DAY)
    await happened(boss, id, 'invoice.reminded')
    await until('both mails to be delivered', async () => {
      const types = await historyOf(boss, id)
      return types.filter((type) => type === 'invoice.mail_delivered').length === 2
    })
    await step(boss, id, 'mark-paid')
    return run
  },
  /** Path: the run that sends it again; its delivery starts another run. */
  async 'invoice-mail-failed-then-sent'() {
    const { boss, id, run } = await submitted({ refused: 1 })
    await happened(boss, id, 'invoice.mail_failed')
    const { runId } = await run.describe()
    await step(boss, id, 'mark-paid')
    await waits({ id })
    await wait(12 * HOUR)
    await mailed(boss, id)
    await run.result()
    return client.workflow.getHandle(run.workflowId, runId)
  },
})

/** A submitted credit note of a sent invoice, which admins approve with `approval`. */
async function credited({ approval = false, refused = 0, before = async (): Promise<unknown> => undefined } = {}) {
  // without mails one run does all
  const { boss, organizationId, contact, refuses } = await scene({ refused, silent: refused === 0 })
  const invoice = await invoiceOf(boss, organizationId, contact.id)
  if ((await step(boss, invoice.id, 'submit')).status !== 200) throw new Error('the invoice is not sent')
  await pdfOf(boss, invoice.id)
  if (refused > 0) await mailed(boss, invoice.id)
  if (approval) await asksFor(boss, organizationId)
  refuses()
  await before()
  const { id } = await creditNoteOf(boss, invoice.id, '1.00', { reason: PRIVATE.notes })
  const { status, body } = await creditStep(boss, id, 'submit')
  if (status !== 200) throw new Error(`submit: ${JSON.stringify(body)}`)
  const noted = (type: string) => until(type, async () => (await creditHistoryOf(boss, id)).includes(type))
  return { boss, id, note: body, noted, run: runOf('credit-note', id) }
}

recordPaths({
  async 'credit-note-approved'() {
    const asked = await credited({ approval: true })
    await approve(asked.boss, asked.note)
    return asked.run
  },
  async 'credit-note-written-at-second-try'() {
    const sent = await credited({ before: () => fault('storage', 'down', 1) })
    await creditFileOf(sent.boss, sent.id, 'pdf')
    return sent.run
  },
  /** Path: the run that sends it again; its delivery starts another run. */
  async 'credit-note-mail-failed-then-sent'() {
    const { id, noted, run } = await credited({ refused: 1 })
    await noted('credit_note.mail_failed')
    const { runId } = await run.describe()
    await waits({ id })
    await wait(12 * HOUR)
    await noted('credit_note.mail_delivered')
    await run.result()
    return client.workflow.getHandle(run.workflowId, runId)
  },
})

/** Money of 41.97 with this text of the payer, for an invoice of `total`. */
async function incoming(text: (number: string) => string, total = PRIVATE.amount) {
  const at = await seller(await person({ name: PRIVATE.firstName }))
  const invoice = await sentInvoice(at, total, { comments: PRIVATE.notes })
  const money = await received(at, PRIVATE.amount, text(invoice.number), { name: PRIVATE.payer })
  await matched(money)
  return { at, invoice, run: runOf('incoming-payment', money) }
}

recordPaths({
  'incoming-payment-allocated': async () => (await incoming((number) => number)).run,
  'incoming-payment-proposed': async () => (await incoming(() => PRIVATE.reason)).run,
  'incoming-payment-unrelated': async () => (await incoming(() => PRIVATE.reason, '7')).run,
  /** Path: the run that starts when the only candidate ends. */
  async 'incoming-payment-proposed-in-vain'() {
    const { at, invoice, run } = await incoming(() => PRIVATE.reason)
    await run.result()
    await step(at.boss, invoice.id, 'mark-paid')
    const isPassed = () =>
      owner`select from incoming_payments where id = ${run.workflowId.slice(-36)} and status = 'unrelated'`
    await until('it to be passed', async () => (await isPassed())[0])
    return run
  },
})
