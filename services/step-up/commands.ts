import type { Origin, Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { ApprovalCredentialId, StepUpId, UserId } from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import {
  type ApproveChallenge,
  type Challenge,
  type DenyChallenge,
  FALLBACKS_MAX,
  FALLBACK_POLICY,
  FALLBACK_WINDOW_MINUTES,
  MATCH_ATTEMPTS_MAX,
  STEP_UP_ATTEMPTS_MAX,
  type StepUp,
  type StepUpChallenge,
  type StepUpMethod,
  type StepUpProof,
} from '../../domain/step-up/step-up.ts'
import { tokenHash } from '../../platform/encryption.ts'
import { consumeCode } from '../factors/authenticators.ts'
import { takeMessagingCode } from '../factors/messaging-codes.ts'
import { consumeAssertion } from '../factors/webauthn.ts'
import { notify } from '../messages/account-notices.ts'
import { pageOfPerson } from '../../db/postgres/pagination.ts'
import { isOfCompany } from '../people/devices.ts'
import { lockPerson } from '../people/people.ts'
import { withWrongCodeLimit } from '../rate-limits.ts'
import { type Transaction, sql } from '../../db/postgres/sql.ts'
import { type StepUpRow, challenge, lockStepUp, markDenied, markVerified, recordStepUp, toStepUp } from './step-ups.ts'
import { findCodeRecipient, methodsOf } from './ways.ts'

/** Verifies the person's proof. A wrong one is counted and answers `failed`; the fifth ends the challenge for good. */
export async function completeStepUp(
  tx: Transaction,
  person: Person,
  id: StepUpId,
  proof: StepUpProof,
  origin: Origin,
): Promise<StepUp> {
  const row = await lockStepUp(tx, id, sql`and session_id = ${person.sessionId}`)
  const { method } = proof
  if (row.status !== 'pending' || method === 'approval_device') return toStepUp(row)
  const isAsked = row.methods.includes(method)
  const isRight = await withWrongCodeLimit(tx, row.user_id, 'session', async () => isAsked && verify(tx, row, proof))
  if (isRight) return markVerified(tx, row, method, origin)
  const attempts = row.attempts + 1
  const over = attempts >= STEP_UP_ATTEMPTS_MAX
  await tx`update step_ups set attempts = ${attempts}, status = ${over ? 'failed' : 'pending'} where id = ${row.id}`
  if (over) await recordStepUp(tx, row, 'step_up.failed', origin, { method })
  return toStepUp({ ...row, attempts, status: 'failed' })
}

type WebauthnProof = Extract<StepUpProof, { method: 'webauthn' }>

async function verify(
  tx: Transaction,
  row: StepUpRow,
  proof: Exclude<StepUpProof, { method: 'approval_device' }>,
): Promise<boolean> {
  const purpose = { userId: row.user_id, purpose: 'step_up', subject: row.id } as const
  switch (proof.method) {
    case 'totp':
      return consumeCode(tx, row.user_id, proof.code)
    case 'messaging_code':
      return (await takeMessagingCode(tx, purpose, proof.code)).right
    case 'webauthn':
      return verifyAssertion(tx, row, proof)
  }
}

/** Verifies what a passkey signed, and keeps it with what the browser says it signed for. */
async function verifyAssertion(tx: Transaction, row: StepUpRow, proof: WebauthnProof): Promise<boolean> {
  const about = { userId: row.user_id, purpose: 'step_up', subject: row.id, payment: row.payment } as const
  const signed = await consumeAssertion(tx, about, proof.credential, proof.challenge_id)
  if (!signed) return false
  const clientData = proof.credential.response.clientDataJSON
  await tx`update step_ups set client_data = ${clientData}, assertion = ${tx.json(signed)} where id = ${row.id}`
  return true
}

/**
 * Replaces a challenge by one for another method, or for a code that is sent; three times in 15 minutes. Refuses what
 * the person does not have, and a mailed code where it does not stand in for their factor.
 */
export async function requestFallback(
  tx: Transaction,
  { userId, sessionId }: Person,
  id: StepUpId,
  method: StepUpMethod,
): Promise<StepUpChallenge> {
  await lockPerson(tx, userId)
  const row = await lockStepUp(tx, id, sql`and session_id = ${sessionId}`)
  const allowed = ['pending', 'failed', 'expired']
  if (!allowed.includes(row.status)) refuse('invalid_state', { current: row.status, allowed })
  const factors = await methodsOf(tx, userId)
  const available = (await findCodeRecipient(tx, row)) ? [...factors, 'messaging_code' as const] : factors
  if (!available.includes(method)) {
    refuse('unprocessable_entity', { reason: 'method_unavailable', methods: available })
  }
  await countFallback(tx, userId)
  await tx`update step_ups set status = 'expired' where id = ${id} and status = 'pending'`
  if (method === 'messaging_code' && factors.length > 0) {
    await notify(tx, userId, {
      subject: 'A code was asked for in the place of your second factor',
      body: 'A messaging code was asked for in the place of your authenticator app, passkey or approval device.',
    })
  }
  return challenge(tx, row, [method], id)
}

async function countFallback(tx: Transaction, userId: UserId): Promise<void> {
  const recent = await tx<{ seconds_left: string }[]>`
    select ceil(extract(epoch from inserted_at + make_interval(mins => ${FALLBACK_WINDOW_MINUTES}) - business_now()))
      as seconds_left
    from step_ups
    where user_id = ${userId} and fallback_of is not null
      and inserted_at > business_now() - make_interval(mins => ${FALLBACK_WINDOW_MINUTES})
    order by inserted_at`
  if (recent.length < FALLBACKS_MAX) return
  const secondsLeft = Math.max(1, Number(recent.at(-FALLBACKS_MAX)?.seconds_left))
  refuse('rate_limited', { policy: FALLBACK_POLICY, retry_after_seconds: secondsLeft })
}

export const listChallenges = (person: Person, page: PageRequest): Promise<Page<Challenge>> =>
  pageOfPerson<Challenge>(
    person.userId,
    'step_ups',
    page,
    sql`select step_ups.id, step_ups.operation, step_ups.target, step_ups.summary, s.device_id, d.name as device_name,
        step_ups.inserted_at, step_ups.expires_at
      from step_ups join sessions s on s.id = step_ups.session_id join devices d on d.id = s.device_id
      where step_ups.status = 'pending' and step_ups.expires_at > business_now() and step_ups.match_code is not null
        and s.ended_at is null and ${isOfCompany(sql`s`, person)}`,
  )

/** Releases a challenge by the number on the requester's screen; the third wrong number denies it for good. */
export async function approveChallenge(
  tx: Transaction,
  person: Person,
  id: StepUpId,
  { credential, match_code: entered }: ApproveChallenge,
  origin: Origin,
): Promise<StepUp> {
  const { row, device } = await lockChallenge(tx, person, id, credential)
  const { cooling_off_until } = device
  if (device.cooling) refuse('invalid_state', { current: 'cooling_off', allowed: ['deny'], cooling_off_until })
  if (row.match_code === null) refuse('not_found')
  if (row.status !== 'pending') return withRemainingAttempts(row, toStepUp(row))
  if (entered.replaceAll(/\s/g, '') === row.match_code) {
    await recordDecider(tx, row, device)
    return withRemainingAttempts(row, await markVerified(tx, row, 'approval_device', origin))
  }
  const counted = { ...row, match_attempts: row.match_attempts + 1 }
  await tx`update step_ups set match_attempts = ${counted.match_attempts} where id = ${row.id}`
  if (counted.match_attempts >= MATCH_ATTEMPTS_MAX) return deny(tx, counted, device, origin)
  return withRemainingAttempts(counted, toStepUp({ ...counted, status: 'failed' }))
}

/** Denies a challenge for good, even from a device that cools off: denying is never harder than releasing. */
export async function denyChallenge(
  tx: Transaction,
  person: Person,
  id: StepUpId,
  { credential }: DenyChallenge,
  origin: Origin,
): Promise<StepUp> {
  const { row, device } = await lockChallenge(tx, person, id, credential)
  if (row.match_code === null) refuse('not_found')
  return row.status === 'pending' ? deny(tx, row, device, origin) : withRemainingAttempts(row, toStepUp(row))
}

type Device = { id: ApprovalCredentialId; cooling_off_until: string; cooling: boolean }

/** Locks the challenge and then the credential, which serializes a concurrent revocation. */
async function lockChallenge(
  tx: Transaction,
  person: Person,
  id: StepUpId,
  credential: string,
): Promise<{ row: StepUpRow; device: Device }> {
  const { userId } = person
  const seen = sql`and exists (select from sessions s where s.id = session_id and ${isOfCompany(sql`s`, person)})`
  const row = await lockStepUp(tx, id, sql`and user_id = ${userId} ${seen}`)
  const [device] = await tx<Device[]>`
    select id, cooling_off_until, cooling_off_until > business_now() as cooling from approval_credentials
    where credential_hash = ${tokenHash(credential)} and user_id = ${userId} and revoked_at is null
    for no key update`
  return { row, device: device ?? refuse('forbidden', { reason: 'approval_credential_unknown' }) }
}

async function deny(tx: Transaction, row: StepUpRow, device: Device, origin: Origin): Promise<StepUp> {
  await recordDecider(tx, row, device)
  return withRemainingAttempts(row, await markDenied(tx, row, origin))
}

/** Records the device that decided, for the evidence and for the list of devices. */
async function recordDecider(tx: Transaction, { id }: StepUpRow, device: Device): Promise<void> {
  await tx`update step_ups set approval_credential_id = ${device.id} where id = ${id}`
  await tx`update approval_credentials set last_used_at = business_now() where id = ${device.id}`
}

/** Adds the tries left for the number of a challenge, in place of those for a code. */
const withRemainingAttempts = (row: StepUpRow, answer: StepUp): StepUp => ({
  ...answer,
  remaining_attempts: Math.max(0, MATCH_ATTEMPTS_MAX - row.match_attempts),
})
