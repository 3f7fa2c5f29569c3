/** Settings that an owner makes for the whole organization. */
import { generateSecret } from 'otplib'
import { describe, expect, test } from 'vitest'
import { addAuthenticator } from '../../../services/factors/authenticators.ts'
import type { OrganizationId, UserId } from '../../../domain/ids.ts'
import { moveOrganization } from '../../support/organizations/status.ts'
import { sql } from '../../../db/postgres/sql.ts'
import { type TestPerson, api, join, organization, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import {
  PASSWORD,
  codeTo,
  codesOf,
  subjectsTo,
  me,
  newEmail,
  signIn,
  withAuthenticator,
} from '../../support/identity/identity.ts'
import { accept, invite, told, tokensTo } from '../../support/invitations/invitations.ts'
import { rolesOf, staffed } from '../../support/organizations/members.ts'

const path = (id: string) => `/organizations/${id}/settings`
const read = ({ token }: TestPerson, id: string) => api('GET', path(id), { token })
const change = ({ token }: TestPerson, id: string, body: object) => withStepUp('PATCH', path(id), { token, body })
const eventsOf = (id: string) =>
  owner`select type, actor_user_id, payload::jsonb as payload from events where subject_id = ${id} order by id`

const requiredOf = async ({ userId }: TestPerson) => {
  const [row] = await sql<{ required: boolean }[]>`select authenticator_required(${userId}) as required`
  return row?.required
}

/** An owner whose step-up window is open, and an organization. */
async function ready(authenticator = true) {
  const boss = await person({ authenticator })
  const { id } = await organization(boss, 'Careful')
  await change(boss, id, {})
  return { boss, id }
}

describe('requires_authenticator', () => {
  test('is false at first; an owner sets it after a step-up, for every member', async () => {
    const { boss, id, staff } = await staffed('member')
    const [member] = staff
    expect(await read(boss, id)).toMatchObject({ status: 200, body: { requires_authenticator: false } })

    const body = { requires_authenticator: true }
    expect(refusal(await api('PATCH', path(id), { token: boss.token, body }))).toEqual([403, 'step_up_required'])
    expect(await requiredOf(member)).toBe(false)

    const changed = await change(boss, id, body)
    expect(changed).toMatchObject({ status: 200, body })
    expect((await read(boss, id)).body).toEqual(changed.body)
    expect([await requiredOf(boss), await requiredOf(member)]).toEqual([true, true])
  })

  test('each change is one event, also when it comes and goes under one request id; no change is none', async () => {
    const { boss, id } = await ready()
    for (const requires_authenticator of [true, true, false, true]) {
      const answer = await withStepUp('PATCH', path(id), {
        token: boss.token,
        body: { requires_authenticator },
        headers: { 'x-request-id': 'the-same-one' },
      })
      expect(answer).toMatchObject({ status: 200, body: { requires_authenticator } })
    }
    const same = await Promise.all(Array.from({ length: 5 }, () => change(boss, id, { requires_authenticator: true })))
    expect(new Set(same.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await eventsOf(id)).toEqual(
      [true, false, true].map((requires_authenticator) => ({
        type: 'organization.settings_changed',
        actor_user_id: boss.userId,
        payload: { changed: ['requires_authenticator'], requires_authenticator },
      })),
    )
  })
})

describe('what its invoices say', () => {
  const address = { line1: 'Domkloster 4', line2: null, postal_code: '50667', city: 'Köln', country_code: 'DE' }

  test('is usual at first; an owner sets it piece by piece, and empties it with null', async () => {
    const { boss, id } = await staffed()
    const usual = {
      payee_check: 'warn',
      requires_authenticator: false,
      credit_note_prefix: 'CN-',
      invoice_prefix: 'INV-',
      invoice_reminder_days: [-3, 1, 7, 14],
      postal_address: null,
      vat_id: null,
      contact_name: null,
      contact_phone: null,
      time_zone: 'UTC',
      time_zone_from: null,
      account_change_hours: 24,
      account_change_free_amount: null,
    }
    expect((await read(boss, id)).body).toEqual(usual)
    const given = { invoice_prefix: '2026/A.', invoice_reminder_days: [30, -30, 0], vat_id: 'de 136 695 976' }
    const first = { ...usual, ...given, invoice_reminder_days: [-30, 0, 30], vat_id: 'DE136695976' }
    expect(await change(boss, id, given)).toMatchObject({ status: 200, body: first })
    const named = { contact_name: 'Jana', contact_phone: '+49 221 1' }
    const seller = { ...named, postal_address: { ...address, line2: undefined } }
    expect((await change(boss, id, seller)).body).toEqual({ ...first, ...seller, postal_address: address })
    const emptied = { invoice_prefix: '', invoice_reminder_days: [], postal_address: null, vat_id: null }
    const last = { ...first, ...emptied, contact_name: 'Jana', contact_phone: null }
    expect((await change(boss, id, { ...emptied, contact_phone: null })).body).toEqual(last)
    expect((await read(boss, id)).body).toEqual(last)
    expect((await eventsOf(id)).map(({ payload }) => payload)).toEqual([
      { changed: ['invoice_prefix', 'invoice_reminder_days', 'vat_id'] },
      { changed: ['contact_name', 'contact_phone', 'postal_address'] },
      { changed: ['contact_phone', 'invoice_prefix', 'invoice_reminder_days', 'postal_address', 'vat_id'] },
    ])
  })

  test('that is the same as before, in another order or with other blanks, is no event', async () => {
    const { boss, id } = await staffed()
    const given = { invoice_reminder_days: [5, 1], vat_id: 'ATU13585627', postal_address: address }
    await change(boss, id, given)
    const { city, ...rest } = address
    const again = { invoice_reminder_days: [1, 5], vat_id: 'at-u13585627', postal_address: { city, ...rest } }
    expect((await change(boss, id, again)).status).toBe(200)
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test('is no reason to end the sessions of who lacks the authenticator that is required', async () => {
    const [{ boss, id }, member] = [await ready(), await person()]
    await change(boss, id, { requires_authenticator: true })
    await join(id, member, 'member') // as a row of members
    await change(boss, id, { requires_authenticator: true, invoice_prefix: 'R' })
    expect((await me(member.token)).status).toBe(200)
  })

  test.each([
    [{ invoice_prefix: 'CN-' }, 'invoice_prefix'],
    [{ credit_note_prefix: 'INV-' }, 'credit_note_prefix'],
  ])('%j is refused, as the other prefix is the same', async (body, path) => {
    const { boss, id } = await staffed()
    const refused = await change(boss, id, body)
    expect(refused).toMatchObject({ status: 400, body: { error: { details: { errors: [{ path }] } } } })
    expect(await eventsOf(id)).toEqual([])
  })
})

describe('an authenticator that becomes required', () => {
  const REQUIRED = { requires_authenticator: true }
  const lacking = { status: 403, body: { error: { type: 'forbidden', details: { reason: 'authenticator_required' } } } }
  const secure = ({ userId }: TestPerson) => addAuthenticator(userId as UserId, generateSecret()) // a row of people
  const sessionsOf = async (tokens: readonly string[]) =>
    Promise.all(tokens.map(async (token) => (await me(token)).status))

  test('ends the sessions of members who have none, but for the one that asked, and signing in asks for the setup', async () => {
    const { boss, id } = await ready(false)
    const [member, secured] = [await person(), await withAuthenticator()]
    await join(id, member, 'admin')
    await join(id, secured, 'member')
    await organization(member, 'Elsewhere')
    const { token: other } = (await signIn(boss.email, boss.password)).body
    expect((await change(boss, id, REQUIRED)).status).toBe(200)
    expect(await sessionsOf([boss.token, secured.token, other, member.token])).toEqual([200, 200, 401, 401])
    expect((await signIn(member.email, member.password)).body.status).toBe('totp_setup_required')
    expect(await subjectsTo(member.email)).toEqual(['An authenticator app is required of you'])
    expect(await subjectsTo(secured.email)).toEqual([])
    const [ended] = await owner`
      select ip_address, details from security_events where user_id = ${member.userId} and type = 'session.ended'`
    expect(ended).toEqual({ ip_address: null, details: { reason: 'authenticator_required' } })
  })

  test('keeps whoever has none from all that needs a fresh proof, also from taking it back', async () => {
    const { boss, id } = await ready(false)
    await change(boss, id, REQUIRED)
    expect(await change(boss, id, { requires_authenticator: false })).toMatchObject(lacking)
    expect(await api('POST', '/me/approval-credential', { token: boss.token, body: {} })).toMatchObject(lacking)
    await secure(boss)
    expect((await change(boss, id, { requires_authenticator: false })).status).toBe(200)
  })

  test('lets nobody join without one; who signs up by an invitation sets it up first', async () => {
    const { boss, id } = await ready()
    await change(boss, id, REQUIRED)
    const [guest, email] = [await person(), newEmail()]
    await invite(boss, id, [{ email: guest.email, role: 'admin' }, { email }])
    const [[token = ''], [other = '']] = [await tokensTo(guest.email), await tokensTo(email)]
    const refused = await accept(guest, token)
    expect(refused).toMatchObject(lacking)
    expect(refused.body.error.message).toBe('Please set up an authenticator app first: the organization requires one.')
    await secure(guest)
    expect(told(await accept(guest, token))).toEqual([200, 'done'])

    const signUp = { email, password: PASSWORD, invitation_token: other }
    const { token: session } = (await api('POST', '/auth/sign-up', { body: signUp })).body
    const join_ = () => api('POST', '/invitations/accept', { token: session, body: { token: other } })
    expect(await join_()).toMatchObject(lacking)
    const { secret_encoded } = (await api('POST', '/auth/totp/setup', { token: session })).body
    const codes = { code: await codesOf(secret_encoded)(), messaging_code: await codeTo(email) }
    expect((await api('POST', '/auth/totp/activate', { token: session, body: codes })).status).toBe(200)
    expect(told(await join_())).toEqual([200, 'done'])
  })

  test('leaves no session to who signs in, joins, or removes theirs at that moment', async () => {
    const { boss, id } = await ready()
    const [member, guest, removing] = [await person(), await person(), await withAuthenticator()]
    for (const somebody of [member, removing]) await join(id, somebody, 'member')
    await invite(boss, id, [{ email: guest.email }])
    const [token = ''] = await tokensTo(guest.email)
    const [changed, joined, removed, ...signedIn] = await Promise.all([
      change(boss, id, REQUIRED),
      accept(guest, token),
      withStepUp('DELETE', '/auth/totp', { token: removing.token }),
      ...Array.from({ length: 5 }, () => signIn(member.email, member.password)),
    ])
    expect(changed.status).toBe(200)
    for (const { body } of signedIn) {
      if (body.status === 'authenticated') expect((await me(body.token)).status).toBe(401)
      else expect(body.status).toBe('totp_setup_required')
    }
    expect(await rolesOf(id, [guest])).toEqual([joined.status === 200 ? 'member' : undefined])
    expect((await me(guest.token)).status).toBe(joined.status === 200 ? 401 : 200)
    expect((await me(removing.token)).status).toBe(removed.status === 200 ? 401 : 200)
  })

  test('ends the sessions that began while the organization was banned', async () => {
    const { boss, id } = await ready()
    await change(boss, id, REQUIRED)
    await moveOrganization(id as OrganizationId, 'ban')
    const member = await person()
    await join(id, member, 'member')
    await moveOrganization(id as OrganizationId, 'unban')
    expect(await sessionsOf([boss.token, member.token])).toEqual([200, 401])
  })
})
