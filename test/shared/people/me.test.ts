/** A person's own profile, primary organization and log. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { UserId } from '../../../domain/ids.ts'
import { recordSecurityEvent } from '../../../services/people/security-log.ts'
import { sql } from '../../../db/postgres/sql.ts'
import { type TestPerson, api, join, organization, person } from '../../support/api.ts'
import { refusal } from '../../support/http/refusals.ts'
import { owner } from '../../support/database.ts'
import { staffed } from '../../support/organizations/members.ts'

const me = async ({ token }: TestPerson) => (await api('GET', '/me', { token })).body
const patch = ({ token }: TestPerson, body: unknown) => api('PATCH', '/me', { token, body })

const ADDRESS = {
  address_line1: '1 Main Street',
  address_line2: 'c/o Ω',
  city: 'Berlin',
  country_code: 'DE',
  postal_code: '10115',
}

describe('PATCH /me', () => {
  test('sets every field that is given, answers Me, and ignores what one cannot change', async () => {
    const somebody = await person()
    const before = await me(somebody)
    const given = {
      first_name: 'Zoë',
      last_name: 'Müller-Lüdenscheidt',
      user_filled_country_of_residence: 'AT',
      notify: 'daily',
    }
    const fixed = { organization_limit: 9999, emails: [], kyc_entity_id: randomUUID() }
    const changed = await patch(somebody, { ...given, ...fixed, address: { ...ADDRESS, planet: 'Earth' } })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({ ...before, ...given, name: 'Zoë Müller-Lüdenscheidt', address: ADDRESS })
    expect(await me(somebody)).toEqual(changed.body)
  })

  test('leaves what is absent, clears what is null, and of a refused body changes nothing', async () => {
    const somebody = await person()
    const full = (await patch(somebody, { address: ADDRESS, user_filled_country_of_residence: 'FR' })).body
    expect(refusal(await patch(somebody, { first_name: 'Changed', last_name: 1 }))).toEqual([400, 'invalid_request'])
    expect((await patch(somebody, {})).body).toEqual(full)
    expect((await patch(somebody, { first_name: null })).body).toEqual({ ...full, first_name: null, name: 'Person' })
    const address = { address_line1: '2 Side Street', city: 'Oslo', country_code: 'NO' } // replaced whole
    const moved = await patch(somebody, { address })
    expect(moved.body.address).toEqual({ ...address, address_line2: null, postal_code: null })
    const cleared = await patch(somebody, { last_name: null, address: null, user_filled_country_of_residence: null })
    expect(cleared.body).toMatchObject({
      name: null,
      address: { address_line1: '', address_line2: null, city: '', country_code: '', postal_code: null },
      user_filled_country_of_residence: null,
    })
  })
})

describe('PUT /me/primary-organization', () => {
  const choose = ({ token }: TestPerson, organization_id: unknown) =>
    api('PUT', '/me/primary-organization', { token, body: { organization_id } })
  const primaries = async ({ token }: TestPerson) =>
    (await api('GET', '/organizations', { token })).body.data
      .filter((one: { is_primary: boolean }) => one.is_primary)
      .map((one: { id: string }) => one.id)

  test('answers as the contract says, and again as often as it is asked, for the caller alone; the list follows', async () => {
    const boss = await person()
    const named = async (name: string) => ({ ...(await organization(boss, name)), name })
    const [one, two] = [await named('One'), await named('Two')]
    for (const { id, name } of [one, two, two]) {
      const message = `"${name}" is now your primary organization.`
      const body = { success: true, message, organization: { id, name, role: 'owner' } }
      expect(await choose(boss, id)).toMatchObject({ status: 200, body })
      expect(await primaries(boss)).toEqual([id])
    }
    expect((await api('GET', `/organizations/${one.id}`, { token: boss.token })).body.is_primary).toBe(false)
    const member = await person()
    await join(one.id, member, 'member')
    expect((await choose(member, one.id)).body.organization.role).toBe('member')
    expect([await primaries(member), await primaries(boss)]).toEqual([[one.id], [two.id]])
  })

  test('one that the caller is not in, that is banned, deleted or not there: not_found, and the choice stays', async () => {
    const [{ boss, id: kept }, stranger] = [await staffed(), await staffed()]
    await choose(boss, kept)
    const others = [randomUUID(), stranger.id]
    for (const status of ['banned', 'deleted']) {
      const { id } = await organization(boss)
      await owner`update organizations set status = ${status} where id = ${id}`
      others.push(id)
    }
    for (const id of others) expect(refusal(await choose(boss, id))).toEqual([404, 'not_found'])
    expect(await primaries(boss)).toEqual([kept])
  })
})

describe('GET /me/security-events', () => {
  const list = async ({ token }: TestPerson, query = '') => api('GET', `/me/security-events${query}`, { token })
  const happen = (to: TestPerson, type: 'session.ended' | 'password.changed', details = {}) =>
    recordSecurityEvent(sql, {
      type,
      userId: to.userId as UserId, // the id of a row that was just written
      origin: { address: '192.0.2.1', userAgent: 'test' },
      details,
    })

  test('lists what happened to this person and nobody else, newest first, page by page', async () => {
    const [somebody, other] = [await person(), await person()]
    for (const n of [1, 2, 3]) await happen(somebody, 'session.ended', { n })
    await happen(other, 'session.ended')
    const all = (await list(somebody)).body
    expect(all).toMatchObject({ has_more: false, next_cursor: null })
    expect(all.data.map(({ details }: { details: { n: number } }) => details.n)).toEqual([3, 2, 1])
    expect(all.data[0]).toEqual({
      id: expect.any(String),
      type: 'session.ended',
      session_id: null,
      device_id: null,
      ip_address: '192.0.2.1',
      user_agent: 'test',
      details: { n: 3 },
      occurred_at: expect.stringMatching(/Z$/),
    })
    const first = (await list(somebody, '?limit=2')).body
    expect(first.data).toEqual(all.data.slice(0, 2))
    const rest = (await list(somebody, `?limit=2&cursor=${first.next_cursor}`)).body
    expect(rest).toEqual({ data: all.data.slice(2), has_more: false, next_cursor: null })
    expect((await list(other, `?cursor=${first.next_cursor}`)).status).toBe(400)
  })

  test('filters by type, with a cursor that may be of another type; an unknown type is invalid_request', async () => {
    const somebody = await person()
    for (const type of ['password.changed', 'session.ended', 'password.changed', 'session.ended'] as const) {
      await happen(somebody, type)
    }
    const changes = (await list(somebody, '?type=password.changed')).body.data
    expect(changes.map(({ type }: { type: string }) => type)).toEqual(['password.changed', 'password.changed'])
    const [newest] = (await list(somebody)).body.data
    expect((await list(somebody, `?type=password.changed&cursor=${newest.id}`)).body.data).toEqual(changes)
    expect((await list(somebody, '?type=sign_in.failed')).body.data).toEqual([])
    expect((await list(somebody, '?type=made_up')).status).toBe(400)
  })
})
