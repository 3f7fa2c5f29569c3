/** A session that a company's provider opened × what is the person's own: it sees and changes nothing beyond the company. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../../../api/http/route.ts'
import { ME } from '../../../pages/me/routes.ts'
import { allRoutes as routes } from '../../../sandbox/routes.ts'
import { type TestPerson, api, join, organization } from '../../support/api.ts'
import { callWith } from '../../support/contract/world.ts'
import { company, identityProvider, linked, personOf } from '../../support/identity/providers.ts'
import { show } from '../../support/pages/addresses.ts'

const provider = await identityProvider()
const shared = await company(provider)

/** Operations on what is the person's own that such a session may call, and why. */
const KEPT: Readonly<Record<string, string>> = {
  endSession: 'ends sessions of the company alone',
  endOtherSessions: 'ends sessions of the company alone',
  createDelegate: 'makes one for the company alone',
  createAuthorization: 'makes a delegate for the company alone',
  endDelegate: 'ends those of the company alone',
  completeStepUp: 'is the proof, of a request of this session',
  requestStepUpFallback: 'is the way to a proof',
  approveChallenge: 'of a session of the company alone',
  denyChallenge: 'of a session of the company alone',
}

/** Finds the operations that change something of a person, wherever they are a member. */
const isOwn = ({ credential, method, shape, owner, path }: Route) =>
  credential.startsWith('session') && method !== 'get' && shape !== 'query' && (!owner || path.startsWith('/me/'))
const own = routes.filter(isOwn)
const refused = own.filter(({ operationId }) => !(operationId in KEPT))

let both: TestPerson
let token: string
beforeAll(async () => {
  both = await personOf(shared.domain, { authenticator: true })
  await join(shared.id, both, 'admin')
  token = await linked(shared, both)
})

const rows = async (path: string, by: string) => (await api('GET', path, { token: by })).body.data as any[]

test('each operation on what is the person’s own is refused in it, or is listed with the reason', () => {
  const kept = own.filter(({ keepsToCompany }) => keepsToCompany).map(({ operationId }) => operationId)
  expect(kept.toSorted()).toEqual(Object.keys(KEPT).toSorted())
  expect(refused.length).toBeGreaterThan(20)
})

test('a person of the company alone changes what is theirs in it', async () => {
  const named = await api('PATCH', '/me', { token, body: { first_name: 'Ada' } })
  expect([named.status, named.body.first_name]).toEqual([200, 'Ada'])
})

describe('of a person of two organizations', () => {
  beforeAll(async () => {
    await organization(both, 'Other company')
  })

  test.each(refused)('$operationId is refused', async (route) => {
    const { status, body } = await callWith(route, token, { organization_id: shared.id })
    expect([status, body.error]).toMatchObject([403, { type: 'forbidden', details: { reason: 'provider_session' } }])
  })

  test('it lists sessions, devices and events of the company alone, and ends no other session', async () => {
    const [sessions, all] = [await rows('/me/sessions', token), await rows('/me/sessions', both.token)]
    expect(sessions.map((one) => one.this_session)).toEqual([true])
    expect(all.length).toBeGreaterThan(1)
    expect((await rows('/devices', token)).map((one) => one.sessions)).toEqual([1])
    const events = await rows('/me/security-events', token)
    expect(new Set(events.map((one) => one.session_id))).toEqual(new Set([sessions[0].id]))
    const personal = all.find((one) => one.this_session)
    expect((await api('DELETE', `/me/sessions/${personal.id}`, { token })).status).toBe(404)
    expect((await api('DELETE', '/me/sessions', { token })).body).toEqual({ ended: 0 })
    expect((await api('GET', '/me', { token: both.token })).status).toBe(200)
  })

  test.each(Object.keys(ME.shown))('the page %s is shown', async (path) => {
    expect((await show(path, { session: token })).status).toBeLessThan(500)
  })
})
