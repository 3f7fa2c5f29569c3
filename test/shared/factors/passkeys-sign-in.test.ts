/** Passkeys over HTTP: each answer completes one sign-in or proves one step-up. */
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type TestPerson, api, join, organization, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { sessionOf } from '../../support/identity/devices.ts'
import { codesOf } from '../../support/identity/identity.ts'
import { passkey, tryPasskey } from '../../support/identity/passkeys.ts'
import { type Authenticator, softwareAuthenticator } from '../../support/identity/software-authenticator.ts'

async function holder(authenticator: Authenticator = softwareAuthenticator()) {
  const somebody = await person()
  return { somebody, authenticator, passkey: await passkey(somebody, authenticator) }
}

const signIn = async ({ email, password }: TestPerson, deviceId?: string) =>
  (await api('POST', '/auth/sign-in', { body: { email, password, ...(deviceId && { device_id: deviceId }) } })).body
const answer = (challengeToken: string, credential: unknown) =>
  api('POST', '/auth/webauthn', { body: { challenge_token: challengeToken, credential } })
const prove = (token: string, stepUpId: string, challengeId: string, credential: unknown) =>
  api('POST', `/step-up/${stepUpId}/complete`, {
    token,
    body: { method: 'webauthn', challenge_id: challengeId, credential },
  })
/** A session signed in with the passkey, so that no step-up window is open. */
async function signedIn({ somebody, authenticator }: Awaited<ReturnType<typeof holder>>): Promise<string> {
  const asked = await signIn(somebody)
  return (await answer(asked.challenge_token, authenticator.assert(asked.webauthn))).body.token
}
const noBytes = { clientDataJSON: 'AAAA', attestationObject: 'AAAA' }
const anyCredential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: noBytes }
/** The challenge of a request that needs step-up; each call is another request. */
const stepUp = async (token: string) => {
  const body = { name: randomUUID(), credential: anyCredential }
  return (await api('POST', '/me/passkeys', { token, body })).body.error.step_up
}
/** Makes them a member of an organization that requires an authenticator. */
async function requireAuthenticator(of: TestPerson): Promise<void> {
  const { id } = await organization(await person())
  await join(id, of, 'member')
  await owner`update organizations set requires_authenticator = true where id = ${id}`
}
describe('a sign-in', () => {
  test('is asked for a passkey, and completed with it', async () => {
    const { somebody, authenticator } = await holder()
    const asked = await signIn(somebody)
    expect(asked).toMatchObject({
      status: 'webauthn_required',
      challenge_token: expect.any(String),
      webauthn: { rp_id: 'localhost', user_verification: 'required', allow_credentials: [{ type: 'public-key' }] },
    })
    const done = await answer(asked.challenge_token, authenticator.assert(asked.webauthn))
    expect(done).toMatchObject({ status: 200, body: { status: 'authenticated', device_id: asked.device_id } })
    const me = await api('GET', '/me', { token: done.body.token })
    expect(me.body).toEqual(done.body.user)
    const again = await answer(asked.challenge_token, authenticator.assert(asked.webauthn))
    expect(again.body).toEqual({ status: 'challenge_expired' })
  })

  test('fails on a foreign, wrong or made-up answer; the fifth exhausts it, also for a right one', async () => {
    const { somebody, authenticator } = await holder()
    const stranger = await holder()
    const asked = await signIn(somebody)
    const theirs = await signIn(stranger.somebody)
    const right = authenticator.assert(asked.webauthn)
    const failed = { status: 200, body: { status: 'mfa_failed' } }
    expect(await answer(theirs.challenge_token, right)).toMatchObject(failed)
    expect(await answer(asked.challenge_token, { ...right, id: 'AAAA', rawId: 'AAAA' })).toMatchObject(failed)
    for (const how of [{ signature: randomBytes(70) }, { origin: 'https://evil.example' }, { userVerified: false }]) {
      expect(await answer(asked.challenge_token, authenticator.assert(asked.webauthn, how))).toMatchObject(failed)
    }
    const foreign = stranger.authenticator.assert({ ...theirs.webauthn, challenge: asked.webauthn.challenge })
    expect(await answer(asked.challenge_token, foreign)).toMatchObject(failed)
    expect(await answer(asked.challenge_token, authenticator.assert(asked.webauthn))).toMatchObject(failed)
    expect((await answer('made-up', right)).body).toEqual({ status: 'challenge_expired' })
    expect((await answer(asked.challenge_token, { id: right.id })).status).toBe(400)
    expect(await signedIn({ ...stranger })).toMatch(/^ses_/)
  })

  test('asks for the passkey even where an authenticator is to be set up, and then for that', async () => {
    const { somebody, authenticator } = await holder()
    await requireAuthenticator(somebody)
    const asked = await signIn(somebody)
    expect(asked.status).toBe('webauthn_required')
    const setUp = (challenge_token: string) => api('POST', '/auth/sign-in/totp/setup', { body: { challenge_token } })
    expect((await setUp(asked.challenge_token)).body.error.type).toBe('token_invalid')
    const { body } = await answer(asked.challenge_token, authenticator.assert(asked.webauthn))
    const { challenge_token } = body
    expect(body).toEqual({ status: 'totp_setup_required', challenge_token, device_id: asked.device_id })
    const code = await codesOf((await setUp(challenge_token)).body.secret_encoded)()
    const done = await api('POST', '/auth/sign-in/totp/activate', { body: { challenge_token, code } })
    expect(done.body).toMatchObject({ status: 'authenticated', device_id: asked.device_id })
    expect((await stepUp(done.body.token)).methods).toEqual(['totp', 'webauthn']) // it counts at once after the passkey
  })

  test('asks for the authenticator that is to be set up after a recovery code in the place of the passkey, too', async () => {
    const { somebody } = await holder()
    const { codes } = (await withStepUp('POST', '/me/recovery-codes', { token: somebody.token })).body
    await requireAuthenticator(somebody)
    const { challenge_token } = await signIn(somebody)
    const answered = await api('POST', '/auth/mfa', { body: { challenge_token, code: codes[0] } })
    expect(answered.body.status).toBe('totp_setup_required')
  })

  test('asks for the passkey on every device, also on one that is known and has none of its own', async () => {
    const { somebody } = await holder()
    const { deviceId } = await sessionOf(somebody)
    expect(await signIn(somebody, deviceId)).toMatchObject({ status: 'webauthn_required', device_id: deviceId })
  })

  test('asks for a passkey that was added later even on a device that was trusted before', async () => {
    const somebody = await person()
    const { email, password } = somebody
    const first = (await api('POST', '/auth/sign-in', { body: { email, password, remember_me: true } })).body
    await passkey(somebody, softwareAuthenticator({ synced: true }))
    const { device_id, trust_token } = first
    const again = await api('POST', '/auth/sign-in', { body: { email, password, device_id, trust_token } })
    expect(again.body.status).toBe('webauthn_required')
  })

  test('of a person with an authenticator asks for its code; a removed passkey is asked for no more', async () => {
    const both = await person({ authenticator: true })
    await passkey(both)
    expect((await signIn(both)).status).toBe('mfa_required')
    const { somebody, authenticator, passkey: only } = await holder()
    const asked = await signIn(somebody)
    const removed = await api('DELETE', `/me/passkeys/${only.id}`, { token: somebody.token })
    expect(removed.status).toBe(200)
    const late = await answer(asked.challenge_token, authenticator.assert(asked.webauthn))
    expect(late.body).toEqual({ status: 'mfa_failed' })
    expect((await signIn(somebody)).status).toBe('authenticated')
  })
})

describe('a step-up', () => {
  test('offers the passkey, is proved with it, and releases the request', async () => {
    const held = await holder()
    const token = await signedIn(held)
    const { body } = await api('POST', '/me/passkeys/options', { token })
    const request = { name: 'Second', credential: softwareAuthenticator().register(body) }
    const refused = await api('POST', '/me/passkeys', { token, body: request })
    const { id, methods, webauthn } = refused.body.error.step_up
    expect(methods).toContain('webauthn')
    const credential = held.authenticator.assert(webauthn)
    const proved = await prove(token, id, webauthn.challenge_id, credential)
    expect(proved.body).toMatchObject({ status: 'verified', verified_until: expect.any(String) })
    expect((await api('POST', '/me/passkeys', { token, body: request })).status).toBe(201)
  })
})

test('a passkey of the sign-in’s own device is used, and that device is the one that holds it', async () => {
  const held = await holder()
  const token = await signedIn(held)
  const { body } = await api('GET', '/me/passkeys', { token })
  expect(body.data).toMatchObject([{ id: held.passkey.id, this_device: false, last_used_at: expect.any(String) }])
  const again = await signIn(held.somebody, held.passkey.device_id)
  expect(again).toMatchObject({ status: 'webauthn_required', device_id: held.passkey.device_id })
  const done = await answer(again.challenge_token, held.authenticator.assert(again.webauthn))
  const list = await api('GET', '/me/passkeys', { token: done.body.token })
  expect(list.body.data).toMatchObject([{ id: held.passkey.id, this_device: true }])
  expect((await tryPasskey({ ...held.somebody, token: done.body.token })).status).toBe(201)
})
