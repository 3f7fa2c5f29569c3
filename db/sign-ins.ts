/** Sign-in, first half: who it is, and what else is asked of them. */
import type postgres from 'postgres'
import { v7 } from 'uuid'
import type { Origin } from './model/actor.ts'
import { refuse } from './model/errors.ts'
import { type DeviceId, type UserId, isUuid } from './model/ids.ts'
import type { WebauthnOptions } from './model/passkey.ts'
import { CHALLENGE_MINUTES, type ChallengePurpose, type SignIn } from './model/sign-in.ts'
import { verifyPassword } from './passwords.ts'
import { newToken, tokenHash } from './secrets.ts'
import { type SignInMethod, openSession } from './sessions.ts'
import { first, sql, transaction } from './sql.ts'
import { isTrusted, trustDevice } from './trust-tokens.ts'
import { assertionOptions } from './webauthn.ts'

export type SignedIn = {
  readonly status: 'authenticated'
  readonly token: string
  readonly device_id: DeviceId
  readonly userId: UserId
  readonly trust_token?: string
}

/** What is still missing: the challenge token is good for ten minutes and told here only. */
export type Challenged = { readonly challenge_token: string; readonly device_id: DeviceId } & (
  | { readonly status: 'mfa_required' | 'totp_setup_required' }
  | { readonly status: 'webauthn_required'; readonly webauthn: WebauthnOptions }
)
export type SignInOutcome = SignedIn | Challenged

/**
 * Compares exactly one password, whatever the account. Refuses `invalid_credentials` alike for a wrong address and a wrong
 * password, and `email_not_confirmed` to the right password of a sign-up that waits for its confirmation.
 */
export async function signIn(given: SignIn, origin: Origin): Promise<SignInOutcome> {
  const account = await findAccount(given.email, given.device_id)
  const right = await verifyPassword(account?.password_hash ?? null, given.password)
  if (!account || !right) {
    await recordFailure(account?.user_id ?? null, 'password', origin)
    refuse('invalid_credentials')
  }
  const { user_id: userId, device_id: deviceId } = account
  if (!userId) refuse('email_not_confirmed')
  const trust = [given.remember_me, given.trust_transport, given.trust_tokens].includes(true)
  const person = { userId, deviceId, trust, trustToken: given.trust_token ?? null, method: 'password' } as const
  return afterFirstFactor({ ...person, holds: (tx) => hasPassword(tx, userId, account.password_hash) }, origin)
}

/** Whether the password that was compared is still theirs; it stays so until the transaction ends. */
async function hasPassword(tx: postgres.TransactionSql, userId: UserId, hash: string | null): Promise<boolean> {
  const same = await tx`select id from people where id = ${userId} and password_hash = ${hash} for share`
  return same.length === 1
}

type Account = { user_id: UserId | null; password_hash: string | null; device_id: DeviceId | null }

/** The person of an address, or its latest sign-up; always one row, so that all addresses cost the same. */
function findAccount(email: string, device: string | null | undefined): Promise<Account | undefined> {
  return first(sql<Account[]>`
    select p.id as user_id, coalesce(p.password_hash, s.password_hash) as password_hash, d.id as device_id
    from (select ${email}::text as email) asked
    left join people p on p.email = asked.email
    left join devices d on d.user_id = p.id and d.id = ${isUuid(device) ? device : null} and d.removed_at is null
    left join lateral (select password_hash from sign_ups
      where email = asked.email and used_at is null and p.id is null order by inserted_at desc limit 1) s on true`)
}

/**
 * Writes a failed sign-in into the log of the person, if there is one: the same statement for everybody, which does not
 * wait for the disk, so that its time tells nothing either.
 */
export async function recordFailure(userId: UserId | null, method: string, origin: Origin): Promise<void> {
  await sql`
    insert into security_events (user_id, type, ip_address, user_agent, details)
    select p.id, 'sign_in.failed', ${origin.address}, ${origin.userAgent}, jsonb_build_object('method', ${method}::text)
    from (select set_config('synchronous_commit', 'off', true) offset 0) unhurried, people p where p.id = ${userId}`
}

/** Who showed the first factor, on which of their devices (null: an unknown one), and whether to trust it from now on. */
export type FirstFactor = {
  readonly userId: UserId
  readonly deviceId: DeviceId | null
  readonly trust: boolean
  readonly trustToken: string | null
  readonly method: 'password' | 'device'
  /** Whether the factor is still good: comparing a password takes a while, in which it may be changed. Locks what says so. */
  readonly holds: (tx: postgres.TransactionSql) => Promise<boolean>
}

/**
 * After the first factor: signs in, or says what is missing. An authenticator comes before a passkey; a device that is
 * trusted is asked for neither; an authenticator that an organization requires has to be set up first in any case.
 */
export async function afterFirstFactor(person: FirstFactor, origin: Origin): Promise<SignInOutcome> {
  const has = await factorsOf(person)
  const secondFactor = has.authenticator || has.passkey
  if (!has.authenticator && has.required) return challenge(person, 'totp_setup')
  if (secondFactor && !has.trusted) {
    // null: their last passkey was removed in this moment, so it is decided again without it
    return (await challenge(person, has.authenticator ? 'mfa' : 'webauthn')) ?? afterFirstFactor(person, origin)
  }
  return transaction(async (tx) => {
    if (!(await person.holds(tx))) refuse('invalid_credentials')
    return begin(tx, person, secondFactor ? 'trusted_device' : person.method, origin)
  })
}

type Factors = { authenticator: boolean; required: boolean; passkey: boolean; trusted: boolean }

/**
 * A passkey is asked for where this device may hold one: on the device that registered it, on any device if it is a synced
 * one, and on a device that nobody knows, so that leaving out the `device_id` never makes signing in easier.
 */
async function factorsOf({ userId, deviceId, trustToken }: FirstFactor): Promise<Factors> {
  const factors = await first(sql<Factors[]>`
    select exists (select from authenticators where user_id = ${userId}) as authenticator,
      authenticator_required(${userId}) as required,
      exists (select from passkeys k where k.user_id = ${userId} and k.removed_at is null
        and (${deviceId}::uuid is null or k.synced or k.device_id = ${deviceId})) as passkey,
      ${isTrusted(userId, deviceId, trustToken)} as trusted`)
  if (!factors) throw new Error('a select without a row')
  return factors
}

/** The device is named now and recorded when the sign-in is complete: a password alone leaves no device behind. */
function challenge(person: FirstFactor, purpose: 'mfa' | 'totp_setup'): Promise<Challenged>
function challenge(person: FirstFactor, purpose: ChallengePurpose): Promise<Challenged | null>
function challenge(
  { userId, deviceId, trust, holds }: FirstFactor,
  purpose: ChallengePurpose,
): Promise<Challenged | null> {
  const token = newToken()
  const hash = tokenHash(token)
  const device = deviceId ?? (v7() as DeviceId) // the id of a row to come
  return transaction(async (tx): Promise<Challenged | null> => {
    if (!(await holds(tx))) refuse('invalid_credentials')
    const challenged = { challenge_token: token, device_id: device }
    const webauthn =
      purpose === 'webauthn' &&
      (await assertionOptions(tx, { userId, purpose: 'sign_in', subject: hash.toString('hex') }))
    if (webauthn === null) return null
    await tx`
      insert into sign_in_challenges (token_hash, user_id, device_id, purpose, trust, expires_at)
      values (${hash}, ${userId}, ${device}, ${purpose}, ${trust},
        business_now() + make_interval(mins => ${CHALLENGE_MINUTES}))`
    if (webauthn) return { ...challenged, status: 'webauthn_required', webauthn }
    return { ...challenged, status: purpose === 'mfa' ? 'mfa_required' : 'totp_setup_required' }
  })
}

/** Opens the session, and trusts the device where that was asked for. */
export async function begin(
  tx: postgres.TransactionSql,
  { userId, deviceId, trust }: Pick<FirstFactor, 'userId' | 'deviceId' | 'trust'>,
  method: SignInMethod,
  origin: Origin,
): Promise<SignedIn> {
  const session = await openSession(tx, userId, deviceId, { method, origin })
  const trustToken = trust ? await trustDevice(tx, userId, session.deviceId, origin) : undefined
  return {
    status: 'authenticated',
    token: session.token,
    device_id: session.deviceId,
    userId,
    ...(trustToken !== undefined && { trust_token: trustToken }),
  }
}
