/** A real identity provider (oidc-provider), and companies whose members sign in there. */
import { randomUUID } from 'node:crypto'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import { expect } from 'vitest'
import { config } from '../../../platform/config.ts'
import { type Answer, type TestPerson, api, baseUrl, organization, person, withStepUp } from '../api.ts'
import { owner } from '../database.ts'
import { atEndOfService } from '../lifetime.ts'
import { showTexts } from './name-server.ts'

export const [CLIENT, SECRET] = ['business finance', 'a secret & more']
export const REDIRECT = `${config.publicUrl}/sign-in/company/callback`

/** Person as the provider knows them. */
export type Account = { readonly sub: string; readonly email: string; readonly email_verified: boolean }

/** Serves requests on a port of this machine, until the service ends. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEndOfService(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts a provider that signs in at once the account that `signsIn` names. */
export async function identityProvider() {
  const accounts = new Map<string, Account>()
  const state: { account?: Account } = {}
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response)
    finish(provider, state.account!.sub, request, response).catch(() => response.destroy())
  })
  const issuer = await listen(server)
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT,
        client_secret: SECRET,
        redirect_uris: [REDIRECT],
        backchannel_logout_uri: `${baseUrl}/oidc/logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: randomUUID() }] },
    cookies: { keys: [randomUUID()] },
    conformIdTokenClaims: false,
    claims: { openid: ['sub', 'sid'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ given_name: 'Ada', family_name: 'Lovelace', ...accounts.get(sub) }),
    }),
  })
  const signsIn = (account: Account) => {
    accounts.set(account.sub, account)
    state.account = account
  }
  const signsOut = async (subject: string, session: string) =>
    (await provider.Client.find(CLIENT))!.backchannelLogout(subject, session)
  return { issuer, signsIn, signsOut }
}

async function finish(provider: Provider, accountId: string, ...http: Parameters<Provider['interactionDetails']>) {
  const { params } = await provider.interactionDetails(...http)
  const grant = new provider.Grant({ accountId, clientId: params.client_id })
  grant.addOIDCScope('openid email profile')
  const result = { login: { accountId }, consent: { grantId: await grant.save() } }
  await provider.interactionFinished(...http, result)
}

/** Follows the provider's redirects in a fresh browser; answers the query with which it sends back here. */
export async function walk(address: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = new URL(address)
  for (let steps = 0; steps < 10; steps += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const next = answer.headers.get('location')
    if (next === null) throw new Error(`${url.pathname} leads nowhere: ${answer.status} ${await answer.text()}`)
    url = new URL(next, url)
    if (url.href.startsWith(REDIRECT)) return url.search.slice(1)
  }
  throw new Error('too many redirects')
}

export const start = (email: string) => api('POST', '/auth/identity-provider/start', { body: { email } })
export const complete = (attempt_token: string, callback: string) =>
  api('POST', '/auth/identity-provider/complete', { body: { attempt_token, callback } })
export const link = (by: TestPerson, attempt_token: string) =>
  withStepUp('POST', '/me/identity-links', { token: by.token, body: { attempt_token } })

/** Signs in by an address; answers the last answer, and the token of the browser. */
export async function signInAt(email: string): Promise<Answer & { readonly attempt: string }> {
  const begun = await start(email)
  expect(begun.status, JSON.stringify(begun.body)).toBe(201)
  const attempt = begun.body.attempt_token as string
  return { ...(await complete(attempt, await walk(begun.body.authorize_url))), attempt }
}

export const providerPath = (id: string, more = '') => `/organizations/${id}/identity-provider${more}`

export const connect = (boss: TestPerson, id: string, issuer: string, client_secret = SECRET) =>
  withStepUp('POST', providerPath(id), { token: boss.token, body: { issuer, client_id: CLIENT, client_secret } })

/** Claims a domain and proves it. */
export async function proveDomain(boss: TestPerson, id: string, domain: string): Promise<Answer> {
  const { token } = boss
  const added = await api('POST', providerPath(id, '/domains'), { token, body: { domain } })
  expect(added.status, JSON.stringify(added.body)).toBe(200)
  const { record_name: name, record_value: value } = added.body.domains.at(-1)
  await showTexts(name, 'v=spf1 -all', value)
  return api('POST', providerPath(id, `/domains/${domain}/verify`), { token, body: {} })
}

export const newDomain = () => `d${randomUUID().slice(0, 8)}.test`

/** A person with an address of this domain. */
export async function personOf(domain: string, options?: Parameters<typeof person>[0]): Promise<TestPerson> {
  const somebody = await person(options)
  const email = `${somebody.userId}@${domain}`
  await owner`update people set email = ${email} where id = ${somebody.userId}`
  return { ...somebody, email }
}

export const accountOf = ({ userId, email }: TestPerson): Account => ({
  sub: `sub-${userId}`,
  email,
  email_verified: true,
})

/** A company with a connected provider and a proved domain, and its owner. */
export async function company(provider?: Awaited<ReturnType<typeof identityProvider>>) {
  const at = provider ?? (await identityProvider())
  const domain = newDomain()
  const boss = await personOf(domain, { authenticator: true })
  const { id } = await organization(boss, 'Company')
  const connected = await connect(boss, id, at.issuer)
  expect(connected.status, JSON.stringify(connected.body)).toBe(201)
  expect((await proveDomain(boss, id, domain)).status).toBe(200)
  return { provider: at, domain, boss, id }
}

/** Links a member, and answers a session of the company. */
export async function linked({ provider }: Pick<Awaited<ReturnType<typeof company>>, 'provider'>, member: TestPerson) {
  provider.signsIn(accountOf(member))
  const offered = await signInAt(member.email)
  expect(offered.body.status).toBe('link_required')
  expect((await link(member, offered.attempt)).status).toBe(201)
  const again = await signInAt(member.email)
  expect(again.body.status, JSON.stringify(again.body)).toBe('authenticated')
  return again.body.token as string
}
