/** Delegates: they act for their person in one organization, within what is marked, until they end. */
import { expect, test } from 'vitest'
import { type TestPerson, api, join, organization, payerAndPayee, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { bodyFor, delegateOf, exchange, tokenOf } from '../../support/identity/delegates.ts'

const balancesFor = (token: string, organizationId: string) =>
  api('GET', `/organizations/${organizationId}/balances`, { token })

test('a person makes one by a step-up; its token reads in that organization', async () => {
  const { boss, payer, contactId } = await payerAndPayee()
  const made = await delegateOf(boss, payer.id)
  expect(made).toMatchObject({ name: 'Books', access: 'read', ended_at: null, last_used_at: null })
  const { status, body } = await exchange(made.secret)
  expect([status, body]).toEqual([
    200,
    { access_token: expect.any(String), token_type: 'Bearer', expires_in: 28_800, organization_id: payer.id },
  ])
  const token = body.access_token
  expect((await api('GET', `/payment-contacts/${contactId}`, { token })).body.id).toBe(contactId)
  const balances = async (of: string) => (await balancesFor(of, payer.id)).body.data
  expect(await balances(token)).toEqual(await balances(boss.token))
  const [listed] = (await api('GET', '/me/delegates', { token: boss.token })).body.data
  expect(listed).toMatchObject({ id: made.id, last_used_at: expect.any(String), last_used_address: '127.0.0.1' })
  expect(JSON.stringify(listed)).not.toContain(made.secret)
})

test('it sees no other organization of its person, and no more than the person may', async () => {
  const { boss, payer } = await payerAndPayee()
  const other = await organization(boss, 'Other')
  const token = await tokenOf(await delegateOf(boss, payer.id))
  expect((await balancesFor(token, other.id)).status).toBe(404)
  const member = await person()
  await join(payer.id, member, 'member')
  const ofMember = await tokenOf(await delegateOf(member, payer.id))
  const asMember = await api('GET', `/organizations/${payer.id}/events`, { token: member.token })
  expect(asMember.status).toBe(403)
  expect((await api('GET', `/organizations/${payer.id}/events`, { token: ofMember })).body).toMatchObject({
    error: { type: asMember.body.error.type },
  })
})

test('unknown, ended and expired ones get no token, and their sessions end with them', async () => {
  const { boss, payer } = await payerAndPayee()
  const [made, short] = [await delegateOf(boss, payer.id), await delegateOf(boss, payer.id, { expires_in_days: 1 })]
  const [token, shortToken] = [await tokenOf(made), await tokenOf(short)]
  const isLive = async (of: string) => (await balancesFor(of, payer.id)).status
  expect([await isLive(token), await isLive(shortToken)]).toEqual([200, 200])
  expect((await exchange('dlg_unknown')).body).toEqual({
    error: 'invalid_client',
    error_description: expect.any(String),
  })
  expect((await exchange(made.secret, 'password')).body.error).toBe('unsupported_grant_type')
  expect((await api('DELETE', `/me/delegates/${made.id}`, { token: boss.token })).status).toBe(200)
  expect((await api('DELETE', `/me/delegates/${made.id}`, { token: boss.token })).status).toBe(404)
  expect([await isLive(token), (await exchange(made.secret)).status]).toEqual([401, 401])
  await owner`update delegates set expires_at = business_now() where id = ${short.id}`
  expect([await isLive(shortToken), (await exchange(short.secret)).status]).toEqual([401, 401])
})

test('to remove its device ends it', async () => {
  const { boss, payer } = await payerAndPayee()
  const made = await delegateOf(boss, payer.id)
  const token = await tokenOf(made)
  const [row] = await owner`select device_id from delegates where id = ${made.id}`
  const removed = await withStepUp('DELETE', `/devices/${row?.['device_id']}`, { token: boss.token })
  expect(removed.status).toBe(200)
  expect((await balancesFor(token, payer.id)).status).toBe(401)
  expect((await exchange(made.secret)).status).toBe(401)
})

test('its session lasts eight hours at most, however it is used', async () => {
  const { boss, payer } = await payerAndPayee()
  const token = await tokenOf(await delegateOf(boss, payer.id))
  const read = async () => (await balancesFor(token, payer.id)).status
  await owner`update sessions set signed_in_at = business_now() - interval '7 hours 59 minutes' where delegate_id is not null
    and user_id = ${boss.userId}`
  expect(await read()).toBe(200)
  const { body } = await api('GET', '/me/sessions', { token: boss.token })
  const listed = body.data.find((session: { device_name: string }) => session.device_name === 'Books')
  expect(Date.parse(listed.expires_at) - Date.parse(listed.signed_in_at)).toBe(8 * 3_600_000)
  await owner`update sessions set signed_in_at = business_now() - interval '8 hours' where delegate_id is not null
    and user_id = ${boss.userId}`
  expect(await read()).toBe(401)
})

test.each([
  [
    'leaves',
    (of: TestPerson, id: string) => withStepUp('POST', `/organizations/${id}/leave`, { token: of.token }),
    'left',
  ],
  [
    'changes the password',
    (of: TestPerson) =>
      withStepUp('POST', '/me/password', {
        token: of.token,
        body: { current_password: of.password, password: 'another very long passphrase' },
      }),
    'password_changed',
  ],
])('it ends when its person %s', async (_, act, reason) => {
  const { payer } = await payerAndPayee()
  const member = await person()
  await join(payer.id, member, 'admin')
  const made = await delegateOf(member, payer.id)
  const token = await tokenOf(made)
  const answer = await act(member, payer.id)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  expect((await balancesFor(token, payer.id)).status).toBe(401)
  expect((await exchange(made.secret)).status).toBe(401)
  const [row] = await owner`select end_reason from delegates where id = ${made.id}`
  expect(row).toEqual({ end_reason: reason })
})

test('owners see and end the delegates of their members; nobody else does', async () => {
  const { boss, payer } = await payerAndPayee()
  const admin = await person()
  await join(payer.id, admin, 'admin')
  const made = await delegateOf(admin, payer.id)
  const list = (by: TestPerson) => api('GET', `/organizations/${payer.id}/delegates`, { token: by.token })
  expect((await list(boss)).body.data).toMatchObject([{ id: made.id, user_id: admin.userId }])
  expect((await list(admin)).status).toBe(403)
  const end = (by: TestPerson) => api('DELETE', `/organizations/${payer.id}/delegates/${made.id}`, { token: by.token })
  expect((await end(admin)).status).toBe(403)
  expect((await end(boss)).status).toBe(200)
  expect((await exchange(made.secret)).status).toBe(401)
  const { body } = await api('GET', '/me/security-events', { token: admin.token })
  expect(body.data[0]).toMatchObject({
    type: 'delegate.ended',
    details: { delegate: made.id, reason: 'ended_by_owner' },
  })
})

test('it is refused from an address that is not allowed, with secret and with token', async () => {
  const { boss, payer } = await payerAndPayee()
  const elsewhere = await delegateOf(boss, payer.id, { allowed_addresses: ['203.0.113.0/24', '2001:db8::1'] })
  expect((await exchange(elsewhere.secret)).body.error).toBe('unauthorized_client')
  const here = await delegateOf(boss, payer.id, { allowed_addresses: ['127.0.0.0/8'] })
  const token = await tokenOf(here)
  await owner`update delegates set allowed_addresses = '{203.0.113.7}' where id = ${here.id}`
  const answer = await balancesFor(token, payer.id)
  expect(answer.body.error.type).toBe('delegate_address_not_allowed')
})

test('at most twenty live ones of a person in an organization, also when several are made at once', async () => {
  const { boss, payer } = await payerAndPayee()
  await owner`
    insert into delegates (user_id, organization_id, device_id, name, kind, access, secret_hash, expires_at)
    select ${boss.userId}, ${payer.id}, (select id from devices where user_id = ${boss.userId} limit 1), 'Many', 'program',
      'read', sha256(convert_to(${boss.userId} || i::text, 'UTF8')), business_now() + interval '1 day'
    from generate_series(1, 19) i`
  const make = () => withStepUp('POST', '/me/delegates', { token: boss.token, body: bodyFor(payer.id) })
  const made = await make()
  expect(made.status).toBe(201)
  const more = await make()
  expect([more.status, more.body.error.type]).toEqual([409, 'delegate_limit_reached'])
})
