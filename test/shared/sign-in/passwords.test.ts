import { describe, expect, test } from 'vitest'
import { api, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { approvalDevice } from '../../support/identity/devices.ts'
import {
  advance,
  challenged,
  eventTypes,
  mailsTo,
  subjectsTo,
  me,
  mfa,
  newEmail,
  signIn,
  signUp,
  tokenTo,
  withAuthenticator,
} from '../../support/identity/identity.ts'
import { MANY } from '../../support/model-runs.ts'

/** Asks for a token to set a new password, and returns what the mail has. */
const tokenFor = async ({ email }: { email: string }) => {
  await forgot(email)
  return tokenTo(email)
}
const NEXT = 'another horse entirely'
const forgot = (email: string) => api('POST', '/auth/password/forgot', { body: { email } })
const reset = (token: string, password = NEXT) => api('POST', '/auth/password/reset', { body: { token, password } })
const change = (token: string, current_password: string, password = NEXT) =>
  api('POST', '/me/password', { token, body: { current_password, password } })

test('a common one is refused wherever one is set', async () => {
  const somebody = await person()
  const token = await tokenFor(somebody)
  const weak = 'qwertyuiop123'
  const answers = [
    await signUp(newEmail(), weak),
    await change(somebody.token, somebody.password, weak),
    await reset(token, weak),
  ]
  for (const answer of answers) {
    expect(refusal(answer)).toEqual([422, 'weak_password'])
    expect(answer.body.error.details).toEqual({ reason: 'common' })
  }
  expect((await reset(token)).status).toBe(200) // a refused password does not use up the token
})

describe('forgotten', () => {
  test('the token of the mail sets a new one, once; every session ends and the old password is wrong', async () => {
    const somebody = await person()
    const { token: second } = (await signIn(somebody.email, somebody.password)).body
    const asked = await forgot(` ${somebody.email.toUpperCase()}`)
    expect([asked.status, asked.body.status]).toEqual([200, 'reset_requested'])
    const token = await tokenTo(somebody.email)
    expect(await reset(token)).toMatchObject({ status: 200, body: { status: 'password_reset' } })
    for (const session of [somebody.token, second]) expect((await me(session)).status).toBe(401)
    expect((await signIn(somebody.email, somebody.password)).status).toBe(401)
    const again = await signIn(somebody.email, NEXT)
    expect(again.body.status).toBe('authenticated')
    expect(refusal(await reset(token, 'yet another long password'))).toEqual([422, 'token_invalid'])
    expect(await subjectsTo(somebody.email)).toContain('Your password was set anew')
    expect(await eventTypes(again.body.token)).toEqual(
      expect.arrayContaining(['password_reset.requested', 'password.reset', 'session.ended']),
    )
  })

  test('an address that nobody has gets the same answer and no mail', async () => {
    const [nobody, somebody] = [newEmail(), await person()]
    const [unknown, known] = [await forgot(nobody), await forgot(somebody.email)]
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
    expect(await mailsTo(nobody)).toEqual([])
  })

  test('a second factor is still asked for after a reset', async () => {
    const somebody = await withAuthenticator()
    const before = await challenged(somebody)
    await reset(await tokenFor(somebody))
    expect((await mfa(before, await somebody.code())).body).toEqual({ status: 'challenge_expired' })
    const { body } = await signIn(somebody.email, NEXT)
    expect(body.status).toBe('mfa_required')
    expect((await mfa(body.challenge_token, await somebody.code())).body.status).toBe('authenticated')
  })

  test('a token lasts an hour, a newer one voids it, and of several uses at once one succeeds', async () => {
    const somebody = await person()
    const late = await tokenFor(somebody)
    await advance(60 * 60)
    expect((await reset(late)).body.error.type).toBe('token_invalid')
    const [older, token] = [await tokenFor(somebody), await tokenFor(somebody)]
    expect((await reset(older)).body.error.type).toBe('token_invalid')
    const answers = await Promise.all(Array.from({ length: MANY }, () => reset(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await reset('made-up')).body.error.type).toBe('token_invalid')
  })

  test('of tokens asked for at once, one is good', async () => {
    const somebody = await person()
    await Promise.all([1, 2, 3].map(() => forgot(somebody.email)))
    const tokens = (await mailsTo(somebody.email)).map(({ token }) => token ?? '')
    expect(tokens).toHaveLength(3)
    const answers = await Promise.all(tokens.map((token) => reset(token)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
  })

  test('approval devices stay with a change and with a reset, as their mails say: a mailbox takes none away', async () => {
    const somebody = await person()
    await approvalDevice(somebody, 'Old phone')
    const removed = await approvalDevice(somebody, 'Lost tablet')
    await withStepUp('DELETE', `/me/approval-credentials/${removed.id}`, { token: removed.token })
    const text = async (subject: string) =>
      (await mailsTo(somebody.email)).find((mail) => mail.subject === subject)?.text ?? ''
    await change(somebody.token, somebody.password)
    expect(await text('Your password was changed')).toContain('can still confirm payments for you: "Old phone". Remove')
    await reset(await tokenFor(somebody), `${NEXT} again`)
    expect(await text('Your password was set anew')).toContain(
      'can still confirm payments for you: "Old phone". Remove',
    )
    const left = owner`select from approval_credentials where user_id = ${somebody.userId} and revoked_at is null`
    expect(await left).toHaveLength(1)
  })
})

describe('changed', () => {
  test('with the current one; the other sessions end, this one goes on', async () => {
    const somebody = await person()
    const { token: other } = (await signIn(somebody.email, somebody.password)).body
    expect((await change(somebody.token, somebody.password)).body.status).toBe('password_changed')
    expect((await me(other)).status).toBe(401)
    expect((await me(somebody.token)).status).toBe(200)
    expect((await signIn(somebody.email, NEXT)).status).toBe(200)
    expect(await eventTypes(somebody.token)).toContain('password.changed')
  })

  test('not with a wrong one, and of several changes at once one happens', async () => {
    const somebody = await person()
    expect(refusal(await change(somebody.token, 'not the right one'))).toEqual([422, 'password_incorrect'])
    expect((await me(somebody.token)).status).toBe(200)
    const answers = await Promise.all(
      Array.from({ length: MANY }, (_, index) => change(somebody.token, somebody.password, `${NEXT} ${index}`)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const [row] = await owner`select password_hash from people where id = ${somebody.userId}`
    expect(row?.['password_hash']).toMatch(/^\$argon2id\$/)
  })
})
