/** Approval policies: set by owners, refused where no one could approve, and tried out. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type TestPerson, api, join, person, verifyStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { mailsTo } from '../../support/identity/identity.ts'
import { MANY } from '../../support/model-runs.ts'
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

/** Sends rules without a step-up. */
const put = ({ token }: TestPerson, id: string, rules: unknown) =>
  api('PUT', policyPath(id), { token, body: { rules } })
/** Earns the step-up of these rules; the result sends them. */
async function prepared(by: TestPerson, id: string, rules: object[]) {
  await verifyStepUp(await put(by, id, rules))
  return () => put(by, id, rules)
}

const CONTACT = { action_type: 'payment_contact' }
const eventsOf = (id: string) => owner<{ actor_user_id: string; payload: { rules: object[]; version: number } }[]>`
  select actor_user_id, payload::jsonb as payload from events
  where organization_id = ${id} and type = 'approval_policy.changed' order by id`

test('every member reads the rules of the beginning as version 0 of nobody', async () => {
  const { id, boss, staff } = await staffed('admin', 'member')
  const rules = [answered(), answered({ action_type: 'payment_batch' })]
  for (const reader of [boss, ...staff]) {
    const { status, body } = await readPolicy(reader, id)
    expect([status, body]).toEqual([200, { rules, defaults: rules, version: 0, updated_at: null, updated_by: null }])
  }
})

describe('setting', () => {
  test('an owner replaces all rules through a step-up of this body; each change is a version and an event', async () => {
    const { id, boss } = await staffed('admin')
    const first = { currency: 'USD', amount_from: '1000.50', self_approval: false }
    const asked = await put(boss, id, [rule(first)])
    expect(refusal(asked)).toEqual([403, 'step_up_required'])
    expect((await readPolicy(boss, id)).body.version).toBe(0)
    await verifyStepUp(asked)
    expect(refusal(await put(boss, id, []))).toEqual([403, 'step_up_required'])

    const set = await put(boss, id, [rule(first)])
    const whole = answered(first)
    expect([set.status, set.body]).toMatchObject([200, { rules: [whole], version: 1, updated_by: boss.userId }])
    expect((await readPolicy(boss, id)).body).toEqual(set.body)

    expect(await setPolicy(boss, id)).toMatchObject({ rules: [], version: 2 })
    expect((await readPolicy(boss, id)).body).toMatchObject({ rules: [], version: 2 })
    expect([...(await eventsOf(id))]).toEqual([
      { actor_user_id: boss.userId, payload: { rules: [whole], version: 1 } },
      { actor_user_id: boss.userId, payload: { rules: [], version: 2 } },
    ])
  })

  test('the rules of the beginning can be set, so that they stay; the rules in force make no version', async () => {
    const { id, boss } = await staffed()
    const { rules } = (await readPolicy(boss, id)).body
    const set = await setPolicy(boss, id, ...rules)
    expect(set).toMatchObject({ rules, version: 1, updated_by: boss.userId })
    const again = await put(boss, id, [rule(), rule({ action_type: 'payment_batch' })]) // asks for no step-up
    expect([again.status, again.body]).toEqual([200, set])
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test('every owner is told by mail, nobody else', async () => {
    const { id, boss, staff } = await staffed('owner', 'admin')
    await setPolicy(boss, id, rule())
    const mails = async ({ email }: TestPerson) =>
      (await mailsTo(email)).filter(({ subject }) => subject === 'The approval policy of an organization changed')
    expect(await Promise.all([boss, ...staff].map(async (one) => (await mails(one)).length))).toEqual([1, 1, 0])
    expect((await mails(boss))[0]?.text).toContain('version 1 has 1 of its own rules')
  })

  test('an admin is refused before a step-up is asked for', async () => {
    const { id, staff } = await staffed('admin')
    const refused = await putPolicy(staff[0], id, [])
    expect([...refusal(refused), refused.body.error.details]).toEqual([403, 'forbidden', { role: 'owner' }])
  })

  test('an owner who is one no more when the deed is done changes nothing', async () => {
    const { id, boss, staff } = await staffed('owner')
    const send = await prepared(boss, id, [rule()])
    await changeRole(staff[0], id, boss.userId, 'admin')
    expect(refusal(await send())).toEqual([403, 'forbidden'])
    await remove(staff[0], id, boss.userId)
    expect(refusal(await send())).toEqual([404, 'not_found'])
    expect((await readPolicy(staff[0], id)).body.version).toBe(0)
  })

  test('a paused organization may ask for more; one that is banned does not exist', async () => {
    const { id, boss } = await staffed()
    await owner`update organizations set status = 'paused' where id = ${id}`
    expect((await setPolicy(boss, id, rule())).version).toBe(1)
    await owner`update organizations set status = 'banned' where id = ${id}`
    expect(refusal(await putPolicy(boss, id, []))).toEqual([404, 'not_found'])
    expect(refusal(await evaluate(boss, id, { action_type: 'withdrawal' }))).toEqual([404, 'not_found'])
  })

  test('many of the same at once are one version, and cost one step-up', async () => {
    const { id, boss } = await staffed()
    const answers = await Promise.all(Array.from({ length: MANY }, await prepared(boss, id, [rule()])))
    expect(answers.map(({ status, body: policy }) => [status, policy.version])).toEqual(Array(MANY).fill([200, 1]))
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test('many different ones at once come one after the other: each is a version with the rules it names', async () => {
    const { id, boss } = await staffed()
    const hours = Array.from({ length: MANY }, (_, index) => index + 1)
    const answers = await Promise.all(
      hours.map((expires_after_hours) => putPolicy(boss, id, [rule({ expires_after_hours })])),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(MANY).fill(200))
    expect(answers.map(({ body }) => body.version).toSorted((a, b) => a - b)).toEqual(hours)
    const events = await eventsOf(id)
    for (const { body } of answers) {
      expect(events[body.version - 1]?.payload).toEqual({ rules: body.rules, version: body.version })
    }
    const last = answers.find(({ body }) => body.version === MANY)
    expect((await readPolicy(boss, id)).body).toEqual(last?.body)
  })
})

test('rules that name a person who is no member are refused at the path of the person', async () => {
  const { id, boss, staff } = await staffed('member')
  const stranger = await person()
  const refused = await putPolicy(boss, id, [
    rule(),
    rule({
      ...CONTACT,
      steps: [
        { required: 1, user_ids: [boss.userId] },
        { required: 1, user_ids: [staff[0].userId, stranger.userId, randomUUID()] },
      ],
    }),
  ])
  expect(refusal(refused)).toEqual([400, 'invalid_request'])
  expect(refused.body.error.details.errors).toEqual(
    [1, 2].map((index) => ({
      path: `rules.1.steps.1.user_ids.${index}`,
      code: 'not_a_member',
      message: 'must be a member of the organization',
    })),
  )
})
test('who is named and leaves stays in the rules until they are replaced, and never approves', async () => {
  const { id, boss, staff } = await staffed('member')
  const rules = [rule({ steps: [{ required: 1, roles: ['owner'], user_ids: [staff[0].userId] }] })]
  const set = await setPolicy(boss, id, ...rules)
  const send = await prepared(boss, id, [...rules, rule({ currency: 'EUR' })])
  await remove(boss, id, staff[0].userId)
  const refused = await send() // no member when the deed is done
  expect(refused.body.error).toMatchObject({
    type: 'invalid_request',
    details: { errors: [{ path: 'rules.0.steps.0.user_ids.0', code: 'not_a_member' }] },
  })
  expect((await put(boss, id, rules)).body).toEqual(set) // already in force, so no change
  const { body } = await evaluate(boss, id, { action_type: 'withdrawal' })
  expect(body.steps).toEqual([
    { required: 1, approvers: [{ id: boss.userId, name: 'Test Person', on_behalf_of: null }] },
  ])
})

const USD = (amount: string) => ({ action_type: 'withdrawal', amount: { amount, currency: 'USD' } })
const of = (required: number, ...roles: string[]) => ({ required, roles })

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

test('a member who is gone when the deed is done does not count', async () => {
  const { id, boss, staff } = await staffed('admin')
  const send = await prepared(boss, id, [rule({ steps: [of(1, 'owner'), of(1, 'admin')] })])
  await remove(boss, id, staff[0].userId)
  expect(refusal(await send())).toEqual([422, 'no_eligible_approver'])
  await join(id, await person(), 'admin')
  expect((await send()).status).toBe(200) // the step-up was not used up
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
  const rounds = Array.from({ length: MANY }, async () => {
    const { id, boss, staff } = await staffed('owner', 'member')
    const [other, member] = staff
    const send = await prepared(boss, id, [rule({ steps: [{ required: 1, user_ids: [member.userId] }] })])
    await changeRole(other, id, other.userId, 'owner') // opens the step-up window
    const [set, moved] = await Promise.all([send(), move(id, other, boss, member)])
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
    const named = ({ userId }: TestPerson) => ({ id: userId, name: 'Test Person', on_behalf_of: null })
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

  test('nothing where nobody has to approve; the default where no rule applies; amounts are refused like those of payments', async () => {
    const { id, boss } = await staffed()
    const contact = { action_type: 'payment_contact' }
    expect((await evaluate(boss, id, contact)).body).toEqual({
      rule: null,
      routed: [],
      can_be_met: true,
      steps: [],
      limits: [],
      unmeetable: null,
      uncoded_lines: [],
    })
    await setPolicy(boss, id, rule({ ...contact, expires_after_hours: 2 }), rule({ amount_from: '100' }))
    for (const [asked, found] of [
      [contact, { ...contact, expires_after_hours: 2 }],
      [{ action_type: 'withdrawal', amount: null }, {}],
      [USD('100'), { amount_from: '100' }],
    ] as const)
      expect((await evaluate(boss, id, asked)).body.rule).toEqual(answered(found))
    for (const [money, type] of [
      [{ amount: '1.001', currency: 'USD' }, 'amount_precision'],
      [{ amount: '1', currency: 'XXX' }, 'unsupported_currency'],
      [{ amount: '1'.repeat(16), currency: 'USD' }, 'amount_too_large'],
    ] as const)
      expect(refusal(await evaluate(boss, id, { action_type: 'withdrawal', amount: money }))).toEqual([422, type])
  })
})
