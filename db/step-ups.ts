/** Step-ups: asked for by a route, proved by the person, used up by the transaction that does the deed. */
import type postgres from 'postgres'
import { takeCode } from './authenticators.ts'
import { refuse } from './model/errors.ts'
import type { Person } from './model/actor.ts'
import type { StepUpId, UserId } from './model/ids.ts'
import {
  STEP_UP_ATTEMPTS_MAX,
  STEP_UP_MINUTES,
  STEP_UP_REUSE_MINUTES,
  STEP_UP_WINDOW_MINUTES,
  type StepUp,
  type StepUpBinding,
  type StepUpChallenge,
  type StepUpDecision,
  type StepUpStatus,
} from './model/step-up.ts'
import { type Fragment, first, sql, transaction } from './sql.ts'

/** The verified step-up that releases the request, or the challenge to verify: a pending one of the same binding first. */
export type Release = { readonly released: StepUpId } | { readonly challenge: StepUpChallenge }

/** Finds what releases a request of this binding, or asks for it. It is not used up here. */
export async function releaseOf(binding: StepUpBinding): Promise<Release> {
  const released = await findVerified(binding)
  if (released) return { released }
  return { challenge: (await findPending(binding)) ?? (await ask(binding)) }
}

const sameBinding = (b: StepUpBinding): Fragment => sql`
  session_id = ${b.sessionId} and operation = ${b.operation} and target = ${b.target} and body_hash = ${b.bodyHash}
  and mode = ${b.mode}`

/** `once` releases its own request; `window` everything of this session that asks for one. */
async function findVerified(binding: StepUpBinding): Promise<StepUpId | undefined> {
  const bound =
    binding.mode === 'once' ? sameBinding(binding) : sql`session_id = ${binding.sessionId} and mode = 'window'`
  const found = await first(sql<{ id: StepUpId }[]>`
    select id from step_ups where ${bound} and status = 'verified' and expires_at > business_now()
    order by expires_at desc limit 1`)
  return found?.id
}

type ChallengeRow = Omit<StepUpChallenge, 'match_code' | 'webauthn'>

const challengeColumns = (): Fragment =>
  sql`id, authentication_id as step_up_authentication_id, delivery, expires_at, methods`

const toChallenge = (row: ChallengeRow): StepUpChallenge => ({ ...row, match_code: null, webauthn: null })

async function findPending(binding: StepUpBinding): Promise<StepUpChallenge | undefined> {
  const found = await first(sql<ChallengeRow[]>`
    select ${challengeColumns()} from step_ups
    where ${sameBinding(binding)} and status = 'pending'
      and expires_at > business_now() + make_interval(mins => ${STEP_UP_REUSE_MINUTES})
    order by expires_at desc limit 1`)
  return found && toChallenge(found)
}

async function ask(b: StepUpBinding): Promise<StepUpChallenge> {
  const asked = await first(sql<ChallengeRow[]>`
    insert into step_ups (session_id, user_id, operation, target, body_hash, mode, methods, delivery, expires_at)
    select ${b.sessionId}, ${b.userId}, ${b.operation}, ${b.target}, ${b.bodyHash}, ${b.mode}, offered.methods,
      case when 'totp' = any (offered.methods) then 'authenticator_app' else 'none' end,
      business_now() + make_interval(mins => ${STEP_UP_MINUTES})
    from (select case when exists (select from authenticators where user_id = ${b.userId})
      then array['totp'] else array[]::text[] end as methods) offered
    returning ${challengeColumns()}`)
  if (!asked) throw new Error('the step-up was not written')
  return toChallenge(asked)
}

type StepUpRow = { user_id: UserId; status: StepUpStatus; attempts: number; expires_at: string }

/** A challenge whose time is over is expired, without anybody writing it down. */
const stepUpColumns = (): Fragment => sql`
  user_id, attempts, expires_at,
  case when status in ('pending', 'verified') and expires_at <= business_now() then 'expired' else status end as status`

const toStepUp = (row: Omit<StepUpRow, 'user_id'>): StepUp => ({
  status: row.status,
  verified_until: row.status === 'verified' ? row.expires_at : null,
  remaining_attempts: Math.max(0, STEP_UP_ATTEMPTS_MAX - row.attempts),
})

/** Where a step-up of this session stands; refuses `not_found` for those of other sessions. */
export async function findStepUp(person: Person, id: StepUpId): Promise<StepUp> {
  const row = await first(sql<StepUpRow[]>`
    select ${stepUpColumns()} from step_ups where id = ${id} and session_id = ${person.sessionId}`)
  return row ? toStepUp(row) : refuse('not_found')
}

/**
 * Proves it with an authenticator code, which is taken in the same transaction. A wrong code answers `failed` while the
 * challenge lives on, until the fifth ends it for good. One that is no longer pending answers where it stands.
 */
export function completeStepUp(person: Person, id: StepUpId, code: string): Promise<StepUp> {
  return transaction(async (tx): Promise<StepUp> => {
    const row = await lockStepUp(tx, id, sql`and session_id = ${person.sessionId}`)
    if (row.status !== 'pending') return toStepUp(row)
    if (await takeCode(tx, row.user_id, code)) return markVerified(tx, id, 'totp')
    const attempts = row.attempts + 1
    const status = attempts >= STEP_UP_ATTEMPTS_MAX ? 'failed' : 'pending'
    await tx`update step_ups set attempts = ${attempts}, status = ${status} where id = ${id}`
    return toStepUp({ ...row, attempts, status: 'failed' })
  })
}

/** Decides a step-up as a device of the person would; only the sandbox asks for it. */
export function decideStepUp(id: StepUpId, decision: StepUpDecision): Promise<StepUp> {
  return transaction(async (tx): Promise<StepUp> => {
    const row = await lockStepUp(tx, id, sql``)
    if (row.status !== 'pending') return toStepUp(row)
    if (decision === 'allow') return markVerified(tx, id, 'sandbox')
    await tx`update step_ups set status = 'denied' where id = ${id}`
    return toStepUp({ ...row, status: 'denied' })
  })
}

async function lockStepUp(tx: postgres.TransactionSql, id: StepUpId, condition: Fragment): Promise<StepUpRow> {
  const [row] = await tx<StepUpRow[]>`
    select ${stepUpColumns()} from step_ups where id = ${id} ${condition} for update`
  return row ?? refuse('not_found')
}

/** From the proof on, `expires_at` is until when it can be used. */
async function markVerified(tx: postgres.TransactionSql, id: StepUpId, factor: string): Promise<StepUp> {
  const [row] = await tx<StepUpRow[]>`
    update step_ups set status = 'verified', verified_at = business_now(), factor = ${factor},
      expires_at = case mode when 'window' then business_now() + make_interval(mins => ${STEP_UP_WINDOW_MINUTES})
        else expires_at end
    where id = ${id} returning ${stepUpColumns()}`
  if (!row) throw new Error('a locked step-up is gone')
  return toStepUp(row)
}
