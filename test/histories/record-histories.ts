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
import { advance, mailsTo, tokenTo } from '../support/identity/identity.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { reconcile } from '../support/partners/reconcile.ts'
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

async function decide(verb: 'approve' | 'reject' | 'cancel', by: TestPerson, path: string): Promise<void> {
  const body = verb === 'approve' ? { comment: PRIVATE.comment } : verb === 'reject' ? { reason: PRIVATE.comment } : {}
  expect((await withStepUp('POST', `${path}/${verb}`, { token: by.token, body })).status).toBe(200)
}

/** An organization with secret names of people, with money and two admins. */
async function scene() {
  const boss = await person({ name: PRIVATE.firstName })
  const { id } = await organization(boss, PRIVATE.payer)
  await fund(id, '100.00')
  const [one, other] = await joined(id, 'admin', 2)
  if (!one || !other) throw new Error('two joined')
  return { boss, id, one, other }
}

const asks = (at: { boss: TestPerson; id: string }, action_type: string, required = 1) =>
  setRules(at.id, at.boss, [{ action_type, steps: [{ required, roles: ['admin'] }], expires_after_hours: 48 }])

async function contactOf({ boss, id }: { boss: TestPerson; id: string }) {
  const payee = await organization(await person(), PRIVATE.payee)
  const { body } = await api('POST', `/organizations/${id}/payment-contacts`, {
    token: boss.token,
    body: { name: PRIVATE.payee, type: 'business', destinations: [{ type: 'svc_id', svc_id: payee.svcId }] },
  })
  return body
}

async function payment(required = 1) {
  const at = await scene()
  const contact = await contactOf(at)
  await asks(at, 'withdrawal', required)
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

async function contact() {
  const at = await scene()
  await asks(at, 'payment_contact')
  const made = await contactOf(at)
  await waits(made)
  return { ...at, contact: made, path: approvalPath(made), run: runOf('payment-contact', made.id) }
}

/** An invitation that waits for an admin; with `approved`, one that was mailed. */
async function invitation({ approved = false } = {}) {
  const at = await scene()
  await asks(at, 'organization_invitation')
  const [guest, email] = [await person(), `${PRIVATE.firstName.toLowerCase()}-${randomUUID()}@example.com`]
  await owner`update people set email = ${email} where id = ${guest.userId}`
  const list = `/organizations/${at.id}/invitations`
  const { body } = await api('POST', `${list}/bulk`, { token: at.boss.token, body: { invitations: [{ email }] } })
  const [{ id }] = body
  await waits({ id })
  const path = approvalPath(body[0])
  if (approved) await decide('approve', at.one, path)
  if (approved) await waits({ id })
  const answers = async (verb: 'accept' | 'decline') => {
    const token = await tokenTo(email)
    expect((await api('POST', `/invitations/${verb}`, { token: guest.token, body: { token } })).status).toBe(200)
  }
  return { ...at, path, own: `${list}/${id}`, answers, run: runOf('invitation', id) }
}

/** A path that ends with one decision of an admin. */
const decidedBy =
  (begin: () => Promise<{ one: TestPerson; path: string; run: WorkflowHandle }>, verb: 'approve' | 'reject') =>
  async (): Promise<WorkflowHandle> => {
    const at = await begin()
    await decide(verb, at.one, at.path)
    return at.run
  }

recordPaths({
  'payment-approved': decidedBy(payment, 'approve'),
  async 'payment-approved-at-once'() {
    const at = await payment(2)
    await Promise.all([decide('approve', at.one, at.path), decide('approve', at.other, at.path)])
    return at.run
  },
  'payment-rejected': decidedBy(payment, 'reject'),
  async 'payment-withdrawn'() {
    const at = await payment()
    await decide('cancel', at.boss, at.path)
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
  /** Path: restarted from its row alone. */
  async 'payment-resumed'() {
    const at = await payment()
    await at.run.terminate('ended by an operator')
    await reconcile()
    await waits(at.payment)
    await decide('approve', at.one, at.path)
    return at.run
  },
  async 'payment-continued-as-new'() {
    const at = await payment()
    return renewed(at.run, async () => {
      await waits(at.payment)
      await decide('approve', at.one, at.path)
    })
  },
  async 'payment-batch-continued-as-new'() {
    const at = await scene()
    const rows = (await payees(1)).map((svc) => ({ svc, amount: PRIVATE.amount }))
    const batch = await submitted(at.boss, at.id, rows)
    await waits(batch)
    return renewed(runOf('payment-batch', batch.id), async () => {
      await waits(batch)
      await decide('approve', at.one, approvalPath(batch))
    })
  },
  'payment-contact-approved': decidedBy(contact, 'approve'),
  'payment-contact-rejected': decidedBy(contact, 'reject'),
  async 'payment-contact-expired'() {
    const at = await contact()
    await move(49 * HOUR)
    return at.run
  },
  /** Path: another default destination, requested after the approval. */
  async 'payment-contact-changed'() {
    const at = await contact()
    await decide('approve', at.one, at.path)
    await at.run.result()
    const other = await organization(await person(), PRIVATE.payee)
    const body = { type: 'svc_id', svc_id: other.svcId, default: true }
    const { token } = at.boss
    expect((await api('POST', `/payment-contacts/${at.contact.id}/destinations`, { token, body })).status).toBe(201)
    await waits(at.contact)
    const changed = await api('GET', `/payment-contacts/${at.contact.id}`, { token })
    await decide('approve', at.one, approvalPath(changed.body))
    return at.run
  },
  async 'invitation-approved-then-accepted'() {
    const at = await invitation({ approved: true })
    await at.answers('accept')
    return at.run
  },
  async 'invitation-approved-then-declined'() {
    const at = await invitation({ approved: true })
    await at.answers('decline')
    return at.run
  },
  async 'invitation-approved-then-expired'() {
    const at = await invitation({ approved: true })
    await move(7 * 24 * HOUR + 1)
    return at.run
  },
  'invitation-rejected': decidedBy(invitation, 'reject'),
  async 'invitation-deleted'() {
    const at = await invitation()
    expect((await api('DELETE', at.own, { token: at.boss.token })).status).toBe(200)
    return at.run
  },
})
