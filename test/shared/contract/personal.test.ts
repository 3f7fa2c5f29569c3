import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { allRoutes as routes } from '../../../sandbox/routes.ts'
import { api, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'

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
  const ids: Record<string, [real: string, unknown: string]> = {
    '/devices/{device_id}': [device, randomUUID()],
    '/me/sessions/{id}': [who.sessionId, randomUUID()],
    '/me/passkeys/{id}': [passkey?.['id'], randomUUID()],
    '/me/approval-credentials/{id}': [credential?.['id'], randomUUID()],
    '/me/challenges/{id}/approve': [challenge, randomUUID()],
    '/me/challenges/{id}/deny': [challenge, randomUUID()],
    '/me/phone-numbers/{e164}': ['%2B4915112345678', '%2B4915112345679'],
    '/step-up/{id}': [challenge, randomUUID()],
    '/step-up/{id}/complete': [challenge, randomUUID()],
    '/step-up/{id}/fallback': [challenge, randomUUID()],
  }
  return { who, ids }
}

/** Public to every signed-in person. */
const PUBLIC = new Set(['/handles/{svc_id}', '/countries/{country_code}/subdivisions'])
const BODIES: Record<string, object> = {
  '/devices/{device_id}': { name: 'Mine now' },
  '/me/passkeys/{id}': { name: 'Mine now' },
  '/me/challenges/{id}/approve': { credential: 'apc_made-up', match_code: '123' },
  '/me/challenges/{id}/deny': { credential: 'apc_made-up' },
  '/step-up/{id}/complete': { method: 'totp', code: '123456' },
  '/step-up/{id}/fallback': { method: 'messaging_code' },
}
const personal = routes.filter(
  ({ credential, owner: of, path }) => credential === 'session' && !of && path.includes('{') && !PUBLIC.has(path),
)

describe('every operation on a thing of a person × somebody else → the answer for one that does not exist', async () => {
  const { who, ids } = await belongings()
  const stranger = await person({ authenticator: true })

  test.each(personal.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', async (_, route) => {
    const [real, unknown] = ids[route.path] ?? []
    expect(real, 'the path needs an entry here').toBeDefined()
    const call = (id: string | undefined) =>
      withStepUp(route.method.toUpperCase(), route.path.replace(/\{\w+\}/, id ?? ''), {
        token: stranger.token,
        ...(route.body && { body: BODIES[route.path] ?? {} }),
      })
    const [theirs, nobodys] = [await call(real), await call(unknown)]
    expect([theirs.status, theirs.body.error.type]).toEqual([404, 'not_found'])
    expect({ ...theirs.body.error, request_id: '' }).toEqual({ ...nobodys.body.error, request_id: '' })
  })

  test('and all of it is still there', async () => {
    const left = await owner`
      select (select count(*)::int from passkeys where user_id = ${who.userId} and removed_at is null) as passkeys,
        (select count(*)::int from approval_credentials where user_id = ${who.userId} and revoked_at is null) as devices,
        (select count(*)::int from phone_numbers where user_id = ${who.userId}) as numbers,
        (select count(*)::int from sessions where user_id = ${who.userId} and ended_at is null) as sessions,
        (select string_agg(status || attempts || match_attempts, '') from step_ups where user_id = ${who.userId}) as step_ups`
    expect(left).toEqual([{ passkeys: 1, devices: 1, numbers: 1, sessions: 1, step_ups: 'pending00' }])
  })
})
