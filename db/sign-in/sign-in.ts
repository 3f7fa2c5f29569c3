/** Sign-in, first half: the first factor, and which further proofs are required. */
import type { Origin } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import { type DeviceId, type UserId, isUuid, newId } from '../../domain/ids.ts'
import type { WebauthnOptions } from '../../domain/factors/passkey.ts'
import { CHALLENGE_MINUTES, type ChallengePurpose, type SignIn, wantsTrust } from '../../domain/sign-in/sign-in.ts'
import { verifyPassword } from './passwords.ts'
import { lockPerson } from '../people/people.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { recordFailure } from '../people/security-log.ts'
import { type SignInMethod, openSession } from '../people/sessions.ts'
import { type Transaction, first, sql, transaction } from '../sql.ts'
import { isTrusted, trustDevice } from '../people/device-trust.ts'
import { assertionOptions } from '../factors/webauthn.ts'
import { carryOutFactorReset, isResetDue } from './factor-resets.ts'

export type SignedIn = {
  readonly status: 'authenticated'
  readonly token: string
  readonly device_id: DeviceId
  readonly userId: UserId
  readonly trust_token?: string
}

/** A further proof is required. The challenge token is valid for ten minutes, and only this answer shows it. */
export type Challenged = { readonly challenge_token: string; readonly device_id: DeviceId } & (
  | { readonly status: 'mfa_required' | 'totp_setup_required' }
  | { readonly status: 'webauthn_required'; readonly webauthn: WebauthnOptions }
)
export type SignInOutcome = SignedIn | Challenged

/**
 * Refuses `invalid_credentials` alike for a wrong address and a wrong password, and `email_not_confirmed` to the
 * password of an unconfirmed sign-up: also if the address has a person, because otherwise anybody could find that out
 * by signing up for it. It costs one comparison, and a second if there is such a sign-up, for every address.
 */
export async function signIn(given: SignIn, origin: Origin): Promise<SignInOutcome> {
  const account = await findAccount(given.email, given.device_id)
  const {
    user_id: userId = null,
    device_id: deviceId = null,
    password_hash: hash = null,
    pending_hash = null,
  } = account ?? {}
  if (!(await verifyPassword(hash, given.password)) || !userId) {
    const pending = pending_hash !== null && (await verifyPassword(pending_hash, given.password))
    await recordFailure(userId, 'password', origin)
    refuse(pending ? 'email_not_confirmed' : 'invalid_credentials')
  }
  const trust = wantsTrust(given)
  const person = { userId, deviceId, trust, trustToken: given.trust_token ?? null, method: 'password' } as const
  return afterFirstFactor({ ...person, holds: (tx) => hasPassword(tx, userId, hash) }, origin)
}

/** Whether the compared password is still the person's. */
async function hasPassword(tx: Transaction, userId: UserId, hash: string | null): Promise<boolean> {
  const same = await tx`select from people where id = ${userId} and password_hash = ${hash}`
  return same.length === 1
}

type Account = {
  user_id: UserId | null
  password_hash: string | null
  device_id: DeviceId | null
  pending_hash: string | null
}

/**
 * The person of an address, and its latest unconfirmed sign-up; always one row, so that all addresses cost the same.
 */
function findAccount(email: string, device: string | null | undefined): Promise<Account | undefined> {
  return first(sql<Account[]>`
    select p.id as user_id, p.password_hash, d.id as device_id, s.password_hash as pending_hash
    from (select ${email}::text as email) asked
    left join people p on p.email = asked.email
    left join devices d on d.user_id = p.id and d.id = ${isUuid(device) ? device : null} and d.removed_at is null
    left join lateral (select password_hash from sign_ups
      where email = asked.email and used_at is null order by inserted_at desc limit 1) s on true`)
}

/** The person who proved the first factor, their device (null: an unknown one), and whether to trust it from now on. */
export type FirstFactor = {
  readonly userId: UserId
  readonly deviceId: DeviceId | null
  readonly trust: boolean
  readonly trustToken: string | null
  readonly method: 'password' | 'device'
  /** Whether the factor is still valid: comparing a password takes a while, in which it may be changed. */
  readonly holds: (tx: Transaction) => Promise<boolean>
}

/**
 * After the first factor: signs in, or says which proof is missing. An authenticator comes before a passkey, and a
 * trusted device needs neither. An authenticator that an organization requires has to be set up in any case, after the
 * passkey of a person who has one: a password alone never adds a second factor to an account that has one. A reset of
 * lost factors that is due comes before all of it, and only after the password itself.
 */
export function afterFirstFactor(person: FirstFactor, origin: Origin): Promise<SignInOutcome> {
  return transaction(async (tx): Promise<SignInOutcome> => {
    await lockPerson(tx, person.userId) // what is read below holds until the session is open
    if (!(await person.holds(tx))) refuse('invalid_credentials')
    const held = await factorsOf(tx, person)
    const resets = held.reset_due && person.method === 'password'
    if (resets) await carryOutFactorReset(tx, person.userId, origin)
    const has = resets ? await factorsOf(tx, person) : held
    const secondFactor = has.authenticator || has.passkey
    if (secondFactor && !has.trusted) return challenge(tx, person, has.authenticator ? 'mfa' : 'webauthn')
    if (!has.authenticator && has.required) return challenge(tx, person, 'totp_setup')
    const method = secondFactor && person.method === 'password' ? 'trusted_device' : person.method
    return startSession(tx, person, { method, trusted: secondFactor, origin })
  })
}

type Factors = { authenticator: boolean; required: boolean; passkey: boolean; trusted: boolean; reset_due: boolean }

/**
 * A passkey is required if this device may hold one: on the device that registered it, on any device if it is a synced
 * one, and on an unknown device, so that leaving out the `device_id` never makes signing in easier.
 */
async function factorsOf(tx: Transaction, { userId, deviceId, trustToken }: FirstFactor): Promise<Factors> {
  const [factors] = await tx<Factors[]>`
    select exists (select from authenticators where user_id = ${userId}) as authenticator,
      authenticator_required(${userId}) as required,
      exists (select from passkeys k where k.user_id = ${userId} and k.removed_at is null
        and (${deviceId}::uuid is null or k.synced or k.device_id = ${deviceId})) as passkey,
      ${isTrusted(userId, deviceId, trustToken)} as trusted, ${isResetDue(userId)} as reset_due`
  if (!factors) throw new Error('a select without a row')
  return factors
}

/** The device gets its id now and its row when the sign-in is complete: a password alone creates no device. */
export async function challenge(
  tx: Transaction,
  { userId, deviceId, trust }: Pick<FirstFactor, 'userId' | 'deviceId' | 'trust'>,
  purpose: ChallengePurpose,
): Promise<Challenged> {
  const token = newToken()
  const hash = tokenHash(token)
  const device = deviceId ?? newId()
  await tx`
    insert into sign_in_challenges (token_hash, user_id, device_id, purpose, trust, expires_at)
    values (${hash}, ${userId}, ${device}, ${purpose}, ${trust},
      business_now() + make_interval(mins => ${CHALLENGE_MINUTES}))`
  const challenged = { challenge_token: token, device_id: device }
  if (purpose !== 'webauthn') return { ...challenged, status: ASKED[purpose] }
  const webauthn = await assertionOptions(tx, { userId, purpose: 'sign_in', subject: hash.toString('hex') })
  if (!webauthn) throw new Error('a passkey went while its person was locked')
  return { ...challenged, status: 'webauthn_required', webauthn }
}

const ASKED = { mfa: 'mfa_required', totp_setup: 'totp_setup_required' } as const

/** Opens the session, and trusts the device if the request says so; `trusted`: it showed a valid trust token. */
export async function startSession(
  tx: Transaction,
  { userId, deviceId, trust }: Pick<FirstFactor, 'userId' | 'deviceId' | 'trust'>,
  { method, trusted = false, origin }: { method: SignInMethod; trusted?: boolean; origin: Origin },
): Promise<SignedIn> {
  const session = await openSession(tx, userId, deviceId, { method, origin })
  const device = { userId, deviceId: session.deviceId, renewed: trusted }
  const trustToken = trust ? await trustDevice(tx, device, origin) : undefined
  return {
    status: 'authenticated',
    token: session.token,
    device_id: session.deviceId,
    userId,
    ...(trustToken !== undefined && { trust_token: trustToken }),
  }
}
