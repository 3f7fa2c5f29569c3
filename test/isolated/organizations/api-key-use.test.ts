/** API keys as credentials: what they open, and how everything else is refused. */
import crypto, { randomUUID } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { describe, expect, test, vi } from 'vitest'
import { authenticateApiKey } from '../../../services/organizations/api-keys.ts'
import { type Answer, fund, join } from '../../support/api.ts'
import { refusal } from '../../support/http/refusals.ts'
import { apiKey, change, read, revoke, rotate, use } from '../../support/organizations/api-keys.ts'
import { staffed } from '../../support/organizations/members.ts'
import { owner } from '../../support/database.ts'
import { advance } from '../../support/identity/identity.ts'

async function world() {
  const { boss, id } = await staffed()
  return { boss, id, key: await apiKey(boss, id) }
}

const INVALID = [401, 'invalid_api_key']
const UNAVAILABLE = [403, 'organization_unavailable']
const setStatus = (id: string, status: string) => owner`update organizations set status = ${status} where id = ${id}`
const lastUse = async (key: { id: string }) =>
  (await owner<{ at: string | null }[]>`select last_used_at::text as at from api_keys where id = ${key.id}`)[0]?.at
/** An answer without the parts that differ from request to request. */
const told = ({ status, body, headers }: Answer) => [
  status,
  { ...body.error, request_id: '' },
  [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name)),
]
const altered = (text: string, at: number) => text.slice(0, at) + (text[at] === 'a' ? 'b' : 'a') + text.slice(at + 1)

describe('what a key opens', () => {
  test('the balances of its organization, as a person sees them', async () => {
    const { boss, id, key } = await world()
    await fund(id, '12.34')
    const answer = await use(key.secret, id)
    expect([answer.status, answer.body]).toEqual([200, (await use(boss.token, id)).body])
    expect(answer.body.data[0].available).toEqual({ amount: '12.34', currency: 'USD' })
    expect((await use(key.secret, id.toUpperCase(), '?limit=1')).body).toEqual(answer.body)
    expect(answer.headers.get('ratelimit-policy')).toMatch(/^"credential";q=\d+;w=60$/)
  })

  test('each key has a limit of its own', async () => {
    const { boss, id, key } = await world()
    const left = async (token: string) =>
      Number(/;r=(\d+);/.exec((await use(token, id)).headers.get('ratelimit') ?? '')?.[1])
    const [first, second] = [await left(key.secret), await left(key.secret)]
    expect(second).toBe(first - 1)
    expect(await left((await rotate(boss, key)).body.secret)).toBe(second - 1)
    expect(await left((await apiKey(boss, id)).secret)).toBe(first)
  })
})

describe('what is no key', () => {
  test('malformed, unknown, of the other environment, with a wrong secret: all are told the same', async () => {
    const { id, key } = await world()
    const text = key.secret as string
    const tokens = [
      altered(text, 9), // the lookup
      altered(text, 18),
      altered(text, text.length - 2),
      text.replace('svc_test_', 'svc_live_'),
      text.replace('svc_test_', 'svc_prod_'),
      text.slice(0, -1),
      `${text}a`,
      `svc_${text}`,
      text.toUpperCase().replace('SVC_TEST_', 'svc_test_'),
      'svc_',
      `svc_${'x'.repeat(600)}`,
      'svc_test_ ',
      `svc_test_${key.lookup}_${'a'.repeat(43)}'--`,
    ]
    const answers = await Promise.all(tokens.map((token) => use(token, id)))
    for (const [index, answer] of answers.entries()) {
      expect([tokens[index], ...refusal(answer)]).toEqual([tokens[index], ...INVALID])
      expect(told(answer)).toEqual(told(answers[0] as Answer))
    }
    expect(answers[0]?.headers.get('www-authenticate')).toBe('Bearer')
    expect(await lastUse(key)).toBeNull()
  })

  test('an unknown key costs as much as a wrong secret: the same comparisons, in constant time', async () => {
    const { id, key } = await world()
    const text = key.secret as string
    const compare = vi.spyOn(crypto, 'timingSafeEqual')
    syncBuiltinESMExports()
    try {
      for (const token of [text, altered(text, 9), altered(text, 20)]) {
        compare.mockClear()
        await use(token, id)
        expect(compare).toHaveBeenCalledTimes(2)
        for (const [left, right] of compare.mock.calls) expect([left.byteLength, right.byteLength]).toEqual([32, 32])
      }
    } finally {
      compare.mockRestore()
      syncBuiltinESMExports()
    }
  })

  test('a key of another organization: the path is not found, whether there is such a one or not', async () => {
    const [mine, theirs] = [await world(), await world()]
    const [real, made] = [await use(mine.key.secret, theirs.id), await use(mine.key.secret, randomUUID())]
    expect(refusal(real)).toEqual([404, 'not_found'])
    expect({ ...real.body.error, request_id: '' }).toEqual({ ...made.body.error, request_id: '' })
    expect(refusal(await use(mine.key.secret, 'nonsense'))).toEqual([400, 'invalid_request'])
  })
})

describe('scopes and roles count as they are at the moment', () => {
  test('without the scope it is refused; the scope given opens, and taken closes again', async () => {
    const { boss, id } = await world()
    const key = await apiKey(boss, id, { scopes: ['payments:read', 'transactions:read'] })
    const refused = await use(key.secret, id)
    expect(refusal(refused)).toEqual([403, 'api_scope_missing'])
    expect(refused.body.error.details).toEqual({ scope: 'balances:read' })
    await change(boss, key, { scopes: ['balances:read'] })
    expect((await use(key.secret, id)).status).toBe(200)
    await change(boss, key, { scopes: [] })
    expect(refusal(await use(key.secret, id))).toEqual([403, 'api_scope_missing'])
  })

  test('when its creator falls or leaves, it acts as a member, with what a member may', async () => {
    const { id, staff } = await staffed('admin')
    const [admin] = staff
    const key = await apiKey(admin, id, { role: 'admin', scopes: ['balances:read', 'webhooks:manage'] })
    const acts = async () => {
      expect((await use(key.secret, id)).status).toBe(200)
      const found = await authenticateApiKey(key.secret)
      return [found?.membership.role, found?.program.scopes]
    }
    expect(await acts()).toEqual(['admin', key.scopes])
    await owner`update members set role = 'member' where organization_id = ${id} and user_id = ${admin.userId}`
    expect(await acts()).toEqual(['member', ['balances:read']])
    await owner`delete from members where organization_id = ${id} and user_id = ${admin.userId}`
    expect(await acts()).toEqual(['member', ['balances:read']])
    await join(id, admin, 'owner')
    expect(await acts()).toEqual(['admin', key.scopes])
  })
})

describe('an organization that is not available', () => {
  test.each(['paused', 'banned', 'deleted'])('%s: told to its keys alone, before anything of them', async (status) => {
    const { boss, id, key } = await world()
    const [revoked, scopeless] = [await apiKey(boss, id), await apiKey(boss, id, { scopes: [] })]
    await revoke(boss, revoked)
    await setStatus(id, status)
    for (const { secret: token } of [key, revoked, scopeless]) {
      expect(refusal(await use(token, id))).toEqual(UNAVAILABLE)
      expect(refusal(await use(token, randomUUID()))).toEqual(UNAVAILABLE)
    }
    for (const at of [9, 20]) expect(refusal(await use(altered(key.secret, at), id))).toEqual(INVALID)
    await setStatus(id, 'active')
    expect((await use(key.secret, id)).status).toBe(200)
    expect(refusal(await use(revoked.secret, id))).toEqual(INVALID)
  })
})

describe('last_used_at', () => {
  test('is when it was last used, to the minute; what was refused is no use', async () => {
    const { boss, id, key } = await world()
    await use(altered(key.secret, 20), id)
    expect(await lastUse(key)).toBeNull()
    await use(key.secret, id)
    const first = await lastUse(key)
    expect(Date.parse((await read(boss, key)).body.last_used_at)).toBe(Date.parse(first ?? ''))
    await use(key.secret, id)
    expect(await lastUse(key)).toBe(first)
    await advance(60)
    await Promise.all(Array.from({ length: 5 }, () => use(key.secret, id)))
    const second = await lastUse(key)
    expect(second && first && second > first).toBe(true)
  })

  test('a use that cannot be noted is answered all the same', async () => {
    const { id, key } = await world()
    await owner`alter table api_keys add constraint nobody check (last_used_at is null) not valid`
    try {
      expect((await use(key.secret, id)).status).toBe(200)
    } finally {
      await owner`alter table api_keys drop constraint nobody`
    }
    expect(await lastUse(key)).toBeNull()
  })
})
