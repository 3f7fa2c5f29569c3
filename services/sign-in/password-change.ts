/** A new password: with the old one by a signed-in person, or with a mailed token by one who forgot it. */
import type { Origin, Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { type PasswordChange, RESET_MINUTES, type Reset } from '../../domain/sign-in/sign-in.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { notify, notifyEverywhere } from '../messages/account-notices.ts'
import { linkDevices, linkToken } from '../../platform/mail-links.ts'
import { sendMessage } from '../messages/messages.ts'
import { lockPerson, resetPasswordHash, setPasswordHash } from '../people/people.ts'
import { type Command, by, recordResetRequested, recordSecurityEvent } from '../people/security-log.ts'
import type { SessionsEnd } from '../people/sessions.ts'
import { type Transaction, first, sql } from '../../db/postgres/sql.ts'
import { remainingDevices } from '../step-up/approval-devices.ts'
import { hashPassword, verifyPassword } from '../../platform/passwords.ts'
import { signOutEverywhere } from './sign-out.ts'

/** The stored hashes of a password before and after its change. */
type Hashes = { readonly from: string; readonly to: string }

/** Compares the current password and hashes the new one; a 401 would look like a session that has ended. */
export async function preparePasswordChange({ userId }: Person, change: PasswordChange): Promise<Hashes> {
  const who = await first(sql<{ email: string; password_hash: string }[]>`
    select email, password_hash from people where id = ${userId}`)
  if (!who) throw new Error('a session without a person')
  if (!(await verifyPassword(who.password_hash, change.current_password))) refuse('password_incorrect')
  return { from: who.password_hash, to: await hashPassword(change.password, who.email) }
}

/** Changes the password; every other session ends, and everything that replaces a proof is void. */
export async function changePassword({ tx, person, hashes, origin }: Command<{ hashes: Hashes }>): Promise<void> {
  const changed = await setPasswordHash(tx, person.userId, hashes.to, hashes.from)
  if (!changed) refuse('invalid_state', { current: 'changed', allowed: [], reason: 'changed_meanwhile' })
  await revokeAll(tx, person.userId, { kept: person.sessionId, origin, reason: 'password_changed' })
  await recordSecurityEvent(tx, { ...by(person, origin), type: 'password.changed' })
  await notify(tx, person.userId, {
    subject: 'Your password was changed',
    body: `The password of your account was changed, and all other sessions were ended.${await remainingDevices(tx, person.userId)}`,
  })
}

/** Ends the other sessions, and voids everything that the old password opened. */
async function revokeAll(tx: Transaction, userId: UserId, end: SessionsEnd): Promise<void> {
  await signOutEverywhere(tx, userId, end)
  await tx`update password_resets set used_at = business_now() where user_id = ${userId} and used_at is null`
}

/**
 * Mails a token that sets a new password, and voids earlier ones. An unknown address costs the same statements, and a
 * message that is written and never sent, so that neither the answer nor its time tells if there is an account.
 */
export async function requestReset(tx: Transaction, email: string, origin: Origin): Promise<void> {
  const token = newToken()
  await tx`select from people where email = ${email} for no key update` // of requests at once the last one counts
  const asked = await tx<{ user_id: UserId }[]>`
    with earlier as (
      update password_resets r set used_at = business_now() from people p
      where p.email = ${email} and r.user_id = p.id and r.used_at is null)
    insert into password_resets (token_hash, user_id, expires_at)
    select ${tokenHash(token)}, p.id, business_now() + make_interval(mins => ${RESET_MINUTES})
    from people p where p.email = ${email} returning user_id`
  await recordResetRequested(tx, email, origin)
  await sendMessage(tx, {
    recipient: email,
    channel: 'email',
    token,
    mail: {
      subject: 'Set a new password',
      paragraphs: [`Set a new password within ${RESET_MINUTES} minutes.`],
      action: linkToken('reset-password', token, 'Set a new password'),
      footer: [
        'You receive this mail because a new password was asked for with this address.',
        'If you did not ask for it, ignore this mail: your password stays as it is.',
      ],
    },
    discarded: asked.length === 0,
  })
}

type PreparedReset = { readonly token: Buffer; readonly userId: UserId; readonly passwordHash: string }

/** Finds the person of a mailed token and hashes the new password. */
export async function prepareReset({ token, password }: Reset): Promise<PreparedReset> {
  const hash = tokenHash(token)
  const who = await first(sql<{ id: UserId; email: string }[]>`
    select p.id, p.email from password_resets r join people p on p.id = r.user_id
    where r.token_hash = ${hash} and r.used_at is null and r.expires_at > business_now()`)
  if (!who) refuse('token_invalid')
  return { token: hash, userId: who.id, passwordHash: await hashPassword(password, who.email) }
}

/**
 * Sets the password by a token, once. Sessions end; every factor stays, approval devices too: a mailbox takes none away.
 * For a day the password proves no more than the mailbox (services/people/assurance.ts).
 */
export async function resetPassword(tx: Transaction, reset: PreparedReset, origin: Origin): Promise<void> {
  const { token, userId, passwordHash } = reset
  await lockPerson(tx, userId)
  const used = await tx`
    update password_resets set used_at = business_now()
    where token_hash = ${token} and used_at is null and expires_at > business_now() returning user_id`
  if (used.length === 0) refuse('token_invalid')
  const until = await resetPasswordHash(tx, userId, passwordHash)
  await revokeAll(tx, userId, { kept: null, origin, reason: 'password_reset' })
  await recordSecurityEvent(tx, { type: 'password.reset', userId, origin })
  await notifyEverywhere(tx, userId, {
    subject: 'Your password was set anew',
    body: `The password of your account was set anew by a mail, and all sessions were ended. Until ${minuteOf(until)} codes by mail confirm nothing: use an authenticator app, a passkey, an approval device or your phone. If that was not you, another person reads your mails: set a new password, and write to us at once.${await remainingDevices(tx, userId)}`,
    action: linkDevices(),
  })
}
