/** A provider lets people in again: with what they had at most, by a sign-in there, and not whom an owner removed. */
import { expect, test } from 'vitest'
import { newId } from '../../../domain/ids.ts'
import { api, join, organization, type TestPerson, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { sentTo } from '../../support/identity/identity.ts'
import { accountOf, company, identityProvider, linked, personOf, signInAt } from '../../support/identity/providers.ts'
import { patchBody, scimOf, scimToken, setGroupRole, userBody } from '../../support/identity/scim.ts'
import { invite } from '../../support/invitations/invitations.ts'

const provider = await identityProvider()
const { boss, id, domain } = await company(provider)
const { secret } = await scimToken(boss, id)
const scim = scimOf(secret)

const memberOf = async (email: string) =>
  (await api('GET', `/organizations/${id}/members?q=${encodeURIComponent(email)}`, { token: boss.token })).body.data[0]

async function managed(role: 'admin' | 'member' | 'owner' = 'member') {
  const member = await personOf(domain, { authenticator: true })
  await join(id, member, role)
  const { body } = await scim('POST', '/Users', userBody(member.email))
  return { ...member, scimId: body.id as string }
}
const setActive = (user: string, value: boolean) =>
  scim('PATCH', `/Users/${user}`, patchBody({ op: 'replace', path: 'active', value }))
const change = async (member: TestPerson, body: object) =>
  expect(
    (await withStepUp('PATCH', `/organizations/${id}/members/${member.userId}`, { token: boss.token, body })).status,
  ).toBe(200)
async function signIn(member: TestPerson) {
  provider.signsIn(accountOf(member))
  return (await signInAt(member.email)).body
}
const typesOf = async (subject: string) =>
  (await owner<{ type: string }[]>`select type from events where subject_id = ${subject}`).map(({ type }) => type)

test('what an owner took stays taken: after an activation, after another POST, and with the same groups', async () => {
  const member = await managed('admin')
  await change(member, { preset: 'reader' })
  await setActive(member.scimId, false)
  await setActive(member.scimId, true)
  await signIn(member)
  expect(await memberOf(member.email)).toMatchObject({ role: 'member', preset: 'reader', managed_by_scim: true })
  expect((await scim('DELETE', `/Users/${member.scimId}`)).status).toBe(204)
  const { body: user } = await scim('POST', '/Users', userBody(member.email))
  await signIn(member)
  expect(await memberOf(member.email)).toMatchObject({ role: 'member', preset: 'reader' })

  const { body: group } = await scim('POST', '/Groups', { displayName: 'Leads', members: [{ value: user.id }] })
  await setGroupRole(boss, id, group.id, { role: 'admin' })
  expect(await memberOf(member.email)).toMatchObject({ role: 'admin', preset: null })
  await change(member, { role: 'member', preset: 'reader' })
  await setActive(user.id, false)
  await setActive(user.id, true)
  await signIn(member)
  expect(await memberOf(member.email)).toMatchObject({ role: 'member', preset: 'reader' })
  await setActive(user.id, false)
  await setGroupRole(boss, id, group.id, { role: 'admin', preset: 'preparer' })
  await setActive(user.id, true)
  await signIn(member)
  expect(await memberOf(member.email)).toMatchObject({ role: 'admin', preset: 'preparer' }) // groups say else now
})

test('who was activated again is let in by a sign-in at the provider, and by no session from before', async () => {
  const member = await managed()
  await organization(member, 'Other company')
  await setActive(member.scimId, false)
  expect((await setActive(member.scimId, true)).body.active).toBe(true)
  const reads = async (token: string) => (await api('GET', `/organizations/${id}`, { token })).status
  expect([await reads(member.token), await memberOf(member.email)]).toEqual([404, undefined])
  const { token, status } = await signIn(member)
  expect([status, await reads(token)]).toEqual(['authenticated', 200])
})

test('log streams are told of each session that ends with a membership', async () => {
  await owner`
    insert into webhook_endpoints (id, organization_id, url, status, cursor, created_by, kind, disabled_reason, sealed)
    values (${newId()}, ${id}, 'http://127.0.0.1:9/log', 'disabled', 0, ${boss.userId}, 'https', 'person', '')`
  const [removed, deactivated] = [await managed(), await managed()]
  await linked({ provider }, removed)
  await linked({ provider }, deactivated)
  const signedOut = async ({ userId }: TestPerson) =>
    (await typesOf(userId)).filter((type) => type === 'member.signed_out').length
  await withStepUp('DELETE', `/organizations/${id}/members/${removed.userId}`, { token: boss.token })
  await setActive(deactivated.scimId, false)
  expect([await signedOut(removed), await signedOut(deactivated)]).toEqual([1, 2]) // the session of a password stays
})

test('a refused try to end an owner changes nothing, and is logged and mailed once a day', async () => {
  const tried = await personOf(domain)
  await join(id, tried, 'owner')
  const ended = userBody(tried.email, { active: false })
  expect((await scim('POST', '/Users', ended)).status).toBe(403)
  expect((await scim('POST', '/Users', ended)).status).toBe(403)
  const { status, body: user } = await scim('POST', '/Users', userBody(tried.email, { displayName: 'Before' }))
  expect([status, user.active]).toEqual([201, true])
  const both = patchBody({ op: 'replace', value: { active: false, displayName: 'Changed' } })
  expect((await scim('PATCH', `/Users/${user.id}`, both)).status).toBe(403)
  expect((await scim('GET', `/Users/${user.id}`)).body).toMatchObject({ active: true, displayName: 'Before' })
  const [logged] = await owner`
    select count(*)::int as times from events where organization_id = ${id} and type = 'scim_user.protected'
      and payload::json ->> 'user_id' = ${tried.userId}`
  const mails = (await sentTo(tried.email)).filter(({ subject }) => subject.includes('end the membership of an owner'))
  expect([logged, mails.length]).toEqual([{ times: 1 }, 1])
})

test('a token of an owner who is one no more is named to the owners, and works on', async () => {
  const second = await personOf(domain, { authenticator: true })
  await join(id, second, 'owner')
  const token = await scimToken(second, id)
  await change(second, { role: 'admin' })
  const [reduced] = await owner<{ payload: object }[]>`
    select payload::json as payload from events where subject_id = ${token.id} and type = 'scim_token.maker_reduced'`
  expect(reduced?.payload).toEqual({ created_by: second.userId, left: false })
  const mails = async ({ email }: TestPerson) =>
    (await sentTo(email)).filter(({ subject }) => subject.startsWith('SCIM tokens were made')).length
  expect([await mails(boss), await mails(second)]).toEqual([1, 0])
  expect((await scimOf(token.secret)('GET', '/Users?count=0')).status).toBe(200)
})

test('whom an owner removed stays out while the provider only repeats itself, and an owner may invite them', async () => {
  const member = await managed()
  await withStepUp('DELETE', `/organizations/${id}/members/${member.userId}`, { token: boss.token })
  const put = await scim('PUT', `/Users/${member.scimId}`, userBody(member.email, { displayName: 'Another' }))
  expect([put.status, put.body.active, put.body.displayName]).toEqual([200, false, 'Another'])
  await scim('PATCH', `/Users/${member.scimId}`, patchBody({ op: 'replace', path: 'displayName', value: 'Third' }))
  expect((await setActive(member.scimId, true)).body.active).toBe(false)
  expect((await typesOf(member.scimId)).filter((type) => /activated/.test(type))).toEqual([])
  expect((await signIn(member)).status).toBe('link_required')

  expect((await invite(boss, id, [{ email: member.email, role: 'member', preset: 'reader' }])).status).toBe(201)
  expect((await signIn(member)).status).toBe('authenticated')
  expect(await memberOf(member.email)).toMatchObject({ preset: 'reader', managed_by_scim: true })
  await withStepUp('DELETE', `/organizations/${id}/members/${member.userId}`, { token: boss.token })
  expect((await invite(boss, id, [{ email: member.email, role: 'member' }])).status).toBe(201)
  await setActive(member.scimId, false) // ends the invitation
  expect((await signIn(member)).status).toBe('link_required')
  expect((await setActive(member.scimId, true)).body.active).toBe(true)
  expect((await signIn(member)).status).toBe('authenticated')
})
