/** Payments under policies of several steps, end to end: who may act when, and the outcome. */
import { describe, expect, test } from 'vitest'
import {
  type TestPerson,
  api,
  approvalPath,
  approve,
  createPayment,
  join,
  payerAndPayee,
  person,
  verifyStepUp,
} from '../../support/api.ts'
import { fullScale } from '../../support/model-runs.ts'
import { owner } from '../../support/database.ts'
import { type Payment, earnStepUp, eventually, stateOf } from '../../support/runs/runs.ts'
import { rule, setPolicy } from '../../support/approvals/policies.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const outcome = (answer: { status: number; body: any }) => [
  answer.status,
  answer.body.error?.type ?? answer.body.status,
]
const detail = async ({ token }: TestPerson, payment: Payment) =>
  (await api('GET', approvalPath(payment), { token })).body
const statusOf = async ({ token }: TestPerson, payment: Payment) =>
  (await api('GET', `/payments/${payment.id}`, { token })).body.status
const reject = ({ token }: TestPerson, payment: Payment) =>
  api('POST', `${approvalPath(payment)}/reject`, { token, body: { reason: 'no' } })
const stepsOf = async (by: TestPerson, payment: Payment) =>
  (await detail(by, payment)).steps.map((step: { status: string; approved_by: string[] }) => [
    step.status,
    step.approved_by.length,
  ])
const approversOf = (body: any): string[][] =>
  body.steps.map((step: any) => step.approvers.map((one: { id: string }) => one.id))
const recorded = async (payment: Payment) =>
  Number(
    (
      await owner`select count(*) as n from approval_decisions where approval_id = ${payment.approval_request_id}
        and decision = 'approve'`
    )[0]?.['n'],
  )
const movements = async (payment: Payment): Promise<string[]> =>
  (await owner`select key from ledger_transfers where key like ${`payment:${payment.id}:%`} order by key`).map(
    (row) => row['key'].split(':')[2],
  )

async function payer(...roles: ('owner' | 'admin' | 'member')[]) {
  const world = await payerAndPayee('1000.00')
  const staff: TestPerson[] = []
  for (const role of roles) {
    const somebody = await person()
    await join(world.payer.id, somebody, role)
    staff.push(somebody)
  }
  return {
    ...world,
    id: world.payer.id,
    staff,
    pay: (amount = '10.00') => createPayment(world.boss, world.contactId, amount),
  }
}

describe('two steps', () => {
  const steps = [
    { required: 1, roles: ['admin'] },
    { required: 1, roles: ['owner'] },
  ]

  test('act in order: the second waits for the first, and money moves with the last approval', async () => {
    const { boss, id, staff, pay } = await payer('admin', 'admin')
    const [admin, other] = staff as [TestPerson, TestPerson]
    await setPolicy(boss, id, rule({ steps }))
    const payment: Payment = await pay()
    expect(await detail(boss, payment)).toMatchObject({ can_take_action: false, blocked_by: ['not_an_approver'] })
    expect(await stepsOf(boss, payment)).toEqual([
      ['open', 0],
      ['waiting', 0],
    ])
    expect(approversOf(await detail(boss, payment))).toEqual([[admin.userId, other.userId], [boss.userId]])
    expect(outcome(await approve(boss, payment))).toEqual([403, 'not_an_approver'])

    expect(outcome(await approve(admin, payment))).toEqual([200, 'pending'])
    expect([await movements(payment), await statusOf(boss, payment)]).toEqual([[], 'awaiting_approval'])
    expect(await stepsOf(boss, payment)).toEqual([
      ['met', 1],
      ['open', 0],
    ])
    expect(approversOf(await detail(boss, payment))).toEqual([[], [boss.userId]])
    expect(outcome(await approve(other, payment))).toEqual([403, 'not_an_approver'])
    expect(await detail(admin, payment)).toMatchObject({ can_take_action: false, blocked_by: [] })

    expect(outcome(await approve(boss, payment))).toEqual([200, 'approved'])
    expect([await movements(payment), await statusOf(boss, payment)]).toEqual([['reserve', 'settle'], 'succeeded'])
    const done = await detail(boss, payment)
    expect(await stepsOf(boss, payment)).toEqual([
      ['met', 1],
      ['met', 1],
    ])
    expect(approversOf(done)).toEqual([[], []])
    expect(done).toMatchObject({ blocked_by: ['approval_already_processed'], approver: { id: boss.userId } })
    expect(done.decisions.map(({ user_id: userId, step }: any) => [userId, step])).toEqual([
      [admin.userId, 0],
      [boss.userId, 1],
    ])
    await eventually(() => stateOf(payment)).toBe('COMPLETED')
  })

  test('any of the named rejects at any time, also before their step and after their approval', async () => {
    const { boss, id, staff, pay } = await payer('admin')
    const [admin] = staff as [TestPerson]
    await setPolicy(boss, id, rule({ steps }))
    const [early, late]: Payment[] = [await pay(), await pay()]
    expect(outcome(await reject(boss, early as Payment))).toEqual([200, 'rejected'])
    expect(await stepsOf(boss, early as Payment)).toEqual([
      ['closed', 0],
      ['closed', 0],
    ])
    expect(outcome(await approve(admin, late as Payment))).toEqual([200, 'pending'])
    expect(outcome(await reject(admin, late as Payment))).toEqual([200, 'rejected'])
    for (const payment of [early, late] as Payment[]) {
      expect([await movements(payment), await statusOf(boss, payment)]).toEqual([[], 'cancelled'])
      await eventually(() => stateOf(payment)).toBe('COMPLETED')
    }
  })
})

describe('several people', () => {
  test('two of three by their role', async () => {
    const { boss, id, staff, pay } = await payer('admin', 'admin', 'admin')
    const [one, two, three] = staff as [TestPerson, TestPerson, TestPerson]
    await setPolicy(boss, id, rule({ steps: [{ required: 2, roles: ['admin'] }] }))
    const payment: Payment = await pay()
    expect(outcome(await approve(three, payment))).toEqual([200, 'pending'])
    const half = await detail(one, payment)
    expect([half.can_take_action, approversOf(half)]).toEqual([true, [[one.userId, two.userId]]])
    expect(outcome(await approve(one, payment))).toEqual([200, 'approved'])
    expect(outcome(await approve(two, payment))).toEqual([409, 'approval_already_processed'])
    expect([await recorded(payment), await movements(payment)]).toEqual([2, ['reserve', 'settle']])
  })

  test('named people, whatever their role, and nobody else, an owner neither', async () => {
    const { boss, id, staff, pay } = await payer('admin', 'member')
    const [admin, member] = staff as [TestPerson, TestPerson]
    await setPolicy(boss, id, rule({ steps: [{ required: 2, user_ids: [admin.userId, member.userId] }] }))
    const payment: Payment = await pay()
    expect(outcome(await approve(boss, payment))).toEqual([403, 'not_an_approver'])
    expect(outcome(await approve(member, payment))).toEqual([200, 'pending'])
    expect(outcome(await approve(admin, payment))).toEqual([200, 'approved'])
  })

  test('one person counts once: the second time answers the pending approval, and asks for and uses up nothing', async () => {
    const { boss, id, pay } = await payer('owner')
    await setPolicy(boss, id, rule({ steps: [{ required: 2, roles: ['owner'] }] }))
    const payment: Payment = await pay()
    expect(outcome(await approve(boss, payment))).toEqual([200, 'pending'])
    const used = () => owner`select status from step_ups where user_id = ${boss.userId} order by status`
    const before = [...(await used())]
    const again = await Promise.all(
      Array.from({ length: 5 }, () => api('POST', `${approvalPath(payment)}/approve`, { token: boss.token, body: {} })),
    )
    expect(again.map(outcome)).toEqual(Array(5).fill([200, 'pending']))
    expect([...(await used())]).toEqual(before)
    expect(await recorded(payment)).toBe(1)
  })

  test('nor does one person count for two steps that both name them', async () => {
    const { boss, id, staff, pay } = await payer('owner')
    const [other] = staff as [TestPerson]
    await setPolicy(boss, id, rule({ steps: Array(2).fill({ required: 1, roles: ['owner'] }) }))
    const payment: Payment = await pay()
    expect(outcome(await approve(boss, payment))).toEqual([200, 'pending'])
    expect(outcome(await approve(boss, payment))).toEqual([200, 'pending'])
    expect(approversOf(await detail(boss, payment))).toEqual([[], [other.userId]])
    expect(outcome(await approve(other, payment))).toEqual([200, 'approved'])
  })

  test('many at once on a step of three: three approvals are recorded, and money moves once', async () => {
    const { boss, id, staff, pay } = await payer(...Array<'admin'>(fullScale ? 50 : 6).fill('admin'))
    await setPolicy(boss, id, rule({ steps: [{ required: 3, roles: ['admin'] }] }))
    const payment: Payment = await pay('60.00')
    await Promise.all(staff.map((admin) => earnStepUp(admin, payment)))
    const answers = await Promise.all(
      staff.map(({ token }) => api('POST', `${approvalPath(payment)}/approve`, { token, body: {} })),
    )
    const [given, lost] = [
      answers.filter(({ status }) => status === 200),
      answers.filter(({ status }) => status !== 200),
    ]
    expect(given).toHaveLength(3)
    expect(new Set(lost.map((answer) => outcome(answer).join()))).toEqual(new Set(['409,approval_already_processed']))
    expect([await recorded(payment), await movements(payment)]).toEqual([3, ['reserve', 'settle']])
    const [used] =
      await owner`select count(*) as n from step_ups where status = 'consumed' and target like ${`approval:${payment.approval_request_id}:%`}`
    expect(used?.['n']).toBe('3')
    expect(await stepsOf(boss, payment)).toEqual([['met', 3]])
    await eventually(() => stateOf(payment)).toBe('COMPLETED')
  })
})

describe('four eyes', () => {
  test('the requester does not approve, but rejects; another person approves', async () => {
    const { boss, id, staff, pay } = await payer('admin')
    const [admin] = staff as [TestPerson]
    await setPolicy(boss, id, rule({ self_approval: false }))
    const [payment, other]: Payment[] = [await pay(), await pay()]
    if (!payment || !other) throw new Error('two were made')
    expect(outcome(await approve(boss, payment))).toEqual([403, 'requester_cannot_approve'])
    const seen = await detail(boss, payment)
    expect(seen).toMatchObject({
      can_take_action: false,
      blocked_by: ['requester_cannot_approve'],
      self_approval: false,
    })
    expect(approversOf(seen)).toEqual([[admin.userId]])
    expect(outcome(await approve(admin, payment))).toEqual([200, 'approved'])
    expect(outcome(await reject(boss, other))).toEqual([200, 'rejected'])
  })

  test('a step-up that was earned before does not get around it', async () => {
    const { boss, id, staff, pay } = await payer('admin')
    const [admin] = staff as [TestPerson]
    await setPolicy(boss, id, rule({ steps: [{ required: 2, roles: ['owner', 'admin'] }] }))
    const payment: Payment = await pay()
    const asked = await api('POST', `${approvalPath(payment)}/approve`, { token: boss.token, body: {} })
    await verifyStepUp(asked)
    await setPolicy(boss, id, rule({ self_approval: false }))
    const later: Payment = await pay()
    expect(outcome(await approve(boss, later))).toEqual([403, 'requester_cannot_approve'])
    expect(outcome(await approve(boss, payment))).toEqual([200, 'pending'])
    expect(outcome(await approve(admin, payment))).toEqual([200, 'approved'])
  })
})

describe('the rule that applied', () => {
  test('is copied: a later policy neither adds to what waits nor takes from it', async () => {
    const { boss, id, staff, pay } = await payer('admin', 'admin')
    const [one, two] = staff as [TestPerson, TestPerson]
    await setPolicy(boss, id, rule({ steps: [{ required: 2, roles: ['admin'] }] }))
    const payment: Payment = await pay()
    expect(outcome(await approve(one, payment))).toEqual([200, 'pending'])
    await setPolicy(boss, id, rule({ steps: [{ required: 1, roles: ['owner'] }] }))
    expect(outcome(await approve(boss, payment))).toEqual([403, 'not_an_approver'])
    expect(await stepsOf(boss, payment)).toEqual([['open', 1]])
    expect(outcome(await approve(two, payment))).toEqual([200, 'approved'])
    const later: Payment = await pay()
    expect(outcome(await approve(boss, later))).toEqual([200, 'approved'])
  })

  test('is the one from the exact amount on', async () => {
    const { boss, id, pay } = await payer('owner')
    const twice = [{ required: 2, roles: ['owner'] }]
    await setPolicy(
      boss,
      id,
      rule(),
      rule({ amount_from: '100.00', steps: twice }),
      rule({ currency: 'EUR', steps: twice }),
    )
    const required = async (amount: string) => (await detail(boss, await pay(amount))).steps[0].required
    expect(await Promise.all(['99.99', '100.00', '100.01', '1.00'].map(required))).toEqual([1, 2, 2, 1])
  })
})
