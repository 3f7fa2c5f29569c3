/** How a step-up is proved: by an authenticator code, a passkey, a messaging code, or on an approval device. */
import { consumeCode } from '../factors/authenticators.ts'
import { takeMessagingCode } from '../factors/messaging-codes.ts'
import type { Origin, Person } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { StepUpId } from '../../domain/ids.ts'
import {
  FALLBACKS_MAX,
  FALLBACK_POLICY,
  FALLBACK_WINDOW_MINUTES,
  STEP_UP_ATTEMPTS_MAX,
  type StepUp,
  type StepUpChallenge,
  type StepUpMethod,
  type StepUpProof,
} from '../../domain/step-up/step-up.ts'
import { notify } from '../messages/account-notices.ts'
import { lockPerson } from '../people/people.ts'
import { withWrongCodeLimit } from '../rate-limits.ts'
import { type StepUpRow, challenge, lockStepUp, markVerified, methodsOf, recordStepUp, toStepUp } from './step-ups.ts'
import { type Transaction, sql, transaction } from '../sql.ts'
import { consumeAssertion } from '../factors/webauthn.ts'

/**
 * Verifies the person's proof; a code or an assertion is used up in the same transaction. A wrong proof, or one of a
 * method that the challenge does not name, answers `failed`; the fifth ends the challenge for good. A challenge that is
 * no longer pending answers its status; so does `approval_device`, whose proof comes from the device.
 */
export function completeStepUp(person: Person, id: StepUpId, proof: StepUpProof, origin: Origin): Promise<StepUp> {
  return transaction(async (tx): Promise<StepUp> => {
    const row = await lockStepUp(tx, id, sql`and session_id = ${person.sessionId}`)
    if (row.status !== 'pending' || proof.method === 'approval_device') return toStepUp(row)
    const asked = row.methods.includes(proof.method)
    const right = await withWrongCodeLimit(tx, row.user_id, 'session', async () => asked && isRight(tx, row, proof))
    return right ? markVerified(tx, row, proof.method, origin) : countWrong(tx, row, proof.method, origin)
  })
}

function isRight(
  tx: Transaction,
  row: StepUpRow,
  proof: Exclude<StepUpProof, { method: 'approval_device' }>,
): Promise<boolean> {
  const purpose = { userId: row.user_id, purpose: 'step_up', subject: row.id } as const
  switch (proof.method) {
    case 'totp':
      return consumeCode(tx, row.user_id, proof.code)
    case 'messaging_code':
      return takeMessagingCode(tx, purpose, proof.code).then(({ right }) => right)
    case 'webauthn':
      return consumeAssertion(tx, purpose, proof.credential, proof.challenge_id)
  }
}

async function countWrong(tx: Transaction, row: StepUpRow, method: StepUpMethod, origin: Origin): Promise<StepUp> {
  const attempts = row.attempts + 1
  const over = attempts >= STEP_UP_ATTEMPTS_MAX
  await tx`
    update step_ups set attempts = ${attempts}, status = ${over ? 'failed' : 'pending'} where id = ${row.id}`
  if (over) await recordStepUp(tx, row, 'step_up.failed', origin, { method, operation: row.operation })
  return toStepUp({ ...row, attempts, status: 'failed' })
}

/**
 * Creates a new challenge for the same request, to be proved by another method of the person, or by a messaging code.
 * The code is sent; a person with a stronger method is mailed about it. The old challenge is over. Refuses
 * `rate_limited` after the third in 15 minutes, `invalid_state` if the step-up is proved, used or denied, and
 * `unprocessable_entity` for a method that the person does not have.
 */
export function requestFallback(person: Person, id: StepUpId, method: StepUpMethod): Promise<StepUpChallenge> {
  return transaction(async (tx): Promise<StepUpChallenge> => {
    await lockPerson(tx, person.userId)
    const row = await lockStepUp(tx, id, sql`and session_id = ${person.sessionId}`)
    if (!['pending', 'failed', 'expired'].includes(row.status)) {
      refuse('invalid_state', { current: row.status, allowed: ['pending', 'failed', 'expired'] })
    }
    const factors = await methodsOf(tx, person.userId)
    const available = [...factors, 'messaging_code' as const]
    if (!available.includes(method))
      refuse('unprocessable_entity', { reason: 'method_unavailable', methods: available })
    await countFallback(tx, person)
    await tx`update step_ups set status = 'expired' where id = ${id} and status = 'pending'`
    const binding = {
      sessionId: row.session_id,
      userId: row.user_id,
      mode: row.mode,
      operation: row.operation,
      target: row.target,
      keptHash: row.body_hash,
      summary: row.summary,
    }
    if (method === 'messaging_code' && factors.length > 0) {
      await notify(tx, person.userId, {
        subject: 'A code was asked for in the place of your second factor',
        body: 'A messaging code was asked for in the place of your authenticator app, passkey or approval device.',
      })
    }
    return challenge(tx, binding, [method], id)
  })
}

async function countFallback(tx: Transaction, person: Person): Promise<void> {
  const recent = await tx<{ seconds_left: string }[]>`
    select ceil(extract(epoch from inserted_at + make_interval(mins => ${FALLBACK_WINDOW_MINUTES}) - business_now()))
      as seconds_left
    from step_ups
    where user_id = ${person.userId} and fallback_of is not null
      and inserted_at > business_now() - make_interval(mins => ${FALLBACK_WINDOW_MINUTES})
    order by inserted_at`
  if (recent.length < FALLBACKS_MAX) return
  const secondsLeft = Math.max(1, Number(recent.at(-FALLBACKS_MAX)?.seconds_left))
  refuse('rate_limited', { policy: FALLBACK_POLICY, retry_after_seconds: secondsLeft })
}
