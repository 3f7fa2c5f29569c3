/** Payments under policies of several steps, end to end: who may act when, and the outcome. */
import { describe, expect, test } from 'vitest'
import { api, approve, createPayment, join } from '../../support/api.ts'
import { approvalOf, decide, outcome, setRules, staffedPayer, statusOf } from '../../support/approvals/approvals.ts'
import { fullScale } from '../../support/model-runs.ts'
import { owner } from '../../support/database.ts'
import { type Payment, earnStepUp, eventually, runOf, stateOf } from '../../support/runs/runs.ts'
import { rule, setPolicy } from '../../support/approvals/policies.ts'
import { useWorker } from '../../support/worker.ts'
import { reserved } from '../../support/approvals/sets.ts'
import { changeRole, leave, remove, staffOf } from '../../support/organizations/members.ts'

useWorker()

const stepsOf = ({ steps }: any) => steps.map((step: any) => `${step.status} ${step.approved_by.length}`)
const approversOf = ({ steps }: any) => steps.map((step: any) => step.approvers.map((one: any) => one.id))
const recorded = async ({ approval_request_id: id }: Payment) =>
  (await owner`select from approval_decisions where approval_id = ${id} and decision = 'approve'`).length
const proofs = async (id: string) => [...(await owner`select status from step_ups where user_id = ${id}`)]
const moneyOf = async (payment: Payment) => [
  await statusOf(payment.id),
  ...(await owner`select key from ledger_transfers where key like ${`payment:${payment.id}:%`} order by key`).map(
    (row) => row['key'].split(':')[2],
  ),
]

describe('two steps', () => {
  const steps = [
    { required: 1, roles: ['admin'] },
    { required: 1, roles: ['owner'] },
  ]

  test('act in order: the second waits for the first, and money moves with the last approval', async () => {
    const { boss, id, staff, pay } = await staffedPayer('admin', 'admin')
    const [admin, other] = staff
    await setPolicy(boss, id, rule({ steps }))
    const payment = await pay()
    const asked = await approvalOf(payment, boss)
    expect(asked).toMatchObject({ can_take_action: false, blocked_by: ['not_an_approver'] })
    expect(stepsOf(asked)).toEqual(['open 0', 'waiting 0'])
    expect(approversOf(asked)).toEqual([[admin.userId, other.userId], [boss.userId]])
    expect(outcome(await approve(boss, payment))).toEqual([403, 'not_an_approver'])

    expect(outcome(await approve(admin, payment))).toEqual([200, 'pending'])
    expect(await moneyOf(payment)).toEqual(['awaiting_approval'])
    const half = await approvalOf(payment, admin)
    expect(half).toMatchObject({ can_take_action: false, blocked_by: [] })
    expect(stepsOf(half)).toEqual(['met 1', 'open 0'])
    expect(approversOf(half)).toEqual([[], [boss.userId]])
    expect(outcome(await approve(other, payment))).toEqual([403, 'not_an_approver'])

    expect(outcome(await approve(boss, payment))).toEqual([200, 'approved'])
    expect(await moneyOf(payment)).toEqual(['succeeded', 'reserve', 'settle'])
    const done = await approvalOf(payment, boss)
    expect(stepsOf(done)).toEqual(['met 1', 'met 1'])
    expect(approversOf(done)).toEqual([[], []])
    expect(done).toMatchObject({ blocked_by: ['approval_already_processed'], approver: { id: boss.userId } })
    expect(done.decisions).toMatchObject([
      { user_id: admin.userId, step: 0 },
      { user_id: boss.userId, step: 1 },
    ])
    await eventually(() => stateOf(payment)).toBe('COMPLETED')
  })

  test('any of the named rejects at any time, also before their step and after their approval', async () => {
    const { boss, id, staff, pay } = await staffedPayer('admin')
    await setPolicy(boss, id, rule({ steps }))
    const [early, late] = [await pay(), await pay()]
    const rejected = await decide(boss, early, 'reject', { body: { reason: 'twice' } })
    expect([...outcome(rejected), rejected.body.rejection_reason]).toEqual([200, 'rejected', 'twice'])
    expect(stepsOf(await approvalOf(early, boss))).toEqual(['closed 0', 'closed 0'])
    expect(outcome(await approve(staff[0], late))).toEqual([200, 'pending'])
    expect(outcome(await decide(staff[0], late, 'reject'))).toEqual([200, 'rejected'])
    for (const payment of [early, late]) {
      expect(await moneyOf(payment)).toEqual(['cancelled'])
      await eventually(() => stateOf(payment)).toBe('COMPLETED')
    }
  })

  test('who alone can give a later step does not use themselves up on an earlier one', async () => {
    const { boss, id, staff, pay } = await staffedPayer('admin')
    await setRules(id, boss, [{ steps: [{ required: 1, roles: ['owner', 'admin'] }, steps[1]!] }])
    const payment = await pay()
    expect((await approvalOf(payment, boss)).blocked_by).toEqual(['no_eligible_approver'])
    const eager = await approve(boss, payment)
    expect(outcome(eager)).toEqual([422, 'no_eligible_approver'])
    expect(eager.body.error.details).toEqual({ reason: 'needed_later' })
    expect((await approvalOf(payment, staff[0])).blocked_by).toEqual([])
    expect(outcome(await approve(staff[0], payment))).toEqual([200, 'pending'])
    expect((await approvalOf(payment, boss)).blocked_by).toEqual([])
    expect(outcome(await approve(boss, payment))).toEqual([200, 'approved'])
  })
})

describe('several people', () => {
  test('one person counts once: the second time answers the pending approval, and asks for and uses up nothing', async () => {
    const { boss, id, pay } = await staffedPayer('owner')
    const owners = (required: number) => ({ required, roles: ['owner'] })
    for (const steps of [[owners(2)], [owners(1), owners(1)]]) {
      await setPolicy(boss, id, rule({ steps }))
      const payment = await pay()
      expect(outcome(await approve(boss, payment))).toEqual([200, 'pending'])
      const before = await proofs(boss.userId)
      const again = await Promise.all(Array.from({ length: 5 }, () => decide(boss, payment, 'approve')))
      expect(again.map(outcome)).toEqual(Array(5).fill([200, 'pending']))
      expect(await proofs(boss.userId)).toEqual(before)
      expect(await recorded(payment)).toBe(1)
    }
  })

  test.each([1, 3])(
    'many at once on a step of %i: no more approvals are recorded, and money moves once',
    async (few) => {
      const { boss, id, staff, pay } = await staffedPayer(...Array<'admin'>(fullScale ? 50 : 6).fill('admin'))
      await setPolicy(boss, id, rule({ steps: [{ required: few, roles: ['admin'] }] }))
      const payment = await pay('60.00')
      await Promise.all(staff.map((admin) => earnStepUp(admin, payment)))
      const answers = await Promise.all(staff.map((admin) => decide(admin, payment, 'approve')))
      const lost = answers.filter(({ status }) => status !== 200)
      expect(lost).toHaveLength(staff.length - few)
      expect(new Set(lost.map((answer) => outcome(answer).join()))).toEqual(new Set(['409,approval_already_processed']))
      expect(await recorded(payment)).toBe(few)
      expect(await moneyOf(payment)).toEqual(['succeeded', 'reserve', 'settle'])
      const used = await owner`select from step_ups where status = 'consumed'
      and target like ${`approval:${payment.approval_request_id}:%`}`
      expect(used).toHaveLength(few)
      expect(stepsOf(await approvalOf(payment, boss))).toEqual([`met ${few}`])
      await eventually(() => stateOf(payment)).toBe('COMPLETED')
    },
  )
})

describe('four eyes', () => {
  test('the requester does not approve, but rejects; another person approves', async () => {
    const { boss, id, staff, pay } = await staffedPayer('admin')
    await setPolicy(boss, id, rule({ self_approval: false }))
    const [payment, other] = [await pay(), await pay()]
    expect(outcome(await approve(boss, payment))).toEqual([403, 'requester_cannot_approve'])
    const blocked_by = ['requester_cannot_approve']
    const seen = await approvalOf(payment, boss)
    expect(seen).toMatchObject({ can_take_action: false, blocked_by, self_approval: false })
    expect(approversOf(seen)).toEqual([[staff[0].userId]])
    expect(outcome(await approve(staff[0], payment))).toEqual([200, 'approved'])
    expect(outcome(await decide(boss, other, 'reject'))).toEqual([200, 'rejected'])
  })
})

describe('the rule that applied', () => {
  test('is copied: a later policy neither adds to what waits nor takes from it', async () => {
    const { boss, id, staff, pay } = await staffedPayer('admin', 'admin')
    await setPolicy(boss, id, rule({ steps: [{ required: 2, roles: ['admin'] }] }))
    const payment = await pay()
    expect(outcome(await approve(staff[0], payment))).toEqual([200, 'pending'])
    await setPolicy(boss, id, rule({ steps: [{ required: 1, roles: ['owner'] }] }))
    expect(outcome(await approve(boss, payment))).toEqual([403, 'not_an_approver'])
    expect(stepsOf(await approvalOf(payment, boss))).toEqual(['open 1'])
    expect(outcome(await approve(staff[1], payment))).toEqual([200, 'approved'])
    expect(outcome(await approve(boss, await pay()))).toEqual([200, 'approved'])
  })
})

test('the filters of the list: status, statuses before status, mine, and clamped pages', async () => {
  const { boss, payer, pay } = await staffedPayer()
  const payments = [await pay(), await pay()]
  const [open, closed] = payments.map((one) => one.approval_request_id)
  await decide(boss, payments[1], 'reject')
  const list = async (query: string) =>
    (await api('GET', `/organizations/${payer.id}/approvals?${query}`, { token: boss.token })).body
  for (const [query, ids] of [
    ['', [open]],
    ['status=rejected', [closed]],
    ['status=all', [closed, open]],
    ['status=pending&statuses=rejected', [closed]],
    ['statuses[]=rejected&statuses[]=pending', [closed, open]],
    ['statuses=rejected&statuses=pending', [closed, open]],
    ['status=all&mine=false', []],
    ['status=all&action_type=payment_batch', []],
  ] as const) {
    expect(
      (await list(query)).data.map((one: any) => one.approval_id),
      query,
    ).toEqual(ids)
  }
  expect((await list('status=open')).error.type).toBe('invalid_request')
})

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
