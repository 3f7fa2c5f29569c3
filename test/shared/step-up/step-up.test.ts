import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { SessionId, UserId } from '../../../domain/ids.ts'
import type { StepUpBinding } from '../../../domain/step-up/step-up.ts'
import { openSession } from '../../../services/people/sessions.ts'
import { transaction } from '../../../db/postgres/sql.ts'
import { releaseOf } from '../../../services/step-up/step-ups.ts'
import { type TestPerson, api, approvalPath, createPayment, payerAndPayee, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { WRONG_CODE, advance, withAuthenticator } from '../../support/identity/identity.ts'
import { MANY } from '../../support/model-runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const bindingOf = (somebody: TestPerson, more: Partial<StepUpBinding> = {}): StepUpBinding => ({
  // ids of rows that were just written
  sessionId: somebody.sessionId as SessionId,
  userId: somebody.userId as UserId,
  mode: 'once',
  operation: 'POST /things/{id}',
  target: 'thing:1',
  bodyHash: 'body',
  ...more,
})

async function challengeOf(binding: StepUpBinding) {
  const release = await releaseOf(binding)
  if ('released' in release) throw new Error('released without a proof')
  return release.challenge
}

const complete = (token: string, id: string, code: string) =>
  api('POST', `/step-up/${id}/complete`, { token, body: { method: 'totp', code } })
const decide = (id: string, decision: 'allow' | 'deny') =>
  api('POST', `/sandbox/step-up/${id}/decide`, { body: { decision } })
const standing = async (token: string, id: string) => (await api('GET', `/step-up/${id}`, { token })).body
const secondSession = ({ userId }: TestPerson) => {
  const signedIn = { userId: userId as UserId, deviceId: null, method: 'password', origin: null } as const
  return transaction(async (tx) => (await openSession(tx, signedIn)).token)
}

describe('challenge', () => {
  test('says what the contract says, and is the same one until it is proved', async () => {
    const somebody = await withAuthenticator()
    const challenge = await challengeOf(bindingOf(somebody))
    expect(challenge).toEqual({
      id: expect.any(String),
      step_up_authentication_id: expect.any(String),
      delivery: 'authenticator_app',
      expires_at: expect.stringMatching(/Z$/),
      match_code: null,
      methods: ['totp'],
      summary: null,
      payment: null,
      webauthn: null,
    })
    expect(challenge.step_up_authentication_id).not.toBe(challenge.id)
    expect(await challengeOf(bindingOf(somebody))).toEqual(challenge)
  })
})

describe('proof', () => {
  test('a code verifies; the same code again elsewhere does not; proving twice answers verified', async () => {
    const somebody = await withAuthenticator()
    const [one, two] = [
      await challengeOf(bindingOf(somebody)),
      await challengeOf(bindingOf(somebody, { target: 'thing:2' })),
    ]
    const code = await somebody.code()
    const verified = { status: 'verified', verified_until: one.expires_at, remaining_attempts: 5 }
    expect(await complete(somebody.token, one.id, code)).toMatchObject({ status: 200, body: verified })
    expect((await complete(somebody.token, two.id, code)).body).toEqual({
      status: 'failed',
      verified_until: null,
      remaining_attempts: 4,
    })
    expect((await complete(somebody.token, one.id, WRONG_CODE)).body).toEqual(verified)
    expect((await standing(somebody.token, two.id)).status).toBe('pending')
  })

  test('a code taken at sign-in is refused at step-up, and the other way round', async () => {
    const somebody = await withAuthenticator()
    const signIn = async () =>
      (await api('POST', '/auth/sign-in', { body: { email: somebody.email, password: somebody.password } })).body
    const mfa = async (code: string) => {
      const { challenge_token } = await signIn()
      return (await api('POST', '/auth/mfa', { body: { challenge_token, code } })).body.status
    }
    const [first, second] = [await somebody.code(), await somebody.code(1)]
    const { id } = await challengeOf(bindingOf(somebody))
    expect(await mfa(first)).toBe('authenticated')
    expect((await complete(somebody.token, id, first)).body.status).toBe('failed')
    expect((await complete(somebody.token, id, second)).body.status).toBe('verified')
    expect(await mfa(second)).toBe('mfa_failed')
  })

  test('one code at many challenges at once verifies one', async () => {
    const somebody = await withAuthenticator()
    const challenges = await Promise.all(
      Array.from({ length: MANY }, (_, index) => challengeOf(bindingOf(somebody, { target: `thing:${index}` }))),
    )
    const code = await somebody.code()
    const answers = await Promise.all(challenges.map(({ id }) => complete(somebody.token, id, code)))
    expect(answers.filter(({ body }) => body.status === 'verified')).toHaveLength(1)
    expect(answers.filter(({ body }) => body.status === 'failed')).toHaveLength(MANY - 1)
  })

  test('five wrong codes at once end it for good; the right code is not taken, and the next request asks anew', async () => {
    const somebody = await withAuthenticator()
    const { id } = await challengeOf(bindingOf(somebody))
    const answers = await Promise.all(Array.from({ length: 5 }, () => complete(somebody.token, id, WRONG_CODE)))
    expect(new Set(answers.map(({ body }) => body.remaining_attempts))).toEqual(new Set([0, 1, 2, 3, 4]))
    const code = await somebody.code()
    expect((await complete(somebody.token, id, code)).body).toMatchObject({ status: 'failed', remaining_attempts: 0 })
    const next = await challengeOf(bindingOf(somebody))
    expect(next.id).not.toBe(id)
    expect((await complete(somebody.token, next.id, code)).body.status).toBe('verified')
  })

  test('another session, also of the same person, does not find it; nor does anybody find one that is not there', async () => {
    const somebody = await withAuthenticator()
    const { id } = await challengeOf(bindingOf(somebody))
    const strangers = [await secondSession(somebody), (await withAuthenticator()).token]
    for (const token of strangers) {
      expect((await complete(token, id, await somebody.code())).body.error.type).toBe('not_found')
      expect((await api('GET', `/step-up/${id}`, { token })).status).toBe(404)
    }
    expect((await complete(somebody.token, randomUUID(), WRONG_CODE)).status).toBe(404)
    expect((await complete(somebody.token, 'nonsense', WRONG_CODE)).status).toBe(400)
    expect((await complete(somebody.token, id, await somebody.code())).body.status).toBe('verified')
  })

  test('a proof without a method or a code is invalid_request and no attempt', async () => {
    const somebody = await withAuthenticator()
    const { id } = await challengeOf(bindingOf(somebody))
    for (const body of [{}, { method: 'totp' }, { method: 'none' }, { method: 'totp', code: '' }]) {
      const answer = await api('POST', `/step-up/${id}/complete`, { token: somebody.token, body })
      expect(answer).toMatchObject({ status: 400, body: { error: { type: 'invalid_request' } } })
    }
    expect(await standing(somebody.token, id)).toMatchObject({ status: 'pending', remaining_attempts: 5 })
  })

  test('the sandbox allows or denies once: what is decided stays', async () => {
    const somebody = await person()
    const [allowed, denied] = [
      await challengeOf(bindingOf(somebody)),
      await challengeOf(bindingOf(somebody, { target: 'thing:2' })),
    ]
    expect((await decide(allowed.id, 'allow')).body.status).toBe('verified')
    expect((await decide(allowed.id, 'deny')).body.status).toBe('verified')
    expect((await decide(denied.id, 'deny')).body.status).toBe('denied')
    expect((await decide(denied.id, 'allow')).body.status).toBe('denied')
    expect((await decide(randomUUID(), 'allow')).status).toBe(404)
  })
})

describe('release', () => {
  test('once: only the same session, operation, target and body', async () => {
    const somebody = await person()
    const binding = bindingOf(somebody)
    const { id } = await challengeOf(binding)
    await decide(id, 'allow')
    expect(await releaseOf(binding)).toEqual({ released: id })
    const token = await secondSession(somebody)
    const [other] = await owner<{ id: SessionId }[]>`
      select id from sessions where user_id = ${somebody.userId} and id <> ${somebody.sessionId}`
    expect(token).toBeTruthy()
    const others: Partial<StepUpBinding>[] = [
      { sessionId: other?.id as SessionId }, // inserted two lines above
      { operation: 'POST /others/{id}' },
      { target: 'thing:2' },
      { bodyHash: 'another body' },
      { mode: 'window' },
    ]
    for (const difference of others) expect(await releaseOf({ ...binding, ...difference })).toHaveProperty('challenge')
    expect(await releaseOf(binding)).toEqual({ released: id })
  })

  test('window: everything of this session that asks for one, for five minutes, and nothing that asks for once', async () => {
    const somebody = await person()
    const binding = bindingOf(somebody, { mode: 'window' })
    const { id } = await challengeOf(binding)
    const { verified_until } = (await decide(id, 'allow')).body
    const elsewhere = bindingOf(somebody, {
      mode: 'window',
      operation: 'PUT /others',
      target: 'other',
      bodyHash: 'other',
    })
    expect(await releaseOf(elsewhere)).toEqual({ released: id })
    expect(await releaseOf(bindingOf(somebody))).toHaveProperty('challenge')
    await advance(4 * 60)
    expect(await releaseOf(elsewhere)).toEqual({ released: id })
    await advance(60)
    expect(await releaseOf(elsewhere)).toHaveProperty('challenge')
    const [row] = await owner`
      select ${verified_until}::text::timestamptz = verified_at + interval '5 minutes' as exact from step_ups where id = ${id}`
    expect(row).toEqual({ exact: true })
  })

  test('a challenge lasts ten minutes, proved or not, and is expired from then on', async () => {
    const somebody = await withAuthenticator()
    const [proved, open] = [bindingOf(somebody), bindingOf(somebody, { target: 'thing:2' })]
    const [one, two] = [await challengeOf(proved), await challengeOf(open)]
    await complete(somebody.token, one.id, await somebody.code())
    await advance(9 * 60)
    expect(await releaseOf(proved)).toEqual({ released: one.id })
    expect((await challengeOf(open)).id).not.toBe(two.id) // with less than a minute left a new one is given
    await advance(60)
    expect(await releaseOf(proved)).toHaveProperty('challenge')
    const code = await somebody.code(1)
    const expired = { status: 'expired', verified_until: null, remaining_attempts: 5 }
    expect((await complete(somebody.token, two.id, code)).body).toEqual(expired)
    expect(await standing(somebody.token, one.id)).toEqual(expired)
    expect((await complete(somebody.token, (await challengeOf(open)).id, code)).body.status).toBe('verified')
  })
})

test('an approval is released by a code, for the same session and body, and the deed uses it up', async () => {
  const { boss, contactId } = await payerAndPayee('100.00')
  const [payment, other] = [await createPayment(boss, contactId), await createPayment(boss, contactId)]
  const approve = (of: typeof payment, body: object = {}, token = boss.token) =>
    api('POST', `${approvalPath(of)}/approve`, { token, body })

  const asked = await approve(payment)
  expect(asked).toMatchObject({ status: 403, body: { error: { type: 'step_up_required' } } })
  const { id } = asked.body.error.step_up
  expect((await approve(payment)).body.error.step_up.id).toBe(id)
  expect((await complete(boss.token, id, await boss.totp())).body.status).toBe('verified')

  const differing = [
    approve(payment, { comment: 'x' }),
    approve(other),
    approve(payment, {}, await secondSession(boss)),
  ]
  for (const answer of await Promise.all(differing)) expect(answer.body.error.type).toBe('step_up_required')
  expect(await approve(payment)).toMatchObject({ status: 200, body: { status: 'approved' } })
  expect(await standing(boss.token, id)).toMatchObject({ status: 'consumed', verified_until: null })
})
