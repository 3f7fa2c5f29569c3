import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { inLanes } from '../../../platform/concurrency.ts'
import type { Route } from '../../../api/http/route.ts'
import { allRoutes as routes } from '../../../sandbox/routes.ts'
import { api, organization, person, withStepUp } from '../../support/api.ts'
import { type Ids, callWith, toldBy, world } from '../../support/contract/world.ts'
import { changeRole } from '../../support/organizations/members.ts'
import { everyNth, fullScale } from '../../support/model-runs.ts'
import { useWorker } from '../../support/worker.ts'
import { EXAMPLES } from '../../../api/openapi/document.ts'
import { delegateOf } from '../../support/identity/delegates.ts'
import { refusal } from '../../support/http/refusals.ts'
import { owner } from '../../support/database.ts'

useWorker()

let worlds: Awaited<ReturnType<typeof world>>[]
beforeAll(async () => {
  worlds = await Promise.all([world(), world(), world()])
})

const owned = routes.filter((route) => route.owner)

/** Asks for one id everywhere but for the organization; bodies have the ids of a world, or of nothing. */
async function told(route: Route, token: string, organizationId: string, id: string, ids: Ids = {}) {
  const path = route.path
    .replaceAll('{organization_id}', organizationId)
    .replaceAll('{item_id}', `review_approval:${id}`)
    .replaceAll(/\{\w+\}/g, id)
  return toldBy(await callWith({ ...route, path }, token, ids))
}

test('whatever id a stranger asks for, the answer is the one for an id that does not exist', async () => {
  const nobody = await person()
  const asked = fc.record({
    route: fc.constantFrom(...owned),
    actor: fc.integer({ min: 0, max: 3 }),
    target: fc.integer({ min: 0, max: 2 }),
    pick: fc.nat(),
    knowsOrganization: fc.boolean(),
  })
  let compared = 0
  const numRuns = fullScale ? 150 : 20
  await fc.assert(
    fc.asyncProperty(asked, async ({ route, actor, target, pick, knowsOrganization }) => {
      const there = worlds[target]
      if (!there || actor === target) return
      const { token } = worlds[actor]?.boss ?? nobody
      const id = there.all[pick % there.all.length] ?? ''
      const real = await told(route, token, knowsOrganization ? there.ids['organization_id']! : id, id, there.ids)
      expect(real).toEqual(await told(route, token, randomUUID(), randomUUID()))
      expect(real.status).toBe(404)
      compared += 1
    }),
    { numRuns },
  )
  expect(compared).toBeGreaterThan(numRuns / 3)
})

test('under the own organization, ids of another one are not found', async () => {
  const [{ boss, ids: own }, theirs] = [worlds[0]!, worlds[1]!]
  const organizationId = own['organization_id']!
  await changeRole(boss, organizationId, boss.userId, 'owner') // opens the step-up window
  const nested = owned.filter((route) => /\{organization_id\}.*\{/.test(route.path))
  expect(nested.length).toBeGreaterThan(0)
  await inLanes([...nested.entries()], 8, async ([index, route]) => {
    const unknown = await told(route, boss.token, organizationId, randomUUID())
    for (const id of everyNth(theirs.all, 4, index)) {
      expect(await told(route, boss.token, organizationId, id, theirs.ids)).toEqual(unknown)
    }
  })
})

/** A person's things by path; they exist before and after a stranger's try. */
async function belongings() {
  const who = await person({ authenticator: true })
  const [session] = await owner`select device_id from sessions where id = ${who.sessionId}`
  const device = session?.['device_id'] as string
  const [passkey] = await owner`
    insert into passkeys (user_id, device_id, name, credential_id, public_key, counter, synced)
    values (${who.userId}, ${device}, 'Key', ${randomUUID()}, '', 0, false) returning id`
  const [credential] = await owner`
    insert into approval_credentials (user_id, device_id, credential_hash, cooling_off_until)
    values (${who.userId}, ${device}, ${Buffer.from(randomUUID())}, business_now()) returning id`
  await owner`insert into phone_numbers (user_id, e164) values (${who.userId}, '+4915112345678')`
  const challenge = (await api('DELETE', '/auth/totp', { token: who.token })).body.error.step_up.id as string
  const delegate = (await delegateOf(who, (await organization(who)).id)).id
  const ids: Record<string, string> = {
    '/devices/{device_id}': device,
    '/me/sessions/{id}': who.sessionId,
    '/me/passkeys/{id}': passkey?.['id'],
    '/me/delegates/{delegate_id}': delegate,
    '/me/delegates/{delegate_id}/rotate': delegate,
    '/me/approval-credentials/{id}': credential?.['id'],
    '/me/challenges/{id}/approve': challenge,
    '/me/challenges/{id}/deny': challenge,
    '/me/phone-numbers/{e164}': '%2B4915112345678',
    '/step-up/{id}': challenge,
    '/step-up/{id}/complete': challenge,
    '/step-up/{id}/fallback': challenge,
  }
  return { who, ids }
}

/** Public to every signed-in person. */
const PUBLIC = new Set(['/handles/{svc_id}', '/countries/{country_code}/subdivisions'])
const personal = routes.filter(
  ({ credential, owner: of, path }) => credential === 'session' && !of && path.includes('{') && !PUBLIC.has(path),
)

describe('every operation on a thing of a person × somebody else → the answer for one that does not exist', async () => {
  const { who, ids } = await belongings()
  const stranger = await person({ authenticator: true })

  test.each(personal.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', async (_, route) => {
    const real = ids[route.path]
    expect(real, 'the path needs an entry here').toBeDefined()
    const call = (id: string | undefined) =>
      withStepUp(route.method.toUpperCase(), route.path.replace(/\{\w+\}/, id ?? ''), {
        token: stranger.token,
        ...(route.body && { body: EXAMPLES[route.operationId]?.body }),
      })
    const unknown = route.path.endsWith('{e164}') ? '%2B4915112345679' : randomUUID()
    const [theirs, nobodys] = [await call(real), await call(unknown)]
    expect(refusal(theirs)).toEqual([404, 'not_found'])
    expect({ ...theirs.body.error, request_id: '' }).toEqual({ ...nobodys.body.error, request_id: '' })
  })

  test('and all of it is still there', async () => {
    const left = await owner`
      select (select count(*)::int from passkeys where user_id = ${who.userId} and removed_at is null) as passkeys,
        (select count(*)::int from approval_credentials where user_id = ${who.userId} and revoked_at is null) as devices,
        (select count(*)::int from phone_numbers where user_id = ${who.userId}) as numbers,
        (select count(*)::int from sessions where user_id = ${who.userId} and ended_at is null) as sessions,
        (select string_agg(status || attempts || match_attempts, '' order by status) from step_ups where user_id = ${who.userId}) as step_ups`
    expect(left).toEqual([{ passkeys: 1, devices: 1, numbers: 1, sessions: 1, step_ups: 'consumed00pending00' }])
  })
})
