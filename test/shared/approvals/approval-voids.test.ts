import { expect, test } from 'vitest'
import { approve, createPayment, join } from '../../support/api.ts'
import { approvalOf, decide, outcome, setRules, staffedPayer, statusOf } from '../../support/approvals/approvals.ts'
import { reserved } from '../../support/approvals/sets.ts'
import { owner } from '../../support/database.ts'
import { changeRole, leave, remove, staffOf } from '../../support/organizations/members.ts'
import { eventually, runOf } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const ADMINS = ['admin', 'admin', 'admin'] as const

/** A payment of 40.00 that needs two of the people with these roles, and some admins. */
async function scene(count = 3, roles = ['admin']) {
  const world = await staffedPayer(...ADMINS.slice(0, count))
  await setRules(world.id, world.boss, [{ steps: [{ required: 2, roles }] }])
  const [first, second, third] = world.staff
  return { ...world, payment: await world.pay('40.00'), first: first!, second: second!, third: third! }
}
const detailsOf = async (payment: { id: string }) =>
  (await runOf(payment).query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails

test('the approval of who is removed counts no more: another one is asked for before money moves', async () => {
  const { boss, id, payment, first, second, third } = await scene()
  expect(outcome(await approve(first, payment))).toEqual([200, 'pending'])
  expect((await approvalOf(payment, boss)).steps).toMatchObject([{ approved_by: [first.userId], status: 'open' }])
  await eventually(() => detailsOf(payment)).toContain('step 1 of 1: 1 more of admin')

  expect((await remove(boss, id, first.userId)).status).toBe(200)
  await eventually(() => detailsOf(payment)).toContain('step 1 of 1: 2 more of admin')
  expect(await approvalOf(payment, boss)).toMatchObject({
    steps: [{ approved_by: [], status: 'open', approvers: [{ id: second.userId }, { id: third.userId }] }],
    decisions: [{ user_id: first.userId, decision: 'approve', voided_at: expect.any(String) }],
  })

  expect(outcome(await approve(second, payment))).toEqual([200, 'pending'])
  expect(await statusOf(payment.id)).toBe('awaiting_approval')
  expect(outcome(await approve(third, payment))).toEqual([200, 'approved'])
  await eventually(() => statusOf(payment.id)).toBe('succeeded')
})

test.each([
  [
    'a role that comes back',
    async ({ boss, id, first }: Awaited<ReturnType<typeof scene>>) => {
      await changeRole(boss, id, first.userId, 'member')
      await changeRole(boss, id, first.userId, 'admin')
    },
  ],
  [
    'who left and joined again',
    async ({ id, first }: Awaited<ReturnType<typeof scene>>) => {
      await leave(first, id)
      await join(id, first, 'admin')
    },
  ],
])('%s brings no approval back, and may approve again', async (_, comeBack) => {
  const world = await scene()
  await approve(world.first, world.payment)
  await comeBack(world)
  expect(outcome(await approve(world.second, world.payment))).toEqual([200, 'pending'])
  expect(outcome(await approve(world.first, world.payment))).toEqual([200, 'approved'])
})

test('a change that leaves the step within reach voids nothing', async () => {
  const { boss, id, payment, first, second } = await scene(2, ['admin', 'owner'])
  await approve(first, payment)
  await changeRole(boss, id, first.userId, 'owner')
  expect(outcome(await approve(second, payment))).toEqual([200, 'approved'])
})

test('what nobody can approve any more says so, is rejected by nobody, and is withdrawn by its requester', async () => {
  const { boss, id, payment, first, second } = await scene(2)
  await remove(boss, id, first.userId)
  expect((await approvalOf(payment, boss)).blocked_by).toContain('no_eligible_approver')
  expect((await approvalOf(payment, second)).blocked_by).toEqual(['no_eligible_approver'])
  expect(outcome(await decide(boss, payment, 'reject'))).toEqual([403, 'not_an_approver'])
  expect(outcome(await decide(boss, payment, 'cancel'))).toEqual([200, 'cancelled'])
  await eventually(() => statusOf(payment.id)).toBe('cancelled')
})

test('an owner withdraws what somebody else asked for only where it is stranded, or they left', async () => {
  const { boss, id, contactId, first, second } = await scene(2)
  const [member, leaver] = await staffOf(id, 'member', 'member')
  const [payment, left] = [await createPayment(member, contactId), await createPayment(leaver, contactId)]
  for (const one of [boss, second]) expect(outcome(await decide(one, payment, 'cancel'))).toEqual([403, 'forbidden'])
  await leave(leaver, id)
  expect(outcome(await decide(boss, left, 'cancel'))).toEqual([200, 'cancelled'])
  await remove(boss, id, first.userId)
  expect(outcome(await decide(second, payment, 'cancel'))).toEqual([200, 'cancelled'])
})

test('a last approval and the removal of the first approver at once: money moves by two who still counted, or not', async () => {
  const scenes = await Promise.all(Array.from({ length: 6 }, () => scene()))
  await Promise.all(scenes.map(({ first, payment }) => approve(first, payment)))
  await Promise.all(
    scenes.flatMap(({ boss, id, payment, first, second }) => [
      approve(second, payment),
      remove(boss, id, first.userId),
    ]),
  )
  for (const { payment, boss, id } of scenes) {
    const { status, decisions } = await approvalOf(payment, boss)
    expect(decisions.filter((one: any) => one.voided_at === null)).toHaveLength(status === 'approved' ? 2 : 1)
    expect(await reserved([payment])).toBe(status === 'approved' ? 1 : 0)
    expect(await owner`select from members where organization_id = ${id}`).toHaveLength(3)
  }
})
