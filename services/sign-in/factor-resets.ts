/** Factor resets: announced by an operator, stopped by the person, else done by a sign-in after the cooling-off. */
import { config } from '../../platform/config.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { removeEveryFactor, requireSecondFactor } from '../factors/recovery-codes.ts'
import { notifyEverywhere } from '../messages/account-notices.ts'
import { linkToken } from '../../platform/mail-links.ts'
import type { Origin } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { FACTOR_RESET_DAYS } from '../../domain/sign-in/sign-in.ts'
import { lockPerson, lockPersonWith } from '../people/people.ts'
import { recordSecurityEvent } from '../people/security-log.ts'
import { type Fragment, type Transaction, sql, transaction } from '../../db/postgres/sql.ts'
import { revokeApprovalCredentials } from '../step-up/approval-devices.ts'
import { hasFactorOfOwn } from '../step-up/ways.ts'
import { signOutEverywhere } from './sign-out.ts'

const FACTORS = 'authenticator app, passkeys, recovery codes, phone numbers, trusted devices and approval devices'

/** From when and until when a sign-in with the password carries it out. */
type FactorReset = { readonly from: string; readonly until: string }

/**
 * Announces a reset at every confirmed address, with the way to object; a sign-in carries it out. For an operator who
 * knows by other means that the factors are lost. A repeat answers the reset that is under way, and mails nothing.
 */
export function announceFactorReset(email: string, reason: string): Promise<FactorReset> {
  const token = newToken()
  return transaction(async (tx) => {
    const userId = await lockPersonWith(tx, email)
    const [open] = await tx<FactorReset[]>`
      select effective_from as "from", expires_at as until from factor_resets where ${isOpen(userId)}`
    if (open) return open
    await requireFactor(userId, tx)
    await tx`update factor_resets set ended_at = business_now() where user_id = ${userId} and ended_at is null`
    const [announced] = await tx<FactorReset[]>`
      insert into factor_resets (token_hash, user_id, effective_from, expires_at)
      values (${tokenHash(token)}, ${userId}, business_now() + make_interval(hours => ${config.factorResetHours}),
        business_now() + make_interval(hours => ${config.factorResetHours}, days => ${FACTOR_RESET_DAYS}))
      returning effective_from as "from", expires_at as until`
    if (!announced) throw new Error('the reset was not written')
    const details = { effective_from: announced.from, reason }
    await recordSecurityEvent(tx, { type: 'factor_reset.announced', userId, origin: null, details })
    await notifyEverywhere(tx, userId, {
      subject: 'Your second factors will be removed',
      body: `Somebody, perhaps you, told us that the second factors of your account are lost. The first sign-in with your password after ${minuteOf(announced.from)} removes its ${FACTORS}. If that was not you, stop it: sign in with one of your factors, or object; then change your password.`,
      token,
      action: linkToken('keep-factors', token, 'Keep them'),
    })
    return announced
  })
}

/** Refuses `invalid_state` for a person without anything that a reset would remove. */
async function requireFactor(userId: UserId, tx: Transaction): Promise<void> {
  const numbers = await tx`select from phone_numbers where user_id = ${userId} and confirmed_at is not null limit 1`
  if (numbers.length === 0 && !(await hasFactorOfOwn(userId, tx))) await requireSecondFactor(userId, tx)
}

/** Cancels the reset of a mailed token; refuses `token_invalid`, also once it was carried out or is over. */
export async function objectToFactorReset(tx: Transaction, token: string, origin: Origin): Promise<void> {
  const hash = tokenHash(token)
  const [whose] = await tx<{ userId: UserId }[]>`
    select user_id as "userId" from factor_resets where token_hash = ${hash}`
  if (!whose) refuse('token_invalid')
  await lockPerson(tx, whose.userId)
  const reset = sql`token_hash = ${hash} and ${isOpen(whose.userId)}`
  if (!(await cancel(tx, whose.userId, { reset, by: 'mail', origin }))) refuse('token_invalid')
}

/** Cancels the reset that is under way, for an operator. Refuses `not_found`, and `invalid_state`. */
export function cancelFactorReset(email: string): Promise<void> {
  return transaction(async (tx) => {
    const userId = await lockPersonWith(tx, email)
    const cancelled = await cancel(tx, userId, { reset: isOpen(userId), by: 'operator', origin: null })
    if (!cancelled) refuse('invalid_state', { current: 'none', allowed: [], reason: 'no_reset_under_way' })
  })
}

/** Cancels the reset of a person who signs in with a factor. The caller has locked them. */
export const keepFactors = (tx: Transaction, userId: UserId, origin: Origin): Promise<boolean> =>
  cancel(tx, userId, { reset: isOpen(userId), by: 'sign_in', origin })

type Cancellation = { readonly reset: Fragment; readonly by: keyof typeof STOPPED; readonly origin: Origin | null }

/** Ends the reset, if there is one, and writes to every address that it was announced at. */
async function cancel(tx: Transaction, userId: UserId, { reset, by, origin }: Cancellation): Promise<boolean> {
  const ended = await tx`update factor_resets set ended_at = business_now() where ${reset} returning user_id`
  if (ended.length === 0) return false
  await recordSecurityEvent(tx, { type: 'factor_reset.cancelled', userId, origin, details: { by } })
  await notifyEverywhere(tx, userId, {
    subject: 'Your second factors stay',
    body: `The removal of the second factors of your account, of which we told you, was stopped: ${STOPPED[by]}. Nothing has changed.`,
  })
  return true
}

const STOPPED = {
  mail: 'somebody objected with the message about it',
  operator: 'an operator took it back',
  sign_in: 'somebody signed in with one of them',
} as const

/** Builds the condition on a reset: it is under way. It ends with the first factor that is added since. */
const isOpen = (userId: UserId): Fragment => sql`
  user_id = ${userId} and ended_at is null and expires_at > business_now()
  and not exists (select from authenticators a where a.user_id = ${userId} and a.confirmed_at > factor_resets.inserted_at)
  and not exists (select from passkeys k where k.user_id = ${userId} and k.inserted_at > factor_resets.inserted_at)
  and not exists (select from phone_numbers n where n.user_id = ${userId} and n.confirmed_at > factor_resets.inserted_at)`

/** Builds the condition: the person's next sign-in with the password carries a reset out. */
export const isResetDue = (userId: UserId): Fragment => sql`
  exists (select from factor_resets where ${isOpen(userId)} and effective_from <= business_now())`

/**
 * Writes to every address and removes every second factor, and what stands in for one: phone numbers, trusted devices,
 * login credentials, approval devices. Ends all sessions. The caller has locked the person and knows that it is due.
 */
export async function carryOutFactorReset(tx: Transaction, userId: UserId, origin: Origin): Promise<void> {
  await tx`update factor_resets set ended_at = business_now() where ${isOpen(userId)}`
  await notifyEverywhere(tx, userId, {
    subject: 'Your second factors were removed',
    body: `The ${FACTORS} of your account were removed by a sign-in with your password, as we told you they would be, and all other sessions were ended. Add a second factor now. If this was not you, set a new password and write to us at once.`,
  })
  const removed = await removeEveryFactor(tx, userId)
  const approval_devices = await revokeApprovalCredentials(tx, userId)
  await signOutEverywhere(tx, userId, { kept: null, origin, reason: 'factors_reset' })
  await recordSecurityEvent(tx, { type: 'factors.reset', userId, origin, details: { ...removed, approval_devices } })
}
