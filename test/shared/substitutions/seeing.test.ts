/** Views of a substitute: lists, counts, attention, permissions, sets, evaluation and reminders. */
import { describe, expect, test } from 'vitest'
import { type TestPerson, api, approvalPath, approve, createPayment } from '../../support/api.ts'
import { approvalOf } from '../../support/approvals/approvals.ts'
import { decideSet, told } from '../../support/approvals/sets.ts'
import { endSubstitution, move, nameSubstitute, substitutionScene } from '../../support/approvals/substitutions.ts'
import { mailsTo } from '../../support/identity/identity.ts'
import { changeRole } from '../../support/organizations/members.ts'
import { eventually } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

describe('a substitute', () => {
  test('finds what waits for the member in lists, counts, attention and permissions, changes none of it, and keeps what they decided', async () => {
    const { id, admin, member, payment, pay } = await substitutionScene()
    const later = await pay('6.00')
    const get = async (path: string) => (await api('GET', `/organizations/${id}${path}`, { token: member.token })).body
    expect(await get('/approvals')).toMatchObject({ data: [], pending_count: 0, can_take_action: false })
    const { body } = await nameSubstitute(admin, id, member)
    expect(await get('/approvals')).toMatchObject({ data: [{}, {}], pending_count: 2, can_take_action: true })
    expect((await get('/attention/summary')).by_kind.review_approval).toMatchObject({ total: 2, actionable: 2 })
    const items = await get('/attention?kind=review_approval&severity=action')
    expect(items.data).toHaveLength(2)
    expect(items.data[0].summary).toMatch(/\. You decide as a substitute\.$/)
    expect((await get('')).permissions).toContain('approvals.review')
    expect((await get('/payments')).data).toHaveLength(2)
    const notes = { token: member.token, body: { internal_notes: 'x' } }
    expect((await api('PATCH', `/payments/${payment.id}`, notes)).status).toBe(404)
    await approve(member, payment)
    await endSubstitution(admin, id, body.id)
    expect((await get('')).permissions).not.toContain('approvals.review')
    const ids = (await get('/approvals?status=all')).data.map((one: { approval_id: string }) => one.approval_id)
    expect(ids).toEqual([payment.approval_request_id])
    expect((await api('GET', approvalPath(later), { token: member.token })).status).toBe(404)
  })

  test('decides a set, in which each request has its own verdict', async () => {
    const { boss, id, admin, member, payment, contactId, pay } = await substitutionScene({
      steps: [{ required: 1, roles: ['admin'] }],
      self_approval: false,
    })
    const own = await createPayment(admin, contactId, '7.00')
    const more = await pay('6.00')
    await nameSubstitute(admin, id, member)
    const ids = [payment, own, more].map((one) => one.approval_request_id)
    const answer = await decideSet(member, id, ids)
    expect(told(answer)).toEqual(['approved', 'requester_cannot_approve', 'approved'])
    expect((await approvalOf(more, boss)).decisions).toMatchObject([{ on_behalf_of: admin.userId }])
  })

  test('is among the approvers that evaluate names, but makes no policy meetable that their member could not meet', async () => {
    const { boss, id, admin, other, member } = await substitutionScene({ steps: [{ required: 2, roles: ['admin'] }] })
    await nameSubstitute(admin, id, member)
    const ask = async () =>
      (
        await api('POST', `/organizations/${id}/approval-policy/evaluate`, {
          token: boss.token,
          body: { action_type: 'withdrawal', amount: { amount: '1.00', currency: 'USD' } },
        })
      ).body
    const before = await ask()
    expect(before.can_be_met).toBe(true)
    expect(before.steps[0].approvers).toContainEqual(
      expect.objectContaining({ id: member.userId, on_behalf_of: admin.userId }),
    )
    await changeRole(boss, id, other.userId, 'member')
    expect((await ask()).can_be_met).toBe(false)
  })

  test('is reminded like an approver, and told that they decide for another', async () => {
    const { id, admin, member, second } = await substitutionScene()
    await nameSubstitute(admin, id, member)
    await move(11 * 60)
    const reminders = async ({ email }: TestPerson) =>
      (await mailsTo(email)).filter(({ subject }) => subject.includes('waits for your approval'))
    await eventually(() => reminders(member)).toHaveLength(1)
    expect((await reminders(member))[0]?.text).toContain('as the substitute of another member')
    expect((await reminders(admin))[0]?.text).not.toContain('substitute')
    expect(await reminders(second)).toEqual([])
  })
})
