/** What an owner decides for everybody in an organization. */
import { describe, expect, test } from 'vitest'
import { sql } from '../../../db/sql.ts'
import { type TestPerson, api, join, organization, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'

const path = (id: string) => `/organizations/${id}/settings`
const read = ({ token }: TestPerson, id: string) => api('GET', path(id), { token })
const change = ({ token }: TestPerson, id: string, body: object) => withStepUp('PATCH', path(id), { token, body })
const eventsOf = (id: string) =>
  owner`select type, actor_user_id, payload::jsonb as payload from events where subject_id = ${id} order by id`

const requiredOf = async ({ userId }: TestPerson) => {
  const [row] = await sql<{ required: boolean }[]>`select authenticator_required(${userId}) as required`
  return row?.required
}

describe('requires_authenticator', () => {
  test('is false at first; an owner sets it after a step-up, for every member', async () => {
    const [boss, member] = [await person(), await person()]
    const { id } = await organization(boss)
    await join(id, member, 'member')
    expect(await read(boss, id)).toMatchObject({ status: 200, body: { requires_authenticator: false } })

    const body = { requires_authenticator: true }
    const asked = await api('PATCH', path(id), { token: boss.token, body })
    expect([asked.status, asked.body.error.type]).toEqual([403, 'step_up_required'])
    expect(await requiredOf(member)).toBe(false)

    const changed = await change(boss, id, body)
    expect([changed.status, changed.body]).toEqual([200, body])
    expect((await read(boss, id)).body).toEqual(body)
    expect([await requiredOf(boss), await requiredOf(member)]).toEqual([true, true])
  })

  test('each change is one event, also when it comes and goes under one request id; no change is none', async () => {
    const boss = await person()
    const { id } = await organization(boss)
    for (const requires_authenticator of [true, true, false, true]) {
      const answer = await withStepUp('PATCH', path(id), {
        token: boss.token,
        body: { requires_authenticator },
        headers: { 'x-request-id': 'the-same-one' },
      })
      expect([answer.status, answer.body]).toEqual([200, { requires_authenticator }])
    }
    expect((await change(boss, id, {})).body).toEqual({ requires_authenticator: true })
    expect(await eventsOf(id)).toEqual(
      [true, false, true].map((requires_authenticator) => ({
        type: 'organization.settings_changed',
        actor_user_id: boss.userId,
        payload: { requires_authenticator },
      })),
    )
  })

  test('20 of the same change at once are one event', async () => {
    const boss = await person()
    const { id } = await organization(boss)
    await change(boss, id, {})
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => change(boss, id, { requires_authenticator: true })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test.each(['admin', 'member'] as const)(
    'an %s neither reads nor sets it, and is asked for no step-up',
    async (role) => {
      const [boss, other] = [await person(), await person()]
      const { id } = await organization(boss)
      await join(id, other, role)
      for (const refused of [await read(other, id), await change(other, id, { requires_authenticator: true })]) {
        expect([refused.status, refused.body.error.type]).toEqual([403, 'forbidden'])
      }
      expect(await eventsOf(id)).toEqual([])
    },
  )

  test.each([{ requires_authenticator: null }, { requires_authenticator: 'true' }, { requires_authenticator: 1 }])(
    '%j is invalid_request',
    async (body) => {
      const boss = await person()
      const { id } = await organization(boss)
      const refused = await change(boss, id, body)
      expect([refused.status, refused.body.error.type]).toEqual([400, 'invalid_request'])
    },
  )
})
