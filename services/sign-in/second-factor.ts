/** Sign-in, second half: the proofs that answer a challenge token. */
import type { Origin } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { DeviceId, UserId } from '../../domain/ids.ts'
import {
  CODE_ATTEMPTS_MAX,
  type ChallengePurpose,
  type Mfa,
  type MfaAnswer,
  type PasskeyAnswer,
  type Setup,
} from '../../domain/sign-in/sign-in.ts'
import { tokenHash } from '../../platform/encryption.ts'
import {
  consumeCode,
  enrol,
  isCounting,
  lacksAuthenticator,
  newAuthenticator,
  stepOf,
} from '../factors/authenticators.ts'
import { takeRecoveryCode } from '../factors/recovery-codes.ts'
import { consumeAssertion } from '../factors/webauthn.ts'
import type { SignInMethod } from '../people/assurance.ts'
import { lockPerson } from '../people/people.ts'
import { recordSecurityEvent } from '../people/security-log.ts'
import { withWrongCodeLimit } from '../rate-limits.ts'
import type { Transaction } from '../../db/postgres/sql.ts'
import { keepFactors } from './factor-resets.ts'
import { challenge, startSession } from './sign-in.ts'

type ProofCommand<Body> = { readonly tx: Transaction; readonly body: Body; readonly origin: Origin }

type Challenge = {
  hash: Buffer
  userId: UserId
  deviceId: DeviceId
  email: string
  purpose: ChallengePurpose
  trust: boolean
  secret: Buffer | null
  attempts: number
  proved: boolean
}

/** Locks the person and then the live challenge; tries at once are counted one by one. */
async function lockChallenge(tx: Transaction, token: string): Promise<Challenge | null> {
  const hash = tokenHash(token)
  const [whose] = await tx<{ userId: UserId }[]>`
    select user_id as "userId" from sign_in_challenges where token_hash = ${hash}`
  if (!whose) return null
  await lockPerson(tx, whose.userId)
  const [found] = await tx<Omit<Challenge, 'hash'>[]>`
    select c.user_id as "userId", c.device_id as "deviceId", p.email, c.purpose, c.trust, c.secret, c.attempts, c.proved
    from sign_in_challenges c join people p on p.id = c.user_id
    where c.token_hash = ${hash} and c.used_at is null and c.expires_at > business_now() for update of c`
  return found ? { hash, ...found } : null
}

/**
 * Answers a challenge of one of the purposes with a proof: a right one signs in, unless an authenticator has to be set
 * up first. A wrong one is an answer and no refusal, so that its try stays counted.
 */
async function answer(
  { tx, body: { challenge_token: token }, origin }: ProofCommand<{ challenge_token: string }>,
  { purposes, method }: { purposes: readonly ChallengePurpose[]; method: SignInMethod },
  prove: (challenge: Challenge) => Promise<SignInMethod | null>,
): Promise<MfaAnswer> {
  const asked = await lockChallenge(tx, token)
  if (!asked || !purposes.includes(asked.purpose)) return { status: 'challenge_expired' }
  if (asked.attempts >= CODE_ATTEMPTS_MAX) return { status: 'mfa_failed' }
  const { userId, hash } = asked
  const proved = await withWrongCodeLimit(tx, userId, 'sign_in', () => prove(asked))
  if (!proved) {
    await tx`update sign_in_challenges set attempts = attempts + 1 where token_hash = ${hash}`
    await recordSecurityEvent(tx, { type: 'sign_in.failed', userId, origin, details: { method } })
    return { status: 'mfa_failed' }
  }
  await tx`update sign_in_challenges set used_at = business_now() where token_hash = ${hash}`
  await keepFactors(tx, userId, origin)
  const [has] = await tx<{ to_set_up: boolean }[]>`select ${lacksAuthenticator(userId)} as to_set_up`
  if (has?.to_set_up) return { status: 'totp_setup_required', ...(await challenge(tx, asked, 'totp_setup', true)) }
  return startSession(tx, asked, { method: proved, origin })
}

/**
 * Completes a sign-in with an authenticator code or a recovery code. The challenge token works once and for ten
 * minutes, else `challenge_expired`; a wrong or used code is `mfa_failed`, and after five wrong ones so is a right one.
 * If a passkey is required, a recovery code replaces that too.
 */
export const completeSignIn = (command: ProofCommand<Mfa>): Promise<MfaAnswer> =>
  answer(command, { purposes: ['mfa', 'webauthn'], method: 'totp' }, async ({ userId, purpose }) => {
    const { tx, body, origin } = command
    if (purpose === 'mfa' && (await consumeCode(tx, userId, body.code)))
      return (await isCounting(tx, userId)) ? 'totp' : 'totp_setup'
    return (await takeRecoveryCode(tx, { userId, entered: body.code, origin })) ? 'recovery_code' : null
  })

export const completeWithPasskey = (command: ProofCommand<PasskeyAnswer>): Promise<MfaAnswer> =>
  answer(command, { purposes: ['webauthn'], method: 'passkey' }, async ({ userId, hash }) => {
    const ceremony = { userId, purpose: 'sign_in', subject: hash.toString('hex') } as const
    return (await consumeAssertion(command.tx, ceremony, command.body.credential)) ? 'passkey' : null
  })

/** Begins the setup of an authenticator that an organization requires; a repeat replaces the secret. */
export async function setUpAtSignIn(tx: Transaction, token: string): Promise<Setup> {
  const asked = await lockChallenge(tx, token)
  if (asked?.purpose !== 'totp_setup') refuse('token_invalid')
  const { sealed, ...shown } = newAuthenticator(asked.email)
  await tx`update sign_in_challenges set secret = ${sealed} where token_hash = ${asked.hash}`
  return shown
}

/**
 * Adds the authenticator that was set up, with its first code, and signs in. Unless a factor was proved before, it
 * confirms operations from a day later on: until then codes by message do.
 */
export const activateAtSignIn = (command: ProofCommand<Mfa>): Promise<MfaAnswer> =>
  answer(command, { purposes: ['totp_setup'], method: 'totp_setup' }, async ({ userId, secret, proved }) => {
    const { tx, body, origin } = command
    const step = secret ? await stepOf(secret, body.code) : null
    if (!secret || step === null) return null
    if (!(await enrol(tx, userId, { sealed: secret, step, by: { origin }, proved }))) return null
    return proved ? 'totp' : 'totp_setup'
  })
