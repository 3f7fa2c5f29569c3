/** Policies that no one could approve under are refused; the preview names the eligible approvers. */
import { describe, expect, test } from 'vitest'
import { type TestPerson, api, join, organization, person, verifyStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { changeRole, remove, staffed } from '../../support/organizations/members.ts'
import {
  answered,
  evaluate,
  policyPath,
  putPolicy,
  readPolicy,
  rule,
  setPolicy,
} from '../../support/approvals/policies.ts'

const refusal = (answer: { status: number; body: any }) => [
  answer.status,
  answer.body.error?.type,
  answer.body.error?.details,
]
const owners = (required: number) => ({ required, roles: ['owner'] })
const admins = (required: number) => ({ required, roles: ['admin'] })
const strict = (...steps: object[]) => rule({ steps, self_approval: false })

describe('a policy under which nobody could approve', () => {
  test('is refused with the rule and the step at which that shows, and no step-up is asked for', async () => {
    const { id, boss } = await staffed('admin', 'member')
    const refused = async (...rules: object[]) => refusal(await putPolicy(boss, id, rules))
    expect(await refused(rule(), rule({ currency: 'EUR', steps: [owners(1), admins(2)] }))).toEqual([
      422,
      'no_eligible_approver',
      { rule: 1, step: 1 },
    ])
    expect(await refused(rule({ steps: [owners(1), { required: 2, roles: ['owner', 'admin'] }] }))).toEqual([
      422,
      'no_eligible_approver',
      { rule: 0, step: 1 },
    ])
    expect((await readPolicy(boss, id)).body.version).toBe(0)
  })

  test('nobody stands in two steps, so two steps of one sole owner are too many', async () => {
    const { id, boss } = await staffed('admin')
    const refused = await putPolicy(boss, id, [rule({ steps: [owners(1), owners(1)] })])
    expect(refusal(refused)).toEqual([422, 'no_eligible_approver', { rule: 0, step: 1 }])
    await setPolicy(boss, id, rule({ steps: [{ required: 1, roles: ['owner', 'admin'] }, owners(1)] }))
  })

  test('four eyes need somebody else, whoever asks', async () => {
    const boss = await person()
    const { id } = await organization(boss)
    expect(refusal(await putPolicy(boss, id, [strict(owners(1))]))).toEqual([
      422,
      'no_eligible_approver',
      { rule: 0, step: 0 },
    ])
    await join(id, await person(), 'member')
    await setPolicy(boss, id, strict(owners(1)))
    const invitation = { ...strict(owners(1)), action_type: 'organization_invitation' }
    expect(refusal(await putPolicy(boss, id, [invitation]))[1]).toBe('no_eligible_approver')
    await join(id, await person(), 'admin')
    await setPolicy(boss, id, invitation)
  })

  test('each action asks whether those who may ask for it could be approved', async () => {
    const { id, boss, staff } = await staffed('member')
    const [member] = staff as [TestPerson]
    const steps = [{ required: 1, user_ids: [member.userId] }]
    for (const action of [
      'withdrawal',
      'billing_invoice',
      'payment_contact',
      'payment_batch',
      'organization_invitation',
    ])
      await setPolicy(boss, id, { ...strict(...steps), action_type: action })
  })

  test('whoever is gone when the deed is done does not count', async () => {
    const { id, boss, staff } = await staffed('admin')
    const [admin] = staff as [TestPerson]
    const call = { token: boss.token, body: { rules: [rule({ steps: [owners(1), admins(1)] })] } }
    await verifyStepUp(await api('PUT', policyPath(id), call))
    await remove(boss, id, admin.userId)
    expect(refusal(await api('PUT', policyPath(id), call))[1]).toBe('no_eligible_approver')
    await join(id, await person(), 'admin')
    expect((await api('PUT', policyPath(id), call)).status).toBe(200) // the step-up was not used up
  })
})

test('a policy never names whom a removal took out before: the log tells which came first', async () => {
  const rounds = Array.from({ length: 12 }, async () => {
    const { id, boss, staff } = await staffed('owner', 'member')
    const [other, member] = staff as [TestPerson, TestPerson]
    const call = { token: boss.token, body: { rules: [rule({ steps: [{ required: 1, user_ids: [member.userId] }] })] } }
    await verifyStepUp(await api('PUT', policyPath(id), call))
    await changeRole(other, id, member.userId, 'member') // opens the step-up window
    const [put, removed] = await Promise.all([api('PUT', policyPath(id), call), remove(other, id, member.userId)])
    expect(removed.status).toBe(200)
    const events = await owner<{ type: string }[]>`
      select type from events where organization_id = ${id} and type in ('approval_policy.changed', 'member.removed')
      order by id`
    const types = events.map(({ type }) => type)
    if (put.status === 200) expect(types).toEqual(['approval_policy.changed', 'member.removed'])
    else expect([put.status, types]).toEqual([422, ['member.removed']])
  })
  await Promise.all(rounds)
})

test('nobody sets a policy after they lost the ownership: the log tells which came first', async () => {
  const rounds = Array.from({ length: 12 }, async () => {
    const { id, boss, staff } = await staffed('owner')
    const [other] = staff as [TestPerson]
    const call = { token: boss.token, body: { rules: [rule()] } }
    await verifyStepUp(await api('PUT', policyPath(id), call))
    await changeRole(other, id, other.userId, 'owner') // opens the step-up window
    const [put, demoted] = await Promise.all([
      api('PUT', policyPath(id), call),
      changeRole(other, id, boss.userId, 'admin'),
    ])
    expect(demoted.status).toBe(200)
    const events = await owner<{ type: string }[]>`
      select type from events where organization_id = ${id}
      and type in ('approval_policy.changed', 'member.role_changed') order by id`
    const types = events.map(({ type }) => type)
    if (put.status === 200) expect(types).toEqual(['approval_policy.changed', 'member.role_changed'])
    else expect([put.status, types]).toEqual([403, ['member.role_changed']])
  })
  await Promise.all(rounds)
})

describe('trying out', () => {
  test('names who would have to approve what the caller asks for, step by step', async () => {
    const { id, boss, staff } = await staffed('admin', 'admin', 'member')
    const [one, two, member] = staff as [TestPerson, TestPerson, TestPerson]
    const steps = [
      { required: 2, roles: ['admin'], user_ids: [member.userId] },
      { required: 1, roles: ['owner'] },
    ]
    await setPolicy(boss, id, rule({ steps, self_approval: false }), rule({ currency: 'EUR', steps, amount_from: '1' }))
    const named = ({ userId }: TestPerson) => ({ id: userId, name: 'Test Person' })
    const usd = { action_type: 'withdrawal', amount: { amount: '5', currency: 'USD' } }
    expect(await evaluate(one, id, usd)).toMatchObject({
      status: 200,
      body: {
        rule: answered({ steps, self_approval: false }),
        steps: [
          { required: 2, approvers: [named(two), named(member)] },
          { required: 1, approvers: [named(boss)] },
        ],
      },
    })
    expect((await evaluate(boss, id, usd)).body.steps[1]).toEqual({ required: 1, approvers: [] })
    const eur = { action_type: 'withdrawal', amount: { amount: '5', currency: 'EUR' } }
    expect((await evaluate(boss, id, eur)).body.steps[1]).toEqual({ required: 1, approvers: [named(boss)] })
  })

  test('nothing where nobody has to approve; the default where no rule applies', async () => {
    const { id, boss } = await staffed()
    const contact = { action_type: 'payment_contact' }
    expect((await evaluate(boss, id, contact)).body).toEqual({ rule: null, can_be_met: true, steps: [] })
    await setPolicy(boss, id, rule({ ...contact, expires_after_hours: 2 }), rule({ amount_from: '100' }))
    expect((await evaluate(boss, id, contact)).body.rule).toEqual(answered({ ...contact, expires_after_hours: 2 }))
    for (const amount of [undefined, null, { amount: '99.99', currency: 'USD' }]) {
      expect((await evaluate(boss, id, { action_type: 'withdrawal', amount })).body.rule).toEqual(answered())
    }
    const enough = { action_type: 'withdrawal', amount: { amount: '100', currency: 'USD' } }
    expect((await evaluate(boss, id, enough)).body.rule).toEqual(answered({ amount_from: '100' }))
  })

  test.each([
    [{}, 400, 'invalid_request'],
    [{ action_type: 'swap' }, 400, 'invalid_request'],
    [{ action_type: 'withdrawal', amount: { amount: '0', currency: 'USD' } }, 400, 'invalid_request'],
    [{ action_type: 'withdrawal', amount: { amount: '1.001', currency: 'USD' } }, 422, 'amount_precision'],
    [{ action_type: 'withdrawal', amount: { amount: '1', currency: 'XXX' } }, 422, 'unsupported_currency'],
    [{ action_type: 'withdrawal', amount: { amount: '1'.repeat(16), currency: 'USD' } }, 422, 'amount_too_large'],
  ])('%j is refused', async (asked, status, type) => {
    const { id, boss } = await staffed()
    expect(refusal(await evaluate(boss, id, asked)).slice(0, 2)).toEqual([status, type])
  })

  test('while members come and go, whoever is answered was a member, and nobody is answered twice', async () => {
    const { id, boss, staff } = await staffed('admin', 'admin', 'member')
    await setPolicy(boss, id, rule({ steps: [{ required: 1, roles: ['owner', 'admin', 'member'] }] }))
    await changeRole(boss, id, boss.userId, 'owner') // opens the step-up window
    const everybody = new Set([boss, ...staff].map(({ userId }) => userId))
    const asking = Array.from({ length: 20 }, () => evaluate(boss, id, { action_type: 'withdrawal' }))
    const leaving = staff.map(({ userId }) => remove(boss, id, userId))
    for (const { status, body } of await Promise.all(asking)) {
      const ids = body.steps[0].approvers.map((one: { id: string }) => one.id)
      expect([status, new Set(ids).size]).toEqual([200, ids.length])
      for (const userId of ids) expect(everybody).toContain(userId)
      expect(ids).toContain(boss.userId)
    }
    await Promise.all(leaving)
    const { body } = await evaluate(boss, id, { action_type: 'withdrawal' })
    expect(body.steps[0].approvers.map((one: { id: string }) => one.id)).toEqual([boss.userId])
  })
})
