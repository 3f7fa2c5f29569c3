import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import type { UserId } from '../../../domain/ids.ts'

vi.hoisted(() =>
  Object.assign(process.env, {
    CODE_LIMIT_PER_MINUTE: '3',
    WRONG_CODE_LIMIT_PER_HOUR: '8',
    CODES_SENT_LIMIT_PER_HOUR: '5',
    MAIL_LIMIT_PER_HOUR: '2',
    SIGN_IN_LIMIT_PER_MINUTE: '3',
  }),
)
const { api, person } = await import('../../support/api.ts')
const { WRONG_CODE, challenged, mailsTo, me, mfa, newNumber, sentTo, withAuthenticator } =
  await import('../../support/identity/identity.ts')
const { withWrongCodeLimit } = await import('../../../services/rate-limits.ts')
const { transaction } = await import('../../../db/postgres/sql.ts')

const limited = (policy: string) => ({ status: 429, body: { error: { type: 'rate_limited', details: { policy } } } })
const anyone = () => randomUUID() as UserId // counters need no row of a person

describe('codes for one challenge', () => {
  test('past the limit the right code of a sign-in has to wait too; another challenge does not', async () => {
    const somebody = await withAuthenticator()
    const [one, other] = [await challenged(somebody), await challenged(somebody)]
    for (let i = 0; i < 3; i += 1) expect((await mfa(one, WRONG_CODE)).body.status).toBe('mfa_failed')
    expect(await mfa(one, await somebody.code())).toMatchObject(limited('codes'))
    expect((await mfa(other, await somebody.code())).body.status).toBe('authenticated')
  })

  test('are counted for a challenge that never was', async () => {
    const token = randomUUID()
    for (let i = 0; i < 3; i += 1) expect((await mfa(token, WRONG_CODE)).body.status).toBe('challenge_expired')
    expect(await mfa(token, WRONG_CODE)).toMatchObject(limited('codes'))
  })

  test("are limited at a step-up, where a stranger's tries are the stranger's", async () => {
    const [somebody, stranger] = [await withAuthenticator(), await person()]
    const asked = await api('POST', '/me/approval-credential', { token: somebody.token, body: {} })
    const complete = (token: string) =>
      api('POST', `/step-up/${asked.body.error.step_up.id}/complete`, {
        token,
        body: { method: 'totp', code: WRONG_CODE },
      })
    for (let i = 0; i < 3; i += 1) expect((await complete(stranger.token)).status).toBe(404)
    expect(await complete(stranger.token)).toMatchObject(limited('codes'))
    for (let i = 0; i < 3; i += 1) expect((await complete(somebody.token)).body.status).toBe('failed')
    const refused = await complete(somebody.token)
    expect(refused).toMatchObject(limited('codes'))
    expect(refused.headers.get('ratelimit-policy')).toMatch(/^"credential";q=\d+;w=60, "codes";q=3;w=60$/)
    expect((await me(somebody.token)).status).toBe(200)
  })
})

describe('wrong codes of one person', () => {
  const enter = (isRight: boolean, userId: UserId, where: 'sign_in' | 'session' = 'session') =>
    transaction((tx) => withWrongCodeLimit(tx, userId, where, () => Promise.resolve(isRight)))
  const refused = { type: 'rate_limited', details: { policy: 'codes_of_person' } }

  test('are counted over all challenges; past the limit no code is looked at', async () => {
    const userId = anyone()
    for (let i = 0; i < 9; i += 1) expect(await enter(true, userId)).toBe(true)
    for (let i = 0; i < 8; i += 1) expect(await enter(false, userId)).toBe(false)
    await expect(enter(true, userId)).rejects.toMatchObject(refused)
    await expect(enter(false, userId)).rejects.toMatchObject(refused)
    expect(await enter(true, anyone())).toBe(true)
  })

  test('at sign-in keep nobody who is signed in from working', async () => {
    const userId = anyone()
    for (let i = 0; i < 8; i += 1) await enter(false, userId, 'sign_in')
    await expect(enter(true, userId, 'sign_in')).rejects.toMatchObject(refused)
    expect(await enter(true, userId, 'session')).toBe(true)
  })

  test('at once are each counted: not one more than the limit is looked at', async () => {
    const userId = anyone()
    const tries = await Promise.allSettled(Array.from({ length: 12 }, () => enter(false, userId)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(8)
  })

  test('are not counted where the transaction fails', async () => {
    const userId = anyone()
    const failing = () =>
      transaction(async (tx) => {
        await withWrongCodeLimit(tx, userId, 'session', () => Promise.resolve(false))
        throw new Error('on purpose')
      })
    for (let i = 0; i < 9; i += 1) await expect(failing()).rejects.toThrow('on purpose')
    expect(await enter(true, userId)).toBe(true)
  })
})

describe('codes that a person has sent', () => {
  const add = (token: string, e164: string) => api('POST', '/me/phone-numbers', { token, body: { e164 } })

  test('are limited over all that sends one, and what is refused is not sent', async () => {
    const { token, email } = await person()
    for (let i = 0; i < 4; i += 1) expect((await add(token, newNumber())).status).toBe(200)
    expect((await api('POST', '/auth/totp/setup', { token })).status).toBe(200)
    const refused = await api('POST', '/auth/totp/setup', { token })
    expect(refused).toMatchObject(limited('codes_sent'))
    expect(refused.headers.get('ratelimit')).toContain('"codes_sent";r=0;t=')
    expect(await mailsTo(email)).toHaveLength(1)
    expect(await add(token, newNumber())).toMatchObject(limited('codes_sent'))
  })

  test('reach a number that nobody has proved to be theirs no more often than any stranger', async () => {
    const e164 = newNumber()
    const [one, other] = [await person(), await person()]
    expect((await add(one.token, e164)).status).toBe(200)
    expect((await add(other.token, e164)).status).toBe(200)
    expect(await add(one.token, e164)).toMatchObject(limited('mails'))
    expect(await sentTo(e164)).toHaveLength(2)
    expect((await add(one.token, newNumber())).status).toBe(200)
  })
})

test('a password that a signed-in person gives is checked so often and no more, not even the right one', async () => {
  const somebody = await person()
  const change = (current_password: string) =>
    api('POST', '/me/password', {
      token: somebody.token,
      body: { current_password, password: 'another long pass phrase' },
    })
  for (let i = 0; i < 3; i += 1) expect((await change('not the pass phrase')).status).toBe(422)
  expect(await change(somebody.password)).toMatchObject(limited('password_check'))
  expect((await me(somebody.token)).status).toBe(200)
})
