/** Sign-in, first half: the first factor, and which further proofs are required. */
import type { Origin } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import { type DeviceId, type UserId, isUuid, newId } from '../../domain/ids.ts'
import {
  type AuthenticatedSession,
  CHALLENGE_MINUTES,
  type ChallengePurpose,
  type DeviceSignIn,
  LOGIN_CREDENTIAL_PREFIX,
  type LoginCredentialResult,
  type SignIn,
  type SignInAnswer,
  TRUST_DAYS,
  wantsTrust,
} from '../../domain/sign-in/sign-in.ts'
import { minuteOf } from '../../domain/instants.ts'
import { quoteInMail } from '../../domain/text.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { authenticatorCounts } from '../factors/authenticators.ts'
import { assertionOptions } from '../factors/webauthn.ts'
import { reportBypass } from '../identity-providers/bypass.ts'
import { notify } from '../messages/account-notices.ts'
import { type SignInMethod, mailboxUntil, refuseMailbox } from '../people/assurance.ts'
import { isTrusted, trustDevice } from '../people/devices.ts'
import { findMe, lockPerson } from '../people/people.ts'
import { type Command, by, recordFailure, recordSecurityEvent } from '../people/security-log.ts'
import { lockOwnDevice, openSession } from '../people/sessions.ts'
import { type Fragment, type Transaction, first, sql } from '../../db/postgres/sql.ts'
import { carryOutFactorReset, isResetDue } from './factor-resets.ts'
import { verifyPassword } from '../../platform/passwords.ts'

/** The person who proved the first factor, their device (null: an unknown one), and whether to trust it from now on. */
type FirstFactor = {
  readonly userId: UserId
  readonly deviceId: DeviceId | null
  readonly trust: boolean
  readonly trustToken: string | null
  readonly method: 'password' | 'device'
  /** Condition: the factor is still valid; comparing a password takes a while, in which it may be changed. */
  readonly holds: Fragment
}

/**
 * Compares the password. Refuses `invalid_credentials` alike for a wrong address and a wrong password, and
 * `email_not_confirmed` to the password of an unconfirmed sign-up: also if the address has a person, because otherwise a
 * sign-up would reveal that. It costs one comparison, and a second if there is such a sign-up, for every address.
 */
export async function proveByPassword(given: SignIn, origin: Origin): Promise<FirstFactor> {
  const account = await findAccount(given.email, given.device_id)
  const { user_id: userId = null, password_hash: hash = null, pending_hash = null } = account ?? {}
  if (!(await verifyPassword(hash, given.password)) || !userId) {
    const pending = pending_hash !== null && (await verifyPassword(pending_hash, given.password))
    await recordFailure(userId, 'password', origin)
    refuse(pending ? 'email_not_confirmed' : 'invalid_credentials')
  }
  return {
    userId,
    deviceId: account?.device_id ?? null,
    trust: wantsTrust(given),
    trustToken: given.trust_token ?? null,
    method: 'password',
    holds: sql`exists (select from people where id = ${userId} and password_hash = ${hash})`,
  }
}

type Account = {
  user_id: UserId | null
  password_hash: string | null
  device_id: DeviceId | null
  pending_hash: string | null
}

/** Reads the person of an address and its latest unconfirmed sign-up: always one row, so that all cost the same. */
function findAccount(email: string, device: string | null | undefined): Promise<Account | undefined> {
  return first(sql<Account[]>`
    select p.id as user_id, p.password_hash, d.id as device_id, s.password_hash as pending_hash
    from (select ${email}::text as email) asked
    left join people p on p.email = asked.email
    left join devices d on d.user_id = p.id and d.id = ${isUuid(device) ? device : null} and d.removed_at is null
    left join lateral (select password_hash from sign_ups
      where email = asked.email and used_at is null order by inserted_at desc limit 1) s on true`)
}

/**
 * Signs in after the first factor, or answers which proof is missing. An authenticator comes before a passkey, and a
 * trusted device needs neither. An authenticator that an organization requires has to be set up in any case, after the
 * passkey of a person who has one: a password alone never adds a second factor to an account that has one, and one that
 * a mail set within a day adds none at all (`forbidden`), and trusts no device. A reset of lost factors that is due comes
 * before all of it, and only after the password itself. A person whose organization wants its identity provider signs in
 * there, if nothing else is open to them; an owner gets past it by a passkey alone. A reset that is due lets them in, too:
 * the session does not see that organization.
 */
export async function afterFirstFactor(tx: Transaction, person: FirstFactor, origin: Origin): Promise<SignInAnswer> {
  await lockPerson(tx, person.userId) // what is read below holds until the session is open
  const held = await factorsOf(tx, person)
  if (!held.holds) refuse('invalid_credentials')
  const resets = held.reset_due && person.method === 'password'
  if (held.bypasses && held.passkey && !resets) return askForPasskey(tx, person)
  if (held.shut && !resets) refuse('forbidden', { reason: 'provider_required' })
  if (resets) await carryOutFactorReset(tx, person.userId, origin)
  const has = resets ? await factorsOf(tx, person) : held
  const secondFactor = has.authenticator || has.passkey
  if (secondFactor && !has.trusted) {
    if (!has.authenticator) return askForPasskey(tx, person)
    return { status: 'mfa_required', ...(await challenge(tx, person, 'mfa')) }
  }
  const mailbox = secondFactor ? null : has.mailbox_until
  if (!has.authenticator && has.required) {
    if (mailbox) refuseMailbox(mailbox)
    return { status: 'totp_setup_required', ...(await challenge(tx, person, 'totp_setup')) }
  }
  const trusted = has.counts || has.passkey ? 'trusted_device' : 'totp_setup'
  const method = secondFactor && person.method === 'password' ? trusted : person.method
  const trust = person.trust && !mailbox
  return startSession(tx, { ...person, trust }, { method, trusted: secondFactor, origin })
}

type Factors = Record<'holds' | 'authenticator' | 'required' | 'passkey' | 'trusted' | 'reset_due', boolean> & {
  /** Owns an organization that wants its identity provider. */
  readonly bypasses: boolean
  /** Is linked there, and in no other organization. */
  readonly shut: boolean
  /** False for an authenticator that a password alone added within a day. */
  readonly counts: boolean
  readonly mailbox_until: string | null
}

/**
 * Reads what the person has. A passkey is required on every device: neither knowing a `device_id` nor leaving it out ever
 * makes signing in easier.
 */
async function factorsOf(tx: Transaction, { userId, deviceId, trustToken, holds }: FirstFactor): Promise<Factors> {
  const [factors] = await tx<Factors[]>`
    select ${holds} as holds, exists (select from authenticators where user_id = ${userId}) as authenticator,
      authenticator_required(${userId}) as required,
      exists (select from passkeys k where k.user_id = ${userId} and k.removed_at is null) as passkey,
      ${authenticatorCounts(userId)} as counts,
      ${isTrusted(userId, deviceId, trustToken)} as trusted, ${isResetDue(userId)} as reset_due,
      ${mailboxUntil(userId)} as mailbox_until,
      exists (select from providers_required_of(${userId}) where role = 'owner') as bypasses,
      exists (select from providers_required_of(${userId}) where linked) and not exists (
        select from organizations_of(${userId}) o where not signs_in_by_provider(o.id, ${userId})) as shut`
  if (!factors) throw new Error('a select without a row')
  return factors
}

async function askForPasskey(tx: Transaction, person: FirstFactor): Promise<SignInAnswer> {
  const challenged = await challenge(tx, person, 'webauthn')
  const subject = tokenHash(challenged.challenge_token).toString('hex')
  const webauthn = await assertionOptions(tx, { userId: person.userId, purpose: 'sign_in', subject })
  if (!webauthn) throw new Error('a passkey went while its person was locked')
  return { status: 'webauthn_required', ...challenged, webauthn }
}

type SigningIn = Pick<FirstFactor, 'userId' | 'deviceId' | 'trust'>

/**
 * Writes a challenge for ten minutes; `proved` if a factor was proved in this sign-in before. A new device gets its row
 * when the sign-in is complete.
 */
export async function challenge(
  tx: Transaction,
  { userId, deviceId, trust }: SigningIn,
  purpose: ChallengePurpose,
  proved = false,
): Promise<{ challenge_token: string; device_id: DeviceId }> {
  const token = newToken()
  const device: DeviceId = deviceId ?? newId()
  await tx`
    insert into sign_in_challenges (token_hash, user_id, device_id, purpose, trust, proved, expires_at)
    values (${tokenHash(token)}, ${userId}, ${device}, ${purpose}, ${trust}, ${proved},
      business_now() + make_interval(mins => ${CHALLENGE_MINUTES}))`
  return { challenge_token: token, device_id: device }
}

/** Opens the session, and trusts the device if the request says so; `trusted`: it showed a valid trust token. */
export async function startSession(
  tx: Transaction,
  { userId, deviceId, trust }: SigningIn,
  { method, trusted = false, origin }: { method: SignInMethod; trusted?: boolean; origin: Origin },
): Promise<AuthenticatedSession> {
  const breaksGlass = method === 'passkey' && (await reportBypass(tx, userId, origin))
  const session = await openSession(tx, { userId, deviceId, method, origin, breaksGlass })
  const device = { userId, deviceId: session.deviceId, renewed: trusted }
  const trustToken = trust ? await trustDevice(tx, device, origin) : undefined
  return {
    status: 'authenticated',
    token: session.token,
    user: await findMe(userId, tx),
    device_id: session.deviceId,
    ...(trustToken !== undefined && { trust_token: trustToken }),
  }
}

/** Replaces the login credential of this session's device, for 30 days; a password change ends it. */
export async function addLoginCredential({ tx, person, origin }: Command): Promise<LoginCredentialResult> {
  const { userId, deviceId } = person
  const credential = LOGIN_CREDENTIAL_PREFIX + newToken()
  const { name } = await lockOwnDevice(tx, person)
  const replaced = await tx`
    delete from login_credentials where user_id = ${userId} and device_id = ${deviceId} returning device_id`
  const [added] = await tx<{ expires_at: string }[]>`
    insert into login_credentials (credential_hash, user_id, device_id, expires_at)
    values (${tokenHash(credential)}, ${userId}, ${deviceId}, business_now() + make_interval(days => ${TRUST_DAYS}))
    returning expires_at`
  if (!added) throw new Error('the login credential was not written')
  const details = { name, replaced: replaced.length > 0 }
  await recordSecurityEvent(tx, { ...by(person, origin), type: 'login_credential.added', details })
  await notify(tx, userId, {
    subject: 'A device may sign in without your password',
    body: `${name ? `The device ${quoteInMail(name)}` : 'A device without a name'} may sign in to your account without the password for ${TRUST_DAYS} days.`,
    facts: [['Until', minuteOf(added.expires_at)]],
  })
  return { credential, device_id: deviceId, expires_at: added.expires_at }
}

/** Checks a login credential and notes its use; refuses every wrong one alike, and logs it for a known device. */
export async function proveByCredential(given: DeviceSignIn, origin: Origin): Promise<FirstFactor> {
  const device = isUuid(given.device_id) ? given.device_id : null
  const hash = tokenHash(given.credential)
  const right = await first(sql<{ userId: UserId; deviceId: DeviceId }[]>`
    update login_credentials l set last_used_at = business_now()
    from devices d
    where l.credential_hash = ${hash} and l.device_id = ${device}
      and l.expires_at > business_now() and d.id = l.device_id and d.removed_at is null
    returning l.user_id as "userId", l.device_id as "deviceId"`)
  if (!right) {
    const known = await first(sql<{ user_id: UserId }[]>`
      select user_id from devices where id = ${device} and removed_at is null`)
    await recordFailure(known?.user_id ?? null, 'device', origin)
    refuse('invalid_credentials')
  }
  return {
    ...right,
    trust: wantsTrust(given),
    trustToken: given.trust_token ?? null,
    method: 'device',
    // a password change or the removal of the device deletes it
    holds: sql`exists (select from login_credentials where credential_hash = ${hash})`,
  }
}
