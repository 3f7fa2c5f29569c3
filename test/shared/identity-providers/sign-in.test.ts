/** Members sign in at the identity provider of their company: linked once, into that company alone, without a proof. */
import { describe, expect, test } from 'vitest'
import {
  api,
  approvalPath,
  contact,
  createPayment,
  fund,
  join,
  organization,
  person,
  withStepUp,
} from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { sentTo, signIn } from '../../support/identity/identity.ts'
import {
  SECRET,
  accountOf,
  company,
  complete,
  identityProvider,
  link,
  linked,
  newDomain,
  personOf,
  providerPath,
  signInAt,
  start,
  walk,
} from '../../support/identity/providers.ts'
import { invite } from '../../support/invitations/invitations.ts'

const provider = await identityProvider()
const shared = await company(provider)

async function member() {
  const somebody = await personOf(shared.domain, { authenticator: true })
  await join(shared.id, somebody, 'admin')
  return somebody
}

const reads = async (token: string, id: string) => (await api('GET', `/organizations/${id}`, { token })).status

test('a member links once with a proof, and then signs in: the session is one of that company alone', async () => {
  const somebody = await member()
  const { id: other } = await organization(somebody, 'Other company')
  const token = await linked(shared, somebody)
  expect(token).toMatch(/^ses_company_/)
  expect([await reads(token, shared.id), await reads(token, other)]).toEqual([200, 404])
  const listed = (await api('GET', '/organizations', { token })).body.data
  expect(listed.map(({ id }: { id: string }) => id)).toEqual([shared.id])
  expect((await api('GET', '/organizations', { token: somebody.token })).body.data).toHaveLength(2)
  const read = await api('GET', providerPath(shared.id), { token: shared.boss.token })
  expect(read.body).toMatchObject({ issuer: provider.issuer, domains: [{ domain: shared.domain }] })
  expect(JSON.stringify(read.body)).not.toContain(SECRET)
  const created = await api('POST', '/organizations', { token, body: { name: 'Third' } })
  expect(created.body.error).toMatchObject({ type: 'forbidden', details: { reason: 'provider_session' } })
  const body = { organization_id: other, name: 'P', kind: 'program', access: 'read', expires_in_days: 1 }
  expect((await api('POST', '/me/delegates', { token, body })).status).toBe(404)
  expect((await sentTo(somebody.email)).map(({ subject }) => subject)).toContain(
    'You may sign in with your company now',
  )
  const logged = (await api('GET', '/me/security-events', { token: somebody.token })).body.data
  expect(logged).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'sign_in.succeeded', details: { method: 'identity_provider' } }),
      expect.objectContaining({ type: 'identity_link.added' }),
    ]),
  )
})

test('a sign-in at the provider is no proof, and a code by mail confirms nothing in its session', async () => {
  const somebody = await member()
  await owner`delete from authenticators where user_id = ${somebody.userId}`
  await organization(somebody, 'Other company')
  const token = await linked(shared, somebody)
  const asked = await api('PATCH', providerPath(shared.id), { token, body: { client_secret: 'x' } })
  expect(refusal(asked)).toEqual([403, 'forbidden'])
  const passkey = await api('POST', '/me/recovery-codes', { token })
  expect(passkey.status).not.toBe(200)
  await owner`update members set role = 'owner' where user_id = ${somebody.userId} and organization_id = ${shared.id}`
  const change = await api('PATCH', providerPath(shared.id), { token, body: { client_secret: 'x' } })
  expect(change.body.error).toMatchObject({ type: 'forbidden', details: { reason: 'provider_session' } })
  expect((await sentTo(somebody.email)).filter(({ code }) => code !== null)).toHaveLength(1) // that of the link
  await owner`update members set role = 'admin' where user_id = ${somebody.userId} and organization_id = ${shared.id}`
})

test('an invited person becomes a member at the first sign-in, if the provider vouches for the address', async () => {
  const email = `new-${crypto.randomUUID()}@${shared.domain}`
  expect((await invite(shared.boss, shared.id, [{ email, role: 'member' }])).status).toBe(201)
  provider.signsIn({ sub: email, email, email_verified: false })
  expect((await signInAt(email)).body.status).toBe('link_required')
  provider.signsIn({ sub: email, email, email_verified: true })
  const { body } = await signInAt(email)
  expect(body).toMatchObject({ status: 'authenticated', user: { name: 'Ada Lovelace' } })
  expect(await reads(body.token, shared.id)).toBe(200)
  expect((await signInAt(email)).body.user.id).toBe(body.user.id)
  for (const password of ['', 'a long enough pass phrase']) expect((await signIn(email, password)).status).toBe(401)
  const invitations = (
    await api('GET', `/organizations/${shared.id}/invitations?status=accepted`, { token: shared.boss.token })
  ).body.data
  expect(invitations).toContainEqual(expect.objectContaining({ email, status: 'accepted' }))
})

test('an invited person with an account of their own becomes a member, and that session sees this company alone', async () => {
  const known = await personOf(shared.domain)
  const own = await organization(known)
  await invite(shared.boss, shared.id, [{ email: known.email, role: 'member' }])
  provider.signsIn(accountOf(known))
  const { body } = await signInAt(known.email)
  expect(body).toMatchObject({ status: 'authenticated', user: { id: known.userId } })
  expect([await reads(body.token, shared.id), await reads(body.token, own.id)]).toEqual([200, 404])
  expect([await reads(known.token, shared.id), await reads(known.token, own.id)]).toEqual([200, 200])
})

test('a provider is connected once, also by a repeat with the same key', async () => {
  const boss = await person({ authenticator: true })
  const { id } = await organization(boss)
  const call = {
    token: boss.token,
    body: { issuer: provider.issuer, client_id: 'business finance', client_secret: SECRET },
    key: crypto.randomUUID(),
  }
  const first = await withStepUp('POST', providerPath(id), call)
  const again = await api('POST', providerPath(id), call)
  expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id])
  const other = await withStepUp('POST', providerPath(id), { ...call, key: crypto.randomUUID() })
  expect(refusal(other)).toEqual([409, 'identity_provider_connected'])
})

describe('no one becomes a member', () => {
  test('without an invitation, or by one to another address, or to an address of a domain that is not proved', async () => {
    const [email, foreign] = [`a-${crypto.randomUUID()}@${shared.domain}`, `b-${crypto.randomUUID()}@${newDomain()}`]
    await invite(shared.boss, shared.id, [{ email: foreign, role: 'member' }])
    for (const claimed of [email, foreign]) {
      provider.signsIn({ sub: claimed, email: claimed, email_verified: true })
      expect((await signInAt(email)).body.status).toBe('link_required')
    }
  })

  test('by the address of a member: the name is linked by a proof of that member alone', async () => {
    const [somebody, stranger] = [await member(), await person()]
    provider.signsIn({ ...accountOf(somebody), sub: 'somebody else' })
    const offered = await signInAt(somebody.email)
    expect(offered.body.status).toBe('link_required')
    expect(refusal(await link(stranger, offered.attempt))).toEqual([404, 'not_found'])
  })
})

describe('a sign-in that comes back', () => {
  test('is taken once, in the browser that began it, within ten minutes, and with its own state', async () => {
    const somebody = await member()
    await linked(shared, somebody)
    const [one, other] = [(await start(somebody.email)).body, (await start(somebody.email)).body]
    const back = await walk(one.authorize_url)
    const isRefused = async (attempt: string, callback: string) => refusal(await complete(attempt, callback))
    expect(await isRefused(other.attempt_token, back)).toEqual([422, 'token_invalid'])
    expect(await isRefused(one.attempt_token, back.replace(/state=[^&]*/, 'state=x'))).toEqual([422, 'token_invalid'])
    expect((await complete(one.attempt_token, back)).body.status).toBe('authenticated')
    expect(await isRefused(one.attempt_token, back)).toEqual([422, 'token_invalid'])
    const late = await walk(other.authorize_url)
    await owner`update provider_sign_ins set expires_at = business_now() where used_at is null`
    expect(await isRefused(other.attempt_token, late)).toEqual([422, 'token_invalid'])
  })

  test('of another issuer, or of none, is refused, and so is what the provider refused', async () => {
    const somebody = await member()
    for (const change of [
      (back: string) => back.replace(/iss=[^&]*/, `iss=${encodeURIComponent('https://evil.example')}`),
      (back: string) => back.replace(/&?iss=[^&]*/, ''),
      (back: string) => back.replace(/code=[^&]*/, 'code=wrong'),
      (back: string) => back.replace(/code=[^&]*/, 'error=access_denied'),
      (back: string) => `${back}&code=another`,
    ]) {
      const begun = (await start(somebody.email)).body
      const answer = await complete(begun.attempt_token, change(await walk(begun.authorize_url)))
      expect(refusal(answer)).toEqual([422, 'identity_provider_unusable'])
    }
  })

  test('of an unknown domain begins nowhere', async () =>
    expect(refusal(await start(`a@${newDomain()}`))).toEqual([404, 'not_found']))
})

test('an approval in the session asks for the factor that the person has here', async () => {
  const { id: payee, svcId } = await organization(await person(), 'Payee')
  expect(payee).not.toBe(shared.id)
  await fund(shared.id, '100.00')
  const somebody = await member()
  const token = await linked(shared, somebody)
  const payment = await createPayment(shared.boss, await contact(shared.boss, shared.id, svcId))
  const path = `${approvalPath(payment)}/approve`
  const asked = await api('POST', path, { token, body: {} })
  expect(asked.body.error.step_up.methods).toEqual(['totp'])
  const proof = { method: 'totp', code: await somebody.totp(1) }
  await api('POST', `/step-up/${asked.body.error.step_up.id}/complete`, { token, body: proof })
  expect((await api('POST', path, { token, body: {} })).status).toBe(200)
})

test('the link and the sessions end with the membership, and a new one is linked again', async () => {
  const somebody = await member()
  const token = await linked(shared, somebody)
  const path = `/organizations/${shared.id}/members/${somebody.userId}`
  expect((await withStepUp('DELETE', path, { token: shared.boss.token })).status).toBe(200)
  expect(await reads(token, shared.id)).toBe(401)
  expect((await signInAt(somebody.email)).body.status).toBe('link_required')
})
