/** Walks the paths of what waits for approval, and of invitations, and keeps their histories: `npm run histories`. */
import { randomUUID } from 'node:crypto'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { expect, test, vi } from 'vitest'
import { client } from '../temporal/client.ts'
import { reconcile } from './support/reconcile.ts'
import { type TestPerson, api, createPayment, fund, organization, person, withStepUp } from './support/api.ts'
import { joined, setRules } from './support/approvals.ts'
import { owner } from './support/database.ts'
import { advance, tokenTo } from './support/identity.ts'
import { remove } from './support/members.ts'
import { type History, PRIVATE, keepHistory } from './support/recorded.ts'
import { eventually } from './support/runs.ts'
import { useWorker } from './support/worker.ts'

vi.hoisted(() => {
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-approvals-'
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
})
useWorker()

const HOUR = 3600
const run = (workflowId: string) => client.workflow.getHandle(workflowId)
const stateOf = async (workflowId: string) => (await run(workflowId).describe()).status.name
const move = async (seconds: number) => {
  await advance(seconds)
  await owner`update sessions set last_used_at = business_now(), signed_in_at = business_now()`
}
const decide = (verb: 'approve' | 'reject' | 'cancel', by: TestPerson, path: string) =>
  withStepUp('POST', `${path}/${verb}`, {
    token: by.token,
    body: verb === 'approve' ? { comment: PRIVATE.comment } : {},
  })

/** An organization with two admins under rules that ask them for everything. */
async function scene() {
  const boss = await person({ name: PRIVATE.firstName })
  const { id } = await organization(boss, PRIVATE.payer)
  const admins = await joined(id, 'admin', 2)
  const steps = [{ required: 1, roles: ['admin'] }]
  await setRules(id, boss, [
    { steps: [{ required: 2, roles: ['admin'] }] },
    { action_type: 'payment_contact', steps, expires_after_hours: 48 },
    { action_type: 'organization_invitation', steps, expires_after_hours: 48 },
  ])
  return { boss, id, first: admins[0] as TestPerson, second: admins[1] as TestPerson }
}

async function contactOf(boss: TestPerson, organizationId: string) {
  const payee = await organization(await person(), PRIVATE.payee)
  const { body } = await api('POST', `/organizations/${organizationId}/payment-contacts`, {
    token: boss.token,
    body: { name: PRIVATE.payee, type: 'business', destinations: [{ type: 'svc_id', svc_id: payee.svcId }] },
  })
  return { id: body.id as string, path: `/organizations/${organizationId}/approvals/${body.approval_request_id}` }
}

/** A payment that waits for two admins. */
async function payment() {
  const at = await scene()
  await fund(at.id, '100.00')
  const contact = await contactOf(at.boss, at.id)
  await decide('approve', at.first, contact.path)
  const made = await createPayment(at.boss, contact.id, PRIVATE.amount)
  return { ...at, run: `payment-${made.id}`, path: `/organizations/${at.id}/approvals/${made.approval_request_id}` }
}

/** A contact that waits for an admin. */
async function contact() {
  const at = await scene()
  const made = await contactOf(at.boss, at.id)
  return { ...at, ...made, run: `payment-contact-${made.id}` }
}

/** An invitation; `asked` where it waits for an admin first. */
async function invitation(asked: boolean) {
  const at = await scene()
  if (!asked) await owner`delete from approval_policies where organization_id = ${at.id}`
  const email = `${PRIVATE.firstName.toLowerCase()}-${randomUUID()}@example.com`
  const { body } = await api('POST', `/organizations/${at.id}/invitations/bulk`, {
    token: at.boss.token,
    body: { invitations: [{ email }] },
  })
  const invited = await person()
  await owner`update people set email = ${email} where id = ${invited.userId}`
  const [{ id, approval_request_id: approvalId }] = body
  const path = `/organizations/${at.id}/approvals/${approvalId}`
  const own = `/organizations/${at.id}/invitations/${id}`
  return { ...at, email, invited, path, own, run: `invitation-${id}` }
}

const answer = async (verb: 'accept' | 'decline', { invited, email }: Awaited<ReturnType<typeof invitation>>) =>
  api('POST', `/invitations/${verb}`, { token: invited.token, body: { token: await tokenTo(email) } })

/** Each path answers the run that took it. */
const paths: Record<string, () => Promise<string>> = {
  async 'payment-two-approvers'() {
    const at = await payment()
    await decide('approve', at.first, at.path)
    expect((await decide('approve', at.second, at.path)).body.status).toBe('approved')
    return at.run
  },
  async 'payment-voided'() {
    const at = await payment()
    await decide('approve', at.first, at.path)
    expect((await remove(at.boss, at.id, at.first.userId)).status).toBe(200)
    await decide('approve', at.second, at.path)
    expect((await decide('cancel', at.boss, at.path)).body.status).toBe('cancelled')
    return at.run
  },
  async 'payment-reminded'() {
    const at = await payment()
    await move(25 * HOUR)
    await eventually(() => tokenlessMails(at.first)).toBeGreaterThan(0)
    await decide('reject', at.first, at.path)
    return at.run
  },
  async 'payment-contact-approved'() {
    const at = await contact()
    expect((await decide('approve', at.first, at.path)).status).toBe(200)
    return at.run
  },
  /** Another default, asked for after it was approved. */
  async 'payment-contact-changed'() {
    const at = await contact()
    await decide('approve', at.first, at.path)
    await eventually(() => stateOf(at.run)).toBe('COMPLETED')
    const other = await organization(await person(), PRIVATE.payee)
    const added = await api('POST', `/payment-contacts/${at.id}/destinations`, {
      token: at.boss.token,
      body: { type: 'svc_id', svc_id: other.svcId, default: true },
    })
    expect(added.status).toBe(201)
    const { body } = await api('GET', `/payment-contacts/${at.id}`, { token: at.boss.token })
    const path = at.path.replace(/[^/]+$/, body.approval_request_id)
    expect((await decide('approve', at.first, path)).body.status).toBe('approved')
    return at.run
  },
  async 'payment-contact-rejected'() {
    const at = await contact()
    expect((await decide('reject', at.first, at.path)).status).toBe(200)
    return at.run
  },
  async 'payment-contact-expired'() {
    const at = await contact()
    await move(49 * HOUR)
    return at.run
  },
  async 'payment-contact-resumed'() {
    const at = await contact()
    await run(at.run).terminate('ended by an operator')
    await eventually(async () => (await reconcile()) + Number((await stateOf(at.run)) === 'RUNNING')).toBeGreaterThan(0)
    expect((await decide('approve', at.first, at.path)).status).toBe(200)
    return at.run
  },
  async 'invitation-accepted'() {
    const at = await invitation(false)
    expect((await answer('accept', at)).status).toBe(200)
    return at.run
  },
  async 'invitation-declined'() {
    const at = await invitation(false)
    expect((await answer('decline', at)).status).toBe(200)
    return at.run
  },
  async 'invitation-expired'() {
    const at = await invitation(false)
    await move(7 * 24 * HOUR + 1)
    return at.run
  },
  async 'invitation-sent-again'() {
    const at = await invitation(false)
    await move(6 * 24 * HOUR)
    expect((await api('POST', `${at.own}/resend`, { token: at.boss.token, body: {} })).status).toBe(200)
    await move(2 * 24 * HOUR)
    expect((await answer('accept', at)).status).toBe(200)
    return at.run
  },
  async 'invitation-deleted'() {
    const at = await invitation(false)
    expect((await api('DELETE', at.own, { token: at.boss.token })).status).toBe(200)
    return at.run
  },
  async 'invitation-approved'() {
    const at = await invitation(true)
    expect((await decide('approve', at.first, at.path)).status).toBe(200)
    expect((await answer('accept', at)).status).toBe(200)
    return at.run
  },
  async 'invitation-rejected'() {
    const at = await invitation(true)
    expect((await decide('reject', at.first, at.path)).status).toBe(200)
    return at.run
  },
}

const tokenlessMails = async ({ email }: TestPerson): Promise<number> =>
  (await owner`select count(*)::int as n from messages where recipient = ${email}`)[0]?.['n']

test.each(Object.entries(paths))('%s', async (name, walk) => {
  const workflowId = await walk()
  await eventually(() => stateOf(workflowId)).toBe('COMPLETED')
  // The shape that historyToJSON documents.
  keepHistory(name, JSON.parse(historyToJSON(await run(workflowId).fetchHistory())) as History)
})
