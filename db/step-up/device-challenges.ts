/**
 * Challenges: step-ups of a person that one of their approval devices may release, by the number on the requester's
 * screen.
 */
import type { Origin, Person } from '../../domain/actor.ts'
import {
  type ApproveChallenge,
  type Challenge,
  type DenyChallenge,
  MATCH_ATTEMPTS_MAX,
} from '../../domain/step-up/approval-device.ts'
import { refuse } from '../../domain/errors.ts'
import type { ApprovalCredentialId, StepUpId, UserId } from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import type { StepUp } from '../../domain/step-up/step-up.ts'
import { pageOfPerson } from '../pagination.ts'
import { tokenHash } from '../../platform/encryption.ts'
import { type Transaction, sql, transaction } from '../sql.ts'
import { type StepUpRow, lockStepUp, markDenied, markVerified, toStepUp } from './step-ups.ts'

/** Challenges that wait for an approval device of the person, newest first, without the number to match. */
export const listChallenges = (userId: UserId, page: PageRequest): Promise<Page<Challenge>> =>
  pageOfPerson<Challenge>(
    userId,
    'step_ups',
    page,
    sql`select step_ups.id, step_ups.operation, step_ups.target, step_ups.summary, s.device_id, d.name as device_name,
        step_ups.inserted_at, step_ups.expires_at
      from step_ups join sessions s on s.id = step_ups.session_id join devices d on d.id = s.device_id
      where step_ups.status = 'pending' and step_ups.expires_at > business_now() and step_ups.match_code is not null
        and s.ended_at is null`,
  )

/**
 * Releases a challenge by the number on the requester's screen. A wrong number answers `failed`, and the third denies
 * the challenge for good; concurrent tries are counted one by one. A challenge that is not pending answers its status.
 * `remaining_attempts` are those of the number. Refuses `not_found` for a challenge that is not the person's,
 * `forbidden` for a credential that is unknown, revoked or not theirs, and `invalid_state` while it cools off.
 */
export function approveChallenge(
  person: Person,
  id: StepUpId,
  { credential, match_code: entered }: ApproveChallenge,
  origin: Origin,
): Promise<StepUp> {
  return transaction(async (tx): Promise<StepUp> => {
    const { row, device } = await lockBoth(tx, person, id, credential)
    if (device.cooling)
      refuse('invalid_state', {
        current: 'cooling_off',
        allowed: ['deny'],
        cooling_off_until: device.cooling_off_until,
      })
    if (row.match_code === null) refuse('not_found')
    if (row.status !== 'pending') return withRemainingAttempts(row)
    if (entered.replaceAll(/\s/g, '') !== row.match_code) return countWrong(tx, row, device, origin)
    await recordDecider(tx, row, device)
    return { ...(await markVerified(tx, row, 'approval_device', origin)), remaining_attempts: remaining(row) }
  })
}

/**
 * Denies a challenge for good, also from a device that cools off. A challenge that is not pending answers its status.
 * Refuses as approveChallenge() does, except for the cooling-off: stopping is never harder than releasing.
 */
export function denyChallenge(
  person: Person,
  id: StepUpId,
  { credential }: DenyChallenge,
  origin: Origin,
): Promise<StepUp> {
  return transaction(async (tx): Promise<StepUp> => {
    const { row, device } = await lockBoth(tx, person, id, credential)
    if (row.match_code === null) refuse('not_found')
    return row.status === 'pending' ? deny(tx, row, device, origin) : withRemainingAttempts(row)
  })
}

type Device = { id: ApprovalCredentialId; cooling_off_until: string; cooling: boolean }

/** Locks the challenge and then the credential, always in this order: a concurrent revocation comes before or after. */
async function lockBoth(
  tx: Transaction,
  { userId }: Person,
  id: StepUpId,
  credential: string,
): Promise<{ row: StepUpRow; device: Device }> {
  const row = await lockStepUp(tx, id, sql`and user_id = ${userId}`)
  const [device] = await tx<Device[]>`
    select id, cooling_off_until, cooling_off_until > business_now() as cooling from approval_credentials
    where credential_hash = ${tokenHash(credential)} and user_id = ${userId} and revoked_at is null
    for no key update`
  return { row, device: device ?? refuse('forbidden', { reason: 'approval_credential_unknown' }) }
}

async function countWrong(tx: Transaction, row: StepUpRow, device: Device, origin: Origin): Promise<StepUp> {
  const counted = { ...row, match_attempts: row.match_attempts + 1 }
  await tx`update step_ups set match_attempts = ${counted.match_attempts} where id = ${row.id}`
  if (remaining(counted) === 0) return deny(tx, counted, device, origin)
  return withRemainingAttempts({ ...counted, status: 'failed' })
}

async function deny(tx: Transaction, row: StepUpRow, device: Device, origin: Origin): Promise<StepUp> {
  await recordDecider(tx, row, device)
  return { ...(await markDenied(tx, row, origin)), remaining_attempts: remaining(row) }
}

/** Which device decided, for the evidence and for the list of devices. */
async function recordDecider(tx: Transaction, { id }: StepUpRow, device: Device): Promise<void> {
  await tx`update step_ups set approval_credential_id = ${device.id} where id = ${id}`
  await tx`update approval_credentials set last_used_at = business_now() where id = ${device.id}`
}

const remaining = (row: StepUpRow): number => Math.max(0, MATCH_ATTEMPTS_MAX - row.match_attempts)

const withRemainingAttempts = (row: StepUpRow): StepUp => ({ ...toStepUp(row), remaining_attempts: remaining(row) })
