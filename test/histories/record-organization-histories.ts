/** `npm run histories`: walks the paths of accounting, bills, exports, subscriptions and webhooks. */
import type { WorkflowHandle } from '@temporalio/client'
import PdfDocument from 'pdfkit'
import { afterAll, vi } from 'vitest'
import type { OrganizationId } from '../../domain/ids.ts'
import { accounting, connectBooks, integrationsOf, mapped, runsOf } from '../support/accounting/accounting.ts'
import { api, fund, organization, person } from '../support/api.ts'
import { readBill } from '../support/bills/bills.ts'
import { owner } from '../support/database.ts'
import { becomes, requestExport } from '../support/exports/exports.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { recordPaths, runOf, scheduledRun } from '../support/histories/recording.ts'
import { advance, wait } from '../support/identity/identity.ts'
import { received } from '../support/invoices/allocations.ts'
import { moveOrganization } from '../support/organizations/status.ts'
import { addPaper, filledIn, reached, submit } from '../support/onboarding/onboarding.ts'
import { fault, usePartners } from '../support/partners/partners.ts'
import { waits } from '../support/runs/runs.ts'
import { type Subscriber, happened, offersOf, pass, selected, subscriber } from '../support/subscriptions.ts'
import { until } from '../support/until.ts'
import { httpReceiver } from '../support/webhooks/receivers.ts'
import { deliveriesOf, rename, subscribed, tried, webhooks } from '../support/webhooks/webhooks.ts'
import { useWorker } from '../support/worker.ts'

const { provider } = await vi.hoisted(async () => {
  const events = await import('node:events')
  const { createServer } = await import('node:http')
  const provider = createServer((request, response) => {
    request.resume()
    response.end(JSON.stringify({ choices: [{ message: { content: '{}' } }] }))
  })
  await events.default.once(provider.listen(0, '127.0.0.1'), 'listening')
  Object.assign(process.env, {
    TASK_QUEUE_PREFIX: 'recorded-organizations-',
    BILL_MODEL_PROVIDER: 'openai',
    BILL_MODEL_URL: `http://127.0.0.1:${Object(provider.address()).port}/v1`,
    BILL_MODEL_NAME: 'reader-1',
  })
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
  return { provider }
})
afterAll(() => provider.close())
usePartners()
useWorker({ whole: true, chains: true })

async function scene() {
  const boss = await person({ name: PRIVATE.firstName, authenticator: true })
  const { id } = await organization(boss, PRIVATE.payer)
  return { boss, id }
}

/** An organization with incoming money, and books after their first sync. */
async function connected() {
  const { boss, id } = await scene()
  const { id: connectionId } = await connectBooks(boss, id)
  await until('its first sync is through', async () => (await runsOf(boss, id)).every((run) => run.ended_at))
  await mapped(boss, id)
  await received({ id }, '10.00', PRIVATE.statement)
  return { boss, id, connectionId }
}

/** Walks a path on which the provider is away for more than a day. */
async function inVain(table: 'accounting_connections' | 'accounting_sync_runs', begin: () => Promise<WorkflowHandle>) {
  await fault('accounting', 'error', 1000)
  const run = await begin()
  const id = run.workflowId.slice(-36)
  await until('a try', async () => (await owner`select from ${owner(table)} where id = ${id} and asks > 0`)[0])
  await advance(25 * 3600)
  await run.result()
  await owner`delete from sandbox_faults`
  return run
}

/** Moves the clock by years, and a day each. */
async function years(count: number) {
  for (let half = 0; half < 2 * count; half += 1) await wait(183 * 86_400)
}

/** An organization that has submitted who it is. */
async function submitted(legalName: string) {
  const { boss, id } = await scene()
  await filledIn(boss, id, legalName)
  const { status } = await submit(boss, id)
  if (status !== 200) throw new Error(`submit: ${status}`)
  const [row] = await owner<{ id: string }[]>`select id from onboardings where organization_id = ${id}`
  return { boss, id, run: runOf('onboarding', row?.id ?? '') }
}

/** Deletes an organization, and lets the time go by for which its papers are kept. */
async function purged(id: string, run: WorkflowHandle) {
  await moveOrganization(id as OrganizationId, 'delete')
  await waits({ id: run.workflowId.slice(-36) })
  await years(4.5)
  await wait(200 * 86_400) // once: a further signal would reach the run in its last task
  await run.result()
  return run
}

recordPaths({
  async 'onboarding-asked-then-verified-then-purged'() {
    const { boss, id, run } = await submitted('More Papers GmbH')
    await reached(boss, id, 'needs_more')
    await wait(4 * 86_400)
    await until(
      'a reminder',
      async () => (await owner`select from onboardings where organization_id = ${id} and reminded = 1`)[0],
    )
    await addPaper(boss, id, { kind: 'other' })
    await submit(boss, id)
    await reached(boss, id, 'verified')
    await years(1)
    await reached(boss, id, 'review_due')
    await submit(boss, id)
    await reached(boss, id, 'verified')
    return purged(id, run)
  },
  async 'onboarding-rejected'() {
    const { boss, id, run } = await submitted('No Verify GmbH')
    await reached(boss, id, 'rejected')
    return purged(id, run)
  },
  async 'accounting-sync-slowed-down'() {
    const { boss, id } = await connected()
    await fault('accounting', 'rate_limited')
    const { body } = await accounting(boss, id, 'POST', 'sync', {})
    return runOf('accounting-sync', body.id)
  },
  async 'accounting-sync-given-up'() {
    const { boss, id } = await connected()
    return inVain('accounting_sync_runs', async () => {
      const { body } = await accounting(boss, id, 'POST', 'sync', {})
      return runOf('accounting-sync', body.id)
    })
  },
  /** Path: its organization is paused while a sync waits for the provider. */
  async 'accounting-sync-stopped'() {
    const { boss, id } = await connected()
    await fault('accounting', 'error', 1000)
    const { body } = await accounting(boss, id, 'POST', 'sync', {})
    await until(
      'a try',
      async () => (await owner`select from accounting_sync_runs where id = ${body.id} and asks > 0`)[0],
    )
    await moveOrganization(id as OrganizationId, 'pause')
    await owner`update processes set look_at = business_now() where id = ${body.id}`
    const run = runOf('accounting-sync', body.id)
    await run.result()
    await owner`delete from sandbox_faults`
    return run
  },
  async 'accounting-connection-given-up'() {
    const { boss, id, connectionId } = await connected()
    return inVain('accounting_connections', async () => {
      await accounting(boss, id, 'POST', 'disconnect', {})
      return runOf('accounting-connection', connectionId)
    })
  },
  async 'accounting-connection-revoked-at-second-try'() {
    const { boss, id, connectionId } = await connected()
    await fault('accounting', 'error', 1)
    await accounting(boss, id, 'POST', 'disconnect', {})
    await until('its end', async () => (await integrationsOf(boss, id)).length === 0)
    return runOf('accounting-connection', connectionId)
  },
  async 'accounting-syncs-done'() {
    await connected()
    return scheduledRun('accounting-syncs')
  },
})

const INVOICE = `<?xml version="1.0"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
  xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <cbc:ID>R-1</cbc:ID><cbc:IssueDate>2026-03-01</cbc:IssueDate><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
</Invoice>`

/** A bill of this text after its reading, with `refusals` by storage before. */
async function handedIn(text: string, refusals = 0) {
  const { boss, id } = await scene()
  const bill = await readBill(boss, id, Buffer.from(text), 'application/xml', async () => {
    if (refusals > 0) await fault('storage', 'down', refusals)
  })
  return runOf('bill', bill.id)
}

async function pageOf(text: string): Promise<Buffer> {
  const pdf = new PdfDocument()
  const pieces: Buffer[] = []
  pdf.on('data', (piece: Buffer) => pieces.push(piece))
  pdf.text(text).end()
  await new Promise((resolve) => pdf.on('end', resolve))
  return Buffer.concat(pieces)
}

recordPaths({
  async 'bill-read-with-a-model'() {
    const { boss, id } = await scene()
    const bill = await readBill(boss, id, await pageOf(PRIVATE.statement), 'application/pdf')
    return runOf('bill', bill.id)
  },
  'bill-tried-twice': () => handedIn(INVOICE, 1),
  'bill-given-up': () => handedIn('<order/>'),
})

/** A subscription for 49 dollars a month, of an organization with `amount`. */
async function paying(amount: string) {
  const at = await subscriber(await person({ name: PRIVATE.firstName, authenticator: true }), amount)
  const { subscription } = await selected(at, (await offersOf(at))['business']?.id ?? '')
  return { at, run: runOf('subscription', subscription.id) }
}

/** Ends a subscription, and waits until its month is over. */
async function endedBy({ boss, id }: Subscriber, run: WorkflowHandle): Promise<WorkflowHandle> {
  await api('DELETE', `/organizations/${id}/subscription`, { token: boss.token })
  await waits({ id: run.workflowId.slice('subscription-'.length) })
  await pass(31)
  return run
}

recordPaths({
  async 'subscription-renewed-then-ended'() {
    const { at, run } = await paying('98.00')
    await pass(31)
    await happened(at, 'subscription.renewed')
    return endedBy(at, run)
  },
  async 'subscription-expired-unpaid'() {
    const { at, run } = await paying('50.00')
    for (const [days, attempts] of [
      [31, 1],
      [3, 2],
      [4, 3],
    ] as const) {
      await pass(days)
      await happened(at, 'subscription.renewal_failed', attempts)
    }
    return run
  },
  async 'subscription-held-then-resumed'() {
    const { at, run } = await paying('98.00')
    const id = at.id as OrganizationId // of an organization that was just made
    await moveOrganization(id, 'pause')
    await pass(40)
    await happened(at, 'subscription.renewal_held')
    await moveOrganization(id, 'resume')
    await happened(at, 'subscription.renewed')
    return endedBy(at, run)
  },
})

recordPaths({
  async 'export-failed'() {
    const { boss, id } = await scene()
    await fund(id, '100.00')
    await fault('storage', 'down', 6)
    const { body } = await requestExport(boss, id, { type: 'balance_statement', format: 'csv' })
    await becomes(boss, body.id, 'failed')
    return runOf('export', body.id)
  },
  async 'webhook-endpoint-delivered-then-disabled'() {
    const { boss, id: organizationId } = await scene()
    const receiver = await httpReceiver((_, response) => void response.writeHead(204).end())
    const at = await subscribed(boss, receiver, { organizationId, types: ['organization.updated'] })
    await rename(at, PRIVATE.payee)
    await tried(at, 1)
    await until('all is delivered', async () => (await deliveriesOf(at)).every(({ status }) => status === 'succeeded'))
    await webhooks(at.boss, at.organizationId, 'POST', `/${at.id}/disable`, {})
    return runOf('webhook', at.id)
  },
})
