/** Calls of sign-up and sign-in, and people with an authenticator. */
import { randomInt, randomUUID } from 'node:crypto'
import { generate, generateSecret } from 'otplib'
import { expect } from 'vitest'
import { decrypt } from '../../../platform/encryption.ts'
import { addAuthenticator } from '../../../services/factors/authenticators.ts'
import type { SignInMethod } from '../../../services/people/assurance.ts'
import type { UserId } from '../../../domain/ids.ts'
import { type TestPerson, api, person } from '../api.ts'
import { owner } from '../database.ts'

export const PASSWORD = 'correct horse battery staple'
export const WRONG_CODE = '000000'
export const newEmail = () => `new-${randomUUID()}@example.com`
/** A phone number without a user, also where files share a service; the messenger delivers to it. */
export const newNumber = () => `+1213${randomInt(200_000, 999_999)}7`

export const signUp = (email: string, password = PASSWORD) =>
  api('POST', '/auth/sign-up', { body: { email, password } })
/** Confirms as another client than the one that signed up, which chooses the password. */
export const confirm = (token: string, password = PASSWORD) =>
  api('POST', '/auth/email/confirm', { body: { token, password } })
/** Confirms as the client that signed up. */
export const confirmOwn = (token: string, sign_up_token: string) =>
  api('POST', '/auth/email/confirm', { body: { token, sign_up_token } })
export const signIn = (email: string, password = PASSWORD, more: object = {}) =>
  api('POST', '/auth/sign-in', { body: { email, password, ...more } })
export const mfa = (challenge_token: string, code: string) =>
  api('POST', '/auth/mfa', { body: { challenge_token, code } })
export const me = (token: string) => api('GET', '/me', { token })

export type Mail = {
  to: string
  channel: string
  subject: string
  text: string
  token: string | null
  code: string | null
  url: string | null
}
/** The sandbox mailbox of an address or number, newest first. */
export const mailsTo = async (to: string): Promise<Mail[]> =>
  (await api('GET', `/sandbox/messages?to=${encodeURIComponent(to)}&limit=100`)).body.data as Mail[]
export const subjectsTo = async (to: string): Promise<string[]> => (await mailsTo(to)).map(({ subject }) => subject)
/** Messages sent to it, delivered or not. */
export async function sentTo(to: string): Promise<Mail[]> {
  const rows = await owner<{ channel: string; sealed: Buffer }[]>`
    select channel, sealed from messages where recipient = ${to} and sealed is not null order by sent_at desc, id desc`
  return rows.map(({ channel, sealed }) => ({ to, channel, ...JSON.parse(decrypt(sealed).toString()) }))
}
export const codeTo = async (to: string): Promise<string> =>
  (await sentTo(to)).find(({ code }) => code !== null)?.code ?? ''
export const tokenTo = async (to: string): Promise<string> =>
  (await sentTo(to)).find(({ token }) => token !== null)?.token ?? ''

export const advance = async (seconds: number): Promise<void> => {
  expect((await api('POST', '/sandbox/clock/advance', { body: { seconds } })).status).toBe(200)
}

/** Lets business time pass; sessions stay valid. */
export async function wait(seconds: number): Promise<void> {
  await advance(seconds)
  await owner`update sessions set last_used_at = business_now(), signed_in_at = business_now()`
}

/** `code(1)` is the code of the next time step, which is already accepted. */
export type Prover = TestPerson & { code: (stepsAhead?: number) => Promise<string> }

export const codesOf =
  (secret: string) =>
  (stepsAhead = 0): Promise<string> =>
    generate({ secret, epoch: Math.floor(Date.now() / 1000) + stepsAhead * 30 })

/** Makes the person's session one that was signed in to in this way, just now. */
export async function signedInBy<Somebody extends TestPerson>(
  somebody: Somebody,
  method: SignInMethod,
): Promise<Somebody> {
  await owner`update sessions set method = ${method} where id = ${somebody.sessionId}`
  return somebody
}

export async function withAuthenticator(): Promise<Prover> {
  const somebody = await signedInBy(await person(), 'totp')
  const secret = generateSecret()
  await addAuthenticator(somebody.userId as UserId, secret) // the id of a row that was just written
  return { ...somebody, code: codesOf(secret) }
}

export const challenged = async ({ email, password }: TestPerson): Promise<string> => {
  const { body } = await signIn(email, password)
  expect(body.status).toBe('mfa_required')
  return body.challenge_token as string
}

export const eventTypes = async (token: string): Promise<string[]> =>
  (await api('GET', '/me/security-events?limit=100', { token })).body.data.map(({ type }: { type: string }) => type)
