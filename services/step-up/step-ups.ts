/** Step-ups: required by a route, proved by the person, used up by the transaction that carries out the request. */
import { createHash, randomInt } from 'node:crypto'
import { sealHashWithAllKeys, sealHash } from '../idempotency.ts'
import { lacksAuthenticator } from '../factors/authenticators.ts'
import { type CodeRecipient, sendCode } from '../factors/messaging-codes.ts'
import type { Origin, Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { ApprovalId, DeviceId, SessionId, StepUpId, UserId } from '../../domain/ids.ts'
import {
  STEP_UP_ATTEMPTS_MAX,
  STEP_UP_MINUTES,
  STEP_UP_REUSE_MINUTES,
  STEP_UP_WINDOW_MINUTES,
  type StepUp,
  type StepUpBinding,
  type StepUpChallenge,
  type StepUpDecision,
  type StepUpMethod,
  type StepUpStatus,
} from '../../domain/step-up/step-up.ts'
import type { PaymentToConfirm } from '../../domain/step-up/payment-confirmation.ts'
import { recordSecurityEvent } from '../people/security-log.ts'
import { type Fragment, type Transaction, type Tx, first, sql, transaction, values } from '../../db/postgres/sql.ts'
import { consumeStepUp } from '../step-up-use.ts'
import { assertionOptions } from '../factors/webauthn.ts'
import { findCodeRecipient, isGoodFor, methodsOf } from './ways.ts'

/**
 * Finds the step-up that releases a request, or a challenge for it. Refuses a person without the authenticator they
 * need. The words to confirm are asked for with a new challenge only.
 */
export async function releaseOf(
  binding: StepUpBinding,
  describe: () => Promise<string | null> = async () => binding.summary ?? null,
): Promise<{ readonly released: StepUpId } | { readonly challenge: StepUpChallenge }> {
  // `once` releases its own request; `window` releases every request of this session that requires one
  const bound =
    binding.mode === 'once' ? sameBinding(binding) : sql`session_id = ${binding.sessionId} and mode = 'window'`
  const found = await first(sql<{ released: StepUpId | null; lacking: boolean }[]>`
    select (select id from step_ups where ${bound} and status = 'verified' and expires_at > business_now()
      and ${isGoodFor(toKept(binding))} order by expires_at desc limit 1) as released, ${lacksAuthenticator(binding.userId)} as lacking`)
  if (found?.lacking) refuse('forbidden', { reason: 'authenticator_required' })
  if (found?.released) return { released: found.released }
  const summary = await describe()
  return transaction(async (tx) => {
    const methods = await methodsOf(tx, binding.userId)
    // a person without a factor of their own is sent a code
    const asked = methods.length > 0 ? methods : (['messaging_code'] as const)
    const [pending] = await tx<ChallengeRow[]>`
      select ${challengeColumns()} from step_ups
      where ${sameBinding(binding)} and status = 'pending' and (methods = ${[...asked]} or fallback_of is not null)
        and expires_at > business_now() + make_interval(mins => ${STEP_UP_REUSE_MINUTES})
      order by expires_at desc, id desc limit 1`
    if (pending) return { challenge: await toChallenge(tx, binding, pending) }
    return { challenge: await challenge(tx, { ...toKept(binding), summary }, asked) }
  })
}

const sameBinding = (b: StepUpBinding): Fragment => sql`
  session_id = ${b.sessionId} and operation = ${b.operation} and target = ${b.target} and mode = ${b.mode}
  and body_hash = any (${sealHashWithAllKeys(b.bodyHash)})`

type ChallengeRow = Omit<StepUpChallenge, 'webauthn'>

const challengeColumns = (): Fragment =>
  sql`id, authentication_id as step_up_authentication_id, delivery, expires_at, match_code, methods, summary, payment`

/** Converts a row to a challenge, with fresh options if a passkey can prove it. */
async function toChallenge(
  tx: Transaction,
  { userId, target }: Pick<StepUpBinding, 'userId' | 'target'>,
  row: ChallengeRow,
): Promise<StepUpChallenge> {
  const webauthn = row.methods.includes('webauthn')
    ? await assertionOptions(tx, { userId, purpose: 'step_up', subject: row.id, target })
    : null
  return { ...row, webauthn }
}

type KeptBinding = Pick<
  StepUpRow,
  'session_id' | 'user_id' | 'mode' | 'operation' | 'target' | 'body_hash' | 'summary' | 'payment' | 'weakens'
>

const toKept = (b: StepUpBinding): KeptBinding => ({
  session_id: b.sessionId,
  user_id: b.userId,
  mode: b.mode,
  operation: b.operation,
  target: b.target,
  body_hash: sealHash(b.bodyHash),
  summary: b.summary ?? null,
  payment: b.payment ?? null,
  weakens: b.weakens ?? false,
})

/**
 * Writes a challenge that any of the methods can prove, and sends its messaging code. Refuses `forbidden` to a session
 * that has proved nothing but the mailbox to which the code would go.
 */
export async function challenge(
  tx: Transaction,
  kept: KeptBinding,
  methods: readonly StepUpMethod[],
  fallbackOf: StepUpId | null = null,
): Promise<StepUpChallenge> {
  const { user_id: userId, summary, payment } = kept
  const to = methods.includes('messaging_code') ? await requireRecipient(tx, kept) : null
  const matchCode = methods.includes('approval_device') ? String(randomInt(0, 1000)).padStart(3, '0') : null
  const [row] = await tx<ChallengeRow[]>`
    insert into step_ups ${values({
      session_id: kept.session_id,
      user_id: userId,
      operation: kept.operation,
      target: kept.target,
      body_hash: kept.body_hash,
      mode: kept.mode,
      methods: [...methods],
      delivery: to ? to.channel : deliveryOf(methods),
      match_code: matchCode,
      fallback_of: fallbackOf,
      summary,
      payment: payment && tx.json(payment),
      weakens: kept.weakens,
      expires_at: sql`business_now() + make_interval(mins => ${STEP_UP_MINUTES})`,
    })}
    returning ${challengeColumns()}`
  if (!row) throw new Error('the step-up was not written')
  if (to) await sendCode(tx, { userId, purpose: 'step_up', subject: row.id, about: summary }, to)
  return toChallenge(tx, { userId, target: kept.target }, row)
}

/** Finds where the code goes; the person of a code by mail may have added a factor at this moment. */
const requireRecipient = async (tx: Transaction, kept: KeptBinding): Promise<CodeRecipient> =>
  (await findCodeRecipient(tx, kept)) ?? refuse('service_unavailable', { retry_after_seconds: 1 })

/** Names the place of a proof that is not sent: an approval device, an app, or a passkey. */
function deliveryOf(methods: readonly StepUpMethod[]): string {
  if (methods.includes('approval_device')) return 'approval_device'
  return methods.includes('totp') ? 'authenticator_app' : 'passkey'
}

export type StepUpRow = {
  id: StepUpId
  user_id: UserId
  session_id: SessionId
  device_id: DeviceId
  operation: string
  target: string
  body_hash: string
  summary: string | null
  payment: PaymentToConfirm | null
  mode: 'once' | 'window'
  methods: StepUpMethod[]
  status: StepUpStatus
  attempts: number
  match_code: string | null
  match_attempts: number
  weakens: boolean
  expires_at: string
}

/** Selects the columns of a step-up. An overdue one reads as `expired`, without a write. */
const stepUpColumns = (): Fragment => sql`
  id, user_id, session_id, (select s.device_id from sessions s where s.id = session_id) as device_id, operation, target,
  body_hash, summary, payment, mode, methods, attempts, match_code, match_attempts, weakens,
  expires_at, case when status in ('pending', 'verified') and expires_at <= business_now() then 'expired' else status end as status`

export const toStepUp = (row: Pick<StepUpRow, 'status' | 'expires_at' | 'attempts'>): StepUp => ({
  status: row.status,
  verified_until: row.status === 'verified' ? row.expires_at : null,
  remaining_attempts: Math.max(0, STEP_UP_ATTEMPTS_MAX - row.attempts),
})

/** Reads the status of a step-up of this session; refuses `not_found` for those of other sessions. */
export async function findStepUp(person: Person, id: StepUpId): Promise<StepUp> {
  const row = await first(sql<StepUpRow[]>`
    select ${stepUpColumns()} from step_ups where id = ${id} and session_id = ${person.sessionId}`)
  return row ? toStepUp(row) : refuse('not_found')
}

/** Locks the step-up that fits the condition (`and …`), which serializes tries; refuses `not_found`. */
export async function lockStepUp(tx: Transaction, id: StepUpId, condition: Fragment): Promise<StepUpRow> {
  const [row] = await tx<StepUpRow[]>`
    select ${stepUpColumns()} from step_ups where id = ${id} ${condition} for update`
  return row ?? refuse('not_found')
}

/** Marks a locked step-up as proved by a factor. From then on it can be used until `expires_at`. */
export async function markVerified(
  tx: Transaction,
  row: StepUpRow,
  factor: string,
  origin: Origin | null,
): Promise<StepUp> {
  const [verified] = await tx<StepUpRow[]>`
    update step_ups set status = 'verified', verified_at = business_now(), factor = ${factor},
      expires_at = case mode when 'window' then business_now() + make_interval(mins => ${STEP_UP_WINDOW_MINUTES})
        else expires_at end
    where id = ${row.id} returning ${stepUpColumns()}`
  if (!verified) throw new Error('a locked step-up is gone')
  await recordStepUp(tx, row, 'step_up.verified', origin, { method: factor })
  return toStepUp(verified)
}

export async function markDenied(tx: Transaction, row: StepUpRow, origin: Origin | null): Promise<StepUp> {
  await tx`update step_ups set status = 'denied' where id = ${row.id}`
  await recordStepUp(tx, row, 'step_up.denied', origin)
  return toStepUp({ ...row, status: 'denied' })
}

/** Logs the outcome of a step-up for its person, as of its session. */
export const recordStepUp = (
  tx: Transaction,
  { operation, user_id: userId, session_id: sessionId, device_id: deviceId }: StepUpRow,
  type: 'step_up.verified' | 'step_up.failed' | 'step_up.denied',
  origin: Origin | null,
  by: { readonly method?: string } = {},
): Promise<void> =>
  recordSecurityEvent(tx, { type, userId, sessionId, deviceId, origin, details: { operation, ...by } })

/** Decides a step-up in place of a device of the person; only for the sandbox. */
export async function decideStepUp(tx: Transaction, id: StepUpId, decision: StepUpDecision): Promise<StepUp> {
  const row = await lockStepUp(tx, id, sql``)
  if (row.status !== 'pending') return toStepUp(row)
  return decision === 'allow' ? markVerified(tx, row, 'sandbox', null) : markDenied(tx, row, null)
}

/** Builds the step-up target of one approval: its id, and the hash of its subject when it was shown. */
export const approvalTarget = (id: ApprovalId, subjectHash: string): string => `approval:${id}:${subjectHash}`

/** Builds the step-up target of a set: `approvals:` and the SHA-256 of its sorted targets, one on each line. */
export const setTarget = (targets: readonly string[]): string =>
  `approvals:${createHash('sha256').update(targets.toSorted().join('\n')).digest('hex')}`

type Proof = { readonly stepUpId: string | null; readonly sessionId: SessionId }

/** Turns a step-up for exactly this set into a grant for each target; idempotent for the same request. */
export async function grantSet(tx: Tx, { stepUpId, sessionId }: Proof, targets: readonly string[]): Promise<void> {
  const target = setTarget(targets)
  const used = await consumeStepUp(tx, { stepUpId, sessionId, target })
  if (used.length === 1) {
    await tx`insert into step_up_grants (step_up_id, target) select ${stepUpId}, unnest(${[...targets]}::text[])`
    return
  }
  const granted = await tx`
    select u.id from step_ups u join sessions s on s.id = u.session_id and s.ended_at is null
    where u.id = ${stepUpId} and u.session_id = ${sessionId} and u.target = ${target} and u.status = 'consumed'
      and u.expires_at > business_now() and exists (select from step_up_grants g where g.step_up_id = u.id)`
  if (granted.length === 0) refuse('step_up_required')
}

/** Builds the statement that uses up a grant; no row if there is none, or the session or the step-up is over. */
export const consumeGrant = (tx: Tx, { stepUpId, sessionId, target }: Proof & { readonly target: string }) => tx`
  update step_up_grants g set used_at = business_now()
  from step_ups u join sessions s on s.id = u.session_id
  where g.step_up_id = ${stepUpId} and g.target = ${target} and g.used_at is null and u.id = g.step_up_id
    and u.session_id = ${sessionId} and u.status = 'consumed' and u.expires_at > business_now() and s.ended_at is null
  returning g.target`

/** Consumed step-up of a set, and the targets that it still grants. */
export type GrantedStepUp = {
  readonly stepUpId: StepUpId
  readonly setTarget: string
  readonly left: readonly string[]
}

/** Reads the unused grants of requests with this body, those of the latest proof first. */
export const grantsLeft = (
  sessionId: SessionId,
  operation: string,
  bodyHash: string,
): PromiseLike<readonly GrantedStepUp[]> => sql<GrantedStepUp[]>`
  select u.id as "stepUpId", u.target as "setTarget", array_agg(g.target) as left
  from step_ups u
  join sessions s on s.id = u.session_id and s.ended_at is null
  join step_up_grants g on g.step_up_id = u.id and g.used_at is null
  where u.session_id = ${sessionId} and u.operation = ${operation} and u.body_hash = any (${sealHashWithAllKeys(bodyHash)})
    and u.mode = 'once' and u.status = 'consumed' and u.expires_at > business_now()
  group by u.id order by u.expires_at desc`
