/** Removing all factors of a person at once, because they are lost. */
import type { UserId } from '../../domain/ids.ts'
import type { Transaction } from '../sql.ts'

/** How many of each there were. */
export type RemovedFactors = {
  readonly authenticators: number
  readonly passkeys: number
  readonly recovery_codes: number
}

/**
 * Removes authenticator, passkeys and recovery codes, and an authenticator that is being set up. Phone numbers stay:
 * their owner removes them after signing in. The caller has locked the person, and tells them.
 */
export async function removeEveryFactor(tx: Transaction, userId: UserId): Promise<RemovedFactors> {
  const authenticators = await tx`delete from authenticators where user_id = ${userId} returning user_id`
  const passkeys = await tx`
    update passkeys set removed_at = business_now() where user_id = ${userId} and removed_at is null returning id`
  const codes = await tx`delete from recovery_codes where user_id = ${userId} returning used_at is null as unused`
  await tx`delete from authenticator_setups where user_id = ${userId}`
  return {
    authenticators: authenticators.length,
    passkeys: passkeys.length,
    recovery_codes: codes.filter((row) => row['unused']).length,
  }
}
