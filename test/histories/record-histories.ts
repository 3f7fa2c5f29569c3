/**
 * `npm run histories`: walks the paths of people's decisions and records their histories. Run it when a workflow
 * changes on purpose.
 */
import { randomUUID } from 'node:crypto'
import type { WorkflowHandle } from '@temporalio/client'
import { afterAll, expect, vi } from 'vitest'
import { type TestPerson, api, approvalPath, fund, organization, person, withStepUp } from '../support/api.ts'
import { joined, setRules } from '../support/approvals/approvals.ts'
import { payees, submitted } from '../support/batches/batches.ts'
import { owner } from '../support/database.ts'
import { advance, mailsTo } from '../support/identity/identity.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { recordPaths, runOf } from '../support/histories/recording.ts'
import { type Payment, eventually, waits } from '../support/runs/runs.ts'
import { useWorker } from '../support/worker.ts'

const stop = await vi.hoisted(async () => {
  const { startTemporalOfShortHistories } = await import('../support/short-histories.ts')
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-'
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
  return startTemporalOfShortHistories(60)
})
afterAll(stop)
useWorker({ whole: true })

const HOUR = 3600
const move = async (seconds: number) => {
  await advance(seconds)
  await owner`update sessions set last_used_at = business_now(), signed_in_at = business_now()`
}

async function approve(by: TestPerson, path: string): Promise<void> {
  const call = { token: by.token, body: { comment: PRIVATE.comment } }
  expect((await withStepUp('POST', `${path}/approve`, call)).status).toBe(200)
}

/** An organization with secret names of people, with money and an admin. */
async function scene() {
  const boss = await person({ name: PRIVATE.firstName })
  const { id } = await organization(boss, PRIVATE.payer)
  await fund(id, '100.00')
  const [one] = await joined(id, 'admin', 1)
  if (!one) throw new Error('one joined')
  return { boss, id, one }
}

const asks = (at: { boss: TestPerson; id: string }, action_type: string) =>
  setRules(at.id, at.boss, [{ action_type, steps: [{ required: 1, roles: ['admin'] }], expires_after_hours: 48 }])

async function contactOf({ boss, id }: { boss: TestPerson; id: string }) {
  const payee = await organization(await person(), PRIVATE.payee)
  const { body } = await api('POST', `/organizations/${id}/payment-contacts`, {
    token: boss.token,
    body: { name: PRIVATE.payee, type: 'business', destinations: [{ type: 'svc_id', svc_id: payee.svcId }] },
  })
  return body
}

async function payment() {
  const at = await scene()
  const contact = await contactOf(at)
  await asks(at, 'withdrawal')
  const { body } = await api('POST', '/payments', {
    token: at.boss.token,
    body: {
      amount: { amount: PRIVATE.amount, currency: 'USD' },
      payment_contact_id: contact.id,
      payout_reason: PRIVATE.reason,
      statement_description: PRIVATE.statement,
      internal_notes: PRIVATE.notes,
    },
  })
  const made: Payment = body
  await waits(made)
  return { ...at, payment: made, path: approvalPath(made), run: runOf('payment', made.id) }
}

/** Nudges a run until it continues as new and `end` ends it; returns the first run. */
async function renewed(run: WorkflowHandle, end: () => Promise<void>): Promise<WorkflowHandle> {
  const { runId } = await run.describe()
  await eventually(async () => {
    await run.signal('nudged')
    return (await run.describe()).runId
  }).not.toBe(runId)
  await end()
  await run.result()
  return run.client.getHandle(run.workflowId, runId)
}

recordPaths({
  async 'payment-approved'() {
    const at = await payment()
    await approve(at.one, at.path)
    return at.run
  },
  async 'payment-reminded-then-expired'() {
    const at = await payment()
    await move(25 * HOUR)
    await eventually(async () => (await mailsTo(at.one.email)).length).toBeGreaterThan(0)
    await waits(at.payment)
    await move(24 * HOUR)
    return at.run
  },
  async 'payment-continued-as-new'() {
    const at = await payment()
    return renewed(at.run, async () => {
      await waits(at.payment)
      await approve(at.one, at.path)
    })
  },
  async 'payment-batch-continued-as-new'() {
    const at = await scene()
    const rows = (await payees(1)).map((svc) => ({ svc, amount: PRIVATE.amount }))
    const batch = await submitted(at.boss, at.id, rows)
    await waits(batch)
    return renewed(runOf('payment-batch', batch.id), async () => {
      await waits(batch)
      await approve(at.one, approvalPath(batch))
    })
  },
  async 'payment-contact-expired'() {
    const at = await scene()
    await asks(at, 'payment_contact')
    const made = await contactOf(at)
    await waits(made)
    await move(49 * HOUR)
    return runOf('payment-contact', made.id)
  },
  async 'invitation-approved-then-expired'() {
    const at = await scene()
    await asks(at, 'organization_invitation')
    const email = `${PRIVATE.firstName.toLowerCase()}-${randomUUID()}@example.com`
    const body = { invitations: [{ email }] }
    const asked = await api('POST', `/organizations/${at.id}/invitations/bulk`, { token: at.boss.token, body })
    const [invitation] = asked.body
    await waits(invitation)
    await approve(at.one, approvalPath(invitation))
    await waits(invitation)
    await move(7 * 24 * HOUR + 1)
    return runOf('invitation', invitation.id)
  },
})
