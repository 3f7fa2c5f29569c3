/** Answers and logouts of identity providers that are forged, old or of others. */
import { randomUUID } from 'node:crypto'
import { SignJWT, UnsecuredJWT, exportSPKI, generateKeyPair } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { api, join, organization, person } from '../../support/api.ts'
import { refusal } from '../../support/http/refusals.ts'
import { type Claims, hostileProvider } from '../../support/identity/hostile-provider.ts'
import {
  CLIENT,
  accountOf,
  company,
  complete,
  connect,
  link,
  linked,
  newDomain,
  personOf,
  proveDomain,
  start,
} from '../../support/identity/providers.ts'

const provider = await hostileProvider()
const domain = newDomain()
const boss = await personOf(domain, { authenticator: true })
const { id } = await organization(boss, 'Company')
expect((await connect(boss, id, provider.issuer)).status).toBe(201)
expect((await proveDomain(boss, id, domain)).status).toBe(200)

beforeEach(() => {
  provider.says.token = (claims) => provider.sign(claims)
  delete provider.says.description
  delete provider.says.redirects
})

async function signInWith(more: Claims = {}, sub = 'somebody') {
  const { authorize_url: url, attempt_token: attempt } = (await start(boss.email)).body
  return { ...(await complete(attempt, provider.back(url, sub, more))), attempt }
}

const minutes = (count: number) => Math.floor(Date.now() / 1000) + count * 60

test('a good token is taken, also by keys that were rotated since, and by a clock that is a little off', async () => {
  expect((await signInWith()).body.status).toBe('link_required')
  await provider.rotate()
  expect((await signInWith()).body.status).toBe('link_required')
  expect((await signInWith({ iat: minutes(0) + 30, exp: minutes(2) })).body.status).toBe('link_required')
  expect((await signInWith({ aud: [CLIENT, 'another'], azp: CLIENT })).body.status).toBe('link_required')
})

describe('refused is a token', () => {
  test.each<[string, Claims]>([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another client', { aud: 'another' }],
    ['for several clients, made for another', { aud: [CLIENT, 'another'], azp: 'another' }],
    ['of another sign-in', { nonce: 'another' }],
    ['of no sign-in', { nonce: undefined }],
    ['that is over', { iat: minutes(-20), exp: minutes(-10) }],
    ['of nobody', { sub: undefined }],
    ['of an endless name', { sub: 'x'.repeat(300) }],
    ['of a name with NUL', { sub: 'a\0b' }],
  ])('%s', async (_, more) => expect(refusal(await signInWith(more))).toEqual([422, 'identity_provider_unusable']))

  test.each<[string, (claims: Claims) => Promise<string> | string]>([
    ['without a signature', (claims) => new UnsecuredJWT(claims).encode()],
    [
      'signed with the public key as a secret',
      async (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256' })
          .sign(Buffer.from(await exportSPKI(provider.publicKey()))),
    ],
    [
      'signed by another key of the same name',
      async (claims) => {
        const { privateKey } = await generateKeyPair('RS256')
        const { kid } = JSON.parse(Buffer.from((await provider.sign({})).split('.')[0]!, 'base64url').toString())
        return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
      },
    ],
    ['that was changed', async (claims) => (await provider.sign(claims)).replace(/\.[^.]{4}/, '.AAAA')],
    ['that is none', () => 'no token'],
  ])('%s', async (_, token) => {
    provider.says.token = token
    expect(refusal(await signInWith())).toEqual([422, 'identity_provider_unusable'])
  })
})

describe('refused is a description', () => {
  test.each<[string, () => object | string]>([
    [
      'of another issuer',
      () => ({ ...provider.describe(), issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' }),
    ],
    ['that is endless', () => `{"x":"${'x'.repeat(200_000)}"}`],
    ['that is no JSON', () => '\ud800 <html>'],
    ['that leads to a script', () => ({ ...provider.describe(), authorization_endpoint: 'javascript:alert(1)' })],
    ['without a page', () => ({ ...provider.describe(), authorization_endpoint: undefined })],
  ])('%s', async (_, description) => {
    provider.says.description = description()
    expect(refusal(await start(boss.email))).toEqual([422, 'identity_provider_unusable'])
  })

  test('that leads on, or to an address of a private network', async () => {
    provider.says.redirects = 'https://example.com/'
    expect(refusal(await start(boss.email))).toEqual([422, 'identity_provider_unusable'])
    delete provider.says.redirects
    provider.says.description = { ...provider.describe(), token_endpoint: 'http://169.254.169.254/token' }
    expect(refusal(await signInWith())).toEqual([422, 'identity_provider_unusable'])
  })

  test.each([
    'http://10.0.0.1',
    'ftp://example.com',
    'https://user:password@example.com',
    'https://example.com/?x=1',
    'no address',
    'https://a\0b',
  ])('at %j', async (issuer) => {
    const somebody = await person({ authenticator: true })
    const mine = await organization(somebody)
    const answer = await connect(somebody, mine.id, issuer)
    expect([400, 422]).toContain(answer.status)
  })
})

test('a new name at the provider takes the place of the old one, by another proof', async () => {
  const member = await personOf(domain, { authenticator: true })
  await join(id, member, 'member')
  const tokens: string[] = []
  for (const sub of ['old name', 'new name']) {
    const offered = await signInWith({}, sub)
    expect(offered.body.status).toBe('link_required')
    expect((await link(member, offered.attempt)).status).toBe(201)
    tokens.push((await signInWith({}, sub)).body.token)
  }
  expect((await signInWith({}, 'old name')).body.status).toBe('link_required')
  const [before, after] = await Promise.all(tokens.map((token) => api('GET', `/organizations/${id}`, { token })))
  expect([before?.status, after?.status]).toEqual([401, 200])
})

describe('a logout', () => {
  const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const logOut = async (claims: Claims, header: object = { typ: 'logout+jwt' }) =>
    api('POST', '//oidc/logout', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: await provider.sign(claims, header) }).toString(),
    })
  const good = (more: Claims = {}): Claims => {
    const now = minutes(0)
    return { iss: provider.issuer, aud: CLIENT, iat: now, exp: now + 60, jti: randomUUID(), events: EVENTS, ...more }
  }
  const isOpen = async (token: string) => (await api('GET', `/organizations/${id}`, { token })).status === 200

  async function member() {
    const somebody = await personOf(domain, { authenticator: true })
    await join(id, somebody, 'member')
    const sub = `sub-${somebody.userId}`
    await link(somebody, (await signInWith({}, sub)).attempt)
    const open = async (sid: string): Promise<string> => (await signInWith({ sid }, sub)).body.token
    return { somebody, sub, open }
  }

  test('ends the session that it names, or all of a person, and no others', async () => {
    const [one, other] = [await member(), await member()]
    const tokens = [await one.open('a'), await one.open('b'), await other.open('a')] as const
    expect((await logOut(good({ sub: one.sub, sid: 'a' }))).status).toBe(200)
    expect(await Promise.all(tokens.map(isOpen))).toEqual([false, true, true])
    expect((await logOut(good({ sub: one.sub }))).status).toBe(200)
    expect(await Promise.all(tokens.map(isOpen))).toEqual([false, false, true])
    expect(await isOpen(one.somebody.token)).toBe(true)
    expect((await logOut(good({ sid: 'a' }))).status).toBe(200)
    expect(await isOpen(tokens[2])).toBe(false)
  })

  test('is taken once: a token that comes again ends nothing', async () => {
    const { sub, open } = await member()
    const [again, first] = [good({ sub }), await open('a')]
    expect([(await logOut(again)).status, await isOpen(first)]).toEqual([200, false])
    const second = await open('b')
    expect([(await logOut(again)).status, await isOpen(second)]).toEqual([200, true])
  })

  test.each<[string, (sub: string) => Claims, object?]>([
    ['of nobody', () => good()],
    ['with a nonce', (sub) => good({ sub, nonce: 'x' })],
    ['without the event', (sub) => good({ sub, events: {} })],
    ['without an id', (sub) => good({ sub, jti: undefined })],
    ['that is old', (sub) => good({ sub, iat: minutes(-60), exp: minutes(60) })],
    ['that is over', (sub) => good({ sub, exp: minutes(-5) })],
    ['without an end', (sub) => good({ sub, exp: undefined })],
    ['for another client', (sub) => good({ sub, aud: 'another' })],
    ['of another issuer', (sub) => good({ sub, iss: 'https://evil.example' })],
    ['that is a token of another kind', (sub) => good({ sub }), { typ: 'at+jwt' }],
  ])('is refused %s', async (_, claims, header) => {
    const { sub, open } = await member()
    const token = await open('a')
    const answer = await logOut(claims(sub), header)
    expect([answer.status, answer.body.error, await isOpen(token)]).toEqual([400, 'invalid_request', true])
  })
})

test('a provider of another company signs in nobody here, though it names the same person', async () => {
  const theirs = await company()
  const member = await personOf(theirs.domain, { authenticator: true })
  await join(theirs.id, member, 'member')
  await linked(theirs, member)
  expect((await signInWith({}, accountOf(member).sub)).body.status).toBe('link_required')
})
