/** Decisions on approvals: checked again under the lock of the approval, with all their effects in one transaction. */
import type { Person } from '../../domain/people/actor.ts'
import { type Approval, type ApprovalDetail, flowOfTarget } from '../../domain/approvals/approval.ts'
import { approvalEvents, approvalMoves } from '../../domain/approvals/events.ts'
import {
  type ApprovalRequirements,
  addApproval,
  hasApproved,
  isLastApproval,
  isSubstitute,
  openStep,
} from '../../domain/approvals/requirements.ts'
import { refuse } from '../../domain/errors.ts'
import type { ApprovalStatus } from '../../domain/approvals/flow.ts'
import type { StepUpId, UserId } from '../../domain/ids.ts'
import type { Capacity, Permission, Role } from '../../domain/permissions.ts'
import { mailRequester, setRequirements } from '../approvals/requests.ts'
import type { ApprovalTarget, TargetChange } from '../approvals/target.ts'
import { record } from '../events.ts'
import { type Claim, hashMatches, insertClaim } from '../idempotency.ts'
import { lockMemberships } from '../../db/postgres/locks.ts'
import { inOrder, pipeline } from '../../db/postgres/pipeline.ts'
import { type Fragment, type Tx, sql, values, within } from '../../db/postgres/sql.ts'
import { consumeStepUp } from '../step-up-use.ts'
import { approvalTarget, consumeGrant } from '../step-up/step-ups.ts'
import { mailPrincipal } from '../substitutions/mails.ts'
import { transition } from '../../db/processes/transition.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { type ApprovalRow, personColumn, requirementsFromDecisions, selectApproval, toApproval } from './approvals.ts'
import { requireDecidable } from './decidable.ts'
import { type Payer, completeState, targetOf } from './targets.ts'

export type Decision = {
  readonly kind: 'approve' | 'reject' | 'send_back' | 'cancel'
  readonly approval: Pick<ApprovalRow, 'approval_id' | 'target_type' | 'target_id'>
  readonly person: Person
  /** Claim of the request; its id is the decision's. An Idempotency-Key is good for this request alone. */
  readonly claim: Claim
  readonly stepUpId: StepUpId | null
  /** Comment of an approval or reason of a rejection. */
  readonly comment: string | null
}

/** Locked approval, with everything that a decision on it is checked against. */
type LockedApproval = ApprovalRow &
  Payer & {
    readonly decided_at: string
    /** Person who decides now, and their role; null if they are no member any more. */
    readonly decider: Approval['approver']
    readonly role: Role | null
    readonly removed: readonly Permission[] | null
    /** Members for whom the person acts now. */
    readonly principals: readonly Capacity[] | null
    readonly requester_role: Role | null
    readonly decisions: readonly Pick<
      ApprovalDetail['decisions'][number],
      'decision_id' | 'decision' | 'user_id' | 'on_behalf_of' | 'step' | 'voided_at'
    >[]
    /** Hash of the body that the decision's Idempotency-Key was used for, if any. */
    readonly claimed: string | null
    readonly factor: string | null
  }

/** Decision with its approval and target, read under the lock of the approval. */
export type LockedDecision = {
  readonly decision: Decision
  readonly approval: LockedApproval
  /** Requirements that are left after the decisions so far. */
  readonly wait: ApprovalRequirements
  readonly target: ApprovalTarget
  readonly state: Parameters<ApprovalTarget['blockers']>[0]
  /** Status of the approval after the decision: pending if others have to approve too. */
  readonly outcome: ApprovalStatus
  /** Step that the decision is given for; 0 unless it approves. */
  readonly step: number
  readonly cause: string
}
/** Decision that is possible, with the capacity in which the person decides. */
type PossibleDecision = LockedDecision & { readonly capacity: Capacity }

/**
 * Records a decision and carries out its effect, once; answers the approval afterwards. A repeat, by id or by the same
 * person, changes nothing. A refusal leaves everything as it was, including the step-up.
 */
export async function decide(tx: Tx, decision: Decision): Promise<Approval> {
  const deciding = await lockApproval(tx, decision)
  const { approval, outcome } = deciding
  if (isRecorded(deciding)) return toApproval(approval)
  const decided = { ...deciding, capacity: await requireDecidable(tx, deciding) }
  // in one round trip: a refusal of the decision takes back its effect
  const [, row] = await inOrder([recordDecision(tx, decided), EFFECTS[outcome](tx, decided)])
  return toApproval(row)
}

/** Locks memberships, then the approval; the reads that follow see what the locks waited for. */
async function lockApproval(tx: Tx, decision: Decision): Promise<LockedDecision> {
  const { approval_id: id, target_type: type, target_id: targetId } = decision.approval
  const target = targetOf(type)
  const read = await pipeline({
    memberships: lockMemberships(tx, 'keep'),
    lock: tx`select id from approvals where id = ${id} for update`,
    approvals: tx<LockedApproval[]>`${selectLocked(decision)}`,
    states: tx<LockedDecision['state'][]>`${target.state(tx, targetId)}`,
  })
  const [approval] = read.approvals
  const [selected] = read.states
  if (!approval || !selected) refuse('not_found')
  const state = await completeState(target, within(tx), selected)
  const wait = requirementsFromDecisions(approval, approval.decisions)
  return {
    decision,
    approval,
    wait,
    target,
    state,
    outcome: outcomeOf(decision, wait),
    step: decision.kind === 'approve' ? openStep(wait) : 0,
    cause: `decision:${decision.claim.id}`,
  }
}

/** Selects a locked approval once, for the checks and for the answer. */
function selectLocked({ approval, person, claim, stepUpId }: Decision): Fragment {
  const more = sql`, business_now() as decided_at, o.status as organization_status,
    o.books_stopped_at is not null as books_stopped, ${personColumn('decider')} as decider, member.role,
    member.permissions_removed as removed,
    case when member.substitutes_until > statement_timestamp() then principals_of(o.id, decider.id) end as principals,
    requesting.role as requester_role, claim.body_hash as claimed, proof.factor,
    (select coalesce(jsonb_agg(jsonb_build_object('decision_id', d.decision_id, 'decision', d.decision,
        'user_id', d.user_id, 'on_behalf_of', d.on_behalf_of, 'step', d.step, 'voided_at', v.inserted_at)), '[]')
      from approval_decisions d left join voided_approvals v on v.decision_id = d.decision_id
      where d.approval_id = approvals.id) as decisions`
  const joins = sql`
    join organizations o on o.id = approvals.organization_id
    join people decider on decider.id = ${person.userId}
    left join members member on member.organization_id = o.id and member.user_id = decider.id
    left join members requesting on requesting.organization_id = o.id and requesting.user_id = approvals.requester_id
    left join idempotency_claims claim on claim.id = ${claim.id}
    left join step_ups proof on proof.id = ${stepUpId}`
  return sql`
    ${selectApproval({ more, joins, type: approval.target_type })} and approvals.id = ${approval.approval_id}
    and approvals.target_type = ${approval.target_type} and approvals.target_id = ${approval.target_id}`
}

function outcomeOf({ kind }: Decision, requirements: ApprovalRequirements): ApprovalStatus {
  if (kind === 'reject' || kind === 'send_back') return 'rejected'
  if (kind === 'cancel') return 'cancelled'
  return isLastApproval(requirements) ? 'approved' : 'pending'
}

/** Tells if the decision is recorded already. Refuses `idempotency_key_reused` if another request has its key. */
function isRecorded({ decision: { kind, claim, person }, approval, wait }: LockedDecision): boolean {
  const { claimed, decisions } = approval
  if (claim.keyed && claimed && !hashMatches(claimed, claim.bodyHash)) refuse('idempotency_key_reused')
  if (decisions.some((one) => one.decision_id === claim.id)) return true
  if (kind === 'approve') return hasApproved(wait, person.userId)
  if (kind !== 'cancel' && approval.sent_back !== (kind === 'send_back')) return false
  return decisions.some((one) => one.decision === nameInRecord(kind) && one.user_id === person.userId)
}

/** Names a decision as it is recorded: what is sent back is rejected. */
const nameInRecord = (kind: Decision['kind']) => (kind === 'send_back' ? 'reject' : kind)

/** Writes the decision and uses up the step-up of an approval, or its grant of one for a set. */
async function recordDecision(
  tx: Tx,
  { decision, approval, outcome, step, capacity }: PossibleDecision,
): Promise<void> {
  const { kind, person, claim, stepUpId, comment } = decision
  const { approval_id: id, subject_hash: hash, factor, decided_at: decidedAt } = approval
  const principal = isSubstitute(person.userId, capacity) ? capacity : null
  const proof = { stepUpId, sessionId: person.sessionId, target: approvalTarget(id, hash) }
  const { stepUp, grant, key, written } = await pipeline({
    stepUp: consumeStepUp(tx, proof),
    grant: consumeGrant(tx, proof),
    ...(claim.keyed && { key: insertClaim(tx, claim) }),
    written: tx`
      insert into approval_decisions ${values({
        decision_id: claim.id,
        organization_id: tx.organizationId,
        approval_id: id,
        decision: nameInRecord(kind),
        user_id: person.userId,
        step_up_id: stepUpId,
        factor,
        device_id: person.deviceId,
        comment,
        approval_status: outcome,
        step,
        role: capacity.role,
        on_behalf_of: principal?.userId ?? null,
        substitution_id: principal?.substitutionId ?? null,
        occurred_at: decidedAt,
      })}
      on conflict (decision_id) do nothing returning decision_id`,
  })
  // the decision does not exist yet, so a taken key belongs to another request, maybe a concurrent one
  if (key?.length === 0 || written.length === 0) refuse('idempotency_key_reused')
  if (kind === 'approve' && stepUp.length + grant.length === 0) refuse('step_up_required')
  if (!principal || kind === 'cancel') return
  const people = { principal: principal.userId as UserId, substitute: person.userId } // a member's id
  await mailPrincipal(tx, { ...people, kind: kind === 'approve' ? kind : 'reject', approval })
}

const EFFECTS: Readonly<Record<ApprovalStatus, (tx: Tx, decided: PossibleDecision) => Promise<ApprovalRow>>> = {
  approved: approve,
  pending: giveApproval,
  rejected: reject,
  cancelled: withdraw,
}

/** Records the last approval, and carries out the effect on the target. */
async function approve(tx: Tx, decided: PossibleDecision): Promise<ApprovalRow> {
  const { approval, target, state, step, cause } = decided
  const { person } = decided.decision
  const { decider: approver, decided_at: processed_at, requester, summary } = approval
  const [, changed] = await inOrder([
    transition(tx, approvalMoves, approval.approval_id, {
      events: ['approve'],
      cause,
      set: sql`approver_id = ${person.userId}, processed_at = ${processed_at}`,
      payload: { step, ...evidenceOf(decided) },
    }),
    target.approve(tx, state, cause),
  ])
  if (requester.id !== person.userId) {
    await mailRequester(tx, requester.id as UserId, { id: approval.approval_id, how: 'approved', summary })
  }
  return { ...withSubject(approval, changed), status: 'approved', approver, processed_at }
}

/** Counts one approval of several; the others are still needed. */
async function giveApproval(tx: Tx, decided: PossibleDecision): Promise<ApprovalRow> {
  const { decision, approval, wait, step, cause, capacity } = decided
  const { approval_id: id, target_type: type, target_id: targetId } = approval
  const next = addApproval(wait, decision.person.userId, capacity)
  await setRequirements(tx, id, next, openStep(next) !== step)
  await record(tx, approvalEvents.approval_given, {
    subjectId: id,
    cause,
    payload: {
      step,
      given: next.given[step]?.length ?? 0,
      required: next.steps[step]?.required ?? 0,
      ...evidenceOf(decided),
    },
  })
  wake(tx, flowOfTarget(type), { ids: [targetId], why: 'approval_given' })
  return approval
}

async function reject(tx: Tx, decided: PossibleDecision): Promise<ApprovalRow> {
  const { approval, target, cause } = decided
  const { kind, person, comment } = decided.decision
  const { target_id: targetId, decider: approver, decided_at: processed_at, requester, summary } = approval
  const isSentBack = kind === 'send_back'
  await transition(tx, approvalMoves, approval.approval_id, {
    events: ['reject'],
    cause,
    set: sql`approver_id = ${person.userId}, processed_at = ${processed_at}, rejection_reason = ${comment},
      sent_back = ${isSentBack}`,
    payload: { ...evidenceOf(decided), ...(isSentBack && { sent_back: true }) },
  })
  const changedOf = await target.cancel(tx, [targetId], 'rejected', () => cause)
  if (requester.id !== person.userId) {
    const how = isSentBack ? 'sent_back' : 'rejected'
    const outcome = { id: approval.approval_id, how, summary, reason: comment } as const
    await mailRequester(tx, requester.id as UserId, outcome)
  }
  const rejected = withSubject(approval, changedOf(targetId))
  return { ...rejected, status: 'rejected', sent_back: isSentBack, approver, processed_at, rejection_reason: comment }
}

async function withdraw(tx: Tx, decided: PossibleDecision): Promise<ApprovalRow> {
  const { approval, target, cause } = decided
  const { approval_id: id, target_id: targetId } = approval
  await transition(tx, approvalMoves, id, { events: ['cancel'], cause, payload: evidenceOf(decided) })
  const changedOf = await target.cancel(tx, [targetId], 'withdrawn', () => cause)
  return { ...withSubject(approval, changedOf(targetId)), status: 'cancelled' }
}

const withSubject = (approval: ApprovalRow, changed: TargetChange): ApprovalRow => ({
  ...approval,
  subject: { ...approval.subject, ...changed },
})

/** Builds the evidence that the rows do not keep: the role in which a person decided, and the factor of their proof. */
const evidenceOf = ({ decision, capacity, approval: { factor, subject_hash } }: PossibleDecision) => ({
  role: capacity.role,
  factor,
  subject_hash,
  ...(isSubstitute(decision.person.userId, capacity) && { on_behalf_of: capacity.userId }),
})
