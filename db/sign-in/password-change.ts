/** A new password: with the old one by a signed-in person, or with a mailed token by one who forgot it. */
import type { Origin, Person } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { SessionId, UserId } from '../../domain/ids.ts'
import { mailedToken } from '../messages/links.ts'
import { sendMessage } from '../messages/messages.ts'
import { notify } from '../messages/account-notices.ts'
import { RESET_MINUTES } from '../../domain/sign-in/sign-in.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { lockPerson, setPasswordHash } from '../people/people.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { by, recordResetRequested, recordSecurityEvent } from '../people/security-log.ts'
import { signOutEverywhere } from './sign-out.ts'
import { type Transaction, first, sql, transaction } from '../sql.ts'
import { remainingDevices, revokeApprovalCredentials } from '../step-up/approval-devices.ts'

type PasswordChange = { readonly current_password: string; readonly password: string }

/**
 * Changes the password; every other session ends, and everything that replaces a proof is void. Refuses
 * `password_incorrect` for a wrong current password: a 401 would look like a session that has ended. And
 * `weak_password`, and `invalid_state` if the password was changed in the meantime.
 */
export async function changePassword(person: Person, change: PasswordChange, origin: Origin): Promise<void> {
  const who = await first(sql<{ email: string; password_hash: string }[]>`
    select email, password_hash from people where id = ${person.userId}`)
  if (!who) throw new Error('a session without a person')
  if (!(await verifyPassword(who.password_hash, change.current_password))) refuse('password_incorrect')
  const hash = await hashPassword(change.password, who.email)
  await transaction(async (tx) => {
    const changed = await setPasswordHash(tx, person.userId, hash, who.password_hash)
    if (!changed) refuse('invalid_state', { current: 'changed', allowed: [], reason: 'changed_meanwhile' })
    await revokeAfterPasswordChange(tx, person.userId, person.sessionId, origin, 'password_changed')
    await recordSecurityEvent(tx, { ...by(person, origin), type: 'password.changed' })
    await notify(tx, person.userId, {
      subject: 'Your password was changed',
      body: `The password of your account was changed, and all other sessions were ended.${await remainingDevices(tx, person.userId)}`,
    })
  })
}

/** Ends the other sessions, and voids everything that the old password opened or that could replace the new one. */
async function revokeAfterPasswordChange(
  tx: Transaction,
  userId: UserId,
  kept: SessionId | null,
  origin: Origin,
  reason: 'password_changed' | 'password_reset',
): Promise<void> {
  await signOutEverywhere(tx, userId, kept, origin, reason)
  await tx`update password_resets set used_at = business_now() where user_id = ${userId} and used_at is null`
}

/**
 * Mails a token that sets a new password; those that were mailed before are void. An unknown address costs the same
 * statements, and a message that is written and never sent, so that neither the answer nor its time tells whether there
 * is an account.
 */
export async function requestReset(email: string, origin: Origin): Promise<void> {
  const token = newToken()
  const { how, ...mailed } = mailedToken('reset-password', token)
  await transaction(async (tx) => {
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
      subject: 'Set a new password',
      body: `If you did not ask for a new password, ignore this mail: yours stays as it is. Otherwise set one within ${RESET_MINUTES} minutes. ${how}`,
      ...mailed,
      discarded: asked.length === 0,
    })
  })
}

/**
 * Sets the password; every session ends, approval devices are removed, and a second factor is still required at
 * sign-in. The token works once. Refuses `token_invalid` for a wrong, used or expired token, and `weak_password`, which
 * leaves the token valid.
 */
export async function resetPassword(given: { token: string; password: string }, origin: Origin): Promise<void> {
  const hash = tokenHash(given.token)
  const who = await first(sql<{ id: UserId; email: string }[]>`
    select p.id, p.email from password_resets r join people p on p.id = r.user_id
    where r.token_hash = ${hash} and r.used_at is null and r.expires_at > business_now()`)
  if (!who) refuse('token_invalid')
  const passwordHash = await hashPassword(given.password, who.email)
  await transaction(async (tx) => {
    await lockPerson(tx, who.id)
    const used = await tx`
      update password_resets set used_at = business_now()
      where token_hash = ${hash} and used_at is null and expires_at > business_now() returning user_id`
    if (used.length === 0) refuse('token_invalid')
    await setPasswordHash(tx, who.id, passwordHash)
    await revokeAfterPasswordChange(tx, who.id, null, origin, 'password_reset')
    const removed = await revokeApprovalCredentials(tx, who.id)
    await recordSecurityEvent(tx, { type: 'password.reset', userId: who.id, origin })
    await notify(tx, who.id, {
      subject: 'Your password was set anew',
      body: `The password of your account was set anew, and all sessions were ended.${removed > 0 ? ' Your approval devices were removed: add those again that are yours.' : ''}`,
    })
  })
}
