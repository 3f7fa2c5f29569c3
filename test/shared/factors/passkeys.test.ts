/** Passkeys over HTTP: registered by one valid answer to one challenge; their limit, list and removal. */
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { PASSKEYS_MAX, type RegistrationOptions } from '../../../domain/factors/passkey.ts'
import { type TestPerson, api, person, verifyStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { subjectsTo } from '../../support/identity/identity.ts'
import {
  listPasskeys,
  passkey,
  passkeyEvents,
  passkeyOptions,
  registerPasskey,
  removePasskey,
  tryPasskey,
} from '../../support/identity/passkeys.ts'
import { type Registration, softwareAuthenticator } from '../../support/identity/software-authenticator.ts'

describe('options', () => {
  test('are what a browser takes, with a fresh challenge, and name the passkeys that the person has', async () => {
    const somebody = await person({ name: 'Ada' })
    const options = await passkeyOptions(somebody)
    expect(options).toEqual({
      rp: { id: 'localhost', name: 'Business Finance Service' },
      user: {
        id: Buffer.from(somebody.userId.replaceAll('-', ''), 'hex').toString('base64url'),
        name: somebody.email,
        displayName: 'Ada Person',
      },
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 600_000,
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      attestation: 'none',
    })
    expect((await passkeyOptions(somebody)).challenge).not.toBe(options.challenge)
    const credential = softwareAuthenticator().register(options)
    expect((await registerPasskey(somebody, credential)).status).toBe(201)
    const named = { id: credential.id, transports: ['internal'], type: 'public-key' }
    expect((await passkeyOptions(somebody)).excludeCredentials).toEqual([named])
    expect((await passkeyOptions(await person())).excludeCredentials).toEqual([])
  })
})

describe('registration', () => {
  test.each(['ES256', 'Ed25519', 'RS256'] as const)('takes a key of %s', async (algorithm) => {
    const somebody = await person()
    const added = await passkey(somebody, softwareAuthenticator({ algorithm }))
    const [device] = await owner`select device_id from sessions where id = ${somebody.sessionId}`
    expect(added).toEqual({
      id: expect.any(String),
      name: 'Laptop',
      device_id: device?.['device_id'],
      this_device: true,
      synced: false,
      transports: ['internal'],
      inserted_at: expect.stringMatching(/Z$/),
      last_used_at: null,
    })
    expect((await listPasskeys(somebody)).data).toEqual([added])
  })

  test('asks for step-up, which leaves the challenge for the repeated request; a retry makes no other', async () => {
    const somebody = await person()
    const body = { name: 'Laptop', credential: softwareAuthenticator().register(await passkeyOptions(somebody)) }
    const add = () => api('POST', '/me/passkeys', { token: somebody.token, key: somebody.userId, body })
    const refused = await add()
    expect(refusal(refused)).toEqual([403, 'step_up_required'])
    expect((await listPasskeys(somebody)).data).toEqual([])
    await verifyStepUp(refused)
    const added = { status: 201, body: { id: expect.any(String) } }
    expect([await add(), await add()]).toMatchObject([added, added])
    expect((await listPasskeys(somebody)).data).toHaveLength(1)
  })

  test('is in the log, with a mail to the person, and so is a removal; neither says what the key is', async () => {
    const somebody = await person()
    const { id } = await passkey(somebody)
    expect(await subjectsTo(somebody.email)).toContain('A passkey was added to your account')
    expect(await removePasskey(somebody, id)).toMatchObject({ status: 200, body: { deleted: true, id } })
    expect(await subjectsTo(somebody.email)).toContain('A passkey was removed from your account')
    const event = { session_id: somebody.sessionId, details: { passkey_id: id, name: 'Laptop' } }
    expect(await passkeyEvents(somebody)).toEqual([
      { ...event, type: 'passkey.added' },
      { ...event, type: 'passkey.removed' },
    ])
  })

  const attestations: Registration[] = [{ attestation: 'self' }, { attestation: 'certificate' }]
  test.each(attestations)('takes $attestation attestation; the make is not looked at', async (how) => {
    expect((await tryPasskey(await person(), softwareAuthenticator(), how)).status).toBe(201)
  })

  test('a passkey that may live on several devices is synced; a transport counts once', async () => {
    const authenticator = softwareAuthenticator({ synced: true })
    const answer = await tryPasskey(await person(), authenticator, { transports: ['hybrid', 'internal', 'hybrid'] })
    expect(answer.body).toMatchObject({ synced: true, transports: ['hybrid', 'internal'] })
  })

  const wrong: [string, Registration, string][] = [
    ['an origin that is not ours', { origin: 'https://evil.example' }, 'wrong_origin'],
    ['an origin that only begins like ours', { origin: 'http://localhost.evil.example' }, 'wrong_origin'],
    ['a page of ours inside a strange one', { crossOrigin: true }, 'malformed'],
    ['a made-up challenge', { challenge: randomBytes(32).toString('base64url') }, 'wrong_challenge'],
    ['a challenge that is no base64url', { challenge: 'not\0base64url' }, 'malformed'],
    ['another relying party', { rpId: 'evil.example' }, 'not_verified'],
    ['an assertion in its place', { type: 'webauthn.get' }, 'not_verified'],
    ['nobody present', { userPresent: false }, 'not_verified'],
    ['nobody verified', { userVerified: false }, 'not_verified'],
    ['a wrong signature', { attestation: 'self', signature: randomBytes(70) }, 'not_verified'],
    ['no id', { credentialId: Buffer.alloc(0) }, 'not_verified'],
  ]
  test.each(wrong)('refuses %s, and the challenge stays good for a right answer', async (_, how, reason) => {
    const somebody = await person()
    const options = await passkeyOptions(somebody)
    const credential = softwareAuthenticator().register(options, how)
    if (how.credentialId) Object.assign(credential, { id: 'AAAA', rawId: 'AAAA' })
    const answer = await registerPasskey(somebody, credential)
    expect(refusal(answer)).toEqual([422, 'unprocessable_entity'])
    expect(answer.body.error.details).toEqual({ reason })
    expect((await listPasskeys(somebody)).data).toEqual([])
    expect((await registerPasskey(somebody, softwareAuthenticator().register(options))).status).toBe(201)
  })

  test('refuses bytes that are none of it, and the challenge stays good', async () => {
    const somebody = await person()
    const right = softwareAuthenticator().register(await passkeyOptions(somebody))
    const withResponse = (response: object) => ({ ...right, response: { ...right.response, ...response } })
    const { attestationObject } = right.response
    const malformed = [
      withResponse({ clientDataJSON: '%%%' }),
      withResponse({ clientDataJSON: Buffer.from('null').toString('base64url') }),
      withResponse({ attestationObject: '%%%' }),
      withResponse({ attestationObject: attestationObject.slice(0, 60) }),
      withResponse({ attestationObject: Buffer.alloc(20_000, 0x9f).toString('base64url') }),
      withResponse({ attestationObject: Buffer.of(0xa0).toString('base64url') }),
      { ...right, rawId: 'AAAA' },
      { ...right, id: 'AAAA', rawId: 'AAAA' },
    ]
    for (const credential of malformed) {
      const answer = await registerPasskey(somebody, credential)
      expect(refusal(answer)).toEqual([422, 'unprocessable_entity'])
      expect(['malformed', 'not_verified']).toContain(answer.body.error.details.reason)
    }
    expect((await registerPasskey(somebody, right)).status).toBe(201)
  })
})

describe('a challenge', () => {
  test('of another session, of another person, expired or used registers nothing', async () => {
    const [somebody, other] = [await person(), await person()]
    const registered = (by: TestPerson, options: RegistrationOptions) =>
      registerPasskey(by, softwareAuthenticator().register(options))
    const wrong = async (by: TestPerson, options: RegistrationOptions) =>
      expect((await registered(by, options)).body.error.details).toEqual({ reason: 'wrong_challenge' })
    const options = await passkeyOptions(somebody)
    await wrong(other, options)
    await owner`update webauthn_challenges set subject = ${randomUUID()} where challenge = ${options.challenge}`
    await wrong(somebody, options)
    const late = await passkeyOptions(somebody)
    await owner`update webauthn_challenges set expires_at = business_now() where user_id = ${somebody.userId}`
    await wrong(somebody, late)
    const once = await passkeyOptions(somebody)
    expect((await registered(somebody, once)).status).toBe(201)
    await wrong(somebody, once)
  })

  test('is used once by five answers at once', async () => {
    const somebody = await person()
    const options = await passkeyOptions(somebody)
    await passkey(somebody) // opens the window
    const credentials = Array.from({ length: 5 }, () => softwareAuthenticator().register(options))
    const answers = await Promise.all(credentials.map((credential) => registerPasskey(somebody, credential)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422])
  })
})

describe('a credential', () => {
  test('that is registered already, to anybody, now or once, is refused', async () => {
    const [somebody, other] = [await person(), await person()]
    const credentialId = randomBytes(32)
    const again = (by: TestPerson) => tryPasskey(by, softwareAuthenticator(), { credentialId })
    const added = (await again(somebody)).body
    await removePasskey(somebody, added.id)
    for (const answer of [await again(somebody), await again(other)]) {
      expect(refusal(answer)).toEqual([409, 'invalid_state'])
      expect(answer.body.error.details).toMatchObject({ current: 'registered', reason: 'already_registered' })
    }
  })

  test(`a person has at most ${PASSKEYS_MAX}, also when several are added at once`, async () => {
    const somebody = await person()
    await passkey(somebody)
    await fill(somebody, PASSKEYS_MAX - 3)
    const credentials = await Promise.all(
      Array.from({ length: 4 }, async () => softwareAuthenticator().register(await passkeyOptions(somebody))),
    )
    const answers = await Promise.all(credentials.map((credential) => registerPasskey(somebody, credential)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422])
    const refused = await api('POST', '/me/passkeys/options', { token: somebody.token })
    expect(refusal(refused)).toEqual([422, 'unprocessable_entity'])
    expect(refused.body.error.details).toEqual({ reason: 'too_many_passkeys', limit: PASSKEYS_MAX })
    const { data } = await listPasskeys(somebody)
    expect(data).toHaveLength(PASSKEYS_MAX)
    await removePasskey(somebody, data[0].id)
    expect((await tryPasskey(somebody)).status).toBe(201)
  })
})

/** Passkeys without a device. */
const fill = (somebody: TestPerson, count: number) => owner`
  insert into passkeys (user_id, name, credential_id, public_key, counter, synced)
  select ${somebody.userId}, 'Passkey ' || n, 'made-up-' || gen_random_uuid(), '\\x00', 0, false
  from generate_series(1, ${count}::int) n`

describe('the list and removal', () => {
  test('page by page, newest first, and a cursor outlives the removal of its passkey', async () => {
    const somebody = await person()
    const added = [await passkey(somebody), await passkey(somebody), await passkey(somebody)].map(({ id }) => id)
    const ids = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)
    const first = await listPasskeys(somebody, '?limit=2')
    expect(ids(first)).toEqual([added[2], added[1]])
    expect(first).toMatchObject({ has_more: true, next_cursor: added[1] })
    await removePasskey(somebody, added[1])
    expect(ids(await listPasskeys(somebody, `?limit=2&cursor=${first.next_cursor}`))).toEqual([added[0]])
  })

  test('five removals at once remove once, with one event and one mail', async () => {
    const somebody = await person()
    const { id } = await passkey(somebody)
    const answers = await Promise.all(Array.from({ length: 5 }, () => removePasskey(somebody, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404])
    expect((await listPasskeys(somebody)).data).toEqual([])
    expect((await passkeyEvents(somebody)).map(({ type }) => type)).toEqual(['passkey.added', 'passkey.removed'])
    const removed = 'A passkey was removed from your account'
    expect((await subjectsTo(somebody.email)).filter((subject) => subject === removed)).toHaveLength(1)
  })
})
