/** Substitutions: named, listed and ended. */
import { describe, expect, test } from 'vitest'
import { api, join, organization, person, withStepUp } from '../../support/api.ts'
import {
  endSubstitution,
  inDays,
  move,
  nameSubstitute,
  substitutionsPath,
} from '../../support/approvals/substitutions.ts'
import { owner, untilBlocked } from '../../support/database.ts'
import { mailsTo } from '../../support/identity/identity.ts'
import { leave, remove, staffOf, staffed } from '../../support/organizations/members.ts'
import { fullRefusal } from '../../support/http/refusals.ts'

const listed = async ({ token }: { token: string }, id: string, query = '') =>
  (await api('GET', `${substitutionsPath(id)}${query}`, { token })).body.data as { id: string; status: string }[]
const eventsOf = (id: string) => owner<{ type: string; payload: object }[]>`
  select type, payload::jsonb as payload from events where subject_id = ${id} order by occurred_at`

test('a member names a substitute for themselves with a step-up, once for a key; all members read it, and both get a mail', async () => {
  const { id, boss, staff } = await staffed('admin', 'member')
  const [admin, member] = staff
  const [from, until] = [await inDays(0.5), await inDays(10)]
  const body = { substitute_id: member.userId, from, until, reason: 'Holiday' }
  const call = { token: admin.token, body, key: admin.userId }
  const asked = await api('POST', substitutionsPath(id), call)
  expect(asked.body.error.step_up.summary).toMatch(
    /^Let "Test Person" decide approvals for you until \d{4}-\d\d-\d\d \d\d:\d\d UTC$/,
  )
  const made = await withStepUp('POST', substitutionsPath(id), call)
  expect(made).toMatchObject({
    status: 201,
    body: {
      organization_id: id,
      user_id: admin.userId,
      user_name: 'Test Person',
      substitute_id: member.userId,
      reason: 'Holiday',
      status: 'planned',
      created_by: admin.userId,
      ended_at: null,
      ended_by: null,
      end_reason: null,
    },
  })
  expect(await api('POST', substitutionsPath(id), call)).toMatchObject({ status: 201, body: made.body })
  const one = await api('GET', `${substitutionsPath(id)}/${made.body.id}`, { token: boss.token })
  expect(one).toMatchObject({ status: 200, body: made.body })
  for (const to of [admin, member]) {
    const [mail] = await mailsTo(to.email)
    expect(mail?.subject).toBe(
      to === admin ? 'You have a substitute in "Staffed"' : 'You are a substitute in "Staffed"',
    )
    for (const fact of [`(${admin.email})`, `(${member.email})`, 'From: ', 'Until: ', 'Reason: "Holiday"'])
      expect(mail?.text).toContain(fact)
  }
  expect(await eventsOf(made.body.id)).toEqual([
    {
      type: 'substitution.created',
      payload: {
        user_id: admin.userId,
        substitute_id: member.userId,
        from: expect.any(String),
        until: expect.any(String),
      },
    },
  ])
  await move(86_400)
  expect(await listed(member, id, '?active=true')).toMatchObject([{ id: made.body.id, status: 'active' }])
  await move(10 * 86_400)
  expect(await listed(member, id, '?active=true')).toEqual([])
  expect(await listed(member, id, '?active=false')).toMatchObject([{ status: 'ended' }])
})

describe('naming a substitute', () => {
  test('for another member is for owners alone, who name nobody but others', async () => {
    const { id, boss, staff } = await staffed('admin', 'admin', 'owner')
    const [admin, other, second] = staff
    expect(fullRefusal(await nameSubstitute(admin, id, other, { of: boss }))).toEqual([
      403,
      'forbidden',
      { role: 'owner' },
    ])
    expect(fullRefusal(await nameSubstitute(boss, id, boss, { of: admin }))).toEqual([
      422,
      'substitute_not_eligible',
      { reason: 'names_themselves' },
    ])
    expect((await nameSubstitute(boss, id, second, { of: admin })).body).toMatchObject({
      user_id: admin.userId,
      substitute_id: second.userId,
      created_by: boss.userId,
    })
  })

  test('is refused for the person themselves, for strangers, for a time that is over, and for who was the substitute then already', async () => {
    const { id, boss, staff } = await staffed('member')
    const stranger = await person()
    const why = async (...args: Parameters<typeof nameSubstitute>) => fullRefusal(await nameSubstitute(...args))[2]
    expect(await why(boss, id, boss)).toEqual({ reason: 'same_person' })
    expect(await why(boss, id, stranger)).toEqual({ reason: 'not_a_member', user_id: stranger.userId })
    expect(await why(boss, id, staff[0], { of: stranger })).toEqual({
      reason: 'not_a_member',
      user_id: stranger.userId,
    })
    const over = { errors: [{ path: 'until', code: 'in_past', message: 'must be in the future' }] }
    expect(await why(boss, id, staff[0], { from: -2, until: -1 })).toEqual(over)
    const made = await nameSubstitute(boss, id, staff[0], { from: 1, until: 3 })
    const overlaps = { reason: 'overlaps', substitution_id: made.body.id }
    expect(await why(boss, id, staff[0], { from: 2, until: 9 })).toEqual(overlaps)
    expect((await nameSubstitute(boss, id, staff[0], { from: 3.01, until: 5 })).status).toBe(201)
  })

  test('is refused for an account without the authenticator that the organization requires', async () => {
    const [boss, ready] = [await person({ authenticator: true }), await person({ authenticator: true })]
    const { id } = await organization(boss, 'Strict')
    const [lacking] = await staffOf(id, 'member')
    await join(id, ready, 'member')
    await owner`update organizations set requires_authenticator = true where id = ${id}`
    expect(fullRefusal(await nameSubstitute(boss, id, lacking))[2]).toEqual({ reason: 'lacks_authenticator' })
    expect((await nameSubstitute(boss, id, ready)).status).toBe(201)
  })

  test('is refused if its time passes while the request waits', async () => {
    const { id, boss, staff } = await staffed('member')
    const body = { substitute_id: staff[0].userId, from: await inDays(0), until: await inDays(1) }
    const call = { token: boss.token, body }
    const { id: stepUp } = (await api('POST', substitutionsPath(id), call)).body.error.step_up
    await api('POST', `/sandbox/step-up/${stepUp}/decide`, { body: { decision: 'allow' } })
    const answer = await owner.begin(async (tx) => {
      await tx`select from step_ups where id = ${stepUp} for update`
      const asked = api('POST', substitutionsPath(id), call)
      await untilBlocked(tx)
      await move(86_400)
      return { asked }
    })
    expect(fullRefusal(await answer.asked)[1]).toBe('invalid_request')
    expect(await listed(boss, id)).toEqual([])
  })

  test('is refused beyond twenty substitutions of a member', async () => {
    const { id, boss, staff } = await staffed('member')
    await owner`
      insert into substitutions (id, organization_id, user_id, substitute_id, starts_at, ends_at, created_by)
      select uuidv7(), ${id}, ${boss.userId}, ${staff[0].userId}, business_now() + make_interval(days => n),
        business_now() + make_interval(days => n + 1), ${boss.userId} from generate_series(20, 39) n`
    const refused = await nameSubstitute(boss, id, staff[0])
    expect(fullRefusal(refused)[2]).toEqual({ reason: 'too_many_substitutions', limit: 20 })
  })
})

describe('a substitution is ended', () => {
  test('by its member, its substitute or an owner; the other gets a mail, and it stays listed', async () => {
    const { id, boss, staff } = await staffed('admin', 'admin', 'member')
    const [admin, other, member] = staff
    for (const by of [admin, member, boss]) {
      const made = await nameSubstitute(admin, id, member)
      expect(fullRefusal(await endSubstitution(other, id, made.body.id))).toEqual([403, 'forbidden', { role: 'owner' }])
      expect((await endSubstitution(by, id, made.body.id)).body).toEqual({ deleted: true, id: made.body.id })
      expect((await listed(other, id))[0]).toMatchObject({ status: 'ended', ended_by: by.userId, end_reason: 'ended' })
      const again = await endSubstitution(by, id, made.body.id)
      expect(fullRefusal(again)).toEqual([409, 'invalid_state', { current: 'ended', allowed: [] }])
      for (const to of [admin, member].filter((one) => one !== by)) {
        expect((await mailsTo(to.email))[0]?.subject).toBe('A substitution in "Staffed" ended')
      }
    }
    expect(await listed(other, id, `?user_id=${admin.userId}&substitute_id=${member.userId}`)).toHaveLength(3)
    expect(await listed(other, id, `?user_id=${boss.userId}`)).toEqual([])
  })

  test('with either membership, and does not begin again when the person comes back', async () => {
    const { id, boss, staff } = await staffed('admin', 'member', 'member')
    const [admin, first, second] = staff
    const made = [await nameSubstitute(admin, id, first), await nameSubstitute(admin, id, second)]
    await leave(first, id)
    expect(await listed(boss, id, '?active=true')).toMatchObject([{ id: made[1]!.body.id }])
    await remove(boss, id, admin.userId)
    await join(id, admin, 'admin')
    expect(await listed(boss, id, '?active=true')).toEqual([])
    const ended = await listed(boss, id)
    expect(ended).toMatchObject([
      { end_reason: 'member_left', ended_by: boss.userId },
      { end_reason: 'member_left', ended_by: first.userId },
    ])
    expect((await eventsOf(made[1]!.body.id)).map(({ type }) => type)).toEqual([
      'substitution.created',
      'substitution.ended',
    ])
    expect((await mailsTo(second.email))[0]?.text).toContain('One of both is no member')
  })
})
