import { expect, test } from 'vitest'
import { reconcile } from '../../support/partners/reconcile.ts'
import { client } from '../../../temporal/client.ts'
import { type TestPerson, api, organization, paymentBody, person, withStepUp } from '../../support/api.ts'
import { expectAsRead, joined, setRules } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { advance } from '../../support/identity/identity.ts'
import { decisionOf, endRun, eventually, record } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

type Contact = { id: string; organization_id: string; approval_request_id: string; status: string }

/** An organization whose contacts wait for an admin, with a contact that a member asked for. */
async function scene() {
  const boss = await person()
  const payeeBoss = await person()
  const [payer, payee] = [await organization(boss, 'Payer'), await organization(payeeBoss, 'Payee')]
  const [admin] = await joined(payer.id, 'admin', 1)
  const [member] = await joined(payer.id, 'member', 1)
  const rule = { action_type: 'payment_contact', steps: [{ required: 1, roles: ['admin'] }], expires_after_hours: 48 }
  await setRules(payer.id, boss, [rule])
  const contact = await ask(member!, payer.id, payee.svcId)
  return { boss, admin: admin!, member: member!, payer, payee, contact, path: pathOf(contact) }
}

async function ask(by: TestPerson, organizationId: string, svcId: string): Promise<Contact> {
  const answer = await api('POST', `/organizations/${organizationId}/payment-contacts`, {
    token: by.token,
    body: { name: 'New payee', type: 'business', destinations: [{ type: 'svc_id', svc_id: svcId }] },
  })
  expect([answer.status, answer.body.status]).toEqual([201, 'pending_approval'])
  return answer.body as Contact
}

const pathOf = (contact: Contact) =>
  `/organizations/${contact.organization_id}/approvals/${contact.approval_request_id}`
const statusOf = async ({ id }: Contact, by: TestPerson) =>
  (await api('GET', `/payment-contacts/${id}`, { token: by.token })).body.status
const pay = (by: TestPerson, { id }: Contact) =>
  api('POST', '/payments', { token: by.token, body: paymentBody(id, '1.00') })
const stateOf = async ({ id }: Contact) =>
  (await client.workflow.getHandle(`payment-contact-${id}`).describe()).status.name

test('a contact is not paid before it is approved, and is paid after', async () => {
  const { boss, admin, member, payee, contact, path } = await scene()
  const early = await pay(boss, contact)
  expect([early.status, early.body.error.type, early.body.error.details]).toEqual([
    422,
    'contact_not_approved',
    { status: 'pending_approval' },
  ])
  const seen = await api('GET', path, { token: admin.token })
  expect(seen.body).toMatchObject({
    action_type: 'payment_contact',
    target_type: 'payment_contact',
    target_id: contact.id,
    can_take_action: true,
    summary: `Payment contact "New payee": service ID ${payee.svcId}`,
    requester: { id: member.userId },
    subject: { type: 'payment_contact', payment_contact: { name: 'New payee', destinations: [{ type: 'svc_id' }] } },
  })
  const approved = await withStepUp('POST', `${path}/approve`, { token: admin.token, body: {} })
  expect(approved.body).toMatchObject({ status: 'approved', subject: { payment_contact: { status: 'active' } } })
  await expectAsRead(approved, path, admin)
  expect(await statusOf(contact, boss)).toBe('active')
  await eventually(() => stateOf(contact)).toBe('COMPLETED')
  expect((await pay(boss, contact)).status).toBe(201)
})

test('a contact that is rejected, withdrawn or forgotten is put away', async () => {
  const { boss, admin, member, payer, payee, contact, path } = await scene()
  await expectAsRead(
    await api('POST', `${path}/reject`, { token: admin.token, body: { reason: 'unknown' } }),
    path,
    admin,
  )
  expect(await statusOf(contact, boss)).toBe('archived')
  const withdrawn = await ask(member, payer.id, payee.svcId)
  const cancelled = await api('POST', `${pathOf(withdrawn)}/cancel`, { token: member.token, body: {} })
  await expectAsRead(cancelled, pathOf(withdrawn), member)
  expect(await statusOf(withdrawn, boss)).toBe('archived')
  const forgotten = await ask(member, payer.id, payee.svcId)
  await advance(49 * 3600)
  await owner`update sessions set last_used_at = business_now(), signed_in_at = business_now()`
  await eventually(() => statusOf(forgotten, boss)).toBe('archived')
  for (const one of [contact, withdrawn, forgotten]) {
    await eventually(() => stateOf(one)).toBe('COMPLETED')
    expect((await pay(boss, one)).body.error.type).toBe('contact_not_approved')
  }
})

test('a run that an operator ended is started again by the reconciler, or by the decision itself', async () => {
  const { boss, admin, member, payer, payee, contact } = await scene()
  const other = await ask(member, payer.id, payee.svcId)
  for (const one of [contact, other]) await endRun(`payment-contact-${one.id}`)
  expect((await withStepUp('POST', `${pathOf(contact)}/approve`, { token: admin.token, body: {} })).body.status).toBe(
    'approved',
  )
  await eventually(async () => (await reconcile()) + Number((await stateOf(other)) === 'RUNNING')).toBeGreaterThan(0)
  await eventually(() => stateOf(other)).toBe('RUNNING')
  expect(await statusOf(other, boss)).toBe('pending_approval')
})

test('an operator reads who a contact waits for, since when and until when, and no name', async () => {
  const { contact } = await scene()
  const run = client.workflow.getHandle(`payment-contact-${contact.id}`)
  const read = async () => (await run.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails
  await eventually(read).toMatch(
    /^Waits for approval since \d{4}-\d\d-\d\d \d\d:\d\d UTC, until [^:]+:\d\d UTC: step 1 of 1: 1 more of admin\.$/,
  )
  const { searchAttributes } = await run.describe()
  expect(searchAttributes).toMatchObject({
    OrganizationId: [contact.organization_id],
    BusinessStatus: ['pending_approval'],
  })
})

test('a decision that is repeated after its contact waits again ends nothing of what waits now', async () => {
  const { boss, admin, contact, path } = await scene()
  expect((await withStepUp('POST', `${path}/approve`, { token: admin.token, body: {} })).status).toBe(200)
  const [decided] = await owner`select decision_id, step_up_id from approval_decisions
    where approval_id = ${contact.approval_request_id}`
  const other = await organization(await person(), 'Another payee')
  const body = { type: 'svc_id', svc_id: other.svcId }
  expect((await api('POST', `/payment-contacts/${contact.id}/destinations`, { token: boss.token, body })).status).toBe(
    201,
  )
  await eventually(() => stateOf(contact)).toBe('RUNNING')
  const decision = await decisionOf(admin, contact, decided?.['step_up_id'])
  const repeated = {
    ...decision,
    claim: { ...decision.claim, id: decided?.['decision_id'] },
    approval: { ...decision.approval, target_type: 'payment_contact' },
  } as const
  expect(await record(repeated)).toMatchObject({
    status: 'approved',
    subject: { payment_contact: { status: 'pending_approval' } },
  })
  expect([await stateOf(contact), await statusOf(contact, boss)]).toEqual(['RUNNING', 'pending_approval'])
  const [now] = await owner`select approval_request_id as id from payment_contacts where id = ${contact.id}`
  const second = pathOf({ ...contact, approval_request_id: now?.['id'] })
  expect((await withStepUp('POST', `${second}/approve`, { token: admin.token, body: {} })).status).toBe(200)
  expect(await statusOf(contact, boss)).toBe('active')
})
