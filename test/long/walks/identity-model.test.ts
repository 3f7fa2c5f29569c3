import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type TestPerson, api, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { WRONG_CODE, advance, codeTo, codesOf, me, mfa, signIn } from '../../support/identity/identity.ts'
import { MODEL_TIMEOUT_MS } from '../../support/model-runs.ts'
import { deed, walkAll } from '../../support/walks.ts'

/** The model of a person; the service must agree with it after every command. */
type Model = {
  password: string
  /** The last used time step of the authenticator, while there is one. */
  authenticator: { lastStep: number } | null
  sessions: { alive: boolean; device: number }[]
  devices: { removed: boolean; trusted: boolean }[]
  challenges: { open: boolean; attempts: number; device: number; trust: boolean }[]
  recoveryCodes: { good: boolean }[]
  window: Set<number>
}

/** The secrets of the service for the model's entries, by index. */
type Real = {
  who: TestPerson
  secret: string
  tokens: string[]
  deviceIds: string[]
  trustTokens: (string | undefined)[]
  challengeTokens: string[]
  recoveryCodes: string[]
}

type Command = fc.AsyncCommand<Model, Real>
const command = (name: string, check: (m: Readonly<Model>) => boolean, run: Command['run']): Command =>
  deed(name, run, check)
const pick = (list: readonly unknown[], index: number): number => index % list.length
const nowStep = () => Math.floor(Date.now() / 1000 / 30)

/** Opens a session in the model for an answer that opened one in the service. */
function opened(m: Model, r: Real, device: number, body: any, trust: boolean): void {
  m.sessions.push({ alive: true, device })
  r.tokens.push(body.token)
  r.deviceIds[device] = body.device_id
  if (trust) r.trustTokens[device] = body.trust_token
  m.devices[device] = { removed: false, trusted: trust || (m.devices[device]?.trusted ?? false) }
}

const signInWith = (index: number, known: boolean, trust: boolean, showTrust: boolean, right: boolean) =>
  command(
    `signIn(${index}, known ${known}, trust ${trust}, show ${showTrust}, right ${right})`,
    () => true,
    async (m, r) => {
      const usable = m.devices.flatMap((device, i) => (device.removed ? [] : [i]))
      const at = known && usable.length > 0 ? usable[pick(usable, index)] : undefined
      const answer = await signIn(r.who.email, right ? m.password : `${m.password} no`, {
        ...(at !== undefined && { device_id: r.deviceIds[at] }),
        ...(trust && { remember_me: true }),
        ...(showTrust && at !== undefined && r.trustTokens[at] && { trust_token: r.trustTokens[at] }),
      })
      if (!right) return expect(answer.body.error.type).toBe('invalid_credentials')
      const device = at ?? m.devices.length
      const trusted = at !== undefined && showTrust && m.devices[at]?.trusted && r.trustTokens[at] !== undefined
      if (m.authenticator && !trusted) {
        expect(answer.body.status).toBe('mfa_required')
        m.challenges.push({ open: true, attempts: 0, device: at ?? -1, trust })
        r.challengeTokens.push(answer.body.challenge_token)
        return
      }
      expect(answer.body.status).toBe('authenticated')
      opened(m, r, device, answer.body, trust)
    },
  )

const answerChallenge = (index: number, kind: 'wrong' | 'totp' | 'recovery', ahead: number) =>
  command(
    `mfa(${index}, ${kind}, ${ahead})`,
    (m) => m.challenges.length > 0,
    async (m, r) => {
      const at = pick(m.challenges, index)
      const challenge = m.challenges[at]
      if (!challenge) return
      const step = nowStep() + ahead
      const recovery = pick([...m.recoveryCodes, null], index)
      const spare = kind === 'recovery' ? m.recoveryCodes[recovery] : undefined
      const code =
        kind === 'totp' ? await codesOf(r.secret)(ahead) : ((spare && r.recoveryCodes[recovery]) ?? WRONG_CODE)
      const { body } = await mfa(r.challengeTokens[at] ?? '', code)
      if (!challenge.open) return expect(body.status).toBe('challenge_expired')
      const { authenticator } = m
      const right = kind === 'totp' ? authenticator !== null && step > authenticator.lastStep : (spare?.good ?? false)
      if (challenge.attempts >= 5) return expect(body.status).toBe('mfa_failed')
      expect(body.status).toBe(right ? 'authenticated' : 'mfa_failed')
      if (!right) return void (challenge.attempts += 1)
      challenge.open = false
      if (spare) spare.good = false
      else if (authenticator) authenticator.lastStep = step
      const known = challenge.device >= 0 && !m.devices[challenge.device]?.removed
      opened(m, r, known ? challenge.device : m.devices.length, body, challenge.trust)
    },
  )

const alive = (m: Readonly<Model>) => m.sessions.flatMap((session, i) => (session.alive ? [i] : []))
const withSession = (
  name: string,
  index: number,
  run: (m: Model, r: Real, at: number, token: string) => Promise<void>,
) =>
  command(
    `${name}(${index})`,
    (m) => alive(m).length > 0,
    async (m, r) => {
      const at = alive(m)[pick(alive(m), index)] ?? 0
      await run(m, r, at, r.tokens[at] ?? '')
    },
  )

const addAuthenticator = (index: number) =>
  withSession('addAuthenticator', index, async (m, r, _, token) => {
    const setup = await api('POST', '/auth/totp/setup', { token })
    if (m.authenticator) return expect(setup.body.error.type).toBe('totp_already_enabled')
    r.secret = setup.body.secret_encoded
    const step = nowStep()
    const codes = { code: await codesOf(r.secret)(), messaging_code: await codeTo(r.who.email) }
    expect((await api('POST', '/auth/totp/activate', { token, body: codes })).status).toBe(200)
    m.authenticator = { lastStep: step }
    for (const device of m.devices) device.trusted = false
  })

const removeAuthenticator = (index: number) =>
  withSession('removeAuthenticator', index, async (m, _, __, token) => {
    const { status } = await withStepUp('DELETE', '/auth/totp', { token })
    expect(status).toBe(m.authenticator ? 200 : 404)
    if (!m.authenticator) return
    m.authenticator = null
    m.recoveryCodes = []
    for (const device of m.devices) device.trusted = false
  })

const makeRecoveryCodes = (index: number) =>
  withSession('makeRecoveryCodes', index, async (m, r, at, token) => {
    const path = '/me/recovery-codes'
    const first = await api('POST', path, { token })
    if (!m.authenticator) return expect(first.status).toBe(409) // a refused command takes no proof
    if (!m.window.has(at)) expect(first.body.error.type).toBe('step_up_required')
    const answer = m.window.has(at) ? first : await withStepUp('POST', path, { token })
    m.window.add(at)
    expect(answer.status).toBe(200)
    r.recoveryCodes = answer.body.codes
    m.recoveryCodes = r.recoveryCodes.map(() => ({ good: true }))
  })

const endSession = (index: number) =>
  withSession('signOut', index, async (m, _, at, token) => {
    await api('POST', '/auth/sign-out', { token })
    Object.assign(m.sessions[at] ?? {}, { alive: false })
  })

const removeDevice = (index: number) =>
  withSession('removeDevice', index, async (m, r, _, token) => {
    const at = pick(m.devices, index)
    const device = m.devices[at]
    const { status } = await api('DELETE', `/devices/${r.deviceIds[at]}`, { token })
    expect(status).toBe(device?.removed ? 404 : 200)
    m.devices[at] = { removed: true, trusted: false }
    for (const session of m.sessions) if (session.device === at) session.alive = false
    for (const challenge of m.challenges) if (challenge.device === at) challenge.open = false
  })

const changePassword = (index: number) =>
  withSession('changePassword', index, async (m, _, at, token) => {
    const password = `${m.password}${index % 10}`
    const body = { current_password: m.password, password }
    expect((await api('POST', '/me/password', { token, body })).status).toBe(200)
    m.password = password
    for (const [i, session] of m.sessions.entries()) if (i !== at) session.alive = false
    for (const device of m.devices) device.trusted = false
    for (const challenge of m.challenges) challenge.open = false
  })

const passTime = command(
  'half an hour passes',
  () => true,
  async (m) => {
    await advance(30 * 60)
    for (const session of m.sessions) session.alive = false
    for (const challenge of m.challenges) challenge.open = false
    m.window.clear()
  },
)

const forgetSteps = command(
  'codes of long ago',
  (m) => m.authenticator !== null,
  async (m, r) => {
    await owner`update authenticators set last_step = 0 where user_id = ${r.who.userId}`
    if (m.authenticator) m.authenticator.lastStep = 0
  },
)

const compare = command(
  'compare',
  () => true,
  async (m, r) => {
    const statuses = await Promise.all(r.tokens.map(async (token) => (await me(token)).status))
    expect(statuses).toEqual(m.sessions.map((session) => (session.alive ? 200 : 401)))
  },
)

const index = fc.nat({ max: 100 })
const flag = fc.boolean()
const commands = [
  fc
    .tuple(index, flag, flag, flag, fc.integer({ min: 0, max: 9 }))
    .map(([i, a, b, c, d]) => signInWith(i, a, b, c, d > 0)),
  fc
    .tuple(index, fc.constantFrom('wrong', 'totp', 'totp', 'recovery'), fc.integer({ min: 0, max: 1 }))
    .map(([i, kind, ahead]) => answerChallenge(i, kind, ahead)),
  index.map(addAuthenticator),
  index.map(removeAuthenticator),
  index.map(makeRecoveryCodes),
  index.map(endSession),
  index.map(removeDevice),
  index.map(changePassword),
  fc.constant(passTime),
  fc.constant(forgetSteps),
  fc.constant(compare),
]

test(
  'whatever a person does with sign-ins, factors, devices and time, the service does what the plain model does',
  () =>
    walkAll(fc.commands(commands, { maxCommands: 40, size: 'max' }), async (run) => {
      const who = await person()
      const [device] = await owner`select device_id from sessions where id = ${who.sessionId}`
      const model: Model = {
        password: who.password,
        authenticator: null,
        sessions: [{ alive: true, device: 0 }],
        devices: [{ removed: false, trusted: false }],
        challenges: [],
        recoveryCodes: [],
        window: new Set<number>(),
      }
      const [tokens, deviceIds] = [[who.token], [device?.['device_id']]]
      const none = { secret: '', trustTokens: [], challengeTokens: [], recoveryCodes: [] }
      await fc.asyncModelRun(() => ({ model, real: { who, tokens, deviceIds, ...none } }), [...run, compare])
    }),
  MODEL_TIMEOUT_MS,
)
