import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type TestPerson, api, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import {
  advance,
  challenged,
  codeTo,
  codesOf,
  eventTypes,
  mailsTo,
  subjectsTo,
  me,
  mfa,
  signIn,
  withAuthenticator,
} from '../../support/identity/identity.ts'

const DAY = 24 * 60 * 60
const MACINTOSH = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/130.0 Safari/537.36'

type Listed = { id: string; name: string; this_device: boolean }

const devicesOf = async (token: string): Promise<Listed[]> => (await api('GET', '/devices', { token })).body.data
const thisDevice = async (token: string) => (await devicesOf(token)).find((one) => one.this_device)!
const again = ({ email, password }: TestPerson, more: object = {}) => signIn(email, password, more)

describe('devices', () => {
  test('every sign-in without a device_id records a new one; the entry of this_device keeps it', async () => {
    const somebody = await person()
    const first = (await again(somebody)).body
    const { id } = await thisDevice(first.token)
    expect(id).toBe(first.device_id)
    const second = (await again(somebody, { device_id: id })).body
    expect(second.device_id).toBe(id)
    const third = (await again(somebody)).body
    const devices = await devicesOf(third.token)
    expect(devices).toHaveLength(3)
    expect(devices.map((one) => one.this_device)).toEqual([true, false, false])
    expect(devices[0]).toEqual({
      id: third.device_id,
      name: 'node',
      this_device: true,
      sessions: 1,
      trusted_until: null,
      inserted_at: expect.any(String),
      last_seen_at: expect.any(String),
    })
  })

  test('a new device is mailed to its person, the first one of all is not, and a known one is not', async () => {
    const somebody = await person()
    await owner`delete from sessions where user_id = ${somebody.userId}`
    await owner`delete from devices where user_id = ${somebody.userId}`
    const { device_id } = (await again(somebody)).body
    expect(await subjectsTo(somebody.email)).toEqual([])
    await again(somebody, { device_id })
    expect(await subjectsTo(somebody.email)).toEqual([])
    const { email, password } = somebody
    await api('POST', '/auth/sign-in', { body: { email, password }, headers: { 'user-agent': MACINTOSH } })
    const text = expect.stringContaining('Chrome on macOS')
    expect((await mailsTo(email))[0]).toMatchObject({ subject: 'A sign-in from a new device', text })
  })

  test('a removed device loses its sessions and its trust, and is a new one when it comes again', async () => {
    const somebody = await withAuthenticator()
    const { challenge_token } = (await again(somebody, { remember_me: true })).body
    const there = (await mfa(challenge_token, await somebody.code())).body
    const { trust_token, device_id } = there
    const remove = () => api('DELETE', `/devices/${device_id}`, { token: somebody.token })
    expect(await remove()).toMatchObject({ status: 200, body: { deleted: true, id: device_id } })
    expect((await me(there.token)).status).toBe(401)
    expect((await devicesOf(somebody.token)).map((one) => one.id)).not.toContain(device_id)
    const next = (await again(somebody, { device_id, trust_token })).body
    expect(next.status).toBe('mfa_required')
    expect(next.device_id).not.toBe(device_id)
    expect((await remove()).status).toBe(404)
    expect(await eventTypes(somebody.token)).toContain('device.removed')
  })

  test('a list goes on from a device that was removed in the meantime, not from one of others', async () => {
    const somebody = await person()
    for (let more = 0; more < 3; more++) await again(somebody)
    const list = async (query: string) => (await api('GET', `/devices?${query}`, { token: somebody.token })).body
    const { has_more, next_cursor } = await list('limit=2')
    expect(has_more).toBe(true)
    await api('DELETE', `/devices/${next_cursor}`, { token: somebody.token })
    const second = await list(`cursor=${next_cursor}`)
    expect([second.data.length, second.has_more]).toEqual([2, false])
    const { token } = await person()
    expect((await api('GET', `/devices?cursor=${next_cursor}`, { token })).status).toBe(400)
  })
})

test('a device keeps the name that its person gives it', async () => {
  const somebody = await person()
  const { id } = await thisDevice(somebody.token)
  const rename = (name: string) => api('PATCH', `/devices/${id}`, { token: somebody.token, body: { name } })
  expect(await rename('Work laptop')).toMatchObject({
    status: 200,
    body: { id, name: 'Work laptop', this_device: true },
  })
  expect((await again(somebody, { device_id: id })).body.device_id).toBe(id)
  expect((await thisDevice(somebody.token)).name).toBe('Work laptop')
})

describe('sessions', () => {
  test('are listed with the end that each has, and ended one by one or all but this', async () => {
    const somebody = await person()
    const tokens = await Promise.all([1, 2, 3].map(async () => (await again(somebody)).body.token as string))
    const list = (await api('GET', '/me/sessions', { token: somebody.token })).body.data
    const signedIn = expect.objectContaining({ this_session: false, ip_address: '127.0.0.1' })
    const own = expect.objectContaining({ this_session: true, id: somebody.sessionId })
    expect(list).toEqual([signedIn, signedIn, signedIn, own])
    for (const { last_used_at, expires_at } of list) {
      expect(Date.parse(expires_at) - Date.parse(last_used_at)).toBe(30 * 60 * 1000)
    }
    const [target] = list
    expect((await api('DELETE', `/me/sessions/${target.id}`, { token: somebody.token })).status).toBe(200)
    expect((await api('DELETE', `/me/sessions/${target.id}`, { token: somebody.token })).status).toBe(404)
    const alive = await Promise.all(tokens.map(async (token) => (await me(token)).status))
    expect(alive.filter((status) => status === 200)).toHaveLength(2)
    expect((await api('DELETE', '/me/sessions', { token: somebody.token })).body).toEqual({ ended: 2 })
    expect((await api('GET', '/me/sessions', { token: somebody.token })).body.data).toHaveLength(1)
    expect(await eventTypes(somebody.token)).toContain('session.ended')
  })
})

describe('trust', () => {
  const trusted = async () => {
    const somebody = await withAuthenticator()
    const { challenge_token } = (await again(somebody, { remember_me: true })).body
    const { body } = await mfa(challenge_token, await somebody.code())
    return { somebody, device_id: body.device_id as string, trust_token: body.trust_token as string }
  }

  test('lets the device skip the code for 30 days, to the second', async () => {
    const { somebody, device_id, trust_token } = await trusted()
    expect((await again(somebody, { device_id, trust_token })).body.status).toBe('authenticated')
    await owner`update trust_tokens set expires_at = expires_at - interval '29 days' where device_id = ${device_id}`
    await advance(DAY - 20)
    expect((await again(somebody, { device_id, trust_token })).body.status).toBe('authenticated')
    await advance(20)
    expect((await again(somebody, { device_id, trust_token })).body.status).toBe('mfa_required')
  })

  test('it is told only when asked for, holds for its device and person alone, and ends with the password', async () => {
    const { somebody, device_id, trust_token } = await trusted()
    const other = await withAuthenticator()
    const { challenge_token } = (await again(other, { remember_me: false })).body
    const plain = (await mfa(challenge_token, await other.code())).body
    expect(plain).not.toHaveProperty('trust_token')
    for (const [who, more] of [
      [somebody, { trust_token }],
      [somebody, { device_id: randomUUID(), trust_token }],
      [somebody, { device_id, trust_token: 'made-up' }],
      [other, { device_id, trust_token }],
      [other, { device_id: plain.device_id, trust_token }],
    ] as const) {
      expect((await again(who, more)).body.status).toBe('mfa_required')
    }
    const body = { current_password: somebody.password, password: 'another horse entirely' }
    expect((await api('POST', '/me/password', { token: somebody.token, body })).status).toBe(200)
    const after = await signIn(somebody.email, body.password, { device_id, trust_token })
    expect(after.body.status).toBe('mfa_required')
  })

  test('does not renew itself: a token that took the place of another ends when that would have', async () => {
    const { somebody, device_id, trust_token } = await trusted()
    const [first] = await owner`select expires_at from trust_tokens where device_id = ${device_id}`
    await advance(60)
    const { body } = await again(somebody, { device_id, trust_token, remember_me: true })
    expect(body.status).toBe('authenticated')
    expect(await owner`select expires_at from trust_tokens where device_id = ${device_id}`).toEqual([first])
    expect((await again(somebody, { device_id, trust_token })).body.status).toBe('mfa_required')
    const { trust_token: newer } = body
    expect((await again(somebody, { device_id, trust_token: newer })).body.status).toBe('authenticated')
  })

  test('an authenticator that is set up later is asked for even on a device that was trusted before', async () => {
    const somebody = await person()
    const { device_id, trust_token } = (await again(somebody, { remember_me: true })).body
    expect(trust_token).toMatch(/^tru_/)
    const { secret_encoded } = (await api('POST', '/auth/totp/setup', { token: somebody.token })).body
    const codes = { code: await codesOf(secret_encoded)(), messaging_code: await codeTo(somebody.email) }
    await api('POST', '/auth/totp/activate', { token: somebody.token, body: codes })
    expect((await again(somebody, { device_id, trust_token })).body.status).toBe('mfa_required')
    expect(await challenged(somebody)).toBeTruthy()
  })
})
