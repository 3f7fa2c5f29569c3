/** Trust tokens: for 30 days a device that holds one needs no second factor. */
import type { Origin } from '../../domain/actor.ts'
import type { DeviceId, UserId } from '../../domain/ids.ts'
import { TRUST_DAYS } from '../../domain/sign-in/sign-in.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { recordSecurityEvent } from './security-log.ts'
import { type Transaction, type Fragment, sql } from '../sql.ts'

/**
 * Gives the device a trust token, which only this answer shows; an earlier one of the device is void. If the earlier
 * one replaced a proof in this sign-in, the new one ends when the earlier one would have: trust does not renew itself.
 */
export async function trustDevice(
  tx: Transaction,
  { userId, deviceId, renewed }: { userId: UserId; deviceId: DeviceId; renewed: boolean },
  origin: Origin,
): Promise<string> {
  const token = `tru_${newToken()}`
  const [earlier] = await tx<{ expires_at: string }[]>`
    delete from trust_tokens where device_id = ${deviceId} returning expires_at`
  const end = renewed && earlier ? earlier.expires_at : null
  await tx`
    insert into trust_tokens (token_hash, user_id, device_id, expires_at)
    values (${tokenHash(token)}, ${userId}, ${deviceId},
      coalesce(${end}::timestamptz, business_now() + make_interval(days => ${TRUST_DAYS})))`
  await recordSecurityEvent(tx, { type: 'device.trusted', userId, deviceId, origin })
  return token
}

/** Condition: the token is valid, and of exactly this person and device. */
export const isTrusted = (userId: UserId, deviceId: DeviceId | null, token: string | null): Fragment => sql`
  exists (select from trust_tokens where token_hash = ${token === null ? null : tokenHash(token)}
    and user_id = ${userId} and device_id = ${deviceId} and expires_at > business_now())`

/** Voids all trust tokens of the person: the second factor is required on every device again. */
export async function revokeDeviceTrust(tx: Transaction, userId: UserId): Promise<void> {
  await tx`delete from trust_tokens where user_id = ${userId}`
}
