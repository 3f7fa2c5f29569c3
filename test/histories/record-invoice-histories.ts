/** `npm run histories`: walks the paths of invoices and records their histories. */
import { vi } from 'vitest'
import { client } from '../../temporal/client.ts'
import { type TestPerson, organization, person, withStepUp } from '../support/api.ts'
import { setRules } from '../support/approvals/approvals.ts'
import { billingContact } from '../support/billing-contacts.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { recordPaths, runOf } from '../support/histories/recording.ts'
import { wait } from '../support/identity/identity.ts'
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

/**
 * A submitted invoice, of an organization whose admins approve it with `approval`. The mail server refuses its first
 * `refused` mails.
 */
async function submitted({ approval = false, refused = 0 } = {}) {
  const boss = await person({ name: PRIVATE.firstName, authenticator: true })
  const { id: organizationId } = await organization(boss, PRIVATE.payer)
  if (approval) {
    const steps = [{ required: 1, roles: ['owner'] }]
    await setRules(organizationId, boss, [{ action_type: 'billing_invoice', steps, expires_after_hours: 48 }])
  }
  const email = `customer-${organizationId}@example.com`
  mails.misbehave(email, ...Array.from({ length: refused }, () => 550))
  const contact = await billingContact(boss, organizationId, { company_name: PRIVATE.payee, emails: [email] })
  const dates = { issue_date: await dayIn(0), due_date: await dayIn(5) }
  const { id } = await invoiceOf(boss, organizationId, contact.id, { comments: PRIVATE.notes, ...dates })
  const { status, body } = await step(boss, id, 'submit')
  if (status !== 200) throw new Error(`submit: ${JSON.stringify(body)}`)
  return { boss, id, invoice: body, run: runOf('invoice', id) }
}

const happened = (by: TestPerson, id: string, type: string) =>
  until(`${type} of an invoice`, async () => (await historyOf(by, id)).includes(type))
const mailed = (by: TestPerson, id: string) => happened(by, id, 'invoice.mail_delivered')

async function decide({ boss, invoice }: Awaited<ReturnType<typeof submitted>>, verb: 'approve' | 'reject' | 'cancel') {
  const path = `/organizations/${invoice.organization_id}/approvals/${invoice.approval_request_id}/${verb}`
  const { status, body } = await withStepUp('POST', path, { token: boss.token, body: {} })
  if (status !== 200) throw new Error(`${verb}: ${JSON.stringify(body)}`)
}

async function decidedBy(verb: 'reject' | 'cancel') {
  const asked = await submitted({ approval: true })
  await decide(asked, verb)
  return asked.run
}

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
    await decide(asked, 'approve')
    return paid(asked)
  },
  'invoice-rejected': () => decidedBy('reject'),
  'invoice-withdrawn': () => decidedBy('cancel'),
  async 'invoice-written-at-second-try'() {
    await fault('storage', 'down', 1)
    const sent = await submitted()
    await pdfOf(sent.boss, sent.id)
    return paid(sent)
  },
  async 'invoice-expired'() {
    const { run } = await submitted({ approval: true })
    await wait(49 * HOUR)
    return run
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
