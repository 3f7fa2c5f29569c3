/** An identity provider manages members by SCIM: provisioned, adopted, deactivated, activated again. */
import { expect, test } from 'vitest'
import { api, join } from '../../support/api.ts'
import { accountOf, company, identityProvider, linked, personOf, signInAt } from '../../support/identity/providers.ts'
import { newAddress, patchBody, scimOf, scimToken, userBody } from '../../support/identity/scim.ts'

const provider = await identityProvider()
const { boss, id, domain } = await company(provider)
const { secret } = await scimToken(boss, id)
const scim = scimOf(secret)

const reads = async (token: string) => (await api('GET', `/organizations/${id}`, { token })).status
const memberOf = async (email: string) =>
  (await api('GET', `/organizations/${id}/members?q=${encodeURIComponent(email)}`, { token: boss.token })).body.data[0]

test('a provisioned person becomes a member at the first sign-in that asserts the address, and is signed in by that alone', async () => {
  const email = newAddress(domain)
  const made = await scim('POST', '/Users', userBody(email, { externalId: '00u1' }))
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  expect(made.headers.get('content-type')).toContain('application/scim+json')
  expect(made.headers.get('location')).toBe(made.body.meta.location)
  expect(made.body).toMatchObject({ userName: email, externalId: '00u1', active: true, meta: { resourceType: 'User' } })
  expect(await memberOf(email)).toBeUndefined()
  provider.signsIn({ sub: email, email, email_verified: false })
  expect((await signInAt(email)).body.status).toBe('link_required')
  provider.signsIn({ sub: email, email, email_verified: true })
  const { body } = await signInAt(email)
  expect(body, JSON.stringify(body)).toMatchObject({ status: 'authenticated', user: { name: 'Ada Lovelace' } })
  expect(await reads(body.token)).toBe(200)
  expect(await memberOf(email)).toMatchObject({ role: 'member', managed_by_scim: true })
  const again = await scim('POST', '/Users', userBody(email))
  expect([again.status, again.body.scimType, again.body.status]).toEqual([409, 'uniqueness', '409'])
})

test('a deactivated member is out at once, and activated again signs in anew by the provider alone', async () => {
  const email = newAddress(domain)
  const { body: user } = await scim('POST', '/Users', userBody(email))
  provider.signsIn({ sub: email, email, email_verified: true })
  const { body: signedIn } = await signInAt(email)
  const off = await scim('PATCH', `/Users/${user.id}`, patchBody({ op: 'Replace', path: 'active', value: 'False' }))
  expect([off.status, off.body.active]).toEqual([200, false])
  expect((await api('GET', '/me', { token: signedIn.token })).status).toBe(401)
  expect((await signInAt(email)).body.status).toBe('link_required')
  expect(await memberOf(email)).toBeUndefined()
  const on = await scim('PATCH', `/Users/${user.id}`, patchBody({ op: 'replace', value: { active: true } }))
  expect([on.status, on.body.active]).toEqual([200, true])
  expect([await memberOf(email), (await api('GET', '/me', { token: signedIn.token })).status]).toEqual([undefined, 401])
  const back = (await signInAt(email)).body
  expect(back).toMatchObject({ status: 'authenticated', user: { id: signedIn.user.id } })
  expect(await memberOf(email)).toMatchObject({ id: signedIn.user.id, role: 'member', managed_by_scim: true })
  expect(await reads(back.token)).toBe(200)
  expect((await scim('DELETE', `/Users/${user.id}`)).status).toBe(204)
  expect((await scim('GET', `/Users/${user.id}`)).status).toBe(404)
  expect([await memberOf(email), (await api('GET', '/me', { token: back.token })).status]).toEqual([undefined, 401])
})

test('a member is adopted with the role and the link that they have, and is not linked by the address alone', async () => {
  const somebody = await personOf(domain, { authenticator: true })
  await join(id, somebody, 'admin')
  expect(await memberOf(somebody.email)).toMatchObject({ managed_by_scim: false })
  const made = await scim('POST', '/Users', userBody(somebody.email))
  expect([made.status, (await memberOf(somebody.email)).role]).toEqual([201, 'admin'])
  expect(await memberOf(somebody.email)).toMatchObject({ managed_by_scim: true })
  const token = await linked({ provider }, somebody) // asks for a proof
  expect((await scim('DELETE', `/Users/${made.body.id}`)).status).toBe(204)
  expect([await reads(token), await reads(somebody.token)]).toEqual([401, 401])
  provider.signsIn(accountOf(somebody))
  expect((await signInAt(somebody.email)).body.status).toBe('link_required')
})
