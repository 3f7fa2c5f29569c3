/** Flows of an account, right and wrong, against another service process; every secret is remembered. */
import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { expect } from 'vitest'
import { owner } from '../database.ts'
import {
  CODE_SUBJECT,
  type Reply,
  type Run,
  ask,
  codeIn,
  codeOf,
  mailed,
  post,
  prove,
  tokenIn,
  withProof,
  wrongCode,
  wrongToken,
} from '../runs/calls.ts'
import { secret, secrets, whileRefusing, without } from './secrets.ts'
import { type Authenticator, softwareAuthenticator } from './software-authenticator.ts'

type Account = { email: string; password: string; token: string; passkeys: Authenticator; codes: string[] }

async function signedUp(run: Run, name: string, email: string): Promise<Account> {
  const password = secret(`${name} password`, `${name} horse battery staple`)
  const { body: asked } = await post(run, '/auth/sign-up', {
    email: secret(`${name} address`, email),
    password,
    first_name: secret(`${name} name`, `Philippa${name}`),
  })
  await post(run, '/auth/email/confirm', { token: wrongToken(`${name} confirmation`) })
  const token = secret(`${name} confirmation`, tokenIn(await mailed(run, email, 'Confirm your email address')))
  const sign_up_token = secret(`${name} sign-up`, asked.sign_up_token)
  const { body } = await post(run, '/auth/email/confirm', { token, sign_up_token })
  return {
    email,
    password,
    token: secret(`${name} first session`, body.token),
    passkeys: softwareAuthenticator(),
    codes: [],
  }
}

export async function passwordRun(run: Run): Promise<Account> {
  const account = await signedUp(run, 'owner', 'philippa.owner@example.com')
  const { email } = account
  await post(run, '/auth/password/forgot', { email })
  const reset = secret('reset token', tokenIn(await mailed(run, email, 'Set a new password')))
  const second = secret('second password', 'a second horse for the staple')
  await post(run, '/auth/password/reset', { token: wrongToken('reset token'), password: second })
  await post(run, '/auth/password/reset', { token: reset, password: 'password1234' })
  expect((await post(run, '/auth/password/reset', { token: reset, password: second })).status).toBe(200)

  // the day is over in which a mail confirms nothing
  await owner`update people set password_reset_at = password_reset_at - interval '1 day' where email = ${email}`
  await post(run, '/auth/sign-in', { email, password: secret('wrong password', 'an incorrect horse battery') })
  const odd = { email, password: second, remember_me: secret('word for a flag', 'a word where a flag belongs') }
  expect((await post(run, '/auth/sign-in', odd)).body.error.type).toBe('invalid_request')
  const noAddress = { email: secret('word for an address', 'a word where an address belongs'), password: second }
  expect((await post(run, '/auth/sign-up', noAddress)).body.error.type).toBe('invalid_request')
  const token = secret('second session', (await post(run, '/auth/sign-in', { email, password: second })).body.token)
  const password = secret('third password', 'a third horse without battery')
  await post(
    run,
    '/me/password',
    { current_password: secret('wrong current one', 'not the horse of now'), password },
    token,
  )
  expect((await post(run, '/me/password', { current_password: second, password }, token)).status).toBe(200)
  return { ...account, password, token }
}

/**
 * Adds a phone number, an authenticator, recovery codes and a passkey; signs in with each, on new and trusted devices.
 */
export async function secondFactorRun(run: Run, account: Account): Promise<void> {
  const { email, password, token } = account
  await addPhone(run, account)
  const base32 = await addAuthenticator(run, account)
  await addRecoveryCodes(run, account)
  await addPasskey(run, account)
  await uploadPicture(run, token)

  const { challenge_token } = (await post(run, '/auth/sign-in', { email, password, remember_me: true })).body
  secret('challenge token', challenge_token)
  await post(run, '/auth/mfa', { challenge_token, code: wrongCode('code at sign-in') })
  await post(run, '/auth/mfa', { challenge_token: wrongToken('challenge token'), code: '000000' })
  const code = secret('code at sign-in', await codeOf(base32, 1))
  const trusted = (await post(run, '/auth/mfa', { challenge_token, code })).body
  secret('session by code', trusted.token)
  const trust_token = secret('first trust token', trusted.trust_token)
  const { device_id } = trusted
  const again = await post(run, '/auth/sign-in', { email, password, device_id, trust_token: wrongToken('trust token') })
  secret('second challenge token', again.body.challenge_token)
  const skipped = await post(run, '/auth/sign-in', { email, password, device_id, trust_token })
  secret('session by trust', skipped.body.token)
  expect(await mailed(run, email, 'A sign-in from a new device')).toContain('new device')

  const third = (await post(run, '/auth/sign-in', { email, password })).body.challenge_token
  secret('third challenge token', third)
  await post(run, '/auth/mfa', {
    challenge_token: third,
    code: secret('wrong recovery code', 'AAAAAA-BBBBBB-CCCCCC-DDDDDD'),
  })
  const recovered = await post(run, '/auth/mfa', { challenge_token: third, code: account.codes[0] })
  account.token = secret('session token', recovered.body.token)
}

const PHONE = '+4915112345678'

/** Reads the newest code that was sent to the phone. */
async function codeAtPhone(run: Run, name: string): Promise<string> {
  const sent = await ask(run, 'GET', `/sandbox/messages?to=${encodeURIComponent(PHONE)}`)
  const codes = (sent.body.data as { code: string | null }[]).flatMap(({ code }) => code ?? [])
  return secret(name, codes[0] ?? '')
}

/** Adds a phone, after a step-up by a mailed code; from then on codes go there. */
async function addPhone(run: Run, { email, token }: Account): Promise<void> {
  const e164 = secret('phone number', PHONE)
  await post(run, '/me/phone-numbers', { e164 }, token)
  const code = await codeAtPhone(run, 'code to a phone')
  const confirm = ['POST', '/me/phone-numbers/confirm', { e164, code: wrongCode('code to a phone') }, token] as const
  const wrong = await withProof(run, [...confirm], async ({ id }) => {
    const code = secret('mailed code at step-up', codeIn(await mailed(run, email, CODE_SUBJECT)))
    expect(await prove(run, token, id, { method: 'messaging_code', code })).toBe('verified')
  })
  expect(wrong.status).toBe(422)
  expect((await post(run, '/me/phone-numbers/confirm', { e164, code }, token)).status).toBe(200)
}

async function addAuthenticator(run: Run, { token }: Account): Promise<string> {
  const { secret_encoded, uri } = (await ask(run, 'POST', '/auth/totp/setup', undefined, token)).body
  secret('authenticator secret', secret_encoded)
  secret('authenticator address', uri)
  const messaging_code = await codeAtPhone(run, 'messaging code at setup')
  const wrong = wrongCode('messaging code at setup')
  await post(run, '/auth/totp/activate', { code: wrongCode('code at setup'), messaging_code }, token)
  await post(run, '/auth/totp/activate', { code: await codeOf(secret_encoded, 0), messaging_code: wrong }, token)
  const code = secret('code at setup', await codeOf(secret_encoded, 0))
  expect((await post(run, '/auth/totp/activate', { code, messaging_code }, token)).body.status).toBe('activated')
  return secret_encoded
}

/** Adds recovery codes, proved by a messaging code instead of the authenticator's. */
async function addRecoveryCodes(run: Run, account: Account): Promise<void> {
  const { token } = account
  const made = await withProof(run, ['POST', '/me/recovery-codes', undefined, token], async ({ id }) => {
    expect(await prove(run, token, id, { method: 'totp', code: wrongCode('code at step-up') })).toBe('failed')
    const other = (await post(run, `/step-up/${id}/fallback`, { method: 'messaging_code' }, token)).body
    const wrong = { method: 'messaging_code', code: wrongCode('messaging code at step-up') }
    expect(await prove(run, token, other.id, wrong)).toBe('failed')
    const code = await codeAtPhone(run, 'messaging code at step-up')
    expect(await prove(run, token, other.id, { method: 'messaging_code', code })).toBe('verified')
  })
  account.codes = made.body.codes
  for (const [index, code] of account.codes.entries()) secret(`recovery code ${index + 1}`, code)
}

async function addPasskey(run: Run, { token, passkeys }: Account): Promise<void> {
  const name = secret('passkey name', 'Key ring of Zanzibar')
  const options = (await ask(run, 'POST', '/me/passkeys/options', undefined, token)).body
  const elsewhere = passkeys.register(options, { origin: 'https://phishing.example' })
  expect((await post(run, '/me/passkeys', { name, credential: elsewhere }, token)).status).toBe(422)
  expect((await post(run, '/me/passkeys', { name, credential: passkeys.register(options) }, token)).status).toBe(201)
}

async function uploadPicture(run: Run, token: string): Promise<Reply> {
  const place = secrets.get('place of a picture') ?? secret('place of a picture', 'Villa Quarantotti on Capri')
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .withExif({ IFD0: { ImageDescription: place } })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), `${place}.jpg`)
  return ask(run, 'POST', '/me/avatar', form, token)
}

const signed = (name: string, credential: { response: { signature: string } }) => {
  secret(name, credential.response.signature)
  return credential
}

/** Adds a device that approves and signs in; signs in with a passkey. */
export async function approvalRun(run: Run, account: Account): Promise<void> {
  const { email, password, token, passkeys } = account
  const added = await withProof(run, ['POST', '/me/approval-credential', {}, token], async ({ id, webauthn }) => {
    const { challenge_id } = webauthn
    const wrong = signed('wrong signature', passkeys.assert(webauthn, { signature: randomBytes(64) }))
    expect(await prove(run, token, id, { method: 'webauthn', challenge_id, credential: wrong })).toBe('failed')
    const credential = signed('signature', passkeys.assert(webauthn))
    expect(await prove(run, token, id, { method: 'webauthn', challenge_id, credential })).toBe('verified')
  })
  const credential = secret('approval credential', added.body.credential)
  await owner`update approval_credentials set cooling_off_until = business_now()`
  await removeAuthenticator(run, token, credential)

  const made = await ask(run, 'POST', '/auth/login-credential', {}, token)
  const login = { device_id: made.body.device_id, credential: secret('login credential', made.body.credential) }
  await post(run, '/auth/sign-in/device', { ...login, credential: wrongToken('login credential') })
  const device = (await post(run, '/auth/sign-in/device', { ...login, trust_tokens: true })).body
  const shown = signed('signature of a device', passkeys.assert(device.webauthn))
  const on = { challenge_token: secret('challenge token of a device', device.challenge_token), credential: shown }
  const alone = await post(run, '/auth/webauthn', on)
  secret('session of a device', alone.body.token)
  secret('trust token', alone.body.trust_token)

  const { challenge_token, webauthn } = (await post(run, '/auth/sign-in', { email, password })).body
  secret('challenge token for a passkey', challenge_token)
  const wrong = signed('wrong signature at sign-in', passkeys.assert(webauthn, { signature: randomBytes(64) }))
  await post(run, '/auth/webauthn', { challenge_token, credential: wrong })
  const right = signed('signature at sign-in', passkeys.assert(webauthn))
  const entered = await post(run, '/auth/webauthn', { challenge_token, credential: right })
  await ask(run, 'POST', '/auth/sign-out', {}, secret('session by passkey', entered.body.token))
}

/** Removes the authenticator by number matching. Three digits would be found anywhere, so a longer number is put. */
async function removeAuthenticator(run: Run, token: string, credential: string): Promise<void> {
  const removal = ['DELETE', '/auth/totp', undefined, token] as [string, string, unknown, string]
  const removed = await withProof(run, removal, async ({ id, match_code: digits }) => {
    expect(digits).toMatch(/^\d{3}$/)
    await owner`alter table step_ups drop constraint step_ups_match_code_check`
    const match_code = secret('number to match', 'number-to-match-zulu')
    await owner`update step_ups set match_code = ${match_code} where id = ${id}`
    expect((await ask(run, ...removal)).body.error.step_up.match_code).toBe(match_code)
    expect((await ask(run, 'GET', '/me/challenges', undefined, token)).body.data).toHaveLength(1)
    const approve = (body: Record<string, unknown>) => post(run, `/me/challenges/${id}/approve`, body, token)
    await approve({ credential: wrongToken('approval credential'), match_code })
    await approve({ credential, match_code: secret('wrong number', 'number-to-match-yankee') })
    expect((await approve({ credential, match_code })).body.status).toBe('verified')
  })
  expect(removed.body.status).toBe('removed')
}

/** Signs in an owner whose organization requires an authenticator, set up at sign-in. */
export async function ownerRun(run: Run): Promise<Account> {
  const account = await signedUp(run, 'other', 'bartholomew.other@example.com')
  const { email, password, token } = account
  const { id } = (await post(run, '/organizations', { name: secret('organization', 'Quarrystone Holding') }, token))
    .body
  const settings = `/organizations/${id}/settings`
  await withProof(run, ['PATCH', settings, { requires_authenticator: true }, token], async (challenge) => {
    const code = secret('first messaging code', codeIn(await mailed(run, email, CODE_SUBJECT)))
    expect(await prove(run, token, challenge.id, { method: 'messaging_code', code })).toBe('verified')
  })
  const { challenge_token } = (await post(run, '/auth/sign-in', { email, password })).body
  secret('challenge token for a setup', challenge_token)
  const { secret_encoded, uri } = (await post(run, '/auth/sign-in/totp/setup', { challenge_token })).body
  secret('authenticator secret at sign-in', secret_encoded)
  secret('authenticator address at sign-in', uri)
  const activate = (code: string) => post(run, '/auth/sign-in/totp/activate', { challenge_token, code })
  await activate(wrongCode('first code'))
  const entered = await activate(secret('first code', await codeOf(secret_encoded, 0)))
  const session = secret('session by setup', entered.body.token)
  const made = await withProof(run, ['POST', '/me/recovery-codes', undefined, session], async (challenge) => {
    // the authenticator of a password alone confirms nothing on its first day
    const code = secret('second messaging code', codeIn(await mailed(run, email, CODE_SUBJECT)))
    expect(await prove(run, session, challenge.id, { method: 'messaging_code', code })).toBe('verified')
  })
  secret('recovery code of the other', made.body.codes[0])
  return { ...account, token: session, codes: made.body.codes }
}

/** Makes statements fail half-way: Postgres's errors go to the log. */
export async function failingRun(run: Run, { email, password, token, passkeys, codes }: Account): Promise<void> {
  const fails = async (reply: Promise<Reply>) => expect((await reply).body.error.type).toBe('internal_error')
  const third = secret('third address', 'cornelia.third@example.com')
  const signUp = { email: third, password: secret('password of the third', 'a horse that nobody ever had') }
  await post(run, '/auth/sign-up', signUp)
  const confirmation = secret('last confirmation', tokenIn(await mailed(run, third, 'Confirm your email address')))
  const e164 = secret('other number', '+4915112345679')
  const options = (await ask(run, 'POST', '/me/passkeys/options', undefined, token)).body
  const key = { name: secret('other passkey name', 'Key of nobody'), credential: passkeys.register(options) }
  const { challenge_token } = (await post(run, '/auth/sign-in', { email, password })).body
  secret('last challenge token', challenge_token)

  const refusing: [table: string, ask: () => Promise<Reply>][] = [
    ['sign_ups', () => post(run, '/auth/sign-up', signUp)],
    ['messages', () => post(run, '/auth/sign-up', signUp)],
    ...['people', 'security_events', 'devices', 'sessions'].map((table): [string, () => Promise<Reply>] => [
      table,
      () => post(run, '/auth/email/confirm', { token: confirmation, password: signUp.password }),
    ]),
    ['password_resets', () => post(run, '/auth/password/forgot', { email })],
    ['sign_in_challenges', () => post(run, '/auth/sign-in', { email, password })],
    ['phone_numbers', () => post(run, '/me/phone-numbers', { e164 }, token)],
    ['messaging_codes', () => post(run, '/me/phone-numbers', { e164 }, token)],
    ['recovery_codes', () => ask(run, 'POST', '/me/recovery-codes', undefined, token)],
    ['webauthn_challenges', () => ask(run, 'POST', '/me/passkeys/options', undefined, token)],
    ['passkeys', () => post(run, '/me/passkeys', key, token)],
    ['login_credentials', () => ask(run, 'POST', '/auth/login-credential', {}, token)],
    ['avatars', () => uploadPicture(run, token)],
    ['step_ups', () => ask(run, 'POST', '/me/approval-credential', {}, token)],
  ]
  for (const [table, request] of refusing) await whileRefusing(table, () => fails(request()))
  for (const table of ['authenticators', 'sign_in_challenges'])
    await without(table, () => fails(post(run, '/auth/mfa', { challenge_token, code: codes[0] })))
  await without('sessions', () => fails(ask(run, 'GET', '/me', undefined, token)))
  await ask(run, 'POST', '/auth/sign-out', {}, token)
}
