/** An identity provider that fails itself: owners hear of the reason until a sign-in goes well. */
import { beforeEach, expect, test } from 'vitest'
import { letInWithoutProvider } from '../../../services/identity-providers/providers.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { api, join, organization, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { sentTo } from '../../support/identity/identity.ts'
import { hostileProvider } from '../../support/identity/hostile-provider.ts'
import {
  complete,
  connect,
  newDomain,
  personOf,
  proveDomain,
  providerPath,
  start,
} from '../../support/identity/providers.ts'

const provider = await hostileProvider()
const domain = newDomain()
const boss = await personOf(domain, { authenticator: true })
const { id } = await organization(boss, 'Company')
expect((await connect(boss, id, provider.issuer)).status).toBe(201)
expect((await proveDomain(boss, id, domain)).status).toBe(200)
const admin = await person()
await join(id, admin, 'admin')

const [good, minute] = [(claims: object) => provider.sign({ ...claims }), () => Math.floor(Date.now() / 1000)]

beforeEach(async () => {
  provider.says.token = good
  delete provider.says.description
  delete provider.says.refuses
  await owner`update identity_providers set failures = 0, failure = null, failed_at = null, failing_since = null`
})

/** Signs in, to the end or to the refusal of the start. */
async function signIn(more: object = {}) {
  const begun = await start(boss.email)
  if (begun.status !== 201) return begun
  return complete(begun.body.attempt_token, provider.back(begun.body.authorize_url, 'somebody', { ...more }))
}

const tasks = async (by = boss) => {
  const { body } = await api('GET', `/organizations/${id}/attention?kind=failing_identity_provider`, {
    token: by.token,
  })
  return body.data as any[]
}
const noted = async () => {
  const [row] = await owner`select failures, failure from identity_providers where organization_id = ${id}`
  return [row?.['failures'], row?.['failure']]
}
/** Lets the time pass within which failures count as one. */
const apart = () => owner`update identity_providers set failed_at = failed_at - interval '11 seconds'`

test.each<[string, () => unknown, object]>([
  ['provider_unreadable', () => (provider.says.description = 'down'), {}],
  ['provider_client', () => (provider.says.refuses = 'invalid_client'), {}],
  ['provider_keys', () => (provider.says.token = (claims) => provider.sign({ ...claims }, { kid: 'another' })), {}],
  ['provider_clock', () => {}, { iat: minute() - 1200, exp: minute() - 600 }],
])(
  '%s is told to owners from the second failure on, and ends with a sign-in that goes well',
  async (reason, fail, claims) => {
    fail()
    expect((await signIn(claims)).body.error).toMatchObject({ type: 'identity_provider_unusable', details: { reason } })
    expect(await tasks()).toEqual([])
    await signIn(claims) // within ten seconds
    expect(await noted()).toEqual([1, reason])
    await apart()
    await signIn(claims)
    expect(await noted()).toEqual([2, reason])
    const [task] = await tasks()
    expect(task).toMatchObject({
      severity: 'blocking',
      actionable_by_viewer: true,
      href: providerPath(id),
      summary: expect.stringMatching(/^2 sign-ins at "127.0.0.1:\d+" have failed, the last one at .* UTC\. \w+/),
    })
    expect(await tasks(admin)).toEqual([])
    provider.says.token = good
    delete provider.says.description
    delete provider.says.refuses
    expect((await signIn()).body.status).toBe('link_required')
    expect([await tasks(), await noted()]).toEqual([[], [0, null]])
    const log = await owner`
    select type from events where organization_id = ${id} and type in ('identity_provider.failed', 'identity_provider.restored')
    order by written desc limit 2`
    expect(log.map(({ type }) => type)).toEqual(['identity_provider.restored', 'identity_provider.failed'])
  },
)

test('what a browser can bring about is no failure of the provider', async () => {
  provider.says.refuses = 'invalid_grant'
  expect((await signIn()).body.error.details.reason).toBe('provider_answer')
  const begun = await start(boss.email)
  const state = new URL(begun.body.authorize_url).searchParams.get('state') ?? ''
  const refused = await complete(
    begun.body.attempt_token,
    new URLSearchParams({ state, error: 'server_error' }).toString(),
  )
  expect(refused.body.error.details.reason).toBe('provider_refused')
  expect(await noted()).toEqual([0, null])
})

test('another secret ends it', async () => {
  provider.says.refuses = 'invalid_client'
  await signIn()
  await apart()
  await signIn()
  expect(await tasks()).toHaveLength(1)
  const changed = await withStepUp('PATCH', providerPath(id), { token: boss.token, body: { client_secret: 'another' } })
  expect([changed.status, await tasks()]).toEqual([200, []])
})

test('an operator lets members in without a provider that is required; owners and the log are told why', async () => {
  const letIn = () => letInWithoutProvider(id as OrganizationId, 'ticket 7: the only passkey is lost')
  await expect(letIn()).rejects.toMatchObject({ type: 'invalid_state' })
  await owner`update identity_providers set required = true where organization_id = ${id}`
  expect((await api('GET', `/organizations/${id}`, boss)).status).toBe(401)
  await letIn()
  expect((await api('GET', `/organizations/${id}`, boss)).status).toBe(200)
  expect((await sentTo(boss.email)).map(({ subject }) => subject)).toContain('How members sign in was changed')
  const [event] = await owner`
    select actor_kind, payload::json as payload from events
    where organization_id = ${id} and type = 'identity_provider.updated' order by written desc limit 1`
  expect(event).toEqual({
    actor_kind: 'admin',
    payload: { changed: ['required'], required: false, reason: 'ticket 7: the only passkey is lost' },
  })
})
