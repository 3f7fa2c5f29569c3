/** Approval devices: added after a step-up, listed, revoked; each secret is shown once and stored as a hash. */
import type postgres from 'postgres'
import type { Origin, Person } from '../../domain/people/actor.ts'
import {
  APPROVAL_CREDENTIALS_MAX,
  APPROVAL_CREDENTIAL_PREFIX,
  type ApprovalCredential,
  type ApprovalCredentialResult,
  COOLING_OFF_HOURS,
} from '../../domain/step-up/step-up.ts'
import { refuse } from '../../domain/errors.ts'
import type { ApprovalCredentialId, DeviceId, UserId } from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import { minuteOf } from '../../domain/instants.ts'
import { quoteInMail } from '../../domain/text.ts'
import { notify, notifyEverywhere } from '../messages/account-notices.ts'
import { pageOfPerson } from '../../db/postgres/pagination.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { lockPerson } from '../people/people.ts'
import { type Command, by, recordSecurityEvent } from '../people/security-log.ts'
import { lockOwnDevice } from '../people/sessions.ts'
import { type Fragment, type Transaction, first, sql } from '../../db/postgres/sql.ts'
import { useStepUp } from '../step-up-use.ts'

/**
 * Makes the device of this session an approval device, and revokes its earlier credential. Only the answer holds the
 * secret.
 */
export async function addApprovalCredential(
  tx: Transaction,
  person: Person,
  stepUpId: string | null,
  origin: Origin,
): Promise<ApprovalCredentialResult> {
  const { userId, deviceId } = person
  const credential = APPROVAL_CREDENTIAL_PREFIX + newToken()
  const { name } = await lockOwnDevice(tx, person)
  await useStepUp(tx, person, stepUpId)
  const replaced = await revoke(tx, sql`user_id = ${userId} and device_id = ${deviceId}`)
  const active = await tx`select from approval_credentials where user_id = ${userId} and revoked_at is null`
  if (active.length >= APPROVAL_CREDENTIALS_MAX) {
    refuse('unprocessable_entity', { reason: 'too_many_approval_devices', limit: APPROVAL_CREDENTIALS_MAX })
  }
  const [added] = await tx<Omit<ApprovalCredentialResult, 'credential'>[]>`
    insert into approval_credentials (user_id, device_id, name, credential_hash, cooling_off_until)
    values (${userId}, ${deviceId}, ${name}, ${tokenHash(credential)},
      business_now() + make_interval(hours => ${COOLING_OFF_HOURS}))
    returning id, name, device_id, cooling_off_until, inserted_at`
  if (!added) throw new Error('the approval credential was not written')
  await recordSecurityEvent(tx, {
    ...by(person, origin),
    type: 'approval_device.added',
    details: { approval_credential_id: added.id, name, replaced: replaced.length > 0 },
  })
  await notify(tx, userId, {
    subject: 'An approval device was added',
    body: `${nameOf(name)} can confirm your sign-ins to sensitive operations and your payments.`,
    facts: [['From', minuteOf(added.cooling_off_until)]],
  })
  return { ...added, credential }
}

/** Revokes active approval devices for good. */
const revoke = (tx: Transaction, which: Fragment) => tx<{ name: string | null; cooling: boolean }[]>`
  update approval_credentials set revoked_at = business_now() where ${which} and revoked_at is null
  returning name, cooling_off_until > business_now() as cooling`

/** Revokes the approval device of a device that is removed. */
export async function revokeApprovalCredentialOf(tx: Transaction, id: DeviceId): Promise<void> {
  await revoke(tx, sql`device_id = ${id}`)
}

export const revokeApprovalCredentials = async (tx: Transaction, userId: UserId): Promise<number> =>
  (await revoke(tx, sql`user_id = ${userId}`)).length

const nameOf = (name: string | null): string => (name ? `The device ${quoteInMail(name)}` : 'A device without a name')

/** Writes the sentence on the remaining approval devices for a mail about a new password; empty without one. */
export async function remainingDevices(tx: Transaction, userId: UserId): Promise<string> {
  const devices = await tx<{ name: string | null }[]>`
    select name from approval_credentials where user_id = ${userId} and revoked_at is null order by inserted_at, id`
  if (devices.length === 0) return ''
  const names = devices.map(({ name }) => (name ? quoteInMail(name) : 'a device without a name')).join(', ')
  return ` Your approval devices stay, and can still confirm payments for you: ${names}. Remove those that you do not know.`
}

/** Builds a condition: the person has a device that may release challenges now, past its cooling-off. */
export const approvalDeviceExists = (userId: UserId): Fragment => sql`
  exists (select from approval_credentials
    where user_id = ${userId} and revoked_at is null and cooling_off_until <= business_now())`

/** Tells if a device of the person may release challenges now. */
export async function isApprovalDevice(
  userId: UserId,
  deviceId: DeviceId,
  tx: postgres.Sql | Transaction = sql,
): Promise<boolean> {
  const found = await tx`
    select from approval_credentials
    where user_id = ${userId} and device_id = ${deviceId} and revoked_at is null and cooling_off_until <= business_now()`
  return found.length > 0
}

const columns = (): Fragment => sql`id, name, device_id, inserted_at, cooling_off_until, last_used_at`

export const listApprovalCredentials = (userId: UserId, page: PageRequest): Promise<Page<ApprovalCredential>> =>
  pageOfPerson<ApprovalCredential>(
    userId,
    'approval_credentials',
    page,
    sql`select ${columns()} from approval_credentials where revoked_at is null`,
  )

/** Finds an active approval device of the person; refuses `not_found` if it is revoked or not theirs. */
export async function findApprovalCredential(userId: UserId, id: ApprovalCredentialId): Promise<ApprovalCredential> {
  const row = await first(sql<ApprovalCredential[]>`
    select ${columns()} from approval_credentials
    where id = ${id} and user_id = ${userId} and revoked_at is null`)
  return row ?? refuse('not_found')
}

/** Tells if an active approval device of the person cools off; refuses `not_found`. */
export async function isCooling(userId: UserId, id: ApprovalCredentialId): Promise<boolean> {
  const device = await first(sql<{ cooling: boolean }[]>`
    select cooling_off_until > business_now() as cooling from approval_credentials
    where id = ${id} and user_id = ${userId} and revoked_at is null`)
  return (device ?? refuse('not_found')).cooling
}

type RevokeCommand = Command<{ readonly id: ApprovalCredentialId; readonly cooling: boolean }>

/**
 * Revokes an approval device for good; refuses `not_found` if it is revoked already or not theirs, and
 * `step_up_required` if it has cooled off since the caller looked.
 */
export async function revokeApprovalCredential({ tx, person, id, cooling, origin }: RevokeCommand): Promise<void> {
  await lockPerson(tx, person.userId)
  const [revoked] = await revoke(tx, sql`id = ${id} and user_id = ${person.userId}`)
  if (!revoked) refuse('not_found')
  if (cooling && !revoked.cooling) refuse('step_up_required')
  const { name } = revoked
  await recordSecurityEvent(tx, {
    ...by(person, origin),
    type: 'approval_device.removed',
    details: { approval_credential_id: id, name },
  })
  await notifyEverywhere(tx, person.userId, {
    subject: 'An approval device was removed',
    body: `${nameOf(name)} can no longer confirm anything for you.`,
  })
}
