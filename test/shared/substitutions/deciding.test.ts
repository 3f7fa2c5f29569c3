/** Decisions of substitutes: in whose place, for what, and for what not. */
import { describe, expect, test } from 'vitest'
import { api, approvalPath, approve, createPayment } from '../../support/api.ts'
import { approvalOf, decide, outcome, setRules, statusOf } from '../../support/approvals/approvals.ts'
import { endSubstitution, move, nameSubstitute, substitutionScene } from '../../support/approvals/substitutions.ts'
import { owner } from '../../support/database.ts'
import { mailsTo } from '../../support/identity/identity.ts'
import { changeRole, remove } from '../../support/organizations/members.ts'
import { eventually } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const reasonOf = ({ status, body }: { status: number; body: any }) => [
  status,
  body.error?.type ?? body.status,
  body.error?.details?.reason,
]
test('a substitute reads and approves in the role of the member; the decision names both', async () => {
  const { boss, id, admin, member, payment } = await substitutionScene()
  expect((await approve(member, payment)).status).toBe(403)
  await nameSubstitute(admin, id, member)

  const seen = await approvalOf(payment, member)
  expect(seen).toMatchObject({ can_take_action: true, acting_for: { id: admin.userId }, blocked_by: [] })
  expect(seen.steps[0].approvers).toContainEqual({
    id: member.userId,
    name: 'Test Person',
    on_behalf_of: admin.userId,
  })
  expect((await api('GET', `/payments/${payment.id}`, { token: member.token })).status).toBe(200)
  expect(outcome(await approve(member, payment))).toEqual([200, 'approved'])
  await eventually(() => statusOf(payment.id)).toBe('succeeded')

  const decided = await approvalOf(payment, boss)
  expect(decided.decisions).toMatchObject([{ user_id: member.userId, on_behalf_of: admin.userId }])
  const [mail] = await mailsTo(admin.email)
  expect(mail?.subject).toBe('A request in "Payer" was approved on your behalf')
  expect(mail?.text).toContain(`(${member.email})`)
})

test('a step that names the member by id takes the substitute, who may also reject, which the member is told', async () => {
  const { boss, id, admin, member, pay } = await substitutionScene()
  await setRules(id, boss, [{ steps: [{ required: 1, user_ids: [admin.userId] }] }])
  const [named, rejected] = [await pay('1.00'), await pay('2.00')]
  await nameSubstitute(admin, id, member)
  expect(outcome(await approve(member, named))).toEqual([200, 'approved'])
  expect(outcome(await decide(member, rejected, 'reject'))).toEqual([200, 'rejected'])
  expect((await approvalOf(rejected, boss)).decisions).toMatchObject([
    { decision: 'reject', user_id: member.userId, on_behalf_of: admin.userId },
  ])
  expect((await mailsTo(admin.email))[0]?.subject).toBe('A request in "Payer" was rejected on your behalf')
})

describe('the place of a member is taken once', () => {
  const two = { steps: [{ required: 2, roles: ['admin'] }] }

  test('by one of their substitutes, or by themselves, but not by two', async () => {
    const { id, admin, other, member, second, payment } = await substitutionScene(two)
    for (const substitute of [member, second]) await nameSubstitute(admin, id, substitute)
    expect(outcome(await approve(member, payment))).toEqual([200, 'pending'])
    expect(reasonOf(await approve(admin, payment))).toEqual([403, 'not_an_approver', 'substitute_decided'])
    expect(reasonOf(await approve(second, payment))).toEqual([403, 'not_an_approver', 'principal_decided'])
    await nameSubstitute(other, id, member)
    expect(outcome(await approve(member, payment))).toEqual([200, 'pending']) // a repeat, as the substitute of two
    expect(outcome(await approve(other, payment))).toEqual([200, 'approved'])
  })

  test('at the same moment by the member and their substitute: exactly one counts', async () => {
    const { id, admin, member, payment, boss } = await substitutionScene(two)
    await nameSubstitute(admin, id, member)
    const answers = await Promise.all([approve(admin, payment), approve(member, payment)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
    const { steps, status } = await approvalOf(payment, boss)
    expect([status, steps[0].approved_by.length]).toEqual(['pending', 1])
  })
})

test('the database itself counts nobody twice, whatever the code above it knows of substitutes', async () => {
  const { id, admin, member, payment } = await substitutionScene({ steps: [{ required: 2, roles: ['admin'] }] })
  await nameSubstitute(admin, id, member)
  await approve(member, payment)
  for (const { userId } of [admin, member]) {
    const again = owner`
      insert into approval_decisions (decision_id, organization_id, approval_id, decision, user_id, device_id,
        approval_status, role, step, step_up_id, factor)
      select uuidv7(), organization_id, approval_id, 'approve', ${userId}, device_id, 'approved', 'admin', 0, step_up_id,
        factor
      from approval_decisions where approval_id = ${payment.approval_request_id}`
    await expect(again.execute()).rejects.toThrow('a person counts once')
  }
})

test('two who are substitutes of each other are still two people, never one twice and never four', async () => {
  const { boss, id, admin, other, payment } = await substitutionScene({ steps: [{ required: 2, roles: ['admin'] }] })
  await nameSubstitute(admin, id, other)
  await nameSubstitute(other, id, admin)
  expect(outcome(await approve(admin, payment))).toEqual([200, 'pending'])
  expect(outcome(await approve(admin, payment))).toEqual([200, 'pending'])
  expect((await approvalOf(payment, boss)).steps).toMatchObject([{ approved_by: [admin.userId] }])
  expect(outcome(await approve(other, payment))).toEqual([200, 'approved'])
})

test('a substitute of a substitute is none', async () => {
  const { id, admin, member, second, payment } = await substitutionScene()
  await nameSubstitute(admin, id, member)
  await nameSubstitute(member, id, second)
  expect((await approve(second, payment)).status).toBe(403)
  expect((await api('GET', approvalPath(payment), { token: second.token })).status).toBe(404)
})

describe('four eyes', () => {
  test('the requester approves by no substitution, and nobody for the requester', async () => {
    const { id, boss, admin, other, contactId, payment } = await substitutionScene({
      steps: [{ required: 1, roles: ['admin', 'owner'] }],
      self_approval: false,
    })
    await nameSubstitute(admin, id, boss)
    expect(reasonOf(await approve(boss, payment))).toEqual([403, 'requester_cannot_approve', undefined])
    expect((await approvalOf(payment, boss)).can_take_action).toBe(false)
    const asked = await createPayment(admin, contactId, '7.00')
    await setRules(id, boss, [
      { steps: [{ required: 1, user_ids: [admin.userId, other.userId] }], self_approval: false },
    ])
    const own = await createPayment(admin, contactId, '8.00')
    expect(reasonOf(await approve(boss, own))).toEqual([403, 'requester_cannot_approve', 'no_substitute'])
    expect(reasonOf(await decide(boss, own, 'reject'))).toEqual([403, 'not_an_approver', 'no_substitute'])
    expect(outcome(await approve(boss, asked))).toEqual([200, 'approved']) // in the own role
  })

  test('where a rule lets requesters approve, they do so in their own role, never as a substitute', async () => {
    const { boss, id, admin, contactId, payment, other } = await substitutionScene({
      steps: [{ required: 1, user_ids: [] as string[], roles: ['owner'] }],
    })
    await nameSubstitute(boss, id, admin)
    const asked = await createPayment(admin, contactId, '9.00')
    expect(reasonOf(await approve(admin, asked))).toEqual([403, 'requester_cannot_approve', 'no_substitute'])
    expect((await approvalOf(asked, admin)).can_take_action).toBe(false)
    const attention = `/organizations/${id}/attention/summary`
    const kinds = (await api('GET', attention, { token: admin.token })).body.by_kind
    expect(kinds.review_approval).toMatchObject({ total: 2, actionable: 1 })
    expect(outcome(await approve(admin, payment))).toEqual([200, 'approved']) // for the requester, whom the rule lets approve
    await nameSubstitute(boss, id, other)
    expect(outcome(await approve(other, asked))).toEqual([200, 'approved'])
  })

  test('a member whom the policy bars is represented by nobody', async () => {
    const { boss, id, admin, other, member, payment } = await substitutionScene()
    await owner`update approvals set policy = policy || ${owner.json({ barred: [admin.userId] })}
      where id = ${payment.approval_request_id}`
    await owner`update approval_waits w set wait = wait || ${owner.json({ barred: [admin.userId] })}
      from approvals a where a.wait_id = w.id and a.id = ${payment.approval_request_id}`
    await nameSubstitute(admin, id, member)
    expect(reasonOf(await approve(member, payment))).toEqual([403, 'requester_cannot_approve', 'no_substitute'])
    expect((await approvalOf(payment, boss)).steps[0].approvers.map((one: any) => one.id)).toEqual([other.userId])
  })
})

describe('what counts is the moment of the decision', () => {
  test('the substitution has begun and has not ended', async () => {
    const { id, admin, member, payment } = await substitutionScene()
    await nameSubstitute(admin, id, member, { from: 1, until: 2 })
    expect((await approve(member, payment)).status).toBe(403)
    await move(86_400 * 1.5)
    expect((await approvalOf(payment, member)).can_take_action).toBe(true)
    await move(86_400)
    expect((await approve(member, payment)).status).toBe(403)
    const { body } = await nameSubstitute(admin, id, member)
    await endSubstitution(admin, id, body.id)
    expect((await approve(member, payment)).status).toBe(403)
    await nameSubstitute(admin, id, member)
    expect(outcome(await approve(member, payment))).toEqual([200, 'approved'])
  })

  test('the role is that which the member has then; a member who leaves is represented by nobody', async () => {
    const { boss, id, admin, other, member, second, payment, pay } = await substitutionScene()
    const later = await pay('6.00')
    await nameSubstitute(admin, id, member)
    await nameSubstitute(other, id, second)
    await changeRole(boss, id, admin.userId, 'member')
    expect((await approve(member, payment)).status).toBe(403)
    await changeRole(boss, id, admin.userId, 'admin')
    expect(outcome(await approve(member, payment))).toEqual([200, 'approved'])
    await remove(boss, id, other.userId)
    expect((await approve(second, later)).status).toBe(403)
  })

  test('an approval on behalf of a member is voided with their role, and stands when the substitution ends or the substitute gets another role', async () => {
    const { boss, id, admin, member, payment } = await substitutionScene({ steps: [{ required: 2, roles: ['admin'] }] })
    const { body } = await nameSubstitute(admin, id, member)
    await approve(member, payment)
    await endSubstitution(admin, id, body.id)
    await changeRole(boss, id, member.userId, 'admin')
    await changeRole(boss, id, member.userId, 'member')
    expect((await approvalOf(payment, boss)).steps).toMatchObject([{ approved_by: [member.userId] }])
    await changeRole(boss, id, admin.userId, 'member')
    const voided = await approvalOf(payment, boss)
    expect(voided.steps).toMatchObject([{ approved_by: [] }])
    expect(voided.decisions).toMatchObject([{ on_behalf_of: admin.userId, voided_at: expect.any(String) }])
  })

  test('ending it while the substitute decides leaves either a decision before its end, or none', async () => {
    const { boss, id, admin, member, payment } = await substitutionScene()
    const { body } = await nameSubstitute(admin, id, member)
    const path = `${approvalPath(payment)}/reject`
    const [decided, ended] = await Promise.all([
      api('POST', path, { token: member.token, body: {} }),
      endSubstitution(admin, id, body.id),
    ])
    expect(ended.status).toBe(200)
    const { status } = await approvalOf(payment, boss)
    expect([decided.status, status]).toEqual(
      decided.status === 200 ? [200, 'rejected'] : [expect.any(Number), 'pending'],
    )
    const [wrong] = await owner`
      select from approval_decisions d join substitutions s on s.id = d.substitution_id
      where d.approval_id = ${payment.approval_request_id} and d.occurred_at > s.ended_at`
    expect(wrong).toBeUndefined()
  })
})

test('who is needed for a later step does not approve an earlier one for another, and the place is chosen so that steps can be met', async () => {
  const { boss, id, admin, member, pay } = await substitutionScene()
  const first = { required: 1, user_ids: [admin.userId, boss.userId] }
  await setRules(id, boss, [{ steps: [first, { required: 1, user_ids: [member.userId] }] }])
  const mine = await pay('1.00')
  await setRules(id, boss, [{ steps: [first, { required: 1, user_ids: [admin.userId] }] }])
  const theirs = await pay('2.00')
  for (const principal of [admin, boss]) await nameSubstitute(principal, id, member)
  expect(reasonOf(await approve(member, mine))).toEqual([422, 'no_eligible_approver', 'needed_later'])
  expect((await approvalOf(mine, member)).blocked_by).toEqual(['no_eligible_approver'])
  expect(outcome(await approve(member, theirs))).toEqual([200, 'pending'])
  expect((await approvalOf(theirs, boss)).decisions).toMatchObject([{ on_behalf_of: boss.userId }])
  expect(outcome(await approve(admin, theirs))).toEqual([200, 'approved'])
})
