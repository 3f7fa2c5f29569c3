import { generateSecret } from 'otplib'
import { describe, expect, test, vi } from 'vitest'
import { addAuthenticator, stepOf } from '../../../services/factors/authenticators.ts'
import type { UserId } from '../../../domain/ids.ts'
import { decrypt, encrypt } from '../../../platform/encryption.ts'
import { type TestPerson, api, join, organization, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { approvalDevice } from '../../support/identity/devices.ts'
import {
  WRONG_CODE,
  advance,
  challenged,
  codeTo,
  codesOf,
  eventTypes,
  subjectsTo,
  me,
  mfa,
  sentTo,
  signIn,
  withAuthenticator,
} from '../../support/identity/identity.ts'
import { MANY } from '../../support/model-runs.ts'

describe('RFC 6238, appendix B, SHA-1: the last six digits of its vectors are right at their times', () => {
  const sealed = encrypt(Buffer.from('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')) // "12345678901234567890"
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %d s the code is %s, one step earlier and later too, two steps not', async (seconds, code) => {
    const at = async (time: number) => {
      vi.useFakeTimers({ now: time * 1000, toFake: ['Date'] })
      try {
        return await stepOf(sealed, code)
      } finally {
        vi.useRealTimers()
      }
    }
    const step = Math.floor(seconds / 30)
    expect(await at(seconds)).toBe(step)
    expect(await at(seconds + 30)).toBe(step)
    if (seconds >= 60) expect(await at(seconds - 30)).toBe(step)
    expect(await at((step + 2) * 30)).toBeNull()
    if (seconds >= 90) expect(await at((step - 1) * 30 - 1)).toBeNull()
  })
})

/** Begins a setup while signed in; returns the messaging code and a generator of the secret's codes. */
async function begun(somebody: TestPerson) {
  const setup = await api('POST', '/auth/totp/setup', { token: somebody.token })
  expect(setup.status).toBe(200)
  return { ...setup.body, code: codesOf(setup.body.secret_encoded), sent: await codeTo(somebody.email) }
}
const activate = (token: string, code: string, messaging_code: string) =>
  api('POST', '/auth/totp/activate', { token, body: { code, messaging_code } })
const remove = (token: string) => withStepUp('DELETE', '/auth/totp', { token })

describe('setup while signed in', () => {
  test('its code and the messaging code together add it; from then on sign-in asks for it', async () => {
    const somebody = await person()
    const { uri, secret_encoded, code, sent } = await begun(somebody)
    expect(uri).toMatch(/^otpauth:\/\/totp\/.*secret=[A-Z2-7]{32}/)
    expect(uri).toContain(secret_encoded)
    const added = await activate(somebody.token, await code(), sent)
    expect(added).toMatchObject({ status: 200, body: { status: 'activated', user: { totp: { enabled: true } } } })
    const again = await api('POST', '/auth/totp/setup', { token: somebody.token })
    expect(again.body.error.type).toBe('totp_already_enabled')
    const token = await challenged(somebody)
    expect((await mfa(token, await code())).body.status).toBe('mfa_failed') // the setup took this code
    expect((await mfa(token, await code(1))).body.status).toBe('authenticated')
    expect(await eventTypes(somebody.token)).toContain('authenticator.added')
    expect(await subjectsTo(somebody.email)).toContain('An authenticator app was added')
  })

  test('a wrong code of either is counted, and the fifth ends the setup', async () => {
    const somebody = await person()
    const { code, sent } = await begun(somebody)
    const tries = [
      [WRONG_CODE, sent],
      [await code(), '12345'],
      [WRONG_CODE, WRONG_CODE],
      [await code(), 'é23456'],
      [WRONG_CODE, sent],
    ] as const
    for (const [index, [own, other]] of tries.entries()) {
      const answer = await activate(somebody.token, own, other)
      expect(refusal(answer)).toEqual([422, 'code_invalid'])
      expect(answer.body.error.details).toEqual({ remaining_attempts: 4 - index })
    }
    expect((await activate(somebody.token, await code(), sent)).body.error.type).toBe('code_invalid')
    const again = await begun(somebody)
    expect((await activate(somebody.token, await again.code(), again.sent)).status).toBe(200)
  })

  test('a setup belongs to its session, lasts ten minutes, and of several activations at once one adds it', async () => {
    const [somebody, other] = [await person(), await person()]
    const first = await begun(somebody)
    const by = async (token: string) => (await activate(token, await first.code(), first.sent)).body.error.type
    const { token } = (await signIn(somebody.email, somebody.password)).body
    for (const others of [other.token, token]) expect(await by(others)).toBe('invalid_state')
    await advance(10 * 60)
    expect(await by(somebody.token)).toBe('invalid_state')
    const second = await begun(somebody)
    const code = await second.code()
    const answers = await Promise.all(Array.from({ length: MANY }, () => activate(somebody.token, code, second.sent)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('the secret is kept sealed, with the id of its key in front', async () => {
    const somebody = await person()
    const { secret_encoded, code, sent } = await begun(somebody)
    await activate(somebody.token, await code(), sent)
    const [row] = await owner`select secret from authenticators where user_id = ${somebody.userId}`
    expect(row?.['secret'].toString('latin1', 1, 5)).toBe('dev1')
    expect(row?.['secret'].includes(secret_encoded)).toBe(false)
    expect(decrypt(row?.['secret']).toString()).toBe(secret_encoded)
  })
})

/** A person who must set up an authenticator, and the challenge of their sign-in. */
async function required() {
  const somebody = await person()
  const { id } = await organization(await person())
  await join(id, somebody, 'member')
  await owner`update organizations set requires_authenticator = true where id = ${id}`
  const { body } = await signIn(somebody.email, somebody.password)
  const { challenge_token, device_id } = body
  expect(body).toEqual({ status: 'totp_setup_required', challenge_token, device_id })
  return { ...somebody, organizationId: id, challenge: challenge_token as string }
}
const setup = (challenge_token: string) => api('POST', '/auth/sign-in/totp/setup', { body: { challenge_token } })
const complete = (challenge_token: string, code: string) =>
  api('POST', '/auth/sign-in/totp/activate', { body: { challenge_token, code } })

describe('setup at sign-in, where an organization requires an authenticator', () => {
  test('its first code signs in, and the next sign-in asks for a code', async () => {
    const somebody = await required()
    const { body } = await setup(somebody.challenge)
    const code = codesOf(body.secret_encoded)
    expect((await complete(somebody.challenge, WRONG_CODE)).body).toEqual({ status: 'mfa_failed' })
    const done = await complete(somebody.challenge, await code())
    expect(done.body).toMatchObject({ status: 'authenticated', user: { totp: { enabled: true } } })
    expect((await me(done.body.token)).status).toBe(200)
    expect((await complete(somebody.challenge, await code(1))).body).toEqual({ status: 'challenge_expired' })
    expect((await mfa(await challenged(somebody), await code(1))).body.status).toBe('authenticated')
  })

  test('after a password alone it signs in, and confirms nothing for a day: codes by message do, and a mail says so', async () => {
    const somebody = await required()
    const { body } = await setup(somebody.challenge)
    const code = codesOf(body.secret_encoded)
    const { token } = (await complete(somebody.challenge, await code())).body
    const told = (await sentTo(somebody.email)).find(({ subject }) => subject === 'An authenticator app was added')
    expect(told?.text).toContain('confirms payments and changes only from')
    const ask = async (session: string) =>
      (await api('POST', '/me/approval-credential', { token: session, body: {} })).body.error.step_up
    expect(await ask(token)).toMatchObject({ methods: ['messaging_code'], delivery: 'email' })
    const { challenge_token } = (await signIn(somebody.email, somebody.password)).body
    const again = (await mfa(challenge_token, await code(1))).body.token
    const login = await api('POST', '/auth/login-credential', { token: again, body: {} })
    expect(refusal(login)).toEqual([403, 'step_up_required']) // that sign-in is no proof either
    await advance(24 * 3600)
    await owner`update sessions set last_used_at = business_now() where user_id = ${somebody.userId}`
    expect((await ask(again)).methods).toEqual(['totp'])
  })

  test('after a password alone it opens no way past an approval device, on a trusted device neither', async () => {
    const somebody = await required()
    const { id } = await organization(somebody)
    const { body } = await setup(somebody.challenge)
    const code = codesOf(body.secret_encoded)
    const first = (await complete(somebody.challenge, await code())).body
    await approvalDevice(somebody)
    const trusting = { remember_me: true, device_id: first.device_id }
    const { challenge_token } = (await signIn(somebody.email, somebody.password, trusting)).body
    const second = (await mfa(challenge_token, await code(1))).body
    const trusted = { device_id: second.device_id, trust_token: second.trust_token }
    const third = (await signIn(somebody.email, somebody.password, trusted)).body
    for (const { token } of [first, second, third]) {
      const asked = await api('PATCH', `/organizations/${id}/settings`, { token, body: {} })
      expect(asked.body.error.step_up.methods).toEqual(['approval_device'])
      const path = `/step-up/${asked.body.error.step_up.id}/fallback`
      const instead = await api('POST', path, { token, body: { method: 'messaging_code' } })
      expect(instead.body.error?.details).toMatchObject({ reason: 'method_unavailable' })
    }
  })

  test('a challenge of one kind opens nothing of another, and without a setup no code is right', async () => {
    const [somebody, prover] = [await required(), await withAuthenticator()]
    expect((await mfa(somebody.challenge, WRONG_CODE)).body).toEqual({ status: 'challenge_expired' })
    expect((await complete(somebody.challenge, WRONG_CODE)).body).toEqual({ status: 'mfa_failed' })
    const other = await challenged(prover)
    expect(refusal(await setup(other))).toEqual([422, 'token_invalid'])
    expect((await complete(other, await prover.code())).body).toEqual({ status: 'challenge_expired' })
    expect(refusal(await setup('made-up'))).toEqual([422, 'token_invalid'])
    await owner`update sign_in_challenges set expires_at = business_now() where user_id = ${somebody.userId}`
    expect(refusal(await setup(somebody.challenge))).toEqual([422, 'token_invalid'])
  })

  test('five wrong codes exhaust it, even for a right one; two setups at once leave one authenticator', async () => {
    const somebody = await required()
    const { body } = await setup(somebody.challenge)
    for (let tries = 0; tries < 5; tries++) await complete(somebody.challenge, WRONG_CODE)
    expect((await complete(somebody.challenge, await codesOf(body.secret_encoded)())).body.status).toBe('mfa_failed')
    const challenges = await Promise.all([1, 2].map(() => signIn(somebody.email, somebody.password)))
    const answers = await Promise.all(
      challenges.map(async ({ body: { challenge_token } }) => {
        const { secret_encoded } = (await setup(challenge_token)).body
        return complete(challenge_token, await codesOf(secret_encoded)())
      }),
    )
    expect(answers.filter((answer) => answer.body.status === 'authenticated')).toHaveLength(1)
  })
})

describe('removal', () => {
  test('needs a step-up of its own, is told, and sign-in no longer asks for a code', async () => {
    const somebody = await withAuthenticator()
    expect((await api('DELETE', '/auth/totp', { token: somebody.token })).body.error.type).toBe('step_up_required')
    expect(await remove(somebody.token)).toMatchObject({ status: 200, body: { status: 'removed' } })
    expect((await signIn(somebody.email, somebody.password)).body.status).toBe('authenticated')
    const log = await api('GET', '/me/security-events?type=authenticator.removed', { token: somebody.token })
    const since = log.body.data[0].occurred_at
    expect((await me(somebody.token)).body.totp).toEqual({ enabled: false, inserted_at: since })
    expect(await eventTypes(somebody.token)).toEqual(
      expect.arrayContaining(['authenticator.removed', 'step_up.used', 'step_up.verified']),
    )
    expect(await subjectsTo(somebody.email)).toContain('Your authenticator app was removed')
    expect((await remove(somebody.token)).body.error.type).toBe('not_found')
  })

  test('is refused while an organization requires one, before anything is proved', async () => {
    const somebody = await required()
    await addAuthenticator(somebody.userId as UserId, generateSecret()) // the id of a row that was just written
    const refused = await api('DELETE', '/auth/totp', { token: somebody.token })
    expect(refusal(refused)).toEqual([409, 'invalid_state'])
    expect(refused.body.error.details).toMatchObject({ current: 'required', reason: 'required_by_organization' })
    await owner`update organizations set requires_authenticator = false where id = ${somebody.organizationId}`
    expect((await remove(somebody.token)).status).toBe(200)
  })
})
