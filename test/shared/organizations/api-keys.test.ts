import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { tokenHash } from '../../../platform/encryption.ts'
import { type TestPerson, api, join, verifyStepUp } from '../../support/api.ts'
import { refusal } from '../../support/http/refusals.ts'
import {
  BALANCES,
  apiKey,
  change,
  create,
  eventsOf,
  keyPath,
  keysPath,
  read,
  revoke,
  rotate,
  typesOf,
  use,
  without,
} from '../../support/organizations/api-keys.ts'
import { staffOf, staffed } from '../../support/organizations/members.ts'
import { owner } from '../../support/database.ts'
import { advance } from '../../support/identity/identity.ts'
import { until } from '../../support/identity/secrets.ts'

const TRIES = 20

async function world(role: 'owner' | 'admin' = 'owner') {
  const { boss, id, staff } = await staffed('admin', 'member')
  const [admin, member] = staff
  return { boss, admin, member, id, manager: role === 'owner' ? boss : admin }
}

const demote = (organizationId: string, { userId }: TestPerson, role = 'member') =>
  owner`update members set role = ${role} where organization_id = ${organizationId} and user_id = ${userId}`
/** Asks for a key, without its step-up. */
const ask = ({ token }: TestPerson, id: string, body: object = BALANCES, key?: string) =>
  api('POST', keysPath(id), { token, body, ...(key && { key }) })

describe('create', () => {
  test.each(['owner', 'admin'] as const)('an %s makes one after a step-up; the secret is told once', async (role) => {
    const { manager, id } = await world(role)
    const body = { name: 'Books', role: 'admin', scopes: ['refunds:write', 'balances:read', 'balances:read'] }
    expect(refusal(await ask(manager, id, body))).toEqual([403, 'step_up_required'])
    const made = await create(manager, id, body)
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(String),
        organization_id: id,
        name: 'Books',
        role: 'admin',
        scopes: ['balances:read', 'refunds:write'],
        environment: 'test',
        lookup: expect.stringMatching(/^[a-z0-9]{8}$/),
        status: 'active',
        created_by: manager.userId,
        inserted_at: expect.stringMatching(/Z$/),
        last_used_at: null,
        rotated_at: null,
        previous_secret_expires_at: null,
        revoked_at: null,
        secret: expect.stringMatching(new RegExp(`^svc_test_${made.body.lookup}_[A-Za-z0-9]{43}$`)),
      },
    ])
    expect((await read(manager, made.body)).body).toEqual(without(made.body))
    expect((await api('GET', keysPath(id), { token: manager.token })).body.data).toEqual([without(made.body)])
    expect(await eventsOf(made.body)).toEqual([
      {
        type: 'api_key.created',
        actor_user_id: manager.userId,
        payload: { lookup: made.body.lookup, name: 'Books', role: 'admin', scopes: made.body.scopes },
      },
    ])
  })

  test('secrets are 256 random bits, kept as their hash alone', async () => {
    const { boss, id } = await world()
    const keys = [await apiKey(boss, id), await apiKey(boss, id)]
    const texts = keys.map(({ secret }) => secret.slice(18) as string)
    for (const text of texts) expect(text).toMatch(/^[A-Za-z0-9]{43}$/) // 43 of 62 characters are 256 bits
    expect(texts[0]).not.toBe(texts[1])
    const written = await owner`
      select k::text as row from api_keys k where organization_id = ${id}
      union all select e::text from events e where organization_id = ${id}
      union all select s::text from step_ups s where user_id = ${boss.userId}
      union all select s::text from security_events s where user_id = ${boss.userId}`
    const all = written.map(({ row }) => row).join('\n')
    for (const text of texts) expect(all).not.toContain(text)
    for (const { secret } of keys) expect(all).toContain(tokenHash(secret).toString('hex'))
  })

  test('is not stored for idempotency: the same request again makes another key, after another step-up', async () => {
    const { boss, id } = await world()
    const again = () => ask(boss, id, BALANCES, 'the same key')
    await verifyStepUp(await again())
    const one = await again()
    const asked = await again()
    expect([one.status, ...refusal(asked)]).toEqual([201, 403, 'step_up_required'])
    await verifyStepUp(asked)
    const two = await again()
    expect(two.status).toBe(201)
    expect([two.body.id, two.body.secret]).not.toEqual([one.body.id, one.body.secret])
  })

  test('one step-up makes one key, also of 20 requests at once', async () => {
    const { boss, id } = await world()
    await verifyStepUp(await ask(boss, id))
    const answers = await Promise.all(Array.from({ length: TRIES }, () => ask(boss, id)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(refusal(answer)).toEqual([403, 'step_up_required'])
      expect(answer.body.error.step_up.id).toEqual(expect.any(String))
    }
    expect(await owner`select from api_keys where organization_id = ${id}`).toHaveLength(1)
  })

  test('of 60 at once 50 are made; the others cost no step-up, and a place that is free again is taken', async () => {
    const { boss, id } = await world()
    const bodies = Array.from({ length: 60 }, (_, index) => ({ ...BALANCES, name: `Key ${index}` }))
    const all = () => Promise.all(bodies.map((body) => ask(boss, id, body)))
    await Promise.all((await all()).map(verifyStepUp))
    const answers = await all()
    const made = answers.filter(({ status }) => status === 201)
    expect(made).toHaveLength(50)
    const refused = answers.filter(({ status }) => status !== 201)
    for (const answer of refused) expect(refusal(answer)).toEqual([422, 'api_key_limit_reached'])
    expect(await owner`select from step_ups where user_id = ${boss.userId} and status = 'verified'`).toHaveLength(10)

    expect((await revoke(boss, made[0]?.body)).status).toBe(200)
    const left = bodies.filter((_, index) => answers[index]?.status === 422)
    const again = await Promise.all(left.map((body) => ask(boss, id, body)))
    expect(again.filter(({ status }) => status === 201)).toHaveLength(1)
  }, 60_000)

  test('a scope above the role is refused, before a step-up is asked for', async () => {
    const { boss, id } = await world()
    for (const scope of ['refunds:write', 'webhooks:manage']) {
      const answer = await ask(boss, id, { ...BALANCES, scopes: ['balances:read', scope] })
      expect(refusal(answer)).toEqual([422, 'scope_requires_role'])
      expect(answer.body.error.details).toEqual({ scopes: [scope], role: 'admin' })
    }
  })

  test.each([
    {},
    { ...BALANCES, role: 'owner' },
    { ...BALANCES, scopes: ['payments:write'] },
    { ...BALANCES, scopes: 'balances:read' },
    { ...BALANCES, name: ' ' },
    { ...BALANCES, name: 'x'.repeat(256) },
  ])('the body %j is invalid_request', async (body) => {
    const { boss, id } = await world()
    expect(refusal(await create(boss, id, body))).toEqual([400, 'invalid_request'])
  })
})

test('the list is newest first, a page at a time, with the revoked ones', async () => {
  const { boss, id } = await world()
  const keys = [await apiKey(boss, id), await apiKey(boss, id), await apiKey(boss, id)]
  await revoke(boss, keys[1])
  const page = async (query: string) => (await api('GET', `${keysPath(id)}?${query}`, { token: boss.token })).body
  const one = await page('limit=2')
  expect(one.data.map((key: any) => [key.id, key.status])).toEqual([
    [keys[2].id, 'active'],
    [keys[1].id, 'revoked'],
  ])
  expect((await page(`limit=2&cursor=${one.next_cursor}`)).data.map((key: any) => key.id)).toEqual([keys[0].id])
  expect((await page(`cursor=${randomUUID()}`)).error.type).toBe('invalid_request')
})

describe('update', () => {
  test('a name asks for no step-up, role and scopes do; what is as it was is no change and no event', async () => {
    const { boss, id } = await world()
    const key = await apiKey(boss, id)
    const patch = (body: object) => api('PATCH', keyPath(key), { token: boss.token, body })
    expect((await patch({ name: 'Renamed' })).body).toEqual({ ...without(key), name: 'Renamed' })
    expect((await patch({ name: 'Renamed', role: 'member', scopes: ['balances:read'] })).status).toBe(200)
    for (const body of [{ role: 'admin' }, { scopes: [] }, { name: 'Again', scopes: ['payments:read'] }])
      expect(refusal(await patch(body))).toEqual([403, 'step_up_required'])
    const changed = await change(boss, key, { role: 'admin', scopes: ['webhooks:manage', 'events:read'] })
    const scopes = ['events:read', 'webhooks:manage']
    expect([changed.status, changed.body]).toMatchObject([200, { name: 'Renamed', role: 'admin', scopes }])
    expect((await read(boss, key)).body).toEqual(changed.body)
    expect(await typesOf(key)).toEqual(['api_key.created', 'api_key.updated', 'api_key.updated'])
  })

  test('a step-up for one change releases no other one', async () => {
    const { boss, id } = await world()
    const [one, two] = [await apiKey(boss, id), await apiKey(boss, id)]
    const patch = (key: object, body: object) => api('PATCH', keyPath(key as typeof one), { token: boss.token, body })
    await verifyStepUp(await patch(one, { role: 'admin' }))
    expect(refusal(await patch(two, { role: 'admin' }))).toEqual([403, 'step_up_required'])
    expect(refusal(await patch(one, { role: 'admin', scopes: [] }))).toEqual([403, 'step_up_required'])
    const rotated = await api('POST', `${keyPath(one)}/rotate`, { token: boss.token, body: {} })
    expect(refusal(rotated)).toEqual([403, 'step_up_required'])
    expect((await patch(one, { role: 'admin' })).body.role).toBe('admin')
  })

  test('role and scopes have to fit together as they will be', async () => {
    const { boss, id } = await world()
    const key = await apiKey(boss, id, { role: 'admin', scopes: ['refunds:write'] })
    expect(refusal(await change(boss, key, { role: 'member' }))).toEqual([422, 'scope_requires_role'])
    expect((await change(boss, key, { role: 'member', scopes: [] })).body).toMatchObject({ role: 'member', scopes: [] })
    expect(refusal(await change(boss, key, { scopes: ['webhooks:manage'] }))).toEqual([422, 'scope_requires_role'])
  })

  test('a role above what its creator is now is refused, whoever asks; a name is not', async () => {
    const { boss, admin, id } = await world()
    const [low, high] = [await apiKey(admin, id), await apiKey(admin, id, { role: 'admin' })]
    await demote(id, admin)
    expect(refusal(await change(boss, low, { role: 'admin' }))).toEqual([403, 'role_exceeds_creator'])
    expect(refusal(await change(boss, high, { scopes: [] }))).toEqual([403, 'role_exceeds_creator'])
    expect((await change(boss, high, { name: 'Still here' })).body.name).toBe('Still here')
    expect((await change(boss, high, { role: 'member' })).body.role).toBe('member')
    await owner`delete from members where organization_id = ${id} and user_id = ${admin.userId}`
    expect(refusal(await change(boss, low, { role: 'admin' }))).toEqual([403, 'role_exceeds_creator'])
    await join(id, admin, 'owner')
    expect((await change(boss, low, { role: 'admin' })).body.role).toBe('admin')
  })
})

const waiting = () =>
  owner`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

test('none is made after the ban that a request at the same time waited for', async () => {
  const { boss, id } = await world()
  await verifyStepUp(await ask(boss, id))
  const { answer } = await owner.begin(async (tx) => {
    await tx`update organizations set status = 'banned' where id = ${id}`
    const made = ask(boss, id)
    await until(async () => expect(await waiting()).toHaveLength(1))
    return { answer: made } // not awaited while the organization is locked
  })
  expect(refusal(await answer)).toEqual([404, 'not_found'])
  expect(await owner`select from api_keys where organization_id = ${id}`).toHaveLength(0)
})

test('nor above a role that was taken from its creator at the same time', async () => {
  const { admin, id } = await world()
  const askFor = (role: string) => ask(admin, id, { ...BALANCES, role })
  for (const role of ['admin', 'member']) await verifyStepUp(await askFor(role))
  const { answers } = await owner.begin(async (tx) => {
    await tx`update members set role = 'member' where organization_id = ${id} and user_id = ${admin.userId}`
    const asked = Promise.all([askFor('admin'), askFor('member')])
    await until(async () => expect(await waiting()).toHaveLength(2))
    return { answers: asked }
  })
  expect((await answers).map(refusal)).toEqual([
    [403, 'role_exceeds_creator'],
    [403, 'forbidden'],
  ])
})

const HOUR = 3600

/** An organization with a key. */
async function keyed() {
  const { boss, id } = await staffed()
  return { boss, id, key: await apiKey(boss, id) }
}
const answersTo = (organizationId: string, ...keys: { secret: string }[]): Promise<number[]> =>
  Promise.all(keys.map(async ({ secret }) => (await use(secret, organizationId)).status))

describe('rotate', () => {
  test('the secret until now works for 24 hours more by business time, then the new one alone', async () => {
    const { boss, id, key: one } = await keyed()
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
    const { boss, id, key: one } = await keyed()
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
    const { boss, key } = await keyed()
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
    const { boss, key } = await keyed()
    const ask = () => api('POST', `${keyPath(key)}/rotate`, { token: boss.token, body: {} })
    await verifyStepUp(await ask())
    const answers = await Promise.all(Array.from({ length: TRIES }, ask))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await typesOf(key)).toEqual(['api_key.created', 'api_key.rotated'])
  })
})

describe('revoke', () => {
  test('both secrets end at once, for good', async () => {
    const { boss, id, key: one } = await keyed()
    const two = (await rotate(boss, one)).body
    await revoke(boss, one)
    expect(await answersTo(id, one, two)).toEqual([401, 401])
    expect((await read(boss, one)).body.previous_secret_expires_at).toBeNull()
  })

  test('again, and 20 at once, is once', async () => {
    const { boss, key } = await keyed()
    const answers = await Promise.all(Array.from({ length: TRIES }, () => revoke(boss, key)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.status} ${body.revoked_at}`)).size).toBe(1)
    expect(answers[0]?.body).toMatchObject({ status: 'revoked', revoked_at: expect.stringMatching(/Z$/) })
    expect(await typesOf(key)).toEqual(['api_key.created', 'api_key.revoked'])
  })

  test('a revoked key is neither rotated nor updated, and no step-up is asked for', async () => {
    const { boss, key } = await keyed()
    const body = { role: 'admin' }
    await verifyStepUp(await api('PATCH', keyPath(key), { token: boss.token, body }))
    await revoke(boss, key)
    const patch = (changes: object) => api('PATCH', keyPath(key), { token: boss.token, body: changes })
    for (const changes of [body, { name: 'x' }, {}])
      expect(refusal(await patch(changes))).toEqual([409, 'api_key_revoked'])
    expect(refusal(await rotate(boss, key))).toEqual([409, 'api_key_revoked'])
  })
})
