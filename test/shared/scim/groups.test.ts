/** Groups of an identity provider give roles: the strongest counts, never that of an owner, and nothing is gained by leaving. */
import { expect, test } from 'vitest'
import { api, join } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { sentTo } from '../../support/identity/identity.ts'
import { company, identityProvider, personOf, signInAt } from '../../support/identity/providers.ts'
import {
  listOf,
  newAddress,
  patchBody,
  scimOf,
  scimToken,
  setGroupRole,
  userBody,
} from '../../support/identity/scim.ts'

const provider = await identityProvider()
const { boss, id, domain } = await company(provider)
const { secret } = await scimToken(boss, id)
const scim = scimOf(secret)

const memberOf = async (email: string) =>
  (await api('GET', `/organizations/${id}/members?q=${encodeURIComponent(email)}`, { token: boss.token })).body.data[0]

async function member(role: 'admin' | 'member' = 'member') {
  const somebody = await personOf(domain)
  await join(id, somebody, role)
  const { body } = await scim('POST', '/Users', userBody(somebody.email))
  return { ...somebody, scimId: body.id as string }
}

async function group(displayName: string, ...members: string[]) {
  const made = await scim('POST', '/Groups', { displayName, members: members.map((value) => ({ value })) })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body.id as string
}

const add = (id: string, value: string) =>
  scim('PATCH', `/Groups/${id}`, patchBody({ op: 'Add', path: 'members', value: [{ value }] }))
const remove = (id: string, value: string) =>
  scim('PATCH', `/Groups/${id}`, patchBody({ op: 'Remove', path: `members[value eq "${value}"]` }))

test('the strongest of the groups counts, and who leaves all of them is a member who gains nothing', async () => {
  const somebody = await member()
  const [admins, readers] = [await group('Admins'), await group('Readers', somebody.scimId)]
  expect((await setGroupRole(boss, id, admins, { role: 'admin' })).body).toMatchObject({ role: 'admin', preset: null })
  expect((await setGroupRole(boss, id, readers, { role: 'member', preset: 'reader' })).status).toBe(200)
  expect(await memberOf(somebody.email)).toMatchObject({ role: 'member', preset: 'reader' })
  expect((await add(admins, somebody.scimId)).status).toBe(204)
  expect(await memberOf(somebody.email)).toMatchObject({ role: 'admin', preset: null })
  expect((await remove(admins, somebody.scimId)).status).toBe(204)
  expect(await memberOf(somebody.email)).toMatchObject({ role: 'member', preset: 'reader' })
  expect((await remove(readers, somebody.scimId)).status).toBe(204)
  expect(await memberOf(somebody.email)).toMatchObject({ role: 'member', preset: 'reader' })
  const listed = await listOf(boss, id, '/groups')
  expect(listed.find((one: { id: string }) => one.id === readers)).toMatchObject({
    display_name: 'Readers',
    members: 0,
  })
})

test('a group that is deleted, or gives its role no more, takes the role; one in no such group keeps theirs', async () => {
  const [somebody, untouched] = [await member(), await member('admin')]
  const named = await group('Finance', somebody.scimId, untouched.scimId)
  expect((await memberOf(untouched.email)).role).toBe('admin')
  await setGroupRole(boss, id, named, { role: 'admin' })
  expect((await memberOf(somebody.email)).role).toBe('admin')
  await setGroupRole(boss, id, named, { role: null })
  expect([(await memberOf(somebody.email)).role, (await memberOf(untouched.email)).role]).toEqual(['member', 'member'])
  await setGroupRole(boss, id, named, { role: 'admin' })
  expect((await scim('DELETE', `/Groups/${named}`)).status).toBe(204)
  expect([(await memberOf(somebody.email)).role, (await scim('GET', `/Groups/${named}`)).status]).toEqual([
    'member',
    404,
  ])
})

test('a person who signs in first begins with the role of their groups', async () => {
  const email = newAddress(domain)
  const { body: user } = await scim('POST', '/Users', userBody(email))
  const named = await group('Leads', user.id)
  await setGroupRole(boss, id, named, { role: 'admin', preset: 'preparer' })
  provider.signsIn({ sub: email, email, email_verified: true })
  expect((await signInAt(email)).body.status).toBe('authenticated')
  expect(await memberOf(email)).toMatchObject({ role: 'admin', preset: 'preparer' })
})

test('an owner is never changed or ended by a provider: it is refused, logged and mailed', async () => {
  const adopted = await scim('POST', '/Users', userBody(boss.email))
  expect(adopted.status, JSON.stringify(adopted.body)).toBe(201)
  const named = await group('Everybody', adopted.body.id)
  await setGroupRole(boss, id, named, { role: 'member', preset: 'reader' })
  expect(await memberOf(boss.email)).toMatchObject({ role: 'owner', preset: null })
  for (const [method, body] of [
    ['PATCH', patchBody({ op: 'replace', path: 'active', value: false })],
    ['PUT', userBody(boss.email, { active: false, displayName: 'Changed' })],
    ['DELETE', undefined],
  ] as const) {
    const refused = await scim(method, `/Users/${adopted.body.id}`, body)
    expect([refused.status, refused.body.status, refused.body.detail]).toEqual([
      403,
      '403',
      expect.stringContaining('owner'),
    ])
  }
  expect((await scim('GET', `/Users/${adopted.body.id}`)).body).toEqual({
    ...adopted.body,
    groups: expect.any(Array),
    meta: expect.any(Object),
  })
  const types = await owner<{ type: string }[]>`
    select type from events where subject_id = ${adopted.body.id} and type = 'scim_user.protected'`
  const mails = (await sentTo(boss.email)).filter(({ subject }) => subject.includes('end the membership of an owner'))
  expect([types.length, mails.length]).toEqual([1, 1]) // once a day
})

test('groups and tokens are the business of owners, and the role of an owner cannot be given', async () => {
  const admin = await member('admin')
  const named = await group('Others')
  for (const path of ['/tokens', '/groups'])
    expect((await api('GET', `/organizations/${id}/scim${path}`, { token: admin.token })).status).toBe(403)
  expect((await setGroupRole(admin, id, named, { role: 'admin' })).status).toBe(403)
  expect(refusal(await setGroupRole(boss, id, named, { role: 'owner' }))).toEqual([400, 'invalid_request'])
  expect(refusal(await setGroupRole(boss, id, named, { role: null, preset: 'reader' }))).toEqual([
    400,
    'invalid_request',
  ])
})
