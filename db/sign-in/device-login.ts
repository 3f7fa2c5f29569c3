/** Device login: a secret of one device that replaces the password, and nothing else. */
import type { Origin, Person } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import { type DeviceId, type UserId, isUuid } from '../../domain/ids.ts'
import {
  type DeviceSignIn,
  LOGIN_CREDENTIAL_PREFIX,
  type LoginCredentialResult,
} from '../../domain/sign-in/login-credential.ts'
import { TRUST_DAYS, wantsTrust } from '../../domain/sign-in/sign-in.ts'
import { quotedInMail } from '../../domain/text.ts'
import { notify } from '../messages/account-notices.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { by, recordSecurityEvent, recordFailure } from '../people/security-log.ts'
import { lockOwnDevice } from '../people/sessions.ts'
import { type SignInOutcome, afterFirstFactor } from './sign-in.ts'
import { type Transaction, first, sql, transaction } from '../sql.ts'

/**
 * Gives the device of this session a login credential, valid for 30 days however often it is used; an earlier one of
 * the device is void. Only this answer holds the secret. It ends with the device, and with a password change.
 */
export function addLoginCredential(person: Person, origin: Origin): Promise<LoginCredentialResult> {
  const credential = LOGIN_CREDENTIAL_PREFIX + newToken()
  return transaction(async (tx): Promise<LoginCredentialResult> => {
    const { name } = await lockOwnDevice(tx, person)
    const replaced = await tx`
      delete from login_credentials where user_id = ${person.userId} and device_id = ${person.deviceId}
      returning device_id`
    const [added] = await tx<{ expires_at: string }[]>`
      insert into login_credentials (credential_hash, user_id, device_id, expires_at)
      values (${tokenHash(credential)}, ${person.userId}, ${person.deviceId},
        business_now() + make_interval(days => ${TRUST_DAYS}))
      returning expires_at`
    if (!added) throw new Error('the login credential was not written')
    await recordSecurityEvent(tx, {
      ...by(person, origin),
      type: 'login_credential.added',
      details: { name, replaced: replaced.length > 0 },
    })
    await notify(tx, person.userId, {
      subject: 'A device may sign in without your password',
      body: `${name ? `The device ${quotedInMail(name)}` : 'A device without a name'} may sign in to your account without the password for ${TRUST_DAYS} days.`,
    })
    return { credential, device_id: person.deviceId, expires_at: added.expires_at }
  })
}

/**
 * Signs in as the right password would, on the device that the credential is bound to. Refuses `invalid_credentials`
 * for a wrong device, a wrong or expired credential, and a wrong combination alike; if the device belongs to a person,
 * the attempt is in their log.
 */
export async function signInOnDevice(given: DeviceSignIn, origin: Origin): Promise<SignInOutcome> {
  const device = isUuid(given.device_id) ? given.device_id : null
  const right = await first(sql<{ userId: UserId; deviceId: DeviceId }[]>`
    update login_credentials l set last_used_at = business_now()
    from devices d
    where l.credential_hash = ${tokenHash(given.credential)} and l.device_id = ${device}
      and l.expires_at > business_now() and d.id = l.device_id and d.removed_at is null
    returning l.user_id as "userId", l.device_id as "deviceId"`)
  if (!right) {
    const known = await first(sql<{ user_id: UserId }[]>`
      select user_id from devices where id = ${device} and removed_at is null`)
    await recordFailure(known?.user_id ?? null, 'device', origin)
    refuse('invalid_credentials')
  }
  const trust = wantsTrust(given)
  const person = { ...right, trust, trustToken: given.trust_token ?? null, method: 'device' } as const
  return afterFirstFactor({ ...person, holds: (tx) => isGood(tx, given.credential) }, origin)
}

/** Whether the credential still exists: a password change or the removal of the device deletes it. */
async function isGood(tx: Transaction, credential: string): Promise<boolean> {
  const good = await tx`select from login_credentials where credential_hash = ${tokenHash(credential)}`
  return good.length === 1
}
