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
import { owner, untilBlocked } from '../../support/database.ts'
import { advance } from '../../support/identity/identity.ts'

const TRIES = 5

/** An organization with an admin and a key of its owner. */
async function keyed() {
  const { boss, id, staff } = await staffed('admin')
  return { boss, admin: staff[0], id, key: await apiKey(boss, id) }
}

type Key = { id: string; status: string }

const demote = (organizationId: string, { userId }: TestPerson, role = 'member') =>
  owner`update members set role = ${role} where organization_id = ${organizationId} and user_id = ${userId}`
/** Asks for a key, without its step-up. */
const ask = ({ token }: TestPerson, id: string, body: object = BALANCES, key?: string) =>
  api('POST', keysPath(id), { token, body, ...(key && { key }) })

describe('create', () => {
  test('one is made after a step-up; the secret is told once', async () => {
    const { id, staff } = await staffed('admin')
    const [manager] = staff
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
    const { boss, id, key } = await keyed()
    const keys = [key, await apiKey(boss, id)]
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
    const { boss, id } = await staffed()
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

  test('one step-up makes one key, also of several requests at once', async () => {
    const { boss, id } = await staffed()
    await verifyStepUp(await ask(boss, id))
    const answers = await Promise.all(Array.from({ length: TRIES }, () => ask(boss, id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403, 403, 403, 403])
    expect(await owner`select from api_keys where organization_id = ${id}`).toHaveLength(1)
  })

  test('of 6 at once those up to 50 are made; the others cost no step-up, and a place that is free again is taken', async () => {
    const { boss, id, key } = await keyed()
    await owner`
      insert into api_keys (organization_id, name, role, scopes, environment, lookup, secret_hash, created_by)
      select organization_id, name, role, scopes, environment, substr(md5(random()::text), 1, 8), secret_hash, created_by
      from api_keys, generate_series(2, 46) where id = ${key.id}`
    const bodies = Array.from({ length: 6 }, (_, index) => ({ ...BALANCES, name: `Key ${index}` }))
    const all = () => Promise.all(bodies.map((body) => ask(boss, id, body)))
    await Promise.all((await all()).map(verifyStepUp))
    const answers = await all()
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 201, 422, 422])
    const refused = bodies.filter((_, index) => answers[index]?.status === 422)
    expect(await owner`select from step_ups where user_id = ${boss.userId} and status = 'verified'`).toHaveLength(2)
    expect((await revoke(boss, key)).status).toBe(200)
    const again = await Promise.all(refused.map((body) => ask(boss, id, body)))
    expect(again.map((answer) => refusal(answer).join(' ')).toSorted()).toEqual(['201 ', '422 api_key_limit_reached'])
  })

  test('a scope above the role is refused, before a step-up is asked for', async () => {
    const { boss, id } = await staffed()
    for (const scope of ['refunds:write', 'webhooks:manage']) {
      const answer = await ask(boss, id, { ...BALANCES, scopes: ['balances:read', scope] })
      expect(refusal(answer)).toEqual([422, 'scope_requires_role'])
      expect(answer.body.error.details).toEqual({ scopes: [scope], role: 'admin' })
    }
  })
})

test('the list is newest first, a page at a time, with the revoked ones', async () => {
  const { boss, id, key } = await keyed()
  const keys = [key, await apiKey(boss, id), await apiKey(boss, id)]
  await revoke(boss, keys[1])
  const page = async (query: string) => (await api('GET', `${keysPath(id)}?${query}`, { token: boss.token })).body
  const one = await page('limit=2')
  expect(one.data.map((each: Key) => [each.id, each.status])).toEqual([
    [keys[2].id, 'active'],
    [keys[1].id, 'revoked'],
  ])
  expect((await page(`limit=2&cursor=${one.next_cursor}`)).data.map((each: Key) => each.id)).toEqual([keys[0].id])
})

describe('update', () => {
  test('a name asks for no step-up, role and scopes do; what is as it was is no change and no event', async () => {
    const { boss, key } = await keyed()
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
    const { boss, id, key: one } = await keyed()
    const two = await apiKey(boss, id)
    const patch = (key: Parameters<typeof keyPath>[0], body: object) =>
      api('PATCH', keyPath(key), { token: boss.token, body })
    await verifyStepUp(await patch(one, { role: 'admin' }))
    expect(refusal(await patch(two, { role: 'admin' }))).toEqual([403, 'step_up_required'])
    expect(refusal(await patch(one, { role: 'admin', scopes: [] }))).toEqual([403, 'step_up_required'])
    const rotated = await api('POST', `${keyPath(one)}/rotate`, { token: boss.token, body: {} })
    expect(refusal(rotated)).toEqual([403, 'step_up_required'])
    expect((await patch(one, { role: 'admin' })).body.role).toBe('admin')
  })

  test('role and scopes have to fit together as they will be', async () => {
    const { boss, id } = await staffed()
    const key = await apiKey(boss, id, { role: 'admin', scopes: ['refunds:write'] })
    expect(refusal(await change(boss, key, { role: 'member' }))).toEqual([422, 'scope_requires_role'])
    expect((await change(boss, key, { role: 'member', scopes: [] })).body).toMatchObject({ role: 'member', scopes: [] })
    expect(refusal(await change(boss, key, { scopes: ['webhooks:manage'] }))).toEqual([422, 'scope_requires_role'])
  })

  test('a role above what its creator is now is refused, whoever asks; a name is not', async () => {
    const { boss, admin, id } = await keyed()
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

test('none is made after the ban that a request at the same time waited for', async () => {
  const { boss, id } = await staffed()
  await verifyStepUp(await ask(boss, id))
  const { answer } = await owner.begin(async (tx) => {
    await tx`update organizations set status = 'banned' where id = ${id}`
    const made = ask(boss, id)
    await untilBlocked(tx)
    return { answer: made } // not awaited while the organization is locked
  })
  expect(refusal(await answer)).toEqual([404, 'not_found'])
  expect(await owner`select from api_keys where organization_id = ${id}`).toHaveLength(0)
})

test('nor above a role that was taken from its creator at the same time', async () => {
  const { admin, id } = await keyed()
  const askFor = (role: string) => ask(admin, id, { ...BALANCES, role })
  for (const role of ['admin', 'member']) await verifyStepUp(await askFor(role))
  const { answers } = await owner.begin(async (tx) => {
    await tx`update members set role = 'member' where organization_id = ${id} and user_id = ${admin.userId}`
    const asked = Promise.all([askFor('admin'), askFor('member')])
    await untilBlocked(tx, 2)
    return { answers: asked }
  })
  expect((await answers).map(refusal)).toEqual([
    [403, 'role_exceeds_creator'],
    [403, 'forbidden'],
  ])
})

const HOUR = 3600

const answersTo = (organizationId: string, ...keys: { secret: string }[]): Promise<number[]> =>
  Promise.all(keys.map(async ({ secret }) => (await use(secret, organizationId)).status))

describe('rotate', () => {
  test('exactly the two latest secrets work, the earlier one for 24 hours; rotating again ends the oldest at once', async () => {
    const { boss, id, key: one } = await keyed()
    const two = (await rotate(boss, one)).body
    await advance(60)
    const three = (await rotate(boss, one)).body
    expect(await answersTo(id, one, two, three)).toEqual([401, 200, 200])
    await advance(24 * HOUR - 30) // counted from the second rotation
    expect(await answersTo(id, one, two, three)).toEqual([401, 200, 200])
    await advance(30)
    expect(await answersTo(id, one, two, three)).toEqual([401, 401, 200])
    const [admin] = await staffOf(id, 'admin') // with a fresh session
    expect((await read(admin, one)).body.previous_secret_expires_at).toBeNull()
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
})

describe('revoke', () => {
  test('both secrets end at once, for good; several times at once it is once', async () => {
    const { boss, id, key: one } = await keyed()
    const two = (await rotate(boss, one)).body
    const answers = await Promise.all(Array.from({ length: TRIES }, () => revoke(boss, one)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.status} ${body.revoked_at}`)).size).toBe(1)
    expect(answers[0]?.body).toMatchObject({ status: 'revoked', revoked_at: expect.stringMatching(/Z$/) })
    expect(await answersTo(id, one, two)).toEqual([401, 401])
    expect((await read(boss, one)).body.previous_secret_expires_at).toBeNull()
    expect(await typesOf(one)).toEqual(['api_key.created', 'api_key.rotated', 'api_key.revoked'])
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
