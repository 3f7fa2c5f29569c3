/** Substitutions: named, listed and ended. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { api, join, organization, person, withStepUp } from '../../support/api.ts'
import { endSubstitution, inDays, nameSubstitute, substitutionsPath } from '../../support/approvals/substitutions.ts'
import { owner } from '../../support/database.ts'
import { advance, mailsTo } from '../../support/identity/identity.ts'
import { leave, remove, staffOf, staffed } from '../../support/organizations/members.ts'
import { until } from '../../support/until.ts'

const refusal = ({ status, body }: { status: number; body: any }) => [status, body.error?.type, body.error?.details]
const listed = async ({ token }: { token: string }, id: string, query = '') =>
  (await api('GET', `${substitutionsPath(id)}${query}`, { token })).body.data as { id: string; status: string }[]
const move = async (seconds: number) => {
  await advance(seconds)
  await owner`update sessions set last_used_at = business_now(), signed_in_at = business_now()`
}
const eventsOf = (id: string) => owner<{ type: string; payload: object }[]>`
  select type, payload::jsonb as payload from events where subject_id = ${id} order by occurred_at`

test('a member names a substitute for themselves with a step-up, once for a key; all members read it, and both get a mail', async () => {
  const { id, boss, staff } = await staffed('admin', 'member')
  const [admin, member] = staff
  const [from, until] = [await inDays(0.5), await inDays(10)]
  const body = { substitute_id: member.userId, from, until, reason: 'Holiday' }
  const asked = await api('POST', substitutionsPath(id), { token: admin.token, body })
  expect(asked.body.error.step_up.summary).toMatch(
    /^Let "Test Person" decide approvals for you until \d{4}-\d\d-\d\d \d\d:\d\d UTC$/,
  )
  const made = await nameSubstitute(admin, id, member, { from: 0.5, until: 10, reason: 'Holiday' })
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

test('a repeat with the same key answers the substitution that the first request made', async () => {
  const { id, boss, staff } = await staffed('member')
  const body = { substitute_id: staff[0].userId, from: await inDays(0), until: await inDays(5) }
  const call = { token: boss.token, body, key: randomUUID() }
  const asked = await api('POST', substitutionsPath(id), call)
  await api('POST', `/sandbox/step-up/${asked.body.error.step_up.id}/decide`, { body: { decision: 'allow' } })
  const first = await api('POST', substitutionsPath(id), call)
  expect(first.status).toBe(201)
  expect((await api('POST', substitutionsPath(id), call)).body).toEqual(first.body)
  expect(await listed(boss, id)).toHaveLength(1)
})

describe('naming a substitute', () => {
  test('for another member is for owners alone, who name nobody but others', async () => {
    const { id, boss, staff } = await staffed('admin', 'admin', 'owner')
    const [admin, other, second] = staff
    expect(refusal(await nameSubstitute(admin, id, other, { of: boss }))).toEqual([403, 'forbidden', { role: 'owner' }])
    expect(refusal(await nameSubstitute(boss, id, boss, { of: admin }))).toEqual([
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

  test('is refused for the person themselves, for strangers, and for who was the substitute at that time already', async () => {
    const { id, boss, staff } = await staffed('member')
    const stranger = await person()
    const why = async (...args: Parameters<typeof nameSubstitute>) => refusal(await nameSubstitute(...args))[2]
    expect(await why(boss, id, boss)).toEqual({ reason: 'same_person' })
    expect(await why(boss, id, stranger)).toEqual({ reason: 'not_a_member', user_id: stranger.userId })
    expect(await why(boss, id, staff[0], { of: stranger })).toEqual({
      reason: 'not_a_member',
      user_id: stranger.userId,
    })
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
    expect(refusal(await nameSubstitute(boss, id, lacking))[2]).toEqual({ reason: 'lacks_authenticator' })
    expect((await nameSubstitute(boss, id, ready)).status).toBe(201)
  })

  test.each([
    ['longer than 90 days', 1, 91.1, 'too_far'],
    ['that ends before it begins', 2, 1, 'not_after_from'],
    ['that is over', -2, -1, 'in_past'],
  ])('is refused for a time %s', async (_, from, until, code) => {
    const { id, boss, staff } = await staffed('member')
    const { status, body } = await nameSubstitute(boss, id, staff[0], { from, until })
    expect([status, body.error.type]).toEqual([400, 'invalid_request'])
    expect(JSON.stringify(body.error.details.errors)).toContain(code)
  })

  test.each([
    ['9998-03-01T09:30:00+02', '9998-03-02 09:30:00 -0130', '9998-03-01T07:30:00Z', '9998-03-02T11:00:00Z'],
    ['9998-03-01T09:30:00.000Z', '9998-03-01T09:30:00.001999999Z', '9998-03-01T09:30:00Z', '9998-03-01T09:30:00.001Z'],
    ['9999-12-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '9999-12-01T00:00:00Z', '9999-12-31T23:59:59.999Z'],
  ])('takes a time however it is written, in milliseconds: from %s until %s', async (from, until, begins, ends) => {
    const { id, boss, staff } = await staffed('member')
    const body = { substitute_id: staff[0].userId, from, until }
    const { body: made } = await withStepUp('POST', substitutionsPath(id), { token: boss.token, body })
    expect(made).toMatchObject({ from: begins, until: ends })
  })

  test.each([
    ['of no length once it is kept', '9998-03-01T09:30:00.001Z', '9998-03-01T09:30:00.001999999Z', 'not_after_from'],
    ['after the year 9999', '9999-12-31T00:00:00Z', '9999-12-31T23:59:59-14', 'no_such_time'],
    [
      'that Postgres would round to the year 10000',
      '9999-12-31T00:00:00Z',
      '9999-12-31T23:59:59.9999999Z',
      'no_such_time',
    ],
  ])('is refused for a time %s', async (_, from, until, code) => {
    const { id, boss, staff } = await staffed('member')
    const body = { substitute_id: staff[0].userId, from, until }
    const answer = await api('POST', substitutionsPath(id), { token: boss.token, body })
    expect([answer.status, answer.body.error.details.errors[0].code]).toEqual([400, code])
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
      await until('the request waits', async () => {
        const waiting = await owner`
          select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
        return waiting.length > 0
      })
      await move(86_400)
      return { asked }
    })
    expect(refusal(await answer.asked)[1]).toBe('invalid_request')
    expect(await listed(boss, id)).toEqual([])
  })

  test('is refused beyond twenty substitutions of a member', async () => {
    const { id, boss, staff } = await staffed('member')
    await owner`
      insert into substitutions (id, organization_id, user_id, substitute_id, starts_at, ends_at, created_by)
      select uuidv7(), ${id}, ${boss.userId}, ${staff[0].userId}, business_now() + make_interval(days => n),
        business_now() + make_interval(days => n + 1), ${boss.userId} from generate_series(20, 39) n`
    const refused = await nameSubstitute(boss, id, staff[0])
    expect(refusal(refused)[2]).toEqual({ reason: 'too_many_substitutions', limit: 20 })
  })
})

describe('a substitution is ended', () => {
  test('by its member, its substitute or an owner; the other gets a mail, and it stays listed', async () => {
    const { id, boss, staff } = await staffed('admin', 'admin', 'member')
    const [admin, other, member] = staff
    for (const by of [admin, member, boss]) {
      const made = await nameSubstitute(admin, id, member)
      expect(refusal(await endSubstitution(other, id, made.body.id))).toEqual([403, 'forbidden', { role: 'owner' }])
      expect((await endSubstitution(by, id, made.body.id)).body).toEqual({ deleted: true, id: made.body.id })
      expect((await listed(other, id))[0]).toMatchObject({ status: 'ended', ended_by: by.userId, end_reason: 'ended' })
      const again = await endSubstitution(by, id, made.body.id)
      expect(refusal(again)).toEqual([409, 'invalid_state', { current: 'ended', allowed: [] }])
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

test('a stranger reads nothing, and ends nothing', async () => {
  const { id, boss, staff } = await staffed('member')
  const made = await nameSubstitute(boss, id, staff[0])
  const stranger = await person()
  for (const answer of [
    await api('GET', substitutionsPath(id), { token: stranger.token }),
    await api('GET', `${substitutionsPath(id)}/${made.body.id}`, { token: stranger.token }),
    await endSubstitution(stranger, id, made.body.id),
  ])
    expect(answer.status).toBe(404)
})
