/** Members review approvals only while a policy or an open approval names them. */
import { describe, expect, test } from 'vitest'
import { PERMISSIONS, permissionsOf } from '../../../domain/permissions.ts'
import { type TestPerson, api, approve, createPayment, join, organization, payerAndPayee } from '../../support/api.ts'
import { approvalOf, decide, outcome, staffedPayer, statusOf } from '../../support/approvals/approvals.ts'
import { staffed } from '../../support/organizations/members.ts'
import { rule, setPolicy } from '../../support/approvals/policies.ts'
import { useWorker } from '../../support/worker.ts'
import { fullRefusal } from '../../support/http/refusals.ts'

useWorker()

const FORBIDDEN = [403, 'forbidden', { permission: 'approvals.review' }]
const NOT_FOUND = { error: { type: 'not_found' } }
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
  const world = await staffedPayer('member', 'member')
  const [named, unnamed] = world.staff
  return { ...world, named, unnamed }
}

describe('the permissions of an organization', () => {
  test('hold approvals.review, in the order of the contract, for whom a policy in force names', async () => {
    const { id, boss, staff } = await staffed('member', 'member', 'admin')
    const [named, unnamed, admin] = staff
    const other = await organization(boss, 'Other')
    await join(other.id, named, 'member')
    const seen = async () => Promise.all([named, unnamed, admin, boss].map((somebody) => permissions(somebody, id)))
    expect(await seen()).toEqual([plain, plain, PERMISSIONS, PERMISSIONS])
    await setPolicy(boss, id, byName(named))
    expect(await seen()).toEqual([reviewing, plain, PERMISSIONS, PERMISSIONS])
    expect(await permissions(named, other.id)).toEqual(plain) // named in one is not named in another
    await setPolicy(boss, id, rule({ action_type: 'payment_contact', steps: [{ required: 1, roles: ['member'] }] }))
    expect(await seen()).toEqual([reviewing, reviewing, PERMISSIONS, PERMISSIONS])
    await setPolicy(boss, id)
    expect(await seen()).toEqual([plain, plain, PERMISSIONS, PERMISSIONS])
  })
})

describe('a member who is named', () => {
  test('sees what names them and approves it; who is not named does neither', async () => {
    const { id, boss, named, unnamed, pay } = await payer()
    const before = await pay() // under the default, which names no member
    await setPolicy(boss, id, byName(named))
    const payment = await pay()
    const seen = { ids: [payment.approval_request_id], pending_count: 1, can_take_action: true }
    expect(await listed(named, id)).toEqual(seen)
    expect(await listed(unnamed, id)).toEqual({ ids: [], pending_count: 0, can_take_action: false })
    expect(await listed(boss, id)).toMatchObject({ pending_count: 2, can_take_action: true })
    expect(await approvalOf(payment, named)).toMatchObject({ can_take_action: true, blocked_by: [] })
    expect(await approvalOf(before, named)).toMatchObject(NOT_FOUND)
    expect(await approvalOf(payment, unnamed)).toMatchObject(NOT_FOUND)

    expect(fullRefusal(await approve(unnamed, payment))).toEqual(FORBIDDEN)
    expect(fullRefusal(await decide(unnamed, payment, 'reject'))).toEqual(FORBIDDEN)
    expect((await approve(named, before)).status).toBe(404)
    // an owner may review, but this policy names another person
    const blocked = { can_take_action: false, blocked_by: ['not_an_approver'] }
    expect(await approvalOf(payment, boss)).toMatchObject(blocked)
    expect(outcome(await approve(boss, payment))).toEqual([403, 'not_an_approver'])
    expect(outcome(await decide(boss, payment, 'reject'))).toEqual([403, 'not_an_approver'])

    const approved = await approve(named, payment)
    expect([approved.status, approved.body]).toMatchObject([
      200,
      { status: 'approved', approver: { id: named.userId } },
    ])
    expect(await statusOf(payment.id)).toBe('succeeded')
    expect(await listed(named, id)).toEqual({ ids: [], pending_count: 0, can_take_action: false })
    expect((await listed(named, id, '?status=all')).ids).toEqual(seen.ids)
    expect(outcome(await approve(named, payment))).toEqual([200, 'approved'])
  })

  test('by their role is every member, and an approval names who asked too', async () => {
    const { id, boss, contactId, named, unnamed } = await payer()
    const steps = [{ required: 1, roles: ['member'] }]
    await setPolicy(boss, id, rule({ steps, self_approval: false }))
    const payment = await createPayment(named, contactId, '6.00')
    expect(await listed(named, id)).toMatchObject({ pending_count: 1, can_take_action: false })
    expect(await listed(unnamed, id)).toMatchObject({ pending_count: 1, can_take_action: true })
    expect((await approvalOf(payment, named)).blocked_by).toEqual(['requester_cannot_approve'])
    expect(outcome(await approve(named, payment))).toEqual([403, 'requester_cannot_approve'])
    expect(outcome(await approve(unnamed, payment))).toEqual([200, 'approved'])
  })

  test('keeps what waits under the old policy, and nothing once neither names them', async () => {
    const { id, boss, named, pay } = await payer()
    await setPolicy(boss, id, byName(named))
    const [one, other] = [await pay(), await pay()]
    await setPolicy(boss, id, byName(boss))
    const later = await pay()

    expect(await permissions(named, id)).toEqual(reviewing)
    expect(await listed(named, id)).toMatchObject({ pending_count: 2, can_take_action: true })
    expect(await approvalOf(later, named)).toMatchObject(NOT_FOUND)
    expect(outcome(await approve(named, one))).toEqual([200, 'approved'])
    expect(await permissions(named, id)).toEqual(reviewing)
    const rejected = await decide(named, other, 'reject') // without a step-up
    expect([rejected.status, rejected.body]).toMatchObject([
      200,
      { status: 'rejected', approver: { id: named.userId } },
    ])

    expect(await permissions(named, id)).toEqual(plain)
    expect(fullRefusal(await approve(named, later))).toEqual(FORBIDDEN)
    expect(fullRefusal(await decide(named, later, 'reject'))).toEqual(FORBIDDEN)
    expect(outcome(await approve(boss, later))).toEqual([200, 'approved'])
  })

  test('reads the payments that they review, and no others', async () => {
    const { id, boss, named, pay } = await payer()
    const before = await pay()
    await setPolicy(boss, id, byName(named))
    const payment = await pay()
    const read = (path: string) => api('GET', path, { token: named.token })
    expect((await read(`/payments/${payment.id}`)).body.id).toBe(payment.id)
    expect((await read(`/payments/${payment.id}/events`)).status).toBe(200)
    expect((await read(`/payments/${before.id}`)).status).toBe(404)
    expect((await read(`/organizations/${id}/payments`)).body.data).toMatchObject([{ id: payment.id }])
  })
})

test('a list says of each request what it takes, if the caller can decide it, and its warnings if they are asked for', async () => {
  const { payer, boss, contactId } = await payerAndPayee('100.00')
  const payment = await createPayment(boss, contactId, '5.00')
  const id = payment.approval_request_id
  const path = `/organizations/${payer.id}/approvals`
  const rows = async (query: string) => (await api('GET', `${path}${query}`, { token: boss.token })).body.data
  const [plain] = await rows('')
  const { body: detail } = await api('GET', `${path}/${id}`, { token: boss.token })
  const { expires_at, can_take_action, warnings } = detail
  expect(plain).toMatchObject({
    expires_at,
    can_take_action,
    warnings: null,
    money: null,
  })
  const money = { amount: '5.00', currency: 'USD' }
  expect((await rows('?with_warnings=true'))[0]).toMatchObject({ warnings, money })
  expect(warnings).toEqual(['first_payment'])
  expect(await rows('?q=5.00')).toHaveLength(1)
  expect(await rows('?q=nobody')).toEqual([])
  await decide(boss, payment, 'reject')
  expect((await rows('?status=rejected&with_warnings=true'))[0]).toMatchObject({
    can_take_action: false,
    money: null,
    warnings: [],
  })
})
