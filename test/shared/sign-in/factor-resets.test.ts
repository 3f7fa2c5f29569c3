/** Factor resets after the loss of every second factor: announced by an operator, stopped by any factor. */
import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { administer } from '../../../admin.ts'
import { tokenHash } from '../../../platform/encryption.ts'
import { type TestPerson, api, organization, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import {
  type Prover,
  advance,
  challenged,
  codeTo,
  codesOf,
  me,
  mfa,
  newNumber,
  sentTo,
  signIn,
  tokenTo,
  withAuthenticator,
} from '../../support/identity/identity.ts'

const DAY = 24 * 3600
const reset = (email: string) => administer(['person', 'reset-factors', email, 'ticket', '4711'])
const stepOf = async ({ email, password }: TestPerson, more: object = {}) =>
  (await signIn(email, password, more)).body.status
const subjectsTo = async (to: string) => (await sentTo(to)).map(({ subject }) => subject)
const ANNOUNCED = 'Your second factors will be removed'

const givePasskey = ({ userId }: TestPerson) =>
  owner`insert into passkeys (user_id, name, credential_id, public_key, counter, synced)
    values (${userId}, 'Key', ${randomUUID()}, '', 0, true)`

/** A person with one of each factor, a trusted device and a phone. */
async function factored() {
  const somebody = await withAuthenticator()
  const { userId, email, password } = somebody
  const { challenge_token } = (await signIn(email, password, { remember_me: true })).body
  const { device_id, trust_token } = (await mfa(challenge_token, await somebody.code())).body
  const phone = newNumber()
  await owner`insert into phone_numbers (user_id, e164, confirmed_at) values (${userId}, ${phone}, business_now())`
  await owner`insert into recovery_codes (code_hash, user_id) values (${randomBytes(32)}, ${userId})`
  await givePasskey(somebody)
  await owner`insert into approval_credentials (user_id, device_id, credential_hash, cooling_off_until)
    values (${userId}, ${device_id}, ${randomBytes(32)}, business_now())`
  return { ...somebody, phone, trusted: { device_id, trust_token } }
}

type Factored = Awaited<ReturnType<typeof factored>>
const keep = (token: string) => api('POST', '/auth/factors/keep', { body: { token } })

test('signs in with the password a day after it was announced everywhere; nothing of before opens anything', async () => {
  const somebody = await factored()
  const line = await reset(` ${somebody.email.toUpperCase()}`)
  expect(line).toMatch(/ is told: unless they object, .+ removes every second factor$/)
  for (const to of [somebody.email, somebody.phone]) expect(await subjectsTo(to)).toContain(ANNOUNCED)
  await advance(DAY - 60)
  expect(await stepOf(somebody)).toBe('mfa_required')
  const { token: earlier } = (await signIn(somebody.email, somebody.password, somebody.trusted)).body
  expect((await me(earlier)).status).toBe(200)

  await advance(120)
  const answers = await Promise.all([1, 2, 3].map(() => signIn(somebody.email, somebody.password)))
  expect(answers.map(({ body }) => body.status)).toEqual(answers.map(() => 'authenticated'))
  const { token } = answers[0]?.body ?? {}
  expect((await me(earlier)).status).toBe(401)
  const log = await api('GET', '/me/security-events?type=factors.reset', { token })
  expect((await me(token)).body.totp).toEqual({ enabled: false, inserted_at: log.body.data[0].occurred_at })
  const removed = { authenticators: 1, passkeys: 1, recovery_codes: 1, phone_numbers: 1, approval_devices: 1 }
  expect(log.body.data).toMatchObject([{ details: removed }])
  const announced = (await api('GET', '/me/security-events?type=factor_reset.announced', { token })).body.data
  expect(announced).toMatchObject([{ details: { reason: 'ticket 4711' }, ip_address: null }])
  for (const path of ['/me/passkeys', '/me/approval-credentials'])
    expect((await api('GET', path, { token })).body.data).toEqual([])
  expect((await api('GET', '/me/recovery-codes', { token })).body.remaining).toBe(0)
  expect(await owner`select from trust_tokens where user_id = ${somebody.userId}`).toEqual([])
  for (const to of [somebody.email, somebody.phone])
    expect(await subjectsTo(to)).toContain('Your second factors were removed')
  expect((await me(token)).body.phone_numbers).toEqual([])
})

test.each([
  ['the mailed token', 'mail', async ({ email }: Prover) => keep(await tokenTo(email))],
  ['a message to the phone', 'mail', async ({ phone }: Factored) => keep(await tokenTo(phone))],
  ['an operator', 'operator', ({ email }: Prover) => administer(['person', 'keep-factors', email])],
  ['a sign-in with a factor', 'sign_in', async (who: Prover) => mfa(await challenged(who), await who.code(1))],
])('keeps them by %s', async (_, by, stop) => {
  const somebody = await factored()
  await reset(somebody.email)
  await stop(somebody)
  expect(await subjectsTo(somebody.email)).toContain('Your second factors stay')
  const token = await tokenTo(somebody.email)
  expect(await keep(token)).toMatchObject({ status: 422, body: { error: { type: 'token_invalid' } } })
  const nothing = { type: 'invalid_state', details: { reason: 'no_reset_under_way' } }
  await expect(administer(['person', 'keep-factors', somebody.email])).rejects.toMatchObject(nothing)
  await advance(DAY + 60)
  expect(await stepOf(somebody)).toBe('mfa_required')
  const [event] = await owner`select details ->> 'by' as by from security_events
    where user_id = ${somebody.userId} and type = 'factor_reset.cancelled'`
  expect(event).toEqual({ by })
})

test('keeps them, too, once a new one was added, until it is announced again', async () => {
  const somebody = await person()
  await givePasskey(somebody)
  await reset(somebody.email)
  await advance(60)
  const { token, email } = somebody
  const { secret_encoded } = (await withStepUp('POST', '/auth/totp/setup', { token })).body
  const body = { code: await codesOf(secret_encoded)(), messaging_code: await codeTo(email) }
  expect((await api('POST', '/auth/totp/activate', { token, body })).status).toBe(200)
  await advance(DAY)
  expect(await stepOf(somebody)).toBe('mfa_required')
  await reset(email)
  expect((await subjectsTo(email)).filter((subject) => subject === ANNOUNCED)).toHaveLength(2)
  await advance(DAY + 60)
  expect(await stepOf(somebody)).toBe('authenticated')
})

test('has a week for it, and what replaces the password does not do it', async () => {
  const somebody = await factored()
  await reset(somebody.email)
  await advance(DAY + 60)
  const { device_id } = somebody.trusted
  const credential = randomUUID()
  await owner`insert into login_credentials (credential_hash, user_id, device_id, expires_at)
    values (${tokenHash(credential)}, ${somebody.userId}, ${device_id}, business_now() + interval '1 hour')`
  const byDevice = await api('POST', '/auth/sign-in/device', { body: { device_id, credential } })
  expect(byDevice.body.status).toBe('mfa_required')
  await advance(7 * DAY)
  expect(await stepOf(somebody)).toBe('mfa_required')
  expect(await keep(await tokenTo(somebody.email))).toMatchObject({ status: 422 })
})

test('sets up an authenticator at once if an organization requires one', async () => {
  const somebody = await factored()
  const { id } = await organization(somebody)
  await owner`update organizations set requires_authenticator = true where id = ${id}`
  await reset(somebody.email)
  await advance(DAY + 60)
  expect(await stepOf(somebody)).toBe('totp_setup_required')
})

test('is told once, however often it is asked for; who has no factor has nothing to lose', async () => {
  const somebody = await factored()
  const lines = await Promise.all([1, 2, 3].map(() => reset(somebody.email)))
  expect(new Set(lines).size).toBe(1)
  expect(await subjectsTo(somebody.phone)).toEqual([ANNOUNCED])
  const refused = { type: 'invalid_state', details: { reason: 'no_second_factor' } }
  await expect(reset((await person()).email)).rejects.toMatchObject(refused)
  await expect(reset('nobody@example.com')).rejects.toMatchObject({ type: 'not_found' })
})
