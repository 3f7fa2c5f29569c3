import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Answer, type TestPerson, api, person, verifyStepUp, withStepUp } from '../../support/api.ts'
import {
  WRONG_CODE,
  advance,
  challenged,
  codeTo,
  codesOf,
  me,
  mfa,
  newEmail,
  newNumber,
  signIn,
  withAuthenticator,
} from '../../support/identity/identity.ts'
import { owner, untilBlocked } from '../../support/database.ts'
import { type TestSession, sessionOf } from '../../support/identity/devices.ts'
import { passkeyOptions } from '../../support/identity/passkeys.ts'
import { softwareAuthenticator } from '../../support/identity/software-authenticator.ts'

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

const NEW_PASSWORD = 'another horse entirely'
const changePassword = ({ token, password }: TestPerson) =>
  api('POST', '/me/password', { token, body: { current_password: password, password: NEW_PASSWORD } })
const loginCredential = async ({ token }: TestSession): Promise<string> =>
  (await withStepUp('POST', '/auth/login-credential', { token, body: {} })).body.credential
const onDevice = (device_id: string, credential: string) =>
  api('POST', '/auth/sign-in/device', { body: { device_id, credential } })

/** Holds a row, queues each request behind the one before, and releases the row. */
async function meet(hold: (tx: typeof owner) => Promise<unknown>, ...requests: (() => Promise<Answer>)[]) {
  const started: Promise<Answer>[] = []
  await owner.begin(async (tx) => {
    await hold(tx as unknown as typeof owner) // the same calls, on one connection
    for (const request of requests) {
      started.push(request())
      await untilBlocked(tx, started.length)
    }
  })
  return Promise.all(started)
}

describe('a session that opens at the moment in which the others end, ends with them', () => {
  const byCode = async () => {
    const somebody = await withAuthenticator()
    const [token, code] = [await challenged(somebody), await somebody.code()]
    const hold = (tx: typeof owner) => tx`select from authenticators where user_id = ${somebody.userId} for update`
    return { somebody, hold, signsIn: () => mfa(token, code) }
  }
  const byDevice = async () => {
    const somebody = await person()
    const phone = await sessionOf(somebody)
    const credential = await loginCredential(phone)
    const hold = (tx: typeof owner) => tx`select from devices where id = ${phone.deviceId} for update`
    return { somebody, hold, signsIn: () => onDevice(phone.deviceId, credential) }
  }
  const endOthers = ({ token }: TestPerson) => api('DELETE', '/me/sessions', { token })

  test.each([
    ['an authenticator code, while the password changes', byCode, changePassword],
    ["a device's credential, while the password changes", byDevice, changePassword],
    ['an authenticator code, while all others are ended', byCode, endOthers],
  ])('with %s', async (_, by, ends) => {
    const { somebody, hold, signsIn } = await by()
    const [signedIn, ended] = await meet(hold, signsIn, () => ends(somebody))
    expect([signedIn?.body.status, ended?.status]).toEqual(['authenticated', 200])
    expect((await me(signedIn?.body.token)).status).toBe(401)
    expect((await me(somebody.token)).status).toBe(200)
  })
})

test('a device that signs in all the time is removed all the same, and nothing of it is left', async () => {
  const somebody = await person()
  const phone = await sessionOf(somebody)
  const credential = await loginCredential(phone)
  const tries = () => Array.from({ length: 15 }, () => onDevice(phone.deviceId, credential))
  const before = tries()
  const removal = api('DELETE', `/devices/${phone.deviceId}`, { token: somebody.token })
  const answers = await Promise.all([...before, ...tries()])
  expect((await removal).status).toBe(200)
  expect(answers.filter(({ status }) => ![200, 401].includes(status))).toEqual([])
  const left = await owner`select from sessions where device_id = ${phone.deviceId} and ended_at is null`
  expect(left).toHaveLength(0)
})

test('a sign-in that waits for its code ends when its device is removed', async () => {
  const somebody = await withAuthenticator()
  const phone = await sessionOf(somebody)
  const { challenge_token } = (await onDevice(phone.deviceId, await loginCredential(phone))).body
  expect((await api('DELETE', `/devices/${phone.deviceId}`, { token: somebody.token })).status).toBe(200)
  expect((await mfa(challenge_token, await somebody.code())).body).toEqual({ status: 'challenge_expired' })
})

test('trust that is asked for while an authenticator is added skips nothing', async () => {
  const somebody = await person()
  const setup = await api('POST', '/auth/totp/setup', { token: somebody.token })
  const codes = { code: await codesOf(setup.body.secret_encoded)(), messaging_code: await codeTo(somebody.email) }
  const { device_id } = (await signIn(somebody.email, somebody.password)).body
  const [added, trusting] = await meet(
    (tx) => tx`select from messaging_codes where user_id = ${somebody.userId} for update`,
    () => api('POST', '/auth/totp/activate', { token: somebody.token, body: codes }),
    () => signIn(somebody.email, somebody.password, { device_id, remember_me: true }),
  )
  expect([added?.status, trusting?.body.status]).toEqual([200, 'mfa_required'])
})

describe('nothing is added for a session that ends, or a device that is removed, while the request is under way', () => {
  test.each<[string, (by: TestPerson) => Promise<() => Promise<Answer>>]>([
    [
      'an authenticator',
      async ({ token, email }) => {
        const { secret_encoded } = (await api('POST', '/auth/totp/setup', { token })).body
        const body = { code: await codesOf(secret_encoded)(), messaging_code: await codeTo(email) }
        return () => api('POST', '/auth/totp/activate', { token, body })
      },
    ],
    [
      'a passkey',
      async (by) => {
        const credential = softwareAuthenticator().register(await passkeyOptions(by))
        const ask = () => api('POST', '/me/passkeys', { token: by.token, body: { name: 'Laptop', credential } })
        await verifyStepUp(await ask())
        return ask
      },
    ],
    [
      'an approval device',
      async ({ token }) => {
        const ask = () => api('POST', '/me/approval-credential', { token, body: {} })
        await verifyStepUp(await ask())
        return ask
      },
    ],
    [
      'a phone number',
      async ({ token }) => {
        const e164 = newNumber()
        await api('POST', '/me/phone-numbers', { token, body: { e164 } })
        const body = { e164, code: await codeTo(e164) }
        const ask = () => api('POST', '/me/phone-numbers/confirm', { token, body })
        await verifyStepUp(await ask())
        return ask
      },
    ],
  ])('%s', async (_, prepare) => {
    for (const over of [
      (by: TestPerson) => owner`update sessions set ended_at = business_now() where id = ${by.sessionId}`,
      (by: TestPerson) => owner`update devices set removed_at = business_now() where user_id = ${by.userId}`,
    ]) {
      const somebody = await person()
      const request = await prepare(somebody)
      const { answer } = await owner.begin(async (tx) => {
        await tx`select from people where id = ${somebody.userId} for update`
        const answer = request()
        await untilBlocked(tx)
        await over(somebody)
        return { answer }
      })
      expect((await answer).body.error.type).toBe('not_authenticated')
    }
  })
})
