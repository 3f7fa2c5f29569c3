/** Policies that no one could approve under are refused; the preview names the eligible approvers. */
import { describe, expect, test } from 'vitest'
import { type Answer, type TestPerson, api, join, person, verifyStepUp } from '../../support/api.ts'
import { refusal } from '../../support/http/refusals.ts'
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

const USD = (amount: string) => ({ action_type: 'withdrawal', amount: { amount, currency: 'USD' } })
const of = (required: number, ...roles: string[]) => ({ required, roles })
const idsOf = ({ body }: Answer): string[] => body.steps[0].approvers.map((one: { id: string }) => one.id)

/** Earns the step-up of these rules; the result sends them. */
async function prepared({ token }: TestPerson, id: string, rules: object[]) {
  const put = () => api('PUT', policyPath(id), { token, body: { rules } })
  await verifyStepUp(await put())
  return put
}

test('a policy under which nobody could approve is refused with rule and step, and no step-up is asked for', async () => {
  const { id, boss, staff } = await staffed('admin', 'member')
  for (const [rules, where] of [
    [[rule(), rule({ currency: 'EUR', steps: [of(1, 'owner'), of(2, 'admin')] })], { rule: 1, step: 1 }],
    [[rule({ steps: [of(1, 'owner'), of(2, 'owner', 'admin')] })], { rule: 0, step: 1 }],
  ] as const) {
    const refused = await putPolicy(boss, id, rules)
    expect([...refusal(refused), refused.body.error.details]).toEqual([422, 'no_eligible_approver', where])
  }
  expect((await readPolicy(boss, id)).body.version).toBe(0)
  const strict = { steps: [{ required: 1, user_ids: [staff[1].userId] }], self_approval: false }
  for (const action_type of [
    'withdrawal',
    'billing_invoice',
    'payment_contact',
    'payment_batch',
    'organization_invitation',
  ])
    await setPolicy(boss, id, rule({ ...strict, action_type })) // others may ask for each
})

test('whoever is gone when the deed is done does not count', async () => {
  const { id, boss, staff } = await staffed('admin')
  const put = await prepared(boss, id, [rule({ steps: [of(1, 'owner'), of(1, 'admin')] })])
  await remove(boss, id, staff[0].userId)
  expect(refusal(await put())).toEqual([422, 'no_eligible_approver'])
  await join(id, await person(), 'admin')
  expect((await put()).status).toBe(200) // the step-up was not used up
})

test.each([
  [
    'names whom a removal took out',
    'member.removed',
    422,
    (id: string, other: TestPerson, _: TestPerson, member: TestPerson) => remove(other, id, member.userId),
  ],
  [
    'is set by who lost the ownership',
    'member.role_changed',
    403,
    (id: string, other: TestPerson, boss: TestPerson) => changeRole(other, id, boss.userId, 'admin'),
  ],
])('a policy never %s before: the log tells which came first', async (_, type, refused, move) => {
  const rounds = Array.from({ length: 12 }, async () => {
    const { id, boss, staff } = await staffed('owner', 'member')
    const [other, member] = staff
    const put = await prepared(boss, id, [rule({ steps: [{ required: 1, user_ids: [member.userId] }] })])
    await changeRole(other, id, other.userId, 'owner') // opens the step-up window
    const [set, moved] = await Promise.all([put(), move(id, other, boss, member)])
    expect(moved.status).toBe(200)
    const events = await owner<{ type: string }[]>`
      select type from events where organization_id = ${id} and type in ('approval_policy.changed', ${type})
      order by id`
    const types = set.status === 200 ? ['approval_policy.changed', type] : [type]
    expect([[200, refused].includes(set.status), events.map((one) => one.type)]).toEqual([true, types])
  })
  await Promise.all(rounds)
})

describe('trying out', () => {
  test('names who would have to approve what the caller asks for, step by step', async () => {
    const { id, boss, staff } = await staffed('admin', 'admin', 'member')
    const [one, two, member] = staff
    const steps = [{ ...of(2, 'admin'), user_ids: [member.userId] }, of(1, 'owner')]
    await setPolicy(boss, id, rule({ steps, self_approval: false }), rule({ currency: 'EUR', steps, amount_from: '1' }))
    const named = ({ userId }: TestPerson) => ({ id: userId, name: 'Test Person' })
    const answer = await evaluate(one, id, USD('5'))
    expect([answer.status, answer.body]).toMatchObject([
      200,
      {
        rule: answered({ steps, self_approval: false }),
        steps: [
          { required: 2, approvers: [named(two), named(member)] },
          { required: 1, approvers: [named(boss)] },
        ],
      },
    ])
    expect((await evaluate(boss, id, USD('5'))).body.steps[1]).toEqual({ required: 1, approvers: [] })
    const eur = { action_type: 'withdrawal', amount: { amount: '5', currency: 'EUR' } }
    expect((await evaluate(boss, id, eur)).body.steps[1]).toEqual({ required: 1, approvers: [named(boss)] })
  })

  test('nothing where nobody has to approve; the default where no rule applies', async () => {
    const { id, boss } = await staffed()
    const contact = { action_type: 'payment_contact' }
    expect((await evaluate(boss, id, contact)).body).toEqual({ rule: null, can_be_met: true, steps: [] })
    await setPolicy(boss, id, rule({ ...contact, expires_after_hours: 2 }), rule({ amount_from: '100' }))
    for (const [asked, found] of [
      [contact, { ...contact, expires_after_hours: 2 }],
      [{ action_type: 'withdrawal' }, {}],
      [{ action_type: 'withdrawal', amount: null }, {}],
      [USD('99.99'), {}],
      [USD('100'), { amount_from: '100' }],
    ] as const)
      expect((await evaluate(boss, id, asked)).body.rule).toEqual(answered(found))
  })

  test.each([
    [{}, 400, 'invalid_request'],
    [{ action_type: 'swap' }, 400, 'invalid_request'],
    [USD('0'), 400, 'invalid_request'],
    [USD('1.001'), 422, 'amount_precision'],
    [{ action_type: 'withdrawal', amount: { amount: '1', currency: 'XXX' } }, 422, 'unsupported_currency'],
    [USD('1'.repeat(16)), 422, 'amount_too_large'],
  ])('%j is refused', async (asked, status, type) => {
    const { id, boss } = await staffed()
    expect(refusal(await evaluate(boss, id, asked))).toEqual([status, type])
  })

  test('while members come and go, whoever is answered was a member, and nobody is answered twice', async () => {
    const { id, boss, staff } = await staffed('admin', 'admin', 'member')
    await setPolicy(boss, id, rule({ steps: [of(1, 'owner', 'admin', 'member')] }))
    await changeRole(boss, id, boss.userId, 'owner') // opens the step-up window
    const everybody = [boss, ...staff].map(({ userId }) => userId)
    const asking = Array.from({ length: 20 }, () => evaluate(boss, id, { action_type: 'withdrawal' }))
    const leaving = staff.map(({ userId }) => remove(boss, id, userId))
    for (const answer of await Promise.all(asking)) {
      const ids = idsOf(answer)
      expect([answer.status, new Set(ids).size]).toEqual([200, ids.length])
      expect(everybody).toEqual(expect.arrayContaining(ids))
      expect(ids).toContain(boss.userId)
    }
    await Promise.all(leaving)
    expect(idsOf(await evaluate(boss, id, { action_type: 'withdrawal' }))).toEqual([boss.userId])
  })
})
