/** A company that wants its identity provider: no other session sees it, and nobody is locked out. */
import { domainToASCII } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type TestPerson, api, join, organization, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { sentTo, signIn } from '../../support/identity/identity.ts'
import { passkey } from '../../support/identity/passkeys.ts'
import {
  company,
  connect,
  identityProvider,
  linked,
  newDomain,
  personOf,
  proveDomain,
  providerPath,
  start,
} from '../../support/identity/providers.ts'
import { softwareAuthenticator } from '../../support/identity/software-authenticator.ts'

const provider = await identityProvider()

const require = (by: { token: string }, id: string, required = true) =>
  withStepUp('PATCH', providerPath(id), { token: by.token, body: { required } })
const sees = async (token: string, id: string) => (await api('GET', `/organizations/${id}`, { token })).status
const listed = async (token: string): Promise<string[]> =>
  (await api('GET', '/organizations', { token })).body.data.map(({ id }: { id: string }) => id)

/** A company that wants its provider, with an owner who is linked and has a passkey. */
async function strict() {
  const made = await company(provider)
  const key = softwareAuthenticator()
  await passkey(made.boss, key)
  const token = await linked(made, made.boss)
  const answer = await require(made.boss, made.id)
  expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ required: true })
  return { ...made, key, token }
}

test('is possible only for an owner who has signed in there, and has a passkey', async () => {
  const made = await company(provider)
  const reason = async () => (await require(made.boss, made.id)).body.error.details.reason
  expect(await reason()).toBe('provider_untried')
  await linked(made, made.boss)
  expect(await reason()).toBe('passkey_missing')
  await passkey(made.boss, softwareAuthenticator())
  await api('DELETE', providerPath(made.id, `/domains/${made.domain}`), { token: made.boss.token })
  await withStepUp('DELETE', providerPath(made.id, `/domains/${made.domain}`), { token: made.boss.token })
  expect(await reason()).toBe('no_proved_domain')
})

describe('once it is wanted', () => {
  test('a member signs in there alone: other sessions of theirs see nothing of it at once', async () => {
    const { id, domain, ...rest } = await strict()
    const member = await personOf(domain, { authenticator: true })
    await join(id, member, 'admin')
    const before = await sees(member.token, id)
    const token = await linked(rest, member)
    expect([before, await sees(token, id), await listed(token)]).toEqual([401, 200, [id]])
    expect(await listed(member.token)).toEqual([])
    const right = await signIn(member.email, member.password)
    expect(right.body.error).toMatchObject({ type: 'forbidden', details: { reason: 'provider_required' } })
    const path = `/organizations/${id}/members`
    const { body } = await api('GET', path, { token: member.token })
    expect(body.error).toMatchObject({ type: 'not_authenticated', details: { reason: 'provider_required' } })
  })

  test('a member of another company sees that one by their own password, and not this one', async () => {
    const { id, domain, ...rest } = await strict()
    const member = await personOf(domain, { authenticator: true })
    await join(id, member, 'admin')
    const other = await organization(member, 'Other')
    await linked(rest, member)
    const begun = await signIn(member.email, member.password)
    const { body } = await api('POST', '/auth/mfa', {
      body: { challenge_token: begun.body.challenge_token, code: await member.totp(1) },
    })
    expect([await sees(body.token, other.id), await sees(body.token, id), await listed(body.token)]).toEqual([
      200,
      401,
      [other.id],
    ])
  })

  test('a member with an address of another domain signs in as before', async () => {
    const { id } = await strict()
    const guest = await personOf(newDomain())
    await join(id, guest, 'member')
    expect([await sees(guest.token, id), await listed(guest.token)]).toEqual([200, [id]])
  })

  test('an owner gets past it by a passkey alone, and all owners hear of it', async () => {
    const { id, domain, boss, key } = await strict()
    const second = await personOf(domain)
    await join(id, second, 'owner')
    expect(await sees(boss.token, id)).toBe(401)
    const asked = await signIn(boss.email, boss.password)
    expect(asked.body.status).toBe('webauthn_required') // though there is an authenticator
    const credential = key.assert(asked.body.webauthn)
    const { body } = await api('POST', '/auth/webauthn', {
      body: { challenge_token: asked.body.challenge_token, credential },
    })
    expect([body.status, await sees(body.token, id), await listed(body.token)]).toEqual(['authenticated', 200, [id]])
    for (const { email } of [boss, second])
      expect((await sentTo(email)).map(({ subject }) => subject)).toContain(
        'An owner signed in past the identity provider',
      )
    const events = await owner`
      select payload from events where organization_id = ${id} and type = 'identity_provider.bypassed'`
    expect(events.map(({ payload }) => JSON.parse(payload as string))).toEqual([{ user_id: boss.userId }])
    const log = await api('GET', '/me/security-events?type=sign_in.bypassed_provider', { token: body.token })
    expect(log.body.data).toHaveLength(1)
    expect((await require({ token: body.token }, id, false)).body.required).toBe(false)
    expect(await sees(boss.token, id)).toBe(200)
  })

  test('nobody is locked out once it is disconnected: its sessions and links end, its domain is free', async () => {
    const { id, token, boss, domain } = await strict()
    expect((await withStepUp('DELETE', providerPath(id), { token })).body).toEqual({ status: 'disconnected' })
    expect([await sees(token, id), await sees(boss.token, id)]).toEqual([401, 200])
    expect(refusal(await start(boss.email))).toEqual([404, 'not_found'])
    expect(refusal(await api('GET', providerPath(id), { token: boss.token }))).toEqual([404, 'not_found'])
    const next = await personOf(newDomain(), { authenticator: true })
    const { id: theirs } = await organization(next)
    await connect(next, theirs, provider.issuer)
    expect((await proveDomain(next, theirs, domain)).status).toBe(200)
  })
})

describe('a domain', () => {
  const claim = (by: TestPerson, id: string, domain: string) =>
    api('POST', providerPath(id, '/domains'), { token: by.token, body: { domain } })

  test('is proved by its record alone, by one company', async () => {
    const [one, other] = [await company(provider), await company(provider)]
    const domain = newDomain()
    expect((await claim(one.boss, one.id, domain)).status).toBe(200)
    const path = providerPath(one.id, `/domains/${domain}/verify`)
    expect(refusal(await api('POST', path, { token: one.boss.token, body: {} }))).toEqual([422, 'domain_not_proved'])
    expect((await claim(other.boss, other.id, domain)).status).toBe(200)
    const proofs = await Promise.all([proveDomain(one.boss, one.id, domain), proveDomain(other.boss, other.id, domain)])
    expect(proofs.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
    const third = await company(provider)
    expect(refusal(await claim(third.boss, third.id, domain))).toEqual([409, 'domain_taken'])
  })

  test.each(['gmail.com', 'GMX.de', 'yahoo.co.uk', 'co.uk', 'com.au', 'github.io', 'outlook.com.'])(
    '%s belongs to many',
    async (domain) => {
      const { boss, id } = await shared
      expect(refusal(await claim(boss, id, domain))).toEqual([422, 'domain_not_usable'])
    },
  )

  test.each([
    '',
    'com',
    'localhost',
    '10.0.0.1',
    '[::1]',
    'a b.com',
    'a@b.com',
    'x.com/y',
    '-a.com',
    'a\0.com',
    '😀',
    `${'a'.repeat(64)}.com`,
  ])('%j is none', async (domain) => {
    const { boss, id } = await shared
    expect(refusal(await claim(boss, id, domain))).toEqual([400, 'invalid_request'])
  })

  test('in any script is kept as name servers know it', async () => {
    const { boss, id } = await shared
    const { body } = await claim(boss, id, 'Müller-Fünf.de.')
    expect(body.domains.map(({ domain }: { domain: string }) => domain)).toContain(domainToASCII('müller-fünf.de'))
  })

  const shared = company(provider)
})
