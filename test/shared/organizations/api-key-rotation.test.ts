/** Rotation and revocation of API keys: which secrets work when. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { revokeAllApiKeys } from '../../../db/organizations/api-keys.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { asSystem } from '../../../db/sql.ts'
import { api, verifyStepUp } from '../../support/api.ts'
import { refusal } from '../../support/http/refusals.ts'
import {
  apiKey,
  eventsOf,
  keyPath,
  read,
  revoke,
  rotate,
  typesOf,
  use,
  without,
} from '../../support/organizations/api-keys.ts'
import { staffOf, staffed } from '../../support/organizations/members.ts'
import { advance } from '../../support/identity/identity.ts'

const TRIES = 20
const HOUR = 3600

/** An organization with a key. */
async function world() {
  const { boss, id } = await staffed()
  return { boss, id, key: await apiKey(boss, id) }
}
const answersTo = (organizationId: string, ...keys: { secret: string }[]): Promise<number[]> =>
  Promise.all(keys.map(async ({ secret }) => (await use(secret, organizationId)).status))

describe('rotate', () => {
  test('the secret until now works for 24 hours more by business time, then the new one alone', async () => {
    const { boss, id, key: one } = await world()
    const two = (await rotate(boss, one)).body
    expect(await answersTo(id, one, two)).toEqual([200, 200])
    await advance(24 * HOUR - 60)
    expect(await answersTo(id, one, two)).toEqual([200, 200])
    await advance(60)
    expect(await answersTo(id, one, two)).toEqual([401, 200])
    const [admin] = await staffOf(id, 'admin') // with a fresh session
    expect((await read(admin, one)).body.previous_secret_expires_at).toBeNull()
  })

  test('exactly the two latest secrets work: rotating again within the 24 hours ends the oldest at once', async () => {
    const { boss, id, key: one } = await world()
    const two = (await rotate(boss, one)).body
    await advance(60)
    const three = (await rotate(boss, one)).body
    expect(await answersTo(id, one, two, three)).toEqual([401, 200, 200])
    await advance(24 * HOUR - 30) // counted from the second rotation
    expect(await answersTo(id, one, two, three)).toEqual([401, 200, 200])
    await advance(30)
    expect(await answersTo(id, one, two, three)).toEqual([401, 401, 200])
    const [admin] = await staffOf(id, 'admin')
    const four = (await rotate(admin, one)).body
    expect(await answersTo(id, two, three, four)).toEqual([401, 200, 200])
  })

  test('another secret under the same lookup; when the one before ends is told until then', async () => {
    const { boss, key } = await world()
    const { status, body } = await rotate(boss, key)
    expect([status, body.lookup, body.secret === key.secret]).toEqual([200, key.lookup, false])
    expect(body.secret).toMatch(new RegExp(`^svc_test_${key.lookup}_[A-Za-z0-9]{43}$`))
    expect(Date.parse(body.previous_secret_expires_at) - Date.parse(body.rotated_at)).toBe(24 * HOUR * 1000)
    expect((await read(boss, key)).body).toEqual(without(body))
    expect(await eventsOf(key)).toMatchObject([
      { type: 'api_key.created' },
      { type: 'api_key.rotated', payload: { previous_secret_expires_at: body.previous_secret_expires_at } },
    ])
  })

  test('20 rotations at once with one step-up are one', async () => {
    const { boss, key } = await world()
    const ask = () => api('POST', `${keyPath(key)}/rotate`, { token: boss.token, body: {} })
    await verifyStepUp(await ask())
    const answers = await Promise.all(Array.from({ length: TRIES }, ask))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await typesOf(key)).toEqual(['api_key.created', 'api_key.rotated'])
  })
})

describe('revoke', () => {
  test('both secrets end at once, for good', async () => {
    const { boss, id, key: one } = await world()
    const two = (await rotate(boss, one)).body
    await revoke(boss, one)
    expect(await answersTo(id, one, two)).toEqual([401, 401])
    expect((await read(boss, one)).body.previous_secret_expires_at).toBeNull()
  })

  test('again, and 20 at once, is once', async () => {
    const { boss, key } = await world()
    const answers = await Promise.all(Array.from({ length: TRIES }, () => revoke(boss, key)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.status} ${body.revoked_at}`)).size).toBe(1)
    expect(answers[0]?.body).toMatchObject({ status: 'revoked', revoked_at: expect.stringMatching(/Z$/) })
    expect(await typesOf(key)).toEqual(['api_key.created', 'api_key.revoked'])
  })

  test('a revoked key is neither rotated nor updated, and no step-up is asked for', async () => {
    const { boss, key } = await world()
    const body = { role: 'admin' }
    await verifyStepUp(await api('PATCH', keyPath(key), { token: boss.token, body }))
    await revoke(boss, key)
    const patch = (changes: object) => api('PATCH', keyPath(key), { token: boss.token, body: changes })
    for (const changes of [body, { name: 'x' }, {}])
      expect(refusal(await patch(changes))).toEqual([409, 'api_key_revoked'])
    expect(refusal(await rotate(boss, key))).toEqual([409, 'api_key_revoked'])
  })

  test('all keys of an organization are stopped together, each with its event, and those of no other one', async () => {
    const [mine, theirs] = [await world(), await world()]
    const [two, gone] = [await apiKey(mine.boss, mine.id), await apiKey(mine.boss, mine.id)]
    await revoke(mine.boss, gone)
    const all = () => asSystem(mine.id as OrganizationId, (tx) => revokeAllApiKeys(tx, `operator:${randomUUID()}`))
    expect([await all(), await all()]).toEqual([2, 0])
    for (const key of [mine.key, two]) {
      expect((await read(mine.boss, key)).body.status).toBe('revoked')
      expect(await typesOf(key)).toEqual(['api_key.created', 'api_key.revoked'])
    }
    expect((await read(theirs.boss, theirs.key)).body.status).toBe('active')
  })
})
