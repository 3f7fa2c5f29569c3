import { describe, expect, test } from 'vitest'
import { api, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { approvalDevice } from '../../support/identity/devices.ts'
import {
  PASSWORD,
  advance,
  challenged,
  confirm,
  confirmOwn,
  eventTypes,
  mailsTo,
  me,
  mfa,
  newEmail,
  signIn,
  signUp,
  subjectsTo,
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

describe('sign-up', () => {
  test('a person exists from the confirmed mail on, and signs in with the password of that sign-up', async () => {
    const email = newEmail()
    const signedUp = await api('POST', '/auth/sign-up', {
      body: { email: ` ${email.toUpperCase()}`, password: PASSWORD, first_name: 'Ada', last_name: 'Lovelace' },
    })
    const sign_up_token = expect.stringMatching(/^[\w-]{43}$/)
    expect([signedUp.status, signedUp.body]).toEqual([201, { status: 'confirmation_required', sign_up_token }])
    expect(await signIn(email)).toMatchObject({ status: 403, body: { error: { type: 'email_not_confirmed' } } })
    expect(await signIn(email, 'another long password')).toMatchObject({ status: 401 })

    const [mail] = await mailsTo(email)
    const confirmed = await confirmOwn(mail?.token ?? '', signedUp.body.sign_up_token)
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
    const sign_up_token = expect.stringMatching(/^[\w-]{43}$/)
    for (const { status, body } of [first, second])
      expect([status, body]).toEqual([201, { status: 'confirmation_required', sign_up_token }])
    const mails = await mailsTo(known.email)
    expect(mails).toMatchObject([{ subject: 'You have an account already', token: null }])
    expect((await signIn(known.email, known.password)).status).toBe(200)
  })

  test('who signs up for an address learns nothing about it by signing in, before or after its confirmation', async () => {
    const [known, unknown] = [(await person()).email, newEmail()]
    const answers = async (email: string, password?: string) => {
      const { status, body, headers } = await signIn(email, password)
      return { status, error: { ...body.error, request_id: '' }, names: [...headers.keys()].sort() }
    }
    expect(await answers(known)).toEqual(await answers(unknown))
    for (const email of [known, unknown]) await signUp(email)
    expect((await answers(known)).error.type).toBe('email_not_confirmed')
    expect(await answers(known)).toEqual(await answers(unknown))
    expect(await answers(known, 'not that long phrase')).toEqual(await answers(unknown, 'not that long phrase'))
    await signUp(unknown, 'the phrase of its owner')
    await confirm(await tokenTo(unknown), 'the phrase of its owner')
    expect(await answers(unknown)).toEqual(await answers(known))
    expect((await signIn(unknown, 'the phrase of its owner')).status).toBe(200)
  })

  test('of a stranger leaves nothing: who confirms elsewhere chooses the password, and that of the sign-up is forgotten', async () => {
    const email = newEmail()
    const strangers = await signUp(email, 'the phrase of a stranger')
    const token = await tokenTo(email)
    const elsewhere = (await signUp(newEmail())).body.sign_up_token
    for (const more of [{}, { sign_up_token: 'made-up' }, { sign_up_token: elsewhere }, { sign_up_token: token }]) {
      const refused = await api('POST', '/auth/email/confirm', { body: { token, ...more } })
      expect(refusal(refused)).toEqual([422, 'password_required'])
    }
    expect(refusal(await confirm(token, 'too short'))).toEqual([422, 'weak_password'])
    expect((await confirm(token, 'the phrase of its owner')).body.status).toBe('authenticated')
    expect(refusal(await signIn(email, 'the phrase of a stranger'))).toEqual([401, 'invalid_credentials'])
    expect((await signIn(email, 'the phrase of its owner')).body.status).toBe('authenticated')
    expect(refusal(await confirmOwn(token, strangers.body.sign_up_token))).toEqual([422, 'token_invalid'])
  })

  test('a sign-up of an earlier release asks for the password at its confirmation', async () => {
    const email = newEmail()
    const { sign_up_token } = (await signUp(email)).body
    await owner`update sign_ups set client_hash = null where email = ${email}`
    expect(refusal(await confirmOwn(await tokenTo(email), sign_up_token))).toEqual([422, 'password_required'])
    expect((await confirm(await tokenTo(email))).status).toBe(200)
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
    const answers = await Promise.all([...mails, ...mails].map((mail) => confirm(mail.token ?? '')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(3)
    expect(await owner`select from people where email = ${email}`).toHaveLength(1)
  })
})

test('the mailbox pages through messages, newest first', async () => {
  const email = newEmail()
  for (const password of ['the first password', 'the second password', 'the third password']) {
    await signUp(email, password)
  }
  const to = encodeURIComponent(email)
  const first = (await api('GET', `/sandbox/messages?to=${to}&limit=2`)).body
  expect(first).toMatchObject({
    has_more: true,
    data: [{ to: email, channel: 'email', code: null, url: expect.stringContaining('/confirm-email#token=') }, {}],
  })
  const second = (await api('GET', `/sandbox/messages?to=${to}&limit=2&cursor=${first.next_cursor}`)).body
  expect(second).toMatchObject({ has_more: false, next_cursor: null, data: [{ token: expect.any(String) }] })
  const ids = [...first.data, ...second.data].map(({ id }) => id)
  expect(new Set(ids).size).toBe(3)
})
