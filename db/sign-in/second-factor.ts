/** Sign-in, second half: the proofs that answer a challenge token. */
import {
  type NewAuthenticator,
  consumeCode,
  enrol,
  lacksAuthenticator,
  newAuthenticator,
  stepOf,
} from '../factors/authenticators.ts'
import type { Origin } from '../../domain/actor.ts'
import type { DeviceId, UserId } from '../../domain/ids.ts'
import type { WebauthnCredential } from '../../domain/factors/passkey.ts'
import { CODE_ATTEMPTS_MAX, type ChallengePurpose, type Mfa } from '../../domain/sign-in/sign-in.ts'
import { lockPerson } from '../people/people.ts'
import { takeRecoveryCode } from '../factors/recovery-codes.ts'
import { withWrongCodeLimit } from '../rate-limits.ts'
import { tokenHash } from '../../platform/encryption.ts'
import { refuse } from '../../domain/errors.ts'
import { recordSecurityEvent } from '../people/security-log.ts'
import type { SignInMethod } from '../people/sessions.ts'
import { keepFactors } from './factor-resets.ts'
import { type SignedIn, startSession, challenge } from './sign-in.ts'
import { type Transaction, transaction } from '../sql.ts'
import { consumeAssertion } from '../factors/webauthn.ts'

const FAILED = { status: 'mfa_failed' } as const
const EXPIRED = { status: 'challenge_expired' } as const
/** What is left if an organization requires an authenticator and there is none, under a new challenge token. */
type SetupAsked = { status: 'totp_setup_required'; challenge_token: string; device_id: DeviceId }
export type MfaOutcome = SignedIn | SetupAsked | typeof FAILED | typeof EXPIRED

type Challenge = {
  hash: Buffer
  userId: UserId
  deviceId: DeviceId
  email: string
  purpose: ChallengePurpose
  trust: boolean
  secret: Buffer | null
  attempts: number
}

/**
 * Locks the person and then the challenge, so that concurrent tries are counted one by one, and each comes before or
 * after a change of the password or of a factor. Null if the challenge is unknown, used or expired.
 */
async function lockChallenge(tx: Transaction, token: string): Promise<Challenge | null> {
  const hash = tokenHash(token)
  const [whose] = await tx<{ userId: UserId }[]>`
    select user_id as "userId" from sign_in_challenges where token_hash = ${hash}`
  if (!whose) return null
  await lockPerson(tx, whose.userId)
  const [found] = await tx<Omit<Challenge, 'hash'>[]>`
    select c.user_id as "userId", c.device_id as "deviceId", p.email, c.purpose, c.trust, c.secret, c.attempts
    from sign_in_challenges c join people p on p.id = c.user_id
    where c.token_hash = ${hash} and c.used_at is null and c.expires_at > business_now() for update of c`
  return found ? { hash, ...found } : null
}

/**
 * Answers a challenge of one of the purposes with a proof: a right one signs in, unless an authenticator has to be set
 * up first.
 */
function answer(
  token: string,
  purposes: readonly ChallengePurpose[],
  method: SignInMethod,
  origin: Origin,
  prove: (tx: Transaction, challenge: Challenge) => Promise<SignInMethod | null>,
): Promise<MfaOutcome> {
  return transaction(async (tx): Promise<MfaOutcome> => {
    const asked = await lockChallenge(tx, token)
    if (!asked || !purposes.includes(asked.purpose)) return EXPIRED
    if (asked.attempts >= CODE_ATTEMPTS_MAX) return FAILED
    const proved = await withWrongCodeLimit(tx, asked.userId, 'sign_in', () => prove(tx, asked))
    if (!proved) {
      await tx`update sign_in_challenges set attempts = attempts + 1 where token_hash = ${asked.hash}`
      await recordSecurityEvent(tx, { type: 'sign_in.failed', userId: asked.userId, origin, details: { method } })
      return FAILED
    }
    await tx`update sign_in_challenges set used_at = business_now() where token_hash = ${asked.hash}`
    await keepFactors(tx, asked.userId, origin)
    return (await askForSetup(tx, asked)) ?? startSession(tx, asked, { method: proved, origin })
  })
}

/**
 * Completes a sign-in with an authenticator code or a recovery code. The challenge token works once and for ten
 * minutes, else `challenge_expired`; a wrong or used code is `mfa_failed`, and after five wrong ones so is a right one.
 * If a passkey is required, a recovery code replaces that too. An authenticator that an organization requires is asked
 * for after either.
 */
export const completeSignIn = ({ challenge_token, code }: Mfa, origin: Origin): Promise<MfaOutcome> =>
  answer(challenge_token, ['mfa', 'webauthn'], 'totp', origin, async (tx, { userId, purpose }) => {
    if (purpose === 'mfa' && (await consumeCode(tx, userId, code))) return 'totp'
    return (await takeRecoveryCode(tx, userId, code, origin)) ? 'recovery_code' : null
  })

/** Completes a sign-in with a passkey; answers like `completeSignIn`. */
export const completeWithPasskey = (
  token: string,
  credential: WebauthnCredential,
  origin: Origin,
): Promise<MfaOutcome> =>
  answer(token, ['webauthn'], 'passkey', origin, async (tx, { userId, hash }) => {
    const ceremony = { userId, purpose: 'sign_in', subject: hash.toString('hex') } as const
    return (await consumeAssertion(tx, ceremony, credential)) ? 'passkey' : null
  })

async function askForSetup(tx: Transaction, person: Challenge): Promise<SetupAsked | null> {
  const [has] = await tx<{ to_set_up: boolean }[]>`select ${lacksAuthenticator(person.userId)} as to_set_up`
  if (!has?.to_set_up) return null
  const { challenge_token, device_id } = await challenge(tx, person, 'totp_setup')
  return { status: 'totp_setup_required', challenge_token, device_id }
}

/**
 * Begins the setup of an authenticator that an organization requires. Only this answer shows the secret; a repeat
 * replaces it. Refuses `token_invalid` for a challenge token that is unknown, used, over, or of another purpose.
 */
export function setUpAtSignIn(token: string): Promise<Pick<NewAuthenticator, 'uri' | 'secret_encoded'>> {
  return transaction(async (tx) => {
    const asked = await lockChallenge(tx, token)
    if (asked?.purpose !== 'totp_setup') refuse('token_invalid')
    const { uri, secret_encoded, sealed } = newAuthenticator(asked.email)
    await tx`update sign_in_challenges set secret = ${sealed} where token_hash = ${asked.hash}`
    return { uri, secret_encoded }
  })
}

/** Adds the authenticator that was set up, with its first code, and signs in; answers like `completeSignIn`. */
export const activateAtSignIn = ({ challenge_token, code }: Mfa, origin: Origin): Promise<MfaOutcome> =>
  answer(challenge_token, ['totp_setup'], 'totp_setup', origin, async (tx, { userId, secret }) => {
    const step = secret ? await stepOf(secret, code) : null
    if (!secret || step === null) return null
    return (await enrol(tx, userId, { sealed: secret, step, by: { origin } })) ? 'totp_setup' : null
  })
