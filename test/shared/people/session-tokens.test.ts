import { describe, expect, test } from 'vitest'
import { api, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { me, mfa, signIn, withAuthenticator } from '../../support/identity/identity.ts'

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
