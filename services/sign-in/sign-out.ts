/** Ends everything that could open a session: of a person everywhere, or of one device. */
import { refuse } from '../../domain/errors.ts'
import type { DeviceId, UserId } from '../../domain/ids.ts'
import { notify } from '../messages/account-notices.ts'
import { endDevice, revokeDeviceTrust } from '../people/devices.ts'
import { lockPerson, lockPersonWith } from '../people/people.ts'
import { type Command, recordSecurityEvent } from '../people/security-log.ts'
import { type SessionsEnd, endSessions } from '../people/sessions.ts'
import { endDelegates } from '../people/delegates.ts'
import { type Transaction, transaction } from '../../db/postgres/sql.ts'
import { isApprovalDevice, revokeApprovalCredentialOf } from '../step-up/approval-devices.ts'

/** Ends sessions but the kept one, trust, login credentials and sign-ins under way. The caller locked the person. */
export async function signOutEverywhere(tx: Transaction, userId: UserId, end: SessionsEnd): Promise<number> {
  const ended = await endSessions(tx, userId, end)
  await revokeDeviceTrust(tx, userId)
  await tx`delete from login_credentials where user_id = ${userId}`
  await tx`update sign_in_challenges set used_at = business_now() where user_id = ${userId} and used_at is null`
  await endDelegates(tx, { userId, reason: end.reason })
  return ended
}

/** Signs a person out everywhere for an operator, mails them, and counts the sessions. Refuses `not_found`. */
export function endEverySession(email: string): Promise<number> {
  return transaction(async (tx) => {
    const userId = await lockPersonWith(tx, email)
    const end = { kept: null, origin: null, reason: 'ended_by_operator' } as const
    const ended = await signOutEverywhere(tx, userId, end)
    await recordSecurityEvent(tx, { type: 'sessions.ended_by_operator', userId, origin: null, details: { ended } })
    await notify(tx, userId, {
      subject: 'You were signed out everywhere',
      body: 'An operator of the service ended all sessions of your account. Sign in again with your password and your other factors.',
    })
    return ended
  })
}

type RemoveDevice = Command<{ readonly params: { readonly device_id: DeviceId }; readonly approves: boolean }>

/**
 * Removes a device with its sessions, sign-ins under way, trust and credentials. Refuses `step_up_required` if it has
 * become an approval device since the caller looked.
 */
export async function removeDevice(command: RemoveDevice): Promise<void> {
  const { tx, person, params, approves } = command
  const id = params.device_id
  await lockPerson(tx, person.userId)
  if (!approves && (await isApprovalDevice(person.userId, id, tx))) refuse('step_up_required')
  await endDevice(command, id)
  await tx`
    update sign_in_challenges set used_at = business_now()
    where user_id = ${person.userId} and device_id = ${id} and used_at is null`
  await tx`delete from login_credentials where device_id = ${id}`
  await revokeApprovalCredentialOf(tx, id)
}
