/** Changes of an approval policy: rehearsed before they are made, and refused if another one came between. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { api } from '../../support/api.ts'
import { refusal } from '../../support/http/refusals.ts'
import { evaluate, policyPath, putPolicy, readPolicy, rule, setPolicy } from '../../support/approvals/policies.ts'
import { changeRole, remove, staffed } from '../../support/organizations/members.ts'

const USD = (amount: string) => ({ action_type: 'withdrawal', amount: { amount, currency: 'USD' } })
const of = (required: number, ...roles: string[]) => ({ required, roles })

test('rules are rehearsed without being set, for a request of another member', async () => {
  const { id, boss, staff } = await staffed('admin', 'member')
  const [admin, mia] = staff
  const strict = rule({ amount_from: '100', steps: [of(2, 'owner', 'admin')], self_approval: false })
  const ask = async (more: object) => (await evaluate(boss, id, { ...USD('100'), ...more })).body
  expect(await ask({ rules: [strict], requested_by: mia.userId })).toMatchObject({
    rule: { amount_from: '100' },
    can_be_met: true,
    steps: [{ required: 2, approvers: [{ id: boss.userId }, { id: admin.userId }] }],
  })
  const own = await ask({ rules: [strict] }) // of the owner themselves, who may not approve it
  expect(own).toMatchObject({ can_be_met: false, steps: [{ approvers: [{ id: admin.userId }] }], unmeetable: null })
  expect((await ask({ requested_by: mia.userId })).steps[0].required).toBe(1)
  expect((await ask({ rules: null, requested_by: null })).steps[0].required).toBe(1)
  expect((await readPolicy(boss, id)).body.version).toBe(0)
})

test('rules are refused as they are when they are set, and a stranger asks for nothing', async () => {
  const { id, boss } = await staffed('admin')
  const refused = await evaluate(boss, id, { ...USD('1'), rules: [rule(), rule()] })
  expect(refusal(refused)).toEqual([400, 'invalid_request'])
  const strange = await evaluate(boss, id, { ...USD('1'), requested_by: randomUUID() })
  expect([...refusal(strange), strange.body.error.details.errors]).toMatchObject([
    400,
    'invalid_request',
    [{ path: 'requested_by', code: 'not_a_member' }],
  ])
})

test('the first rule without enough people is named, of a rehearsal and of the policy in force once they left', async () => {
  const { id, boss, staff } = await staffed('admin', 'admin')
  const rules = [rule(), rule({ currency: 'EUR', steps: [of(1, 'owner'), of(2, 'admin')] })]
  expect((await evaluate(boss, id, { ...USD('1'), rules })).body.unmeetable).toBeNull()
  await setPolicy(boss, id, ...rules)
  await remove(boss, id, staff[0].userId)
  expect((await evaluate(boss, id, USD('1'))).body.unmeetable).toEqual({ rule: 1, step: 1 })
  await changeRole(boss, id, staff[1].userId, 'member')
  expect((await evaluate(boss, id, { ...USD('1'), rules: [rule()] })).body.unmeetable).toBeNull()
})

test('a change of another version than the one in force is refused; two of one version at once make one', async () => {
  const { id, boss } = await staffed('admin')
  const hours = (count: number) => [rule({ expires_after_hours: count })]
  const put = (rules: object[], version: number) =>
    api('PUT', policyPath(id), { token: boss.token, body: { rules, version } })
  expect(refusal(await put(hours(1), 0))).toEqual([403, 'step_up_required'])
  await putPolicy(boss, id, hours(2))
  const late = await put(hours(1), 0)
  expect([...refusal(late), late.body.error.details]).toEqual([
    409,
    'invalid_state',
    { current: '1', allowed: ['0'], reason: 'policy_changed' },
  ])
  expect((await put(hours(2), 0)).body).toMatchObject({ version: 1 }) // in force already: a repeat changes nothing
  expect(await readPolicy(boss, id)).toMatchObject({ body: { version: 1, rules: hours(2) } })
})
