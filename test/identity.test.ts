import { randomUUID } from 'node:crypto'
import { generate, generateSecret } from 'otplib'
import { describe, expect, test } from 'vitest'
import { addAuthenticator } from '../db/authenticators.ts'
import type { UserId } from '../db/model/ids.ts'
import { type TestPerson, api, person } from './support/api.ts'
import { owner } from './support/database.ts'

const PASSWORD = 'correct horse battery staple'
const WRONG_CODE = '000000'
const newEmail = () => `new-${randomUUID()}@example.com`

const signUp = (email: string, password = PASSWORD) => api('POST', '/auth/sign-up', { body: { email, password } })
const signIn = (email: string, password = PASSWORD, more: object = {}) =>
  api('POST', '/auth/sign-in', { body: { email, password, ...more } })
const confirm = (token: string) => api('POST', '/auth/email/confirm', { body: { token } })
const mfa = (challenge_token: string, code: string) => api('POST', '/auth/mfa', { body: { challenge_token, code } })
const me = (token: string) => api('GET', '/me', { token })
const mailsTo = async (to: string) =>
  (await api('GET', `/sandbox/messages?to=${encodeURIComponent(to)}`)).body.data as { token: string; subject: string }[]
const advance = async (seconds: number) => {
  expect((await api('POST', '/sandbox/clock/advance', { body: { seconds } })).status).toBe(200)
}

/** A person with an authenticator; `code(1)` is the code of the next time step, which is accepted already. */
async function withAuthenticator(): Promise<TestPerson & { code: (stepsAhead?: number) => Promise<string> }> {
  const somebody = await person()
  const secret = generateSecret()
  await addAuthenticator(somebody.userId as UserId, secret) // the id of a row that was just written
  const code = (stepsAhead = 0) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + stepsAhead * 30 })
  return { ...somebody, code }
}

const challenged = async ({ email, password }: TestPerson): Promise<string> => {
  const { body } = await signIn(email, password)
  expect(body.status).toBe('mfa_required')
  return body.challenge_token as string
}

describe('sign-up', () => {
  test('a person exists from the confirmed mail on, and signs in with the password of that sign-up', async () => {
    const email = newEmail()
    const signedUp = await api('POST', '/auth/sign-up', {
      body: { email: ` ${email.toUpperCase()}`, password: PASSWORD, first_name: 'Ada', last_name: 'Lovelace' },
    })
    expect(signedUp).toMatchObject({ status: 201, body: { status: 'confirmation_required' } })
    expect(await signIn(email)).toMatchObject({ status: 403, body: { error: { type: 'email_not_confirmed' } } })
    expect(await signIn(email, 'another long password')).toMatchObject({ status: 401 })

    const [mail] = await mailsTo(email)
    const confirmed = await confirm(mail?.token ?? '')
    expect(confirmed).toMatchObject({ status: 200, body: { status: 'authenticated' } })
    const { user, token } = confirmed.body
    expect(user).toMatchObject({
      first_name: 'Ada',
      name: 'Ada Lovelace',
      emails: [{ address: email, confirmed: true, primary: true }],
      organization_limit: 3,
      totp: { enabled: false },
    })
    expect((await me(token)).body).toEqual(user)

    const again = await signIn(email)
    expect(again.body).toMatchObject({ status: 'authenticated', user, device_id: expect.any(String) })
    expect(again.body.token).toMatch(/^ses_/)
    expect((await me(again.body.token)).status).toBe(200)
  })

  test('a known address gets the same answer, and its owner another mail without a token', async () => {
    const known = await person()
    const [first, second] = [await signUp(newEmail()), await signUp(known.email)]
    expect([second.status, second.body]).toEqual([first.status, first.body])
    const mails = await mailsTo(known.email)
    expect(mails).toMatchObject([{ subject: 'You have an account already', token: null }])
    expect((await signIn(known.email)).status).toBe(401)
    expect((await signIn(known.email, known.password)).status).toBe(200)
  })

  test.each([
    ['short pass', 'too_short'],
    ['🔑'.repeat(11), 'too_short'],
    ['aaaaaaaaaaaaaaaa', 'repeated_character'],
  ])('the weak password %s is refused as %s', async (password, reason) => {
    const answer = await signUp(newEmail(), password)
    expect(answer).toMatchObject({ status: 422, body: { error: { type: 'weak_password', details: { reason } } } })
  })

  test('the address itself is no password', async () => {
    const email = newEmail()
    expect((await signUp(email, email.toUpperCase())).body.error.type).toBe('weak_password')
  })

  test('a confirmation token works once: wrong, used and expired ones are token_invalid', async () => {
    const [used, expired] = [newEmail(), newEmail()]
    await Promise.all([signUp(used), signUp(expired)])
    const token = (await mailsTo(used))[0]?.token ?? ''
    expect((await confirm(token)).status).toBe(200)
    const late = (await mailsTo(expired))[0]?.token ?? ''
    await owner`update sign_ups set expires_at = business_now() where email = ${expired}`
    for (const wrong of [token, late, 'made-up']) {
      expect(await confirm(wrong)).toMatchObject({ status: 422, body: { error: { type: 'token_invalid' } } })
    }
  })

  test('confirmed twice at once, by one token or by two of one address, there is one person', async () => {
    const email = newEmail()
    await signUp(email)
    await signUp(email, 'the second password')
    const mails = await mailsTo(email)
    expect(mails).toHaveLength(2)
    const answers = await Promise.all([...mails, ...mails].map((mail) => confirm(mail.token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(3)
    expect(await owner`select from people where email = ${email}`).toHaveLength(1)
  })
})

describe('sign-in', () => {
  test('a wrong address and a wrong password answer alike', async () => {
    const { email } = await person()
    const [stranger, wrong] = [await signIn(newEmail()), await signIn(email)]
    const { request_id: _, ...error } = wrong.body.error
    expect(wrong.status).toBe(401)
    expect(stranger).toMatchObject({ status: 401, body: { error } })
    expect(error).toEqual({ type: 'invalid_credentials', message: 'The email or the password is wrong.' })
  })

  test('a device of the person is kept, an unknown, foreign or malformed one becomes a new one', async () => {
    const [somebody, other] = [await person(), await person()]
    const deviceOf = async (device_id?: string) => {
      const { status, body } = await signIn(
        somebody.email,
        somebody.password,
        device_id === undefined ? {} : { device_id },
      )
      expect(status).toBe(200)
      return body.device_id as string
    }
    const own = await deviceOf()
    expect(await deviceOf(own)).toBe(own)
    const foreign = (await signIn(other.email, other.password)).body.device_id as string
    const answers = await Promise.all([deviceOf(), deviceOf(foreign), deviceOf(randomUUID()), deviceOf('mine')])
    expect(new Set([own, foreign, ...answers]).size).toBe(6)
  })

  test('sign-out ends the session and always says goodbye', async () => {
    const { token } = await person()
    const goodbye = { status: 200, body: { message: 'goodbye' } }
    expect(await api('POST', '/auth/sign-out', { token })).toMatchObject(goodbye)
    expect(await me(token)).toMatchObject({
      status: 401,
      body: { error: { type: 'not_authenticated', message: 'Unauthorized' } },
    })
    expect(await api('POST', '/auth/sign-out', { token })).toMatchObject(goodbye)
    expect(await api('POST', '/auth/sign-out')).toMatchObject(goodbye)
  })

  test('every answer to a credential tells its limit', async () => {
    const { headers } = await me((await person()).token)
    expect(headers.get('ratelimit-policy')).toMatch(/^"credential";q=\d+;w=60$/)
    expect(headers.get('ratelimit')).toMatch(/^"credential";r=\d+;t=\d+$/)
  })
})

describe('authenticator code', () => {
  test('with an authenticator, sign-in asks for its code and then opens the session on the named device', async () => {
    const somebody = await withAuthenticator()
    const first = await signIn(somebody.email, somebody.password)
    expect(first.body).toEqual({
      status: 'mfa_required',
      challenge_token: expect.any(String),
      device_id: expect.any(String),
    })
    const done = await mfa(first.body.challenge_token, await somebody.code())
    expect(done).toMatchObject({
      status: 200,
      body: { status: 'authenticated', device_id: first.body.device_id, user: { totp: { enabled: true } } },
    })
    expect((await me(done.body.token)).status).toBe(200)
    expect((await signIn(somebody.email, somebody.password, { device_id: first.body.device_id })).body.device_id).toBe(
      first.body.device_id,
    )
  })

  test('a challenge token works once, and an unknown one has expired', async () => {
    const somebody = await withAuthenticator()
    const token = await challenged(somebody)
    expect((await mfa(token, await somebody.code())).body.status).toBe('authenticated')
    expect((await mfa(token, await somebody.code(1))).body).toEqual({ status: 'challenge_expired' })
    expect((await mfa('made-up', WRONG_CODE)).body).toEqual({ status: 'challenge_expired' })
  })

  test('a code that was taken is refused to the next challenge; the next code is not', async () => {
    const somebody = await withAuthenticator()
    const code = await somebody.code()
    expect((await mfa(await challenged(somebody), code)).body.status).toBe('authenticated')
    const token = await challenged(somebody)
    expect((await mfa(token, code)).body).toEqual({ status: 'mfa_failed' })
    expect((await mfa(token, await somebody.code(1))).body.status).toBe('authenticated')
  })

  test('of 20 sign-ins with one code at once, one succeeds', async () => {
    const somebody = await withAuthenticator()
    const tokens = await Promise.all(Array.from({ length: 20 }, () => challenged(somebody)))
    const code = await somebody.code()
    const answers = await Promise.all(tokens.map((token) => mfa(token, code)))
    expect(answers.filter(({ body }) => body.status === 'authenticated')).toHaveLength(1)
    expect(answers.filter(({ body }) => body.status === 'mfa_failed')).toHaveLength(19)
  })

  test('of 20 tries of one challenge at once, one succeeds', async () => {
    const somebody = await withAuthenticator()
    const [token, code] = [await challenged(somebody), await somebody.code()]
    const answers = await Promise.all(Array.from({ length: 20 }, () => mfa(token, code)))
    expect(answers.filter(({ body }) => body.status === 'authenticated')).toHaveLength(1)
    expect(answers.filter(({ body }) => body.status === 'challenge_expired')).toHaveLength(19)
  })

  test('five wrong codes at once exhaust a challenge, even for a right one; the code itself stays good', async () => {
    const somebody = await withAuthenticator()
    const token = await challenged(somebody)
    const wrong = await Promise.all(['1', 'abcdef', '1234567', WRONG_CODE, WRONG_CODE].map((code) => mfa(token, code)))
    expect(wrong.map(({ body }) => body.status)).toEqual(Array(5).fill('mfa_failed'))
    const code = await somebody.code()
    expect((await mfa(token, code)).body).toEqual({ status: 'mfa_failed' })
    expect((await mfa(await challenged(somebody), code)).body.status).toBe('authenticated')
  })

  test('four wrong codes leave room for a right one', async () => {
    const somebody = await withAuthenticator()
    const token = await challenged(somebody)
    for (let tries = 0; tries < 4; tries++) await mfa(token, WRONG_CODE)
    expect((await mfa(token, await somebody.code())).body.status).toBe('authenticated')
  })

  test('a challenge lasts ten minutes', async () => {
    const somebody = await withAuthenticator()
    const [early, late] = [await challenged(somebody), await challenged(somebody)]
    await owner`update sign_in_challenges set expires_at = expires_at - interval '2 minutes'
      where user_id = ${somebody.userId} and token_hash = sha256(${early}::bytea)`
    await advance(8 * 60)
    expect((await mfa(early, await somebody.code())).body).toEqual({ status: 'challenge_expired' })
    expect((await mfa(late, await somebody.code())).body.status).toBe('authenticated')
    const third = await challenged(somebody)
    await advance(10 * 60)
    expect((await mfa(third, await somebody.code(1))).body).toEqual({ status: 'challenge_expired' })
  })
})

describe('session', () => {
  const SLACK_SECONDS = 20 // for the time that the calls of a test themselves take

  test('each use moves the end of the idle time; 30 minutes without one end the session', async () => {
    const { token } = await person()
    for (let uses = 0; uses < 3; uses++) {
      await advance(30 * 60 - SLACK_SECONDS)
      expect((await me(token)).status).toBe(200)
    }
    await advance(30 * 60)
    expect((await me(token)).body.error.type).toBe('not_authenticated')
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

  test.each([undefined, 'ses_', 'ses_made-up', `ses_${'x'.repeat(600)}`])('the bearer %s is nobody', async (token) => {
    const answer = await api('GET', '/me', token === undefined ? {} : { token })
    expect(answer).toMatchObject({ status: 401, body: { error: { type: 'not_authenticated' } } })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })
})

test('the mailbox pages through messages, newest first', async () => {
  const email = newEmail()
  for (const password of ['the first password', 'the second password', 'the third password']) {
    await signUp(email, password)
  }
  const to = encodeURIComponent(email)
  const first = (await api('GET', `/sandbox/messages?to=${to}&limit=2`)).body
  expect(first).toMatchObject({ has_more: true, data: [{ to: email, channel: 'email', code: null, url: null }, {}] })
  const second = (await api('GET', `/sandbox/messages?to=${to}&limit=2&cursor=${first.next_cursor}`)).body
  expect(second).toMatchObject({ has_more: false, next_cursor: null, data: [{ token: expect.any(String) }] })
  const ids = [...first.data, ...second.data].map(({ id }) => id)
  expect(new Set(ids).size).toBe(3)
  expect((await api('GET', `/sandbox/messages?cursor=${randomUUID()}`)).status).toBe(400)
})
