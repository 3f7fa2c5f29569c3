/** Signing a person out everywhere: sessions, and everything that would open one without all proofs. */
import type { Origin } from '../../domain/actor.ts'
import type { SessionId, UserId } from '../../domain/ids.ts'
import { notify } from '../messages/account-notices.ts'
import { lockPersonWith } from '../people/people.ts'
import { recordSecurityEvent } from '../people/security-log.ts'
import { endSessions } from '../people/sessions.ts'
import { type Transaction, transaction } from '../sql.ts'
import { revokeDeviceTrust } from '../people/device-trust.ts'

/**
 * Ends the sessions of the person except the kept one, and voids trust, login credentials and sign-ins under way.
 * Returns how many sessions it ended. The caller has locked the person.
 */
export async function signOutEverywhere(
  tx: Transaction,
  userId: UserId,
  kept: SessionId | null,
  origin: Origin | null,
  reason: Parameters<typeof endSessions>[4],
): Promise<number> {
  const ended = await endSessions(tx, userId, kept, origin, reason)
  await revokeDeviceTrust(tx, userId)
  await tx`delete from login_credentials where user_id = ${userId}`
  await tx`update sign_in_challenges set used_at = business_now() where user_id = ${userId} and used_at is null`
  return ended
}

/**
 * For an operator, if an account may be in other hands: ends every session of the person with this address, voids
 * everything that would open one without all proofs (trust, login credentials, sign-ins under way), and mails them.
 * Returns how many sessions it ended. Password and factors stay. A repeat does it again. Refuses `not_found`.
 */
export function endEverySession(email: string): Promise<number> {
  return transaction(async (tx) => {
    const userId = await lockPersonWith(tx, email)
    const ended = await signOutEverywhere(tx, userId, null, null, 'ended_by_operator')
    await recordSecurityEvent(tx, { type: 'sessions.ended_by_operator', userId, origin: null, details: { ended } })
    await notify(tx, userId, {
      subject: 'You were signed out everywhere',
      body: 'An operator of the service ended all sessions of your account. Sign in again with your password and your other factors.',
    })
    return ended
  })
}
