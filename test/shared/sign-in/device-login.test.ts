import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { tokenHash } from '../../../platform/encryption.ts'
import { type TestPerson, api, organization, person, verifyStepUp, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { type TestSession, coolingDevice, eventsOf, sessionOf } from '../../support/identity/devices.ts'
import { advance, mailsTo, signedInBy } from '../../support/identity/identity.ts'

const ask = (token: string) => api('POST', '/auth/login-credential', { token, body: {} })
const add = (token: string) => withStepUp('POST', '/auth/login-credential', { token, body: {} })
const signIn = (body: object) => api('POST', '/auth/sign-in/device', { body })

type Enrolled = TestSession & { device_id: string; credential: string }

async function enrolled(somebody: TestPerson, name = 'Phone'): Promise<Enrolled> {
  const session = await sessionOf(somebody, { name })
  const { status, body } = await add(session.token)
  if (status !== 200) throw new Error(`login credential: ${status} ${JSON.stringify(body)}`)
  return { ...session, ...body }
}

async function enrolledPerson(): Promise<[TestPerson, Enrolled]> {
  const somebody = await person()
  return [somebody, await enrolled(somebody)]
}

const shown = ({ device_id, credential }: Enrolled) => ({ device_id, credential })

const refused = { status: 401, body: { error: { type: 'invalid_credentials' } } }

describe('a login credential', () => {
  test('is given to the device of the session, once, for 30 days; its hash alone is kept; log and mail name it', async () => {
    const somebody = await person()
    const phone = await sessionOf(somebody, { name: 'My new phone' })
    await verifyStepUp(await ask(phone.token))
    const before = (await mailsTo(somebody.email)).length
    const { status, body } = await ask(phone.token)
    const credential = expect.stringMatching(/^dlc_[\w-]{43}$/)
    expect([status, body]).toEqual([200, { credential, device_id: phone.deviceId, expires_at: expect.any(String) }])
    const [row] = await owner`
      select credential_hash, device_id, expires_at = inserted_at + interval '30 days' as exact
      from login_credentials where user_id = ${somebody.userId}`
    expect(row).toEqual({ credential_hash: tokenHash(body.credential), device_id: phone.deviceId, exact: true })
    const events = await eventsOf(somebody, 'login_credential.added')
    expect(events).toMatchObject([
      { session_id: phone.sessionId, device_id: phone.deviceId, details: { name: 'My new phone', replaced: false } },
    ])
    const mails = (await mailsTo(somebody.email)).slice(0, -before)
    expect(mails).toMatchObject([{ text: expect.stringContaining('My new phone') }])
    expect(JSON.stringify([events, mails])).not.toContain(body.credential)
  })

  test('asks a session for a step-up, however fresh its password; one that just began by a factor for none', async () => {
    const somebody = await person()
    const phone = await sessionOf(somebody)
    const asked = await ask(phone.token)
    expect(refusal(asked)).toEqual([403, 'step_up_required'])
    await verifyStepUp(asked)
    expect((await ask(phone.token)).status).toBe(200)
    const other = await signedInBy(await person(), 'totp')
    expect((await ask(other.token)).status).toBe(200)
    await owner`update sessions set signed_in_at = signed_in_at - interval '10 minutes' where id = ${other.sessionId}`
    expect(refusal(await ask(other.token))).toEqual([403, 'step_up_required'])
  })

  test('is not renewed by itself: who signed in with it is asked for a step-up', async () => {
    const phone = await enrolled(await person())
    const { token } = (await signIn(shown(phone))).body
    expect((await ask(token)).body.error.type).toBe('step_up_required')
  })

  test('takes the place of the earlier one of the device; of 20 at once one is left, and it is one that was told', async () => {
    const somebody = await person()
    const [phone, tablet] = [await enrolled(somebody), await enrolled(somebody, 'Tablet')]
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(phone.token)))
    const told = answers.map(({ body }) => body.credential as string)
    expect(new Set(told).size).toBe(20)
    const left = await owner`select credential_hash from login_credentials where device_id = ${phone.deviceId}`
    expect(left).toHaveLength(1)
    expect(told.filter((credential) => tokenHash(credential).equals(left[0]?.['credential_hash']))).toHaveLength(1)
    expect(await signIn(shown(phone))).toMatchObject(refused)
    expect((await signIn(shown(tablet))).status).toBe(200)
  })
})

describe('signing in with it', () => {
  test('opens a session on that device as the password would', async () => {
    const [somebody, phone] = await enrolledPerson()
    const { status, body } = await signIn(shown(phone))
    const { token } = body
    const user = expect.objectContaining({ id: somebody.userId })
    expect([status, body]).toEqual([200, { status: 'authenticated', token, device_id: phone.deviceId, user }])
    expect((await api('GET', '/me', { token })).status).toBe(200)
    const [row] = await owner`select last_used_at from login_credentials where device_id = ${phone.deviceId}`
    expect(row?.['last_used_at']).not.toBeNull()
    expect((await signIn(shown(phone))).status).toBe(200)
    expect((await signIn({ ...shown(phone), device_id: phone.device_id.toUpperCase() })).status).toBe(200)
  })

  test('stands in for the password alone: the authenticator code is still asked for, until the device is trusted', async () => {
    const somebody = await person({ authenticator: true })
    const phone = await enrolled(somebody)
    const first = await signIn({ ...shown(phone), trust_tokens: true })
    expect(first).toMatchObject({ status: 200, body: { status: 'mfa_required', device_id: phone.deviceId } })
    const { challenge_token } = first.body
    const mfa = await api('POST', '/auth/mfa', { body: { challenge_token, code: await somebody.totp() } })
    expect(mfa.body).toMatchObject({ status: 'authenticated', device_id: phone.deviceId })
    const { trust_token } = mfa.body
    expect((await signIn({ ...shown(phone), trust_token })).body.status).toBe('authenticated')
    expect((await signIn({ ...shown(phone), trust_token: 'another' })).body.status).toBe('mfa_required')
    expect((await signIn(shown(phone))).body.status).toBe('mfa_required')
  })

  test('answers totp_setup_required where an organization asks its members for an authenticator', async () => {
    const [somebody, phone] = await enrolledPerson()
    const { id } = await organization(somebody)
    await owner`update organizations set requires_authenticator = true where id = ${id}`
    expect((await signIn(shown(phone))).body.status).toBe('totp_setup_required')
  })

  test('is refused alike, whatever is wrong: device, credential, person, kind; only a known device has it in its log', async () => {
    const [somebody, stranger] = [await person(), await person()]
    const [phone, tablet] = [await enrolled(somebody), await enrolled(somebody, 'Tablet')]
    const theirs = await enrolled(stranger)
    const approving = await coolingDevice(somebody)
    const made = `dlc_${'x'.repeat(43)}`
    const wrong = [
      { device_id: phone.device_id, credential: made },
      { device_id: phone.device_id, credential: tablet.credential },
      { device_id: phone.device_id, credential: theirs.credential },
      { device_id: approving.deviceId, credential: approving.credential },
      { device_id: theirs.device_id, credential: phone.credential },
      { device_id: randomUUID(), credential: phone.credential },
      { device_id: 'nonsense', credential: made },
    ]
    const answers = []
    for (const body of wrong) answers.push(await signIn(body))
    for (const answer of answers) expect(answer).toMatchObject(refused)
    const bodies = answers.map(({ body }) => JSON.stringify({ ...body.error, request_id: '' }))
    expect(new Set(bodies).size).toBe(1)
    const failures = await eventsOf(somebody, 'sign_in.failed')
    expect(failures.map(({ details }) => details)).toEqual(Array(4).fill({ method: 'device' }))
    expect(await eventsOf(stranger, 'sign_in.failed')).toHaveLength(1)
  })

  test('ends when the device is removed, which also stops it as an approval device', async () => {
    const [somebody, phone] = await enrolledPerson()
    const approving = await coolingDevice(somebody)
    for (const { deviceId } of [phone, approving]) {
      expect((await api('DELETE', `/devices/${deviceId}`, { token: somebody.token })).status).toBe(200)
    }
    expect(await signIn(shown(phone))).toMatchObject(refused)
    const left = await api('GET', '/me/approval-credentials', { token: somebody.token })
    expect(left.body.data).toEqual([])
  })

  test('ends with a changed password', async () => {
    const [somebody, phone] = await enrolledPerson()
    const body = { current_password: somebody.password, password: 'another long pass phrase' }
    expect((await api('POST', '/me/password', { token: somebody.token, body })).status).toBe(200)
    expect(await signIn(shown(phone))).toMatchObject(refused)
  })

  test('ends after 30 days, however often it was used', async () => {
    const [, phone] = await enrolledPerson()
    await advance(30 * 24 * 3600 - 60)
    expect((await signIn(shown(phone))).body.status).toBe('authenticated')
    await advance(60)
    expect(await signIn(shown(phone))).toMatchObject(refused)
  })
})
