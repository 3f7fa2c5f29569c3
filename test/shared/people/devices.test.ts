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
  me,
  mfa,
  signIn,
  subjectsTo,
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

describe('session', () => {
  const SLACK_SECONDS = 20 // for the time of the test's own calls

  test('each use moves the end of the idle time; 30 minutes without one end the session', async () => {
    const [one, reader] = [await person(), await person()] // the session is cached for a second
    const uses = () => [me(one.token), api('GET', '/currencies', { token: reader.token })]
    for (let times = 0; times < 3; times++) {
      await advance(30 * 60 - SLACK_SECONDS)
      for (const { status } of await Promise.all(uses())) expect(status).toBe(200)
    }
    await advance(30 * 60)
    for (const { body } of await Promise.all(uses())) expect(body.error.type).toBe('not_authenticated')
  })

  test('that has ended reads reference data for a second at most, and nothing else', async () => {
    const { token } = await person()
    const read = async (path: string) => (await api('GET', path, { token })).status
    expect(await read('/currencies')).toBe(200)
    await api('POST', '/auth/sign-out', { token })
    expect(await read('/me')).toBe(401)
    await advance(1)
    expect(await read('/currencies')).toBe(401)
  })

  test('each read of reference data counts under the limit of its session', async () => {
    const { token } = await person()
    const left: number[] = []
    for (let reads = 0; reads < 3; reads++) {
      const { headers } = await api('GET', '/currencies', { token })
      left.push(Number(/"credential";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]))
    }
    expect(left).toEqual([0, 1, 2].map((more) => (left[0] ?? NaN) - more))
  })

  test('30 days after sign-in it ends, however much it is used', async () => {
    const { token, sessionId } = await person()
    await owner`update sessions set signed_in_at = business_now() - interval '30 days' + interval '20 seconds'
      where id = ${sessionId}`
    expect((await me(token)).status).toBe(200)
    await advance(SLACK_SECONDS)
    expect((await me(token)).status).toBe(401)
  })

  test('a request that is refused is a use too, and an ended session is not revived by one', async () => {
    const { token, sessionId } = await person()
    await advance(60)
    expect((await api('GET', `/step-up/${randomUUID()}`, { token })).status).toBe(404)
    const [used] = await owner`select last_used_at > business_now() - interval '20 seconds' as recent
      from sessions where id = ${sessionId}`
    expect(used).toEqual({ recent: true })
    await api('POST', '/auth/sign-out', { token })
    await advance(60)
    expect((await me(token)).status).toBe(401)
    const [ended] = await owner`select last_used_at > business_now() - interval '20 seconds' as recent
      from sessions where id = ${sessionId}`
    expect(ended).toEqual({ recent: false })
  })
})

const TRIES = 20

describe('a session token', () => {
  test('is 256 random bits, another one at each sign-in, and stands nowhere as it is', async () => {
    const somebody = await person()
    const { email, password } = somebody
    const answers = await Promise.all(Array.from({ length: TRIES }, () => signIn(email, password)))
    const tokens = answers.map(({ body }) => body.token as string)
    expect(new Set([...tokens, somebody.token]).size).toBe(TRIES + 1)
    const bytes = tokens.map((token) => Buffer.from(/^ses_([\w-]{43})$/.exec(token)?.[1] ?? '', 'base64url'))
    expect(bytes.map(({ length }) => length)).toEqual(Array.from({ length: TRIES }, () => 32))
    // every byte varies: 640 bytes have far more than half of all 256 values
    expect(new Set(bytes.flatMap((one) => [...one])).size).toBeGreaterThan(180)
    const rows = await owner`select s::text as row from sessions s where user_id = ${somebody.userId}`
    for (const token of tokens) expect(rows.map(({ row }) => row).join('\n')).not.toContain(token.slice(4))
  })

  test('is not taken from the caller: what stands in the request of a sign-in is no session afterwards', async () => {
    const { email, password } = await person()
    const fixed = `ses_${'f'.repeat(43)}`
    const answer = await api('POST', '/auth/sign-in', {
      body: { email, password, token: fixed, session_id: fixed },
      token: fixed,
      headers: { cookie: `session=${fixed}` },
    })
    expect(answer.body.status).toBe('authenticated')
    expect(answer.body.token).not.toBe(fixed)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect((await me(fixed)).status).toBe(401)
  })

  test('comes after the second factor: the password and the challenge token open nothing', async () => {
    const somebody = await withAuthenticator()
    const { body } = await signIn(somebody.email, somebody.password)
    expect(body).toEqual({
      status: 'mfa_required',
      challenge_token: expect.stringMatching(/^[\w-]{43}$/),
      device_id: expect.any(String),
    })
    for (const token of [body.challenge_token, `ses_${body.challenge_token}`])
      expect((await me(token)).status).toBe(401)
    const before = await owner`select from sessions where user_id = ${somebody.userId}`
    const { token } = (await mfa(body.challenge_token, await somebody.code())).body
    expect(token).not.toContain(body.challenge_token)
    expect(await owner`select from sessions where user_id = ${somebody.userId}`).toHaveLength(before.length + 1)
  })

  test('is taken from the authorization header alone', async () => {
    const { token } = await person()
    expect((await api('GET', `/me?token=${token}&access_token=${token}`)).status).toBe(401)
    expect((await api('GET', '/me', { headers: { cookie: `token=${token}`, 'x-auth-token': token } })).status).toBe(401)
    expect((await me(token)).status).toBe(200)
  })
})

test('what changes authentication asks for a fresh proof first', async () => {
  const { token, sessionId } = await withAuthenticator()
  await owner`update sessions set signed_in_at = signed_in_at - interval '11 minutes' where id = ${sessionId}`
  const [key] = await owner`
    insert into passkeys (user_id, device_id, name, credential_id, public_key, counter, synced)
    select user_id, device_id, 'Key', ${sessionId}::text, '', 0, false from sessions where id = ${sessionId} returning id`
  const asks: [method: string, path: string, body?: object][] = [
    ['DELETE', '/auth/totp'],
    ['POST', '/me/recovery-codes'],
    ['DELETE', `/me/passkeys/${key?.['id']}`],
    ['POST', '/me/approval-credential', {}],
    ['POST', '/auth/login-credential', {}],
  ]
  for (const [method, path, body] of asks) {
    const answer = await api(method, path, { token, ...(body && { body }) })
    expect([path, answer.status, answer.body.error?.type]).toEqual([path, 403, 'step_up_required'])
  }
  const change = { current_password: 'not this one, surely', password: 'another horse entirely' }
  expect((await api('POST', '/me/password', { token, body: change })).body.error.type).toBe('password_incorrect')
  // setup never replaces an existing factor
  expect((await api('POST', '/auth/totp/setup', { token })).body.error.type).toBe('totp_already_enabled')
})
