/** Members review approvals only while a policy or an open approval names them. */
import { describe, expect, test } from 'vitest'
import { PERMISSIONS, permissionsOf } from '../../../domain/permissions.ts'
import {
  type TestPerson,
  api,
  approvalPath,
  approve,
  createPayment,
  join,
  organization,
  payerAndPayee,
  person,
  withStepUp,
} from '../../support/api.ts'
import { changeRole, staffed } from '../../support/organizations/members.ts'
import { rule, setPolicy } from '../../support/approvals/policies.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

type Payment = { id: string; organization_id: string; approval_request_id: string }

const refusal = (answer: { status: number; body: any }) => [
  answer.status,
  answer.body.error?.type,
  answer.body.error?.details,
]
const FORBIDDEN = [403, 'forbidden', { permission: 'approvals.review' }]
const reject = ({ token }: TestPerson, payment: Payment) =>
  api('POST', `${approvalPath(payment)}/reject`, { token, body: {} })
const detail = ({ token }: TestPerson, payment: Payment) => api('GET', approvalPath(payment), { token })
const listed = async ({ token }: TestPerson, organizationId: string, query = '') => {
  const { body } = await api('GET', `/organizations/${organizationId}/approvals${query}`, { token })
  const ids: string[] = body.data.map((one: { approval_id: string }) => one.approval_id)
  return { ids, pending_count: body.pending_count, can_take_action: body.can_take_action }
}

/** Reads the permissions by both operations, which must agree. */
async function permissions({ token }: TestPerson, organizationId: string): Promise<string[]> {
  const one = await api('GET', `/organizations/${organizationId}`, { token })
  const all = await api('GET', '/organizations?limit=100', { token })
  const found = all.body.data.find(({ id }: { id: string }) => id === organizationId)
  expect(found.permissions).toEqual(one.body.permissions)
  return one.body.permissions as string[]
}
const plain = [...permissionsOf('member')]
const reviewing = PERMISSIONS.filter((key) => key === 'approvals.review' || plain.includes(key))

const byName = (somebody: TestPerson) => rule({ steps: [{ required: 1, user_ids: [somebody.userId] }] })

async function payer() {
  const world = await payerAndPayee('100.00')
  const [named, unnamed] = [await person(), await person()]
  await join(world.payer.id, named, 'member')
  await join(world.payer.id, unnamed, 'member')
  return { ...world, id: world.payer.id, named, unnamed }
}

describe('the permissions of an organization', () => {
  test('hold approvals.review, in the order of the contract, for whom a policy in force names', async () => {
    const { id, boss, staff } = await staffed('member', 'member')
    const [named, unnamed] = staff as [TestPerson, TestPerson]
    expect(await permissions(named, id)).toEqual(plain)
    await setPolicy(boss, id, byName(named))
    expect(await permissions(named, id)).toEqual(reviewing)
    expect(await permissions(unnamed, id)).toEqual(plain)
    expect(await permissions(boss, id)).toEqual(PERMISSIONS)
    await setPolicy(boss, id, rule({ action_type: 'payment_contact', steps: [{ required: 1, roles: ['member'] }] }))
    expect(await permissions(unnamed, id)).toEqual(reviewing)
    await setPolicy(boss, id)
    expect(await permissions(named, id)).toEqual(plain)
    expect(await permissions(unnamed, id)).toEqual(plain)
  })

  test('are those of each organization: named in one is not named in another', async () => {
    const { id, boss, staff } = await staffed('member')
    const [named] = staff as [TestPerson]
    const other = await organization(boss, 'Other')
    await join(other.id, named, 'member')
    await setPolicy(boss, id, byName(named))
    expect(await permissions(named, id)).toEqual(reviewing)
    expect(await permissions(named, other.id)).toEqual(plain)
  })

  test('of an admin stay what they are, whoever is named', async () => {
    const { id, boss, staff } = await staffed('admin')
    await setPolicy(boss, id, byName(boss))
    expect(await permissions(staff[0] as TestPerson, id)).toEqual(PERMISSIONS)
  })
})

describe('a member who is named', () => {
  test('sees what names them and approves it; who is not named does neither', async () => {
    const { id, boss, contactId, named, unnamed } = await payer()
    const before = await createPayment(boss, contactId, '5.00') // under the default, which names no member
    await setPolicy(boss, id, byName(named))
    const payment = await createPayment(boss, contactId, '6.00')

    const seen = { ids: [payment.approval_request_id], pending_count: 1, can_take_action: true }
    expect(await listed(named, id)).toEqual(seen)
    expect(await listed(unnamed, id)).toEqual({ ids: [], pending_count: 0, can_take_action: false })
    expect(await listed(boss, id)).toMatchObject({ pending_count: 2, can_take_action: true })
    expect((await detail(named, payment)).body).toMatchObject({ can_take_action: true, blocked_by: [] })
    expect((await detail(named, before)).status).toBe(404)
    expect((await detail(unnamed, payment)).status).toBe(404)

    expect(refusal(await approve(unnamed, payment))).toEqual(FORBIDDEN)
    expect(refusal(await reject(unnamed, payment))).toEqual(FORBIDDEN)
    expect((await approve(named, before)).status).toBe(404)
    // an owner may review, but this policy names another person
    expect((await detail(boss, payment)).body).toMatchObject({
      can_take_action: false,
      blocked_by: ['not_an_approver'],
    })
    expect(refusal(await approve(boss, payment)).slice(0, 2)).toEqual([403, 'not_an_approver'])
    expect(refusal(await reject(boss, payment)).slice(0, 2)).toEqual([403, 'not_an_approver'])

    const approved = await approve(named, payment)
    expect([approved.status, approved.body.status, approved.body.approver.id]).toEqual([200, 'approved', named.userId])
    expect((await api('GET', `/payments/${payment.id}`, { token: boss.token })).body.status).toBe('succeeded')
    expect(await listed(named, id)).toEqual({ ids: [], pending_count: 0, can_take_action: false })
    expect((await listed(named, id, '?status=all')).ids).toEqual(seen.ids)
    expect((await approve(named, payment)).body.status).toBe('approved')
  })

  test('rejects without a step-up', async () => {
    const { id, boss, contactId, named } = await payer()
    await setPolicy(boss, id, byName(named))
    const payment = await createPayment(boss, contactId, '6.00')
    const rejected = await reject(named, payment)
    expect([rejected.status, rejected.body.status, rejected.body.approver.id]).toEqual([200, 'rejected', named.userId])
  })

  test('by their role is every member, and an approval names who asked too', async () => {
    const { id, boss, contactId, named, unnamed } = await payer()
    const steps = [{ required: 1, roles: ['member'] }]
    await setPolicy(boss, id, rule({ steps, self_approval: false }))
    const payment = await createPayment(named, contactId, '6.00')
    expect(await listed(named, id)).toMatchObject({ pending_count: 1, can_take_action: false })
    expect(await listed(unnamed, id)).toMatchObject({ pending_count: 1, can_take_action: true })
    expect((await detail(named, payment)).body.blocked_by).toEqual(['requester_cannot_approve'])
    expect(refusal(await approve(named, payment)).slice(0, 2)).toEqual([403, 'requester_cannot_approve'])
    expect((await approve(unnamed, payment)).body.status).toBe('approved')
  })

  test('keeps what waits under the old policy, and nothing once neither names them', async () => {
    const { id, boss, contactId, named } = await payer()
    await setPolicy(boss, id, byName(named))
    const [one, other] = [await createPayment(boss, contactId, '6.00'), await createPayment(boss, contactId, '7.00')]
    await setPolicy(boss, id, byName(boss))
    const later = await createPayment(boss, contactId, '8.00')

    expect(await permissions(named, id)).toEqual(reviewing)
    expect(await listed(named, id)).toMatchObject({ pending_count: 2, can_take_action: true })
    expect((await detail(named, later)).status).toBe(404)
    expect((await approve(named, one)).body.status).toBe('approved')
    expect(await permissions(named, id)).toEqual(reviewing)
    expect((await reject(named, other)).body.status).toBe('rejected')

    expect(await permissions(named, id)).toEqual(plain)
    expect(refusal(await approve(named, later))).toEqual(FORBIDDEN)
    expect(refusal(await reject(named, later))).toEqual(FORBIDDEN)
    expect((await approve(boss, later)).body.status).toBe('approved')
  })

  test('reads the payments that they review, and no others', async () => {
    const { id, boss, contactId, named } = await payer()
    const before = await createPayment(boss, contactId, '5.00')
    await setPolicy(boss, id, byName(named))
    const payment = await createPayment(boss, contactId, '6.00')
    const read = (path: string) => api('GET', path, { token: named.token })
    expect((await read(`/payments/${payment.id}`)).body.id).toBe(payment.id)
    expect((await read(`/payments/${payment.id}/events`)).status).toBe(200)
    expect((await read(`/payments/${before.id}`)).status).toBe(404)
    const { data } = (await read(`/organizations/${id}/payments`)).body
    expect(data.map((one: { id: string }) => one.id)).toEqual([payment.id])
  })

  test('stays named as an admin, and by name as a member again', async () => {
    const { id, boss, contactId, named } = await payer()
    await setPolicy(boss, id, byName(named))
    const payment = await createPayment(boss, contactId, '6.00')
    await changeRole(boss, id, named.userId, 'admin')
    expect((await detail(named, payment)).body.can_take_action).toBe(true)
    await changeRole(boss, id, named.userId, 'member')
    expect((await approve(named, payment)).body.status).toBe('approved')
  })

  test('of another organization only is nobody here', async () => {
    const { id, boss, contactId, named } = await payer()
    const stranger = await person()
    const elsewhere = await organization(stranger)
    await setPolicy(stranger, elsewhere.id, byName(stranger))
    await setPolicy(boss, id, byName(named))
    const payment = await createPayment(boss, contactId, '6.00')
    expect((await approve(stranger, payment)).status).toBe(404)
    const crossed = await withStepUp(
      'POST',
      `/organizations/${elsewhere.id}/approvals/${payment.approval_request_id}/approve`,
      { token: stranger.token, body: {} },
    )
    expect(crossed.status).toBe(404)
  })
})
