/** A mailbox alone moves nothing: what a sign-in after a mail may do, and what it takes to weaken an account. */
import { describe, expect, test } from 'vitest'
import {
  type TestPerson,
  api,
  approvalPath,
  createPayment,
  organization,
  payerAndPayee,
  person,
  withStepUp,
} from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { approvalDevice } from '../../support/identity/devices.ts'
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
import { randomBytes, randomUUID } from 'node:crypto'
import { administer } from '../../../admin.ts'
import { tokenHash } from '../../../platform/encryption.ts'

const NEXT = 'another horse entirely'
const HOUR = 3600

/** Sets a new password by the mail, as a thief of the mailbox does, and signs in with it. */
async function byMailbox({ email }: Pick<TestPerson, 'email'>, more: object = {}): Promise<string> {
  await api('POST', '/auth/password/forgot', { body: { email } })
  const body = { token: await tokenTo(email), password: NEXT }
  expect((await api('POST', '/auth/password/reset', { body })).status).toBe(200)
  const { body: signedIn } = await signIn(email, NEXT, more)
  expect(signedIn.status).toBe('authenticated')
  expect(signedIn).not.toHaveProperty('trust_token')
  return signedIn.token
}

/** Gives the person a number that codes go to. */
async function withPhone(somebody: TestPerson): Promise<string> {
  const e164 = newNumber()
  await owner`insert into phone_numbers (user_id, e164, confirmed_at, codes_from)
    values (${somebody.userId}, ${e164}, business_now(), business_now())`
  return e164
}

const ONLY_MAILBOX = [403, 'forbidden', 'mailbox_only']
const told = (answer: Parameters<typeof refusal>[0]) => [...refusal(answer), answer.body.error?.details?.reason]

test('a reset, a sign-in, the phone removed and a code by mail pay nothing: each step fails', async () => {
  const { boss, contactId } = await payerAndPayee()
  await owner`delete from authenticators where user_id = ${boss.userId}`
  const e164 = await withPhone(boss)
  const payment = await createPayment(boss, contactId, '900.00')
  const token = await byMailbox(boss)
  expect((await sentTo(e164)).map(({ subject }) => subject)).toContain('Your password was set anew')

  const removal = await api('DELETE', `/me/phone-numbers/${e164}`, { token })
  expect(refusal(removal)).toEqual([403, 'step_up_required'])
  expect(removal.body.error.step_up).toMatchObject({ methods: ['messaging_code'], delivery: 'message' })
  expect((await me(token)).body.phone_numbers).toEqual([{ confirmed: true, e164 }])

  const approve = () => api('POST', `${approvalPath(payment)}/approve`, { token, body: {} })
  const asked = await approve()
  expect(asked.body.error.step_up).toMatchObject({ methods: ['messaging_code'], delivery: 'message' })
  const { id } = asked.body.error.step_up
  const again = await api('POST', `/step-up/${id}/fallback`, { token, body: { method: 'messaging_code' } })
  expect(again.body).toMatchObject({ delivery: 'message' })
  expect((await sentTo(boss.email)).filter(({ code }) => code !== null)).toEqual([])

  // even where the number is gone, the mailbox confirms nothing
  await owner`delete from phone_numbers where user_id = ${boss.userId}`
  const other = await api('POST', `${approvalPath(payment)}/approve`, { token, body: { comment: 'another' } })
  expect(told(other)).toEqual(ONLY_MAILBOX)
  expect(Date.parse(other.body.error.details.until)).toBeGreaterThan(Date.now())
  expect((await sentTo(boss.email)).filter(({ code }) => code !== null)).toEqual([])
  const { body } = await api('GET', `/payments/${payment.id}`, { token })
  expect(body.status).toBe('awaiting_approval')
})

describe('a sign-in with a password that a mail has set', () => {
  test('is reported at each address, and a day later its mailed codes count again', async () => {
    const somebody = await person()
    const e164 = await withPhone(somebody)
    await owner`update phone_numbers set codes_from = null where e164 = ${e164}`
    const token = await byMailbox(somebody)
    for (const to of [somebody.email, e164]) {
      const mail = (await sentTo(to)).find(({ subject }) => subject === 'Your password was set anew')
      expect(mail?.text).toMatch(/Until .+ codes by mail confirm nothing/)
    }
    const ask = () => api('POST', '/me/approval-credential', { token, body: {} })
    expect(told(await ask())).toEqual(ONLY_MAILBOX)
    await advance(24 * HOUR - 60)
    await owner`update sessions set last_used_at = business_now() where user_id = ${somebody.userId}`
    expect(told(await ask())).toEqual(ONLY_MAILBOX)
    await advance(60)
    expect((await ask()).body.error.step_up).toMatchObject({ methods: ['messaging_code'], delivery: 'email' })
  })

  test('is not made better by a change of that password, by another sign-in, or by a trusted device', async () => {
    const somebody = await person()
    const token = await byMailbox(somebody, { remember_me: true })
    const body = { current_password: NEXT, password: `${NEXT} again` }
    expect((await api('POST', '/me/password', { token, body })).status).toBe(200)
    const again = (await signIn(somebody.email, body.password, { remember_me: true })).body
    expect(again).not.toHaveProperty('trust_token')
    for (const session of [token, again.token])
      expect(told(await api('POST', '/auth/totp/setup', { token: session }))).toEqual(ONLY_MAILBOX)
  })

  test('adds no authenticator where an organization requires one: it is refused until the day is over', async () => {
    const somebody = await person()
    const { id } = await organization(somebody)
    await owner`update organizations set requires_authenticator = true where id = ${id}`
    await api('POST', '/auth/password/forgot', { body: { email: somebody.email } })
    await api('POST', '/auth/password/reset', { body: { token: await tokenTo(somebody.email), password: NEXT } })
    expect(told(await signIn(somebody.email, NEXT))).toEqual(ONLY_MAILBOX)
    await advance(24 * HOUR)
    expect((await signIn(somebody.email, NEXT)).body.status).toBe('totp_setup_required')
  })

  test('is clean after a second factor: a code by mail may stand in for it', async () => {
    const somebody = await withAuthenticator()
    const { id } = await organization(somebody)
    await api('POST', '/auth/password/forgot', { body: { email: somebody.email } })
    await api('POST', '/auth/password/reset', { body: { token: await tokenTo(somebody.email), password: NEXT } })
    const { challenge_token } = (await signIn(somebody.email, NEXT)).body
    const { token } = (await mfa(challenge_token, await somebody.code())).body
    const asked = await api('PATCH', `/organizations/${id}/settings`, { token, body: {} })
    const path = `/step-up/${asked.body.error.step_up.id}/fallback`
    const fallback = await api('POST', path, { token, body: { method: 'messaging_code' } })
    expect(fallback.body.delivery).toBe('email')
  })

  test('adds no payee and no account of one without an approval, and acknowledges nothing', async () => {
    const { boss, payer, payee, contactId } = await payerAndPayee()
    const { svcId: own } = await organization(await person(), 'Thief')
    await owner`delete from authenticators where user_id = ${boss.userId}`
    const token = await byMailbox(boss)

    const of = `/organizations/${payer.id}/payment-contacts`
    const account = { type: 'svc_id', svc_id: own }
    const made = await api('POST', of, { token, body: { name: 'Mine', type: 'business', destinations: [account] } })
    expect([made.status, made.body.status]).toEqual([201, 'pending_approval'])

    const path = `/payment-contacts/${contactId}/destinations`
    expect((await api('POST', path, { token, body: { ...account, default: true } })).status).toBe(201)
    const { body: known } = await api('GET', `/payment-contacts/${contactId}`, { token })
    expect(known.status).toBe('pending_approval')
    expect(known.destinations.find((one: { default: boolean }) => one.default).svc_id).toBe(payee.svcId)

    const batch = await api('POST', `/organizations/${payer.id}/payment-batches`, { token, body: { name: 'Batch' } })
    const submit = `/payment-batches/${batch.body.id}/submit`
    const sure = await api('POST', submit, { token, body: { acknowledge_payee_check: true } })
    expect(told(sure)).toEqual(ONLY_MAILBOX)
  })

  test('reads and prepares, and its approval device confirms', async () => {
    const somebody = await person()
    const { id } = await organization(somebody)
    const phone = await approvalDevice(somebody)
    const token = await byMailbox(somebody)
    expect((await api('GET', `/organizations/${id}/balances`, { token })).status).toBe(200)
    const ask = () => api('PATCH', `/organizations/${id}/settings`, { token, body: {} })
    const { id: stepUp, match_code, methods } = (await ask()).body.error.step_up
    expect(methods).toEqual(['approval_device'])
    const body = { credential: phone.credential, match_code }
    expect((await api('POST', `/me/challenges/${stepUp}/approve`, { token, body })).body.status).toBe('verified')
    expect((await ask()).status).toBe(200)
  })
})

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
