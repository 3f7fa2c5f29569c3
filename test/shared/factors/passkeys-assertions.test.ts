/** A passkey's signature counts once, for exactly the request that it was made for. */
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { UserId } from '../../../domain/ids.ts'
import type { WebauthnCredential, WebauthnOptions } from '../../../domain/factors/passkey.ts'
import { transaction } from '../../../db/postgres/sql.ts'
import { type CeremonyOf, assertionOptions, isOurOrigin, consumeAssertion } from '../../../services/factors/webauthn.ts'
import { type TestPerson, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { passkey } from '../../support/identity/passkeys.ts'
import { type Deviation, softwareAuthenticator } from '../../support/identity/software-authenticator.ts'

type About = CeremonyOf<'sign_in' | 'step_up'>

const aboutOf = (somebody: TestPerson, more: Partial<About> = {}): About => ({
  userId: somebody.userId as UserId, // the id of a row that was just written
  purpose: 'sign_in',
  subject: randomUUID(),
  ...more,
})
async function asked(about: About): Promise<WebauthnOptions> {
  const options = await transaction((tx) => assertionOptions(tx, about))
  if (!options) throw new Error('no passkey')
  return options
}
const take = (about: About, credential: WebauthnCredential, challengeId?: string) =>
  transaction(async (tx) => (await consumeAssertion(tx, about, credential, challengeId)) !== undefined)

async function holder(authenticator = softwareAuthenticator()) {
  const somebody = await person()
  const { id } = await passkey(somebody, authenticator)
  const about = aboutOf(somebody)
  /** Answers a fresh challenge, with this deviation; says whether that counts. */
  const passes = async (how?: Deviation) => take(about, authenticator.assert(await asked(about), how))
  return { somebody, authenticator, id, about, passes }
}
const stored = async (id: string) => (await owner`select counter, last_used_at from passkeys where id = ${id}`)[0]

describe('options', () => {
  test('are the contract’s, with a fresh challenge each time; there are none without a passkey', async () => {
    const { somebody, authenticator, about } = await holder()
    await passkey(somebody, softwareAuthenticator())
    const options = await asked(about)
    expect(options).toEqual({
      challenge_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rp_id: 'localhost',
      timeout: 600_000,
      user_verification: 'required',
      allow_credentials: [
        { id: expect.any(String), transports: ['internal'], type: 'public-key' },
        { id: authenticator.assert(options).id, transports: ['internal'], type: 'public-key' },
      ],
    })
    expect((await asked(about)).challenge).not.toBe(options.challenge)
    const nobody = aboutOf(await person())
    expect(await transaction((tx) => assertionOptions(tx, nobody))).toBeNull()
  })
})

describe('a right assertion', () => {
  test.each(['ES256', 'Ed25519', 'RS256'] as const)(
    'of %s is true once, and its counter is kept',
    async (algorithm) => {
      const { authenticator, about, id, passes } = await holder(softwareAuthenticator({ algorithm }))
      const credential = authenticator.assert(await asked(about))
      expect(await stored(id)).toEqual({ counter: '0', last_used_at: null })
      expect(await take(about, credential)).toBe(true)
      expect(await stored(id)).toEqual({ counter: '1', last_used_at: expect.any(Date) })
      expect(await take(about, credential)).toBe(false)
      expect(await passes()).toBe(true)
    },
  )

  test('is true once of 20 at once, also of a passkey that never counts', async () => {
    for (const synced of [false, true]) {
      const { authenticator, about } = await holder(softwareAuthenticator({ synced }))
      const credential = authenticator.assert(await asked(about))
      const taken = await Promise.all(Array.from({ length: 20 }, () => take(about, credential)))
      expect(taken.filter(Boolean)).toHaveLength(1)
    }
  })

  test('two challenges at once are answered each, whichever comes first', async () => {
    const { authenticator, about } = await holder(softwareAuthenticator({ synced: true }))
    const [one, two] = [await asked(about), await asked(about)]
    expect(await take(about, authenticator.assert(two), two.challenge_id)).toBe(true)
    expect(await take(about, authenticator.assert(one), two.challenge_id)).toBe(false)
    expect(await take(about, authenticator.assert(one), one.challenge_id)).toBe(true)
  })

  test('needs no user handle, and takes only the person’s', async () => {
    const { passes } = await holder(softwareAuthenticator({ synced: true }))
    for (const userHandle of [null, '']) expect(await passes({ userHandle })).toBe(true)
    expect(await passes({ userHandle: randomBytes(16).toString('base64url') })).toBe(false)
  })

  test('that is rolled back has used nothing up', async () => {
    const { authenticator, about, id } = await holder()
    const credential = authenticator.assert(await asked(about))
    const failed = transaction(async (tx) => {
      expect(await consumeAssertion(tx, about, credential)).toBeDefined()
      throw new Error('the deed failed')
    })
    await expect(failed).rejects.toThrow('the deed failed')
    expect(await stored(id)).toEqual({ counter: '0', last_used_at: null })
    expect(await take(about, credential)).toBe(true)
  })
})

describe('false, and the challenge stays good', () => {
  const wrong: [string, Deviation][] = [
    ['a wrong signature', { signature: randomBytes(70) }],
    ['another origin', { origin: 'https://evil.example' }],
    ['another scheme', { origin: 'https://localhost' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['a page of ours inside a strange one', { crossOrigin: true }],
    ['nobody present', { userPresent: false }],
    ['nobody verified', { userVerified: false }],
    ['a registration in its place', { type: 'webauthn.create' }],
    ['a made-up challenge', { challenge: randomBytes(32).toString('base64url') }],
    ['a passkey that became a synced one', { synced: true }],
  ]
  test.each(wrong)('%s', async (_, how) => {
    const { authenticator, about, id } = await holder()
    const options = await asked(about)
    expect(await take(about, authenticator.assert(options, how))).toBe(false)
    expect(await stored(id)).toEqual({ counter: '0', last_used_at: null })
    expect(await take(about, authenticator.assert(options))).toBe(true)
  })

  test('a counter that does not go up, unless it never does', async () => {
    const { passes } = await holder()
    expect(await passes({ counter: 7 })).toBe(true)
    for (const counter of [7, 6, 1, 0]) expect(await passes({ counter })).toBe(false)
    expect(await passes({ counter: 8 })).toBe(true)
    const still = await holder(softwareAuthenticator({ synced: true }))
    for (const _ of [1, 2]) expect(await still.passes()).toBe(true)
  })

  test('anything malformed or made up, without an exception', async () => {
    const { authenticator, about } = await holder()
    const options = await asked(about)
    const right = authenticator.assert(options)
    const withResponse = (response: object) => ({ ...right, response: { ...right.response, ...response } })
    const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const broken = [
      { ...right, id: 'AAAA', rawId: 'AAAA' },
      { ...right, id: 'nul\0', rawId: 'nul\0' },
      { ...right, id: '\ud800' },
      { ...right, rawId: 'AAAA' },
      withResponse({ clientDataJSON: '%%%' }),
      withResponse({ clientDataJSON: json(null) }),
      withResponse({ clientDataJSON: json([]) }),
      withResponse({ clientDataJSON: json({ challenge: 'nul\0', origin: 'http://localhost' }) }),
      withResponse({ clientDataJSON: json({ challenge: { a: 1 }, origin: 'http://localhost' }) }),
      withResponse({ authenticatorData: 'AAAA' }),
      withResponse({ authenticatorData: '%%%' }),
      withResponse({ authenticatorData: `${right.response.authenticatorData}AAAA` }),
      withResponse({ signature: '%%%' }),
      withResponse({ signature: 'AAAA' }),
    ]
    for (const credential of broken) expect(await take(about, credential)).toBe(false)
    expect(await take(about, right, 'no uuid')).toBe(false)
    expect(await take(about, right, randomUUID())).toBe(false)
    expect(await take(about, right, options.challenge_id)).toBe(true)
  })

  test('a stored key that cannot be read', async () => {
    const { id, passes } = await holder()
    await owner`update passkeys set public_key = '\\x00' where id = ${id}`
    expect(await passes()).toBe(false)
  })
})

describe('bound', () => {
  test('to the person, the purpose and the subject', async () => {
    const { somebody, authenticator, about } = await holder()
    const other = await holder(authenticator)
    const options = await asked(about)
    const credential = authenticator.assert(options)
    expect(await take({ ...about, subject: randomUUID() }, credential)).toBe(false)
    expect(await take({ ...about, purpose: 'step_up' }, credential)).toBe(false)
    expect(await take({ ...about, userId: other.about.userId }, credential)).toBe(false)
    const foreign = authenticator.assert({ ...(await asked(other.about)), challenge: options.challenge })
    expect(await take(about, foreign)).toBe(false)
    expect(await take({ ...about, userId: somebody.userId as UserId }, credential)).toBe(true)
  })

  test('to ten minutes', async () => {
    const { authenticator, about } = await holder()
    const options = await asked(about)
    const [row] = await owner`
      select expires_at = inserted_at + interval '10 minutes' as exact from webauthn_challenges
      where id = ${options.challenge_id}`
    expect(row).toEqual({ exact: true })
    await owner`update webauthn_challenges set expires_at = business_now() where id = ${options.challenge_id}`
    expect(await take(about, authenticator.assert(options))).toBe(false)
  })

  test('to a passkey that is not removed', async () => {
    const { somebody, authenticator, about, id } = await holder()
    const options = await asked(about)
    expect((await withStepUp('DELETE', `/me/passkeys/${id}`, { token: somebody.token })).status).toBe(200)
    expect(await take(about, authenticator.assert(options))).toBe(false)
    expect(await transaction((tx) => assertionOptions(tx, about))).toBeNull()
  })

  test('to our origins: on localhost in test any port over http, and nothing that only looks like it', () => {
    for (const ours of ['http://localhost', 'http://localhost:5173']) expect(isOurOrigin(ours)).toBe(true)
    const strange = [
      '',
      'null',
      'https://localhost:3000',
      'http://localhost.evil.example',
      'http://localhost:3000.evil.example',
      'http://evil.example/http://localhost',
      'http://localhost:3000/',
      'http://localhost:3000\n',
      'http://127.0.0.1:3000',
      'HTTP://LOCALHOST:3000',
    ]
    for (const origin of strange) expect(isOurOrigin(origin), origin).toBe(false)
  })
})
