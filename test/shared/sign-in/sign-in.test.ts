import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Answer, api, person } from '../../support/api.ts'
import {
  WRONG_CODE,
  advance,
  challenged,
  me,
  mfa,
  newEmail,
  signIn,
  withAuthenticator,
} from '../../support/identity/identity.ts'

const statusesOf = (answers: Answer[]) => answers.map(({ body }) => body.status).toSorted()

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
      const more = device_id === undefined ? {} : { device_id }
      const { status, body } = await signIn(somebody.email, somebody.password, more)
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
    const error = { type: 'not_authenticated', message: 'Unauthorized' }
    expect(await me(token)).toMatchObject({ status: 401, body: { error } })
    expect(await api('POST', '/auth/sign-out', { token })).toMatchObject(goodbye)
    expect(await api('POST', '/auth/sign-out')).toMatchObject(goodbye)
  })
})

describe('authenticator code', () => {
  test('with an authenticator, sign-in asks for its code and then opens the session on the named device', async () => {
    const somebody = await withAuthenticator()
    const { challenge_token, device_id } = (await signIn(somebody.email, somebody.password)).body
    const done = await mfa(challenge_token, await somebody.code())
    const opened = { status: 'authenticated', device_id, user: { totp: { enabled: true } } }
    expect([done.status, done.body]).toMatchObject([200, opened])
    expect((await me(done.body.token)).status).toBe(200)
    expect((await signIn(somebody.email, somebody.password, { device_id })).body.device_id).toBe(device_id)
  })

  test('of 20 sign-ins with one code at once, one succeeds', async () => {
    const somebody = await withAuthenticator()
    const tokens = await Promise.all(Array.from({ length: 20 }, () => challenged(somebody)))
    const code = await somebody.code()
    const answers = await Promise.all(tokens.map((token) => mfa(token, code)))
    expect(statusesOf(answers)).toEqual(['authenticated', ...Array<string>(19).fill('mfa_failed')])
    expect((await mfa(await challenged(somebody), await somebody.code(1))).body.status).toBe('authenticated')
  })

  test('of 20 tries of one challenge at once, one succeeds; it is over then, like one that never was', async () => {
    const somebody = await withAuthenticator()
    const [token, code] = [await challenged(somebody), await somebody.code()]
    const answers = await Promise.all(Array.from({ length: 20 }, () => mfa(token, code)))
    expect(statusesOf(answers)).toEqual(['authenticated', ...Array<string>(19).fill('challenge_expired')])
    expect((await mfa(token, await somebody.code(1))).body).toEqual({ status: 'challenge_expired' })
    expect((await mfa('made-up', WRONG_CODE)).body).toEqual({ status: 'challenge_expired' })
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
    const early = await challenged(somebody)
    await advance(2 * 60)
    const late = await challenged(somebody)
    await advance(8 * 60)
    expect((await mfa(early, await somebody.code())).body).toEqual({ status: 'challenge_expired' })
    expect((await mfa(late, await somebody.code())).body.status).toBe('authenticated')
  })
})
