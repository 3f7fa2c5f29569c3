import { expect, test } from 'vitest'
import { client } from '../../../temporal/client.ts'
import { type TestPerson, api, approvalPath, approve, organization, paymentBody, person } from '../../support/api.ts'
import { decide, expectAsRead, outcome, setRules } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { staffed } from '../../support/organizations/members.ts'
import { advance } from '../../support/identity/identity.ts'
import { decisionOf, eventually, record } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

type Contact = { id: string; organization_id: string; approval_request_id: string; status: string }

/** An organization whose contacts wait for an admin, with a contact that a member asked for. */
async function scene() {
  const { boss, id, staff } = await staffed('admin', 'member')
  const [admin, member] = staff
  const rule = { action_type: 'payment_contact', steps: [{ required: 1, roles: ['admin'] }], expires_after_hours: 48 }
  await setRules(id, boss, [rule])
  const payee = await organization(await person(), 'Payee')
  const ask = async (): Promise<Contact> => {
    const answer = await api('POST', `/organizations/${id}/payment-contacts`, {
      token: member.token,
      body: { name: 'New payee', type: 'business', destinations: [{ type: 'svc_id', svc_id: payee.svcId }] },
    })
    expect([answer.status, answer.body.status]).toEqual([201, 'pending_approval'])
    return answer.body
  }
  const contact = await ask()
  return { boss, admin, member, payee, ask, contact, path: approvalPath(contact) }
}

const statusOf = async ({ id }: Contact, by: TestPerson) =>
  (await api('GET', `/payment-contacts/${id}`, { token: by.token })).body.status
const pay = (by: TestPerson, { id }: Contact) =>
  api('POST', '/payments', { token: by.token, body: paymentBody(id, '1.00') })
const runOf = ({ id }: Contact) => client.workflow.getHandle(`payment-contact-${id}`)
const stateOf = async (contact: Contact) => (await runOf(contact).describe()).status.name

test('a contact is not paid before it is approved, and is paid after', async () => {
  const { boss, admin, member, payee, contact, path } = await scene()
  const early = await pay(boss, contact)
  expect(outcome(early)).toEqual([422, 'contact_not_approved'])
  expect(early.body.error.details).toEqual({ status: 'pending_approval' })
  const seen = await api('GET', path, { token: admin.token })
  expect(seen.body).toMatchObject({
    action_type: 'payment_contact',
    target_type: 'payment_contact',
    target_id: contact.id,
    can_take_action: true,
    summary: `Add the payee "New payee" (service ID ${payee.svcId}).`,
    requester: { id: member.userId },
    subject: { type: 'payment_contact', payment_contact: { name: 'New payee', destinations: [{ type: 'svc_id' }] } },
  })
  const approved = await approve(admin, contact)
  expect(approved.body).toMatchObject({ status: 'approved', subject: { payment_contact: { status: 'active' } } })
  await expectAsRead(approved, path, admin)
  expect(await statusOf(contact, boss)).toBe('active')
  await eventually(() => stateOf(contact)).toBe('COMPLETED')
  expect((await pay(boss, contact)).status).toBe(201)
})

test('a contact that is rejected, withdrawn or forgotten is put away', async () => {
  const { boss, admin, member, ask, contact, path } = await scene()
  await expectAsRead(await decide(admin, contact, 'reject', { body: { reason: 'unknown' } }), path, admin)
  expect(await statusOf(contact, boss)).toBe('archived')
  const withdrawn = await ask()
  await expectAsRead(await decide(member, withdrawn, 'cancel'), approvalPath(withdrawn), member)
  expect(await statusOf(withdrawn, boss)).toBe('archived')
  const forgotten = await ask()
  await advance(49 * 3600)
  await owner`update sessions set last_used_at = business_now(), signed_in_at = business_now()`
  await eventually(() => statusOf(forgotten, boss)).toBe('archived')
  for (const one of [contact, withdrawn, forgotten]) {
    await eventually(() => stateOf(one)).toBe('COMPLETED')
    expect(outcome(await pay(boss, one))).toEqual([422, 'contact_not_approved'])
  }
})

test('a decision that is repeated after its contact waits again ends nothing of what waits now', async () => {
  const { boss, admin, contact } = await scene()
  expect((await approve(admin, contact)).status).toBe(200)
  const [decided] = await owner`select decision_id, step_up_id from approval_decisions
    where approval_id = ${contact.approval_request_id}`
  const other = await organization(await person(), 'Another payee')
  const added = { token: boss.token, body: { type: 'svc_id', svc_id: other.svcId } }
  expect((await api('POST', `/payment-contacts/${contact.id}/destinations`, added)).status).toBe(201)
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
  expect((await approve(admin, { ...contact, approval_request_id: now?.['id'] })).status).toBe(200)
  expect(await statusOf(contact, boss)).toBe('active')
})
