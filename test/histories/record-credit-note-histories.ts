/** `npm run histories`: walks the paths of credit notes and records their histories. */
import { vi } from 'vitest'
import { client } from '../../temporal/client.ts'
import { organization, person, withStepUp } from '../support/api.ts'
import { setRules } from '../support/approvals/approvals.ts'
import { billingContact } from '../support/billing-contacts.ts'
import { creditFileOf, creditHistoryOf, creditNoteOf, creditStep } from '../support/credit-notes/credit-notes.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { recordPaths, runOf } from '../support/histories/recording.ts'
import { wait } from '../support/identity/identity.ts'
import { historyOf, invoiceOf, pdfOf, step } from '../support/invoices/invoices.ts'
import { fault } from '../support/partners/partners.ts'
import { waits } from '../support/runs/runs.ts'
import { until } from '../support/until.ts'
import { useWorker } from '../support/worker.ts'

const { mails } = await vi.hoisted(async () => {
  const { startMailServer } = await import('../support/mail-server.ts')
  const mails = await startMailServer()
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-credit-notes-'
  process.env['SMTP_URL'] = `smtp://${mails.address}`
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
  return { mails }
})
useWorker({ whole: true })

const HOUR = 3600

/**
 * A submitted credit note, which admins approve with `approval`. The mail server refuses its first `refused` mails; by
 * default its customer has no address, so that one run does all.
 */
async function submitted({ approval = false, refused = -1, before = async (): Promise<unknown> => undefined } = {}) {
  const boss = await person({ name: PRIVATE.firstName, authenticator: true })
  const { id: organizationId } = await organization(boss, PRIVATE.payer)
  const email = `customer-${organizationId}@example.com`
  const emails = refused < 0 ? null : [email]
  const contact = await billingContact(boss, organizationId, { company_name: PRIVATE.payee, emails })
  const invoice = await invoiceOf(boss, organizationId, contact.id)
  if ((await step(boss, invoice.id, 'submit')).status !== 200) throw new Error('the invoice is not sent')
  await pdfOf(boss, invoice.id)
  if (emails)
    await until('the mail of the invoice', async () =>
      (await historyOf(boss, invoice.id)).includes('invoice.mail_delivered'),
    )
  if (approval) {
    const steps = [{ required: 1, roles: ['owner'] }]
    await setRules(organizationId, boss, [{ action_type: 'billing_invoice', steps, expires_after_hours: 48 }])
  }
  mails.misbehave(email, ...Array.from({ length: Math.max(refused, 0) }, () => 550))
  await before()
  const { id } = await creditNoteOf(boss, invoice.id, '1.00', { reason: PRIVATE.notes })
  const { status, body } = await creditStep(boss, id, 'submit')
  if (status !== 200) throw new Error(`submit: ${JSON.stringify(body)}`)
  return { boss, id, note: body, run: runOf('credit-note', id) }
}
type Submitted = Awaited<ReturnType<typeof submitted>>

const happened = ({ boss, id }: Submitted, type: string) =>
  until(`${type} of a credit note`, async () => (await creditHistoryOf(boss, id)).includes(type))

async function decide({ boss, note }: Submitted, verb: 'approve' | 'reject') {
  const path = `/organizations/${note.organization_id}/approvals/${note.approval_request_id}/${verb}`
  const { status, body } = await withStepUp('POST', path, { token: boss.token, body: {} })
  if (status !== 200) throw new Error(`${verb}: ${JSON.stringify(body)}`)
}

recordPaths({
  'credit-note-sent': async () => (await submitted()).run,
  async 'credit-note-approved'() {
    const asked = await submitted({ approval: true })
    await decide(asked, 'approve')
    return asked.run
  },
  async 'credit-note-rejected'() {
    const asked = await submitted({ approval: true })
    await decide(asked, 'reject')
    return asked.run
  },
  async 'credit-note-expired'() {
    const asked = await submitted({ approval: true })
    await wait(49 * HOUR)
    await happened(asked, 'credit_note.refused')
    return asked.run
  },
  async 'credit-note-written-at-second-try'() {
    const sent = await submitted({ before: () => fault('storage', 'down', 1) })
    await creditFileOf(sent.boss, sent.id, 'pdf')
    return sent.run
  },
  /** Path: the run that sends it again; its delivery starts another run. */
  async 'credit-note-mail-failed-then-sent'() {
    const sent = await submitted({ refused: 1 })
    await happened(sent, 'credit_note.mail_failed')
    const { runId } = await sent.run.describe()
    await waits({ id: sent.id })
    await wait(12 * HOUR)
    await happened(sent, 'credit_note.mail_delivered')
    await sent.run.result()
    return client.workflow.getHandle(sent.run.workflowId, runId)
  },
})
