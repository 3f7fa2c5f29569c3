/** Walks the paths of invoices, and keeps their histories: `npm run histories`. */
import { vi } from 'vitest'
import { type TestPerson, organization, person, withStepUp } from '../support/api.ts'
import { setRules } from '../support/approvals/approvals.ts'
import { billingContact } from '../support/billing-contacts.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { recordPaths, runOf } from '../support/histories/recording.ts'
import { historyOf, invoiceOf, pdfOf, step } from '../support/invoices/invoices.ts'
import { fault } from '../support/partners/partners.ts'
import { until } from '../support/until.ts'
import { useWorker } from '../support/worker.ts'

vi.hoisted(() => {
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-invoices-'
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
})
useWorker({ whole: true })

/** An invoice that was submitted, of an organization whose admins approve it if that is asked for. */
async function submitted({ approval = false } = {}) {
  const boss = await person({ name: PRIVATE.firstName, authenticator: true })
  const { id: organizationId } = await organization(boss, PRIVATE.payer)
  if (approval) {
    const steps = [{ required: 1, roles: ['owner'] }]
    await setRules(organizationId, boss, [{ action_type: 'billing_invoice', steps, expires_after_hours: 48 }])
  }
  const contact = await billingContact(boss, organizationId, { company_name: PRIVATE.payee })
  const { id } = await invoiceOf(boss, organizationId, contact.id, { comments: PRIVATE.notes })
  const { status, body } = await step(boss, id, 'submit')
  if (status !== 200) throw new Error(`submit: ${JSON.stringify(body)}`)
  return { boss, id, invoice: body, run: runOf('invoice', id) }
}

const mailed = (by: TestPerson, id: string) =>
  until('an invoice is mailed', async () => (await historyOf(by, id)).includes('invoice.mail_delivered'))

/** Decides about the approval of an invoice. */
async function decide({ boss, invoice }: Awaited<ReturnType<typeof submitted>>, verb: 'approve' | 'reject' | 'cancel') {
  const path = `/organizations/${invoice.organization_id}/approvals/${invoice.approval_request_id}/${verb}`
  const { status, body } = await withStepUp('POST', path, { token: boss.token, body: {} })
  if (status !== 200) throw new Error(`${verb}: ${JSON.stringify(body)}`)
}

recordPaths({
  async 'invoice-sent-then-paid'() {
    const { boss, id, run } = await submitted()
    await mailed(boss, id)
    await step(boss, id, 'finalize')
    await step(boss, id, 'mark-paid')
    await run.result()
    return run
  },
  async 'invoice-approved'() {
    const asked = await submitted({ approval: true })
    await decide(asked, 'approve')
    await mailed(asked.boss, asked.id)
    await step(asked.boss, asked.id, 'mark-paid')
    await asked.run.result()
    return asked.run
  },
  async 'invoice-rejected'() {
    const asked = await submitted({ approval: true })
    await decide(asked, 'reject')
    await asked.run.result()
    return asked.run
  },
  async 'invoice-withdrawn'() {
    const asked = await submitted({ approval: true })
    await decide(asked, 'cancel')
    await asked.run.result()
    return asked.run
  },
  async 'invoice-written-at-second-try'() {
    await fault('storage', 'down', 1)
    const { boss, id, run } = await submitted()
    await pdfOf(boss, id)
    await mailed(boss, id)
    await step(boss, id, 'mark-paid')
    await run.result()
    return run
  },
})
