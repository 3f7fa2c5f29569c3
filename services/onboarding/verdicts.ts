/** Verdicts of operators about organizations: one proposes, and another confirms. */
import { refuse } from '../../domain/errors.ts'
import { eventsFrom } from '../../domain/flow.ts'
import { type OnboardingId, type OrganizationId, type UserId, type VerdictId, newId } from '../../domain/ids.ts'
import { onboardingMoves } from '../../domain/onboarding/events.ts'
import { type OnboardingStatus, onboardingFlow } from '../../domain/onboarding/flow.ts'
import { SERVICE, type WantedField } from '../../domain/onboarding/review.ts'
import type { SecurityEventType } from '../../domain/people/security-event.ts'
import { type Tx, first, inOrganization, sql, values } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { newCause } from '../events.ts'
import { type Operator, proveOperator } from '../factors/operator-proof.ts'
import { recordSecurityEvent } from '../people/security-log.ts'
import { recordOpinion } from './reviews.ts'
import { mailOutcome } from './mails.ts'

export type OperatorVerdict = keyof typeof OPINIONS

/** Verdict as operators see it. */
export type ProposedVerdict = {
  readonly id: VerdictId
  readonly organization_id: OrganizationId
  readonly round: number
  readonly verdict: OperatorVerdict
  readonly asks: readonly WantedField[]
  readonly reason: string
  readonly proposed_by: UserId
  readonly proposer: string
  readonly inserted_at: string
}

type NewVerdict = {
  readonly verdict: OperatorVerdict
  readonly asks: readonly WantedField[]
  readonly reason: string
}

type LockedOnboarding = { readonly id: OnboardingId; readonly status: OnboardingStatus; readonly round: number }

/** Statuses in which operators decide; one that was rejected may be asked for more. */
const mayDecide = (status: OnboardingStatus, verdict: OperatorVerdict): boolean =>
  status === 'in_review' || (status === 'rejected' && verdict === 'ask')

/**
 * Proposes a verdict on what an organization has submitted. Refuses `not_found`, `invalid_state` if no review waits for
 * operators or a verdict is proposed already, and as `proveOperator` does.
 */
export function proposeVerdict(
  organizationId: OrganizationId,
  given: NewVerdict,
  operator: Operator,
): Promise<ProposedVerdict> {
  const id = newId<'onboarding_verdict'>()
  return inOrganization({ kind: 'admin' }, organizationId, async (tx) => {
    const proposer = await proveOperator(tx, operator)
    const { round } = await lockUndecided(tx, given.verdict)
    const made = await tx`
      insert into onboarding_verdicts ${values({
        id,
        organization_id: organizationId,
        round,
        verdict: given.verdict,
        asks: sql.json([...given.asks]),
        reason: given.reason,
        proposed_by: proposer,
      })} on conflict do nothing returning id`
    if (made.length === 0)
      refuse('invalid_state', { reason: 'proposed_already', current: 'proposed', allowed: ['confirm', 'withdraw'] })
    await recordDecision(tx, proposer, 'onboarding.proposed', id)
    return readVerdict(tx, id)
  })
}

async function lockUndecided(tx: Tx, verdict: OperatorVerdict): Promise<LockedOnboarding> {
  const [row] = await tx<LockedOnboarding[]>`
    select id, status, round from onboardings where organization_id = ${tx.organizationId} for no key update`
  if (!row || row.status === 'purged' || row.status === 'draft') refuse('not_found')
  const isAsked = await tx`
    select reviewer from onboarding_reviews where organization_id = ${tx.organizationId} and reviewer = ${SERVICE}
      and round = ${row.round}`
  if (!mayDecide(row.status, verdict) || isAsked.length === 0)
    refuse('invalid_state', { current: row.status, allowed: eventsFrom(onboardingFlow, row.status) })
  return row
}

const OPINIONS = { approve: 'verified', ask: 'needs_more', reject: 'rejected' } as const

/**
 * Confirms a verdict that another operator has proposed. Refuses `not_found`, `requester_cannot_approve` to who proposed
 * it, `invalid_state` if it is decided or the organization has submitted again, and as `proveOperator` does.
 */
export const confirmVerdict = (id: VerdictId, operator: Operator): Promise<ProposedVerdict> =>
  decide(id, operator, async (tx, proposed, userId) => {
    if (proposed.proposed_by === userId) refuse('requester_cannot_approve')
    const row = await lockUndecided(tx, proposed.verdict)
    if (row.round !== proposed.round)
      refuse('invalid_state', { reason: 'submitted_again', current: row.status, allowed: [] })
    const { verdict, asks } = proposed
    await end(tx, id, sql`confirmed_by = ${userId}, confirmed_at = business_now()`)
    await recordDecision(tx, userId, 'onboarding.confirmed', id)
    if (row.status === 'rejected') return askRejected(tx, row, asks)
    const isNew = await recordOpinion(tx, {
      onboardingId: row.id,
      reviewer: SERVICE,
      round: row.round,
      opinion: { status: OPINIONS[verdict], asks },
    })
    if (!isNew) refuse('invalid_state', { reason: 'decided_already', current: row.status, allowed: [] })
  })

/** Asks an organization for more that was rejected. */
async function askRejected(tx: Tx, { id }: LockedOnboarding, asks: readonly WantedField[]): Promise<void> {
  await tx`
    update onboarding_reviews set status = 'needs_more', asks = ${sql.json([...asks])}, updated_at = business_now()
    where organization_id = ${tx.organizationId} and reviewer = ${SERVICE}`
  await transition(tx, onboardingMoves, id, {
    events: ['ask'],
    cause: newCause(),
    payload: { fields: asks.map(({ field }) => field) },
    set: sql`since = business_now(), touched = '{}', reminded = 0, remind_at = null`,
  })
  await mailOutcome(tx, 'ask')
}

/** Withdraws a proposal; any operator may. Refuses `not_found`, `invalid_state`, and as `proveOperator` does. */
export const withdrawVerdict = (id: VerdictId, operator: Operator): Promise<ProposedVerdict> =>
  decide(id, operator, async (tx, _, userId) => {
    await end(tx, id, sql`withdrawn_at = business_now()`)
    await recordDecision(tx, userId, 'onboarding.withdrawn', id)
  })

const end = (tx: Tx, id: VerdictId, set: ReturnType<typeof sql>) =>
  tx`update onboarding_verdicts set ${set} where id = ${id}`

async function decide(
  id: VerdictId,
  operator: Operator,
  decision: (tx: Tx, proposed: ProposedVerdict, userId: UserId) => Promise<void>,
): Promise<ProposedVerdict> {
  const found = await first(sql<{ organization_id: OrganizationId }[]>`
    select organization_id from proposed_verdict(${id})`)
  if (!found) refuse('not_found')
  return inOrganization({ kind: 'admin' }, found.organization_id, async (tx) => {
    const userId = await proveOperator(tx, operator)
    // the onboarding first, as in every change of it
    await tx`select id from onboardings where organization_id = ${tx.organizationId} for no key update`
    const open = await tx`
      select id from onboarding_verdicts where id = ${id} and confirmed_at is null and withdrawn_at is null for update`
    if (open.length === 0) refuse('invalid_state', { reason: 'decided_already', current: 'decided', allowed: [] })
    const proposed = await readVerdict(tx, id)
    await decision(tx, proposed, userId)
    return proposed
  })
}

async function readVerdict(tx: Tx, id: VerdictId): Promise<ProposedVerdict> {
  const [row] = await tx<ProposedVerdict[]>`
    select v.id, v.organization_id, v.round, v.verdict, v.asks, v.reason, v.proposed_by, p.email as proposer, v.inserted_at
    from onboarding_verdicts v join people p on p.id = v.proposed_by where v.id = ${id}`
  return row ?? refuse('not_found')
}

const recordDecision = (tx: Tx, userId: UserId, type: SecurityEventType, id: VerdictId): Promise<void> =>
  recordSecurityEvent(tx, { type, userId, origin: null, details: { verdict_id: id } })
