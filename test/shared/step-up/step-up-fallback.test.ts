import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type TestPerson, api, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import {
  WRONG_CODE,
  advance,
  codeTo,
  eventTypes,
  mailsTo,
  newNumber,
  signedInBy,
  withAuthenticator,
} from '../../support/identity/identity.ts'

const request = (token: string) => api('POST', '/me/approval-credential', { token, body: {} })
const asked = async ({ token }: TestPerson) => (await request(token)).body.error.step_up
/** Asks for what changes an organization, and nothing of how its person proves who they are. */
async function deedOf(somebody: TestPerson) {
  const { id } = await organization(somebody)
  return () => api('PATCH', `/organizations/${id}/settings`, { token: somebody.token, body: {} })
}
const askedForDeed = async (somebody: TestPerson) => (await (await deedOf(somebody))()).body.error.step_up
const fallback = (token: string, id: string, method = 'messaging_code') =>
  api('POST', `/step-up/${id}/fallback`, { token, body: { method } })
const complete = (token: string, id: string, body: object) => api('POST', `/step-up/${id}/complete`, { token, body })
const withCode = (token: string, id: string, code: string) => complete(token, id, { method: 'messaging_code', code })
const standing = async (token: string, id: string) => (await api('GET', `/step-up/${id}`, { token })).body

describe('messaging code', () => {
  test('who has no other factor gets it with the challenge, and the same challenge sends no second one', async () => {
    const somebody = await person()
    const challenge = await asked(somebody)
    expect(challenge).toMatchObject({
      methods: ['messaging_code'],
      delivery: 'email',
      match_code: null,
      webauthn: null,
    })
    expect((await asked(somebody)).id).toBe(challenge.id)
    expect((await mailsTo(somebody.email)).filter(({ code }) => code !== null)).toHaveLength(1)
    const verified = await withCode(somebody.token, challenge.id, await codeTo(somebody.email))
    expect(verified.body).toEqual({ status: 'verified', verified_until: challenge.expires_at, remaining_attempts: 5 })
    expect((await request(somebody.token)).status).toBe(201)
    expect(await eventTypes(somebody.token)).toContain('step_up.verified')
  })

  test('it goes to a phone number that counts, and to the address until then', async () => {
    const [somebody, e164] = [await person(), newNumber()]
    await owner`insert into phone_numbers (user_id, e164, confirmed_at, codes_from)
      values (${somebody.userId}, ${e164}, business_now(), business_now() + interval '1 day')`
    expect((await asked(somebody)).delivery).toBe('email')
    await owner`update phone_numbers set codes_from = business_now() where user_id = ${somebody.userId}`
    await owner`update step_ups set status = 'failed' where user_id = ${somebody.userId}`
    const challenge = await asked(somebody)
    expect(challenge.delivery).toBe('message')
    const code = await codeTo(e164)
    expect((await withCode(somebody.token, challenge.id, code)).body.status).toBe('verified')
  })

  test('a code proves its own challenge once; five wrong ones at once fail it for good', async () => {
    const [somebody, other] = [await person(), await person()]
    const [mine, theirs] = [await asked(somebody), await asked(other)]
    const code = await codeTo(somebody.email)
    expect((await withCode(other.token, theirs.id, code)).body).toMatchObject({ status: 'failed' })
    const wrong = await Promise.all(Array.from({ length: 5 }, () => withCode(somebody.token, mine.id, WRONG_CODE)))
    expect(new Set(wrong.map(({ body }) => body.remaining_attempts))).toEqual(new Set([0, 1, 2, 3, 4]))
    expect((await withCode(somebody.token, mine.id, code)).body).toMatchObject({ status: 'failed' })
    expect((await asked(somebody)).id).not.toBe(mine.id)
    expect(await eventTypes(somebody.token)).toContain('step_up.failed')
  })

  test('it is kept sealed and lasts ten minutes', async () => {
    const somebody = await person()
    const { id } = await asked(somebody)
    const code = await codeTo(somebody.email)
    const [row] = await owner`select c::text as row from messaging_codes c where user_id = ${somebody.userId}`
    expect(row?.['row']).not.toContain(code)
    await advance(10 * 60)
    expect((await withCode(somebody.token, id, code)).body.status).toBe('expired')
  })
})

describe('fallback', () => {
  test('a messaging code in the place of the authenticator: a new challenge for the same request', async () => {
    const somebody = await withAuthenticator()
    const deed = await deedOf(somebody)
    const first = (await deed()).body.error.step_up
    expect(first.methods).toEqual(['totp'])
    const second = await fallback(somebody.token, first.id)
    expect(second).toMatchObject({ status: 200, body: { methods: ['messaging_code'], delivery: 'email' } })
    expect(second.body.id).not.toBe(first.id)
    expect(await standing(somebody.token, first.id)).toMatchObject({ status: 'expired' })
    const totp = { method: 'totp', code: await somebody.code() }
    expect((await complete(somebody.token, second.body.id, totp)).body.status).toBe('failed') // not asked for here
    const code = await codeTo(somebody.email)
    expect((await withCode(somebody.token, second.body.id, code)).body.status).toBe('verified')
    expect((await deed()).status).toBe(200)
  })

  test('by mail is refused for what weakens the account, but after a sign-in by a recovery code', async () => {
    const somebody = await withAuthenticator()
    const { id } = await asked(somebody)
    const refused = await fallback(somebody.token, id)
    expect(refusal(refused)).toEqual([422, 'unprocessable_entity'])
    expect(refused.body.error.details).toEqual({ reason: 'method_unavailable', methods: ['totp'] })
    await signedInBy(somebody, 'recovery_code')
    const second = await fallback(somebody.token, id)
    expect(second.body).toMatchObject({ methods: ['messaging_code'], delivery: 'email' })
    await withCode(somebody.token, second.body.id, await codeTo(somebody.email))
    expect((await request(somebody.token)).status).toBe(201)
  })

  test('by mail opens no window for what weakens the account', async () => {
    const somebody = await withAuthenticator()
    const second = (await fallback(somebody.token, (await askedForDeed(somebody)).id)).body
    await withCode(somebody.token, second.id, await codeTo(somebody.email))
    const codes = () => api('POST', '/me/recovery-codes', { token: somebody.token })
    expect((await codes()).body.error.step_up.methods).toEqual(['totp'])
    await signedInBy(somebody, 'recovery_code')
    expect((await codes()).status).toBe(200)
  })

  test('by mail is refused in a session that was signed in to without the factor that it would replace', async () => {
    const somebody = await signedInBy(await withAuthenticator(), 'password')
    const { id } = await askedForDeed(somebody)
    expect((await fallback(somebody.token, id)).body.error.details.reason).toBe('method_unavailable')
  })

  test('by a phone that counts is good for all', async () => {
    const [somebody, e164] = [await withAuthenticator(), newNumber()]
    await owner`insert into phone_numbers (user_id, e164, confirmed_at, codes_from)
      values (${somebody.userId}, ${e164}, business_now(), business_now())`
    const second = (await fallback(somebody.token, (await asked(somebody)).id)).body
    expect(second.delivery).toBe('message')
    await withCode(somebody.token, second.id, await codeTo(e164))
    expect((await request(somebody.token)).status).toBe(201)
  })

  test('back to a method that the person has; one that they lack is refused with what they have', async () => {
    const somebody = await withAuthenticator()
    const first = await askedForDeed(somebody)
    const refused = await fallback(somebody.token, first.id, 'webauthn')
    expect(refused).toMatchObject({ status: 422, body: { error: { type: 'unprocessable_entity' } } })
    expect(refused.body.error.details.methods).toEqual(['totp', 'messaging_code'])
    const second = (await fallback(somebody.token, first.id)).body
    const third = (await fallback(somebody.token, second.id, 'totp')).body
    expect(third.methods).toEqual(['totp'])
    const proof = { method: 'totp', code: await somebody.code() }
    expect((await complete(somebody.token, third.id, proof)).body.status).toBe('verified')
    expect((await fallback(somebody.token, third.id)).body.error.type).toBe('invalid_state')
  })

  test('three in 15 minutes, also at once; the fourth is told how long to wait', async () => {
    const somebody = await withAuthenticator()
    const { id } = await askedForDeed(somebody)
    await owner`update step_ups set status = 'failed' where id = ${id}`
    const answers = await Promise.all(Array.from({ length: 6 }, () => fallback(somebody.token, id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    const [limited] = answers.filter(({ status }) => status === 429)
    expect(limited?.body.error.type).toBe('rate_limited')
    const seconds = Number(limited?.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(14 * 60)
    expect(seconds).toBeLessThanOrEqual(15 * 60)
    await advance(15 * 60)
    expect((await fallback(somebody.token, id)).status).toBe(200)
  })

  test('a step-up of another session is not found, and one that was denied stays so', async () => {
    const [somebody, other] = [await withAuthenticator(), await person()]
    const { id } = await askedForDeed(somebody)
    expect((await fallback(other.token, id)).status).toBe(404)
    expect((await fallback(somebody.token, randomUUID())).status).toBe(404)
    await api('POST', `/sandbox/step-up/${id}/decide`, { body: { decision: 'deny' } })
    expect((await fallback(somebody.token, id)).body.error.type).toBe('invalid_state')
  })
})

test('a session that began a while ago is asked for a step-up before it confirms or removes a phone number', async () => {
  const [{ userId, sessionId, token }, e164, other] = [await withAuthenticator(), newNumber(), newNumber()]
  await api('POST', '/me/phone-numbers', { token, body: { e164 } })
  await owner`insert into phone_numbers (user_id, e164, confirmed_at) values (${userId}, ${other}, business_now())`
  const confirm = async () =>
    api('POST', '/me/phone-numbers/confirm', { token, body: { e164, code: await codeTo(e164) } })
  const remove = () => api('DELETE', `/me/phone-numbers/${other}`, { token })
  await owner`update sessions set signed_in_at = signed_in_at - interval '10 minutes' where id = ${sessionId}`
  for (const answer of [await confirm(), await remove()]) {
    expect(answer.body.error).toMatchObject({ type: 'step_up_required', step_up: { methods: ['totp'] } })
  }
  expect(await owner`select confirmed_at from phone_numbers where user_id = ${userId} and e164 = ${e164}`).toEqual([
    { confirmed_at: null },
  ])
})

test('a request is not asked again for a factor that its person no longer has', async () => {
  const somebody = await withAuthenticator()
  const ask = () => asked(somebody)
  const first = await ask()
  expect(first.methods).toEqual(['totp'])
  expect((await ask()).id).toBe(first.id)
  await owner`delete from authenticators where user_id = ${somebody.userId}`
  expect((await ask()).methods).toEqual(['messaging_code'])
})
