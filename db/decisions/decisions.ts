/** The transaction that decides an approval: everything is checked again under its lock, and all effects are in it. */
import type { ApprovalTarget, Changed } from '../approvals/target.ts'
import { setRequirements } from '../approvals/requirements.ts'
import {
  type ApprovalRow,
  decidable,
  guardApprover,
  guardReviewer,
  guardWaiting,
  personColumn,
  selectApproval,
  toApproval,
} from './approvals.ts'
import { requirementsFromDecisions } from './details.ts'
import { type Payer, blockersOf, targetOf } from './targets.ts'
import { mailRequester } from '../approvals/notices.ts'
import { hashMatches, takeClaim } from '../idempotency.ts'
import { inOrder } from '../in-order.ts'
import { record } from '../events.ts'
import { lockMemberships } from '../locks.ts'
import { membersWithRoles } from '../membership-lock.ts'
import { type Approval, type ApprovalDetail, type Decision, actionOfTarget } from '../../domain/approvals/approval.ts'
import { approvalEvents, approvalMoves } from '../../domain/approvals/events.ts'
import { type ApprovalStatus, approvalFlow } from '../../domain/flows/undriven/approval.ts'
import { isGone } from '../../domain/flows/undriven/organization.ts'
import {
  type ApprovalRequirements,
  isSatisfiable,
  hasApproved,
  blocksLaterStep,
  isLastApproval,
  openStep,
  addApproval,
} from '../../domain/approvals/requirements.ts'
import { refuse, refuseFirst } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Role } from '../../domain/permissions.ts'
import { type Tx, sql, within } from '../sql.ts'
import { consumeStepUp } from '../step-up-use.ts'
import { approvalTarget, consumeGrant } from '../step-up/grants.ts'
import { transition } from '../transition.ts'
import { wake } from '../wakes.ts'

/** A locked approval, with what a decision on it is checked against. */
type LockedApproval = ApprovalRow &
  Payer & {
    readonly decided_at: string
    /** The person who decides now, and their role; null if they are no member any more. */
    readonly decider: Approval['approver']
    readonly role: Role | null
    readonly requester_role: Role | null
    readonly decisions: readonly Pick<
      ApprovalDetail['decisions'][number],
      'decision_id' | 'decision' | 'user_id' | 'step' | 'voided_at'
    >[]
    /** The request that the decision's Idempotency-Key was used for, if it was. */
    readonly claimed: string | null
    /** How the person proved who they are, if they had to. */
    readonly factor: string | null
  }

/** A decision with what it is about, read under the lock of the approval. */
type Deciding = {
  readonly decision: Decision
  readonly approval: LockedApproval
  /** The requirements that are left after the decisions on it. */
  readonly wait: ApprovalRequirements
  readonly target: ApprovalTarget
  readonly state: Parameters<ApprovalTarget['blockers']>[0]
}

/** The fields of an approval, and of its subject, that a decision changes. */
type Outcome = {
  readonly approval: Partial<Pick<LockedApproval, 'status' | 'approver' | 'processed_at' | 'rejection_reason'>>
  readonly subject: Changed
}

/**
 * Records a decision and does what it decides, once; answers the approval as it is then. Found again by its
 * decision_id, or as the same person's same decision, it changes nothing. A refusal leaves everything as it was, the
 * step-up included.
 */
export async function decide(tx: Tx, decision: Decision): Promise<Approval> {
  const deciding = await lockApproval(tx, decision)
  const { approval } = deciding
  const { body_hash: bodyHash } = decision
  if (bodyHash && approval.claimed && !hashMatches(approval.claimed, bodyHash)) refuse('idempotency_key_reused')
  if (isRecorded(deciding)) return toApproval(approval)
  guard(deciding)
  const { approval: changed, subject } = await carryOut(tx, deciding)
  return toApproval({ ...approval, ...changed, subject: { ...approval.subject, ...subject } })
}

/** Locks memberships first, as everywhere. Each lock is a statement before the reads, which see what it waited for. */
async function lockApproval(tx: Tx, decision: Decision): Promise<Deciding> {
  const target = targetOf(decision.target.type)
  const [, , approval, state] = await inOrder(
    () => lockMemberships(tx, 'keep'),
    () => tx`select id from approvals where id = ${decision.approval_id} for update`,
    () => readLocked(tx, decision),
    () => target.read(within(tx), decision.target.id),
  )
  return { decision, approval, wait: requirementsFromDecisions(approval, approval.decisions), target, state }
}

/** Reads a locked approval once, for the checks and for the answer; refuses `not_found`. */
async function readLocked(tx: Tx, { actor, target, ...decision }: Decision): Promise<LockedApproval> {
  const columns = sql`${decidable()}, business_now() as decided_at, o.status as organization_status,
    o.books_stopped_at is not null as books_stopped, ${personColumn('decider')} as decider, member.role,
    requesting.role as requester_role, claim.body_hash as claimed, proof.factor,
    (select coalesce(jsonb_agg(jsonb_build_object('decision_id', d.decision_id, 'decision', d.decision,
        'user_id', d.user_id, 'step', d.step, 'voided_at', v.inserted_at)), '[]')
      from approval_decisions d left join voided_approvals v on v.decision_id = d.decision_id
      where d.approval_id = approvals.id) as decisions`
  const joins = sql`
    join organizations o on o.id = approvals.organization_id
    join people decider on decider.id = ${actor.userId}
    left join members member on member.organization_id = o.id and member.user_id = decider.id
    left join members requesting on requesting.organization_id = o.id and requesting.user_id = approvals.requester_id
    left join idempotency_claims claim on claim.id = ${decision.decision_id}
    left join step_ups proof on proof.id = ${decision.step_up_id}`
  const [row] = await tx<LockedApproval[]>`
    ${selectApproval(columns, joins)} and approvals.id = ${decision.approval_id}
    and approvals.target_type = ${target.type} and approvals.target_id = ${target.id}`
  return row ?? refuse('not_found')
}

/** Tells if the decision was recorded before: under its id, or as the same decision of that person that counts. */
function isRecorded({ decision, approval, wait }: Deciding): boolean {
  const { userId } = decision.actor
  if (approval.decisions.some((one) => one.decision_id === decision.decision_id)) return true
  if (decision.decision === 'approve') return hasApproved(wait, userId)
  return approval.decisions.some((one) => one.decision === decision.decision && one.user_id === userId)
}

/** Refuses a decision that this person may not make now, in the order of the API. */
function guard({ decision, approval, wait, target, state }: Deciding): void {
  const { role, organization_status: status } = approval
  if (!role || isGone(status)) refuse('not_found')
  guardWaiting(approval)
  if (decision.decision === 'cancel') return
  const reviewer = { userId: decision.actor.userId, role }
  if (decision.decision === 'reject') return guardReviewer(wait, reviewer, approval.requester.id)
  guardApprover(wait, reviewer)
  refuseFirst(blockersOf(target, state, approval, { last: isLastApproval(wait) }))
}

function carryOut(tx: Tx, deciding: Deciding): Promise<Outcome> {
  if (deciding.decision.decision === 'reject') return reject(tx, deciding)
  if (deciding.decision.decision === 'cancel') return withdraw(tx, deciding)
  return isLastApproval(deciding.wait) ? approveLast(tx, deciding) : approveOne(tx, deciding)
}

/** Records the last approval that was needed, and carries out its effect. */
async function approveLast(tx: Tx, deciding: Deciding): Promise<Outcome> {
  const { decision, approval, wait, target, state } = deciding
  const cause = causeOf(decision)
  const step = openStep(wait)
  const { to: status } = approvalFlow.events.approve
  const [consumed, , , subject] = await inOrder(
    () => consume(tx, deciding),
    () => insertDecision(tx, deciding, { outcome: status, step }),
    () =>
      transition(tx, approvalMoves, decision.approval_id, {
        events: ['approve'],
        cause,
        set: sql`approver_id = ${decision.actor.userId}, processed_at = ${approval.decided_at}`,
        payload: { step, ...evidenceOf(approval) },
      }),
    () => target.approve(tx, state, cause),
  )
  if (!consumed) refuse('step_up_required')
  // not at once with what may be refused: its statement would fail with the transaction, and might be heard of first
  await mailRequester(tx, partiesOf(deciding), { how: 'approved', summary: approval.summary })
  return { approval: { status, approver: approval.decider, processed_at: approval.decided_at }, subject }
}

/** Records one approval of several; the others are still needed. */
async function approveOne(tx: Tx, deciding: Deciding): Promise<Outcome> {
  const { decision, approval, wait } = deciding
  const next = addApproval(wait, decision.actor.userId)
  // who approves now cannot approve a later step: if that step has nobody else, it would wait for ever
  if (blocksLaterStep(wait, next, await membersWithRoles(within(tx))))
    refuse('no_eligible_approver', { reason: 'needed_later' })
  const step = openStep(wait)
  const [consumed] = await inOrder(
    () => consume(tx, deciding),
    () => insertDecision(tx, deciding, { outcome: 'pending', step }),
    () => setRequirements(tx, decision.approval_id, next, openStep(next) !== step),
    () =>
      record(tx, approvalEvents.approval_given, {
        subjectId: decision.approval_id,
        cause: causeOf(decision),
        payload: {
          step,
          given: next.given[step]?.length ?? 0,
          required: next.steps[step]?.required ?? 0,
          ...evidenceOf(approval),
        },
      }),
  )
  if (!consumed) refuse('step_up_required')
  wake(tx, actionOfTarget(decision.target.type).flow, { ids: [decision.target.id], why: 'approval_given' })
  return { approval: {}, subject: {} }
}

async function reject(tx: Tx, deciding: Deciding): Promise<Outcome> {
  const { decision, approval, target } = deciding
  const cause = causeOf(decision)
  const { actor, comment, approval_id: id } = decision
  const { to: status } = approvalFlow.events.reject
  const [, , subjectOf] = await inOrder(
    () => insertDecision(tx, deciding, { outcome: status, step: 0 }),
    () =>
      transition(tx, approvalMoves, id, {
        events: ['reject'],
        cause,
        set: sql`approver_id = ${actor.userId}, processed_at = ${approval.decided_at}, rejection_reason = ${comment}`,
        payload: evidenceOf(approval),
      }),
    () => target.cancel(tx, [decision.target.id], 'rejected', () => cause),
  )
  await mailRequester(tx, partiesOf(deciding), { how: 'rejected', summary: approval.summary, reason: comment })
  const { decider: approver, decided_at: processed_at } = approval
  return {
    approval: { status, approver, processed_at, rejection_reason: comment },
    subject: subjectOf(decision.target.id),
  }
}

async function withdraw(tx: Tx, deciding: Deciding): Promise<Outcome> {
  const { decision, approval, target } = deciding
  await guardWithdrawal(tx, deciding)
  const cause = causeOf(decision)
  const { to: status } = approvalFlow.events.cancel
  const [, , subjectOf] = await inOrder(
    () => insertDecision(tx, deciding, { outcome: status, step: 0 }),
    () =>
      transition(tx, approvalMoves, decision.approval_id, {
        events: ['cancel'],
        cause,
        payload: evidenceOf(approval),
      }),
    () => target.cancel(tx, [decision.target.id], 'withdrawn', () => cause),
  )
  return { approval: { status }, subject: subjectOf(decision.target.id) }
}

/** Refuses a withdrawal by all but the requester; by an owner or admin, if the requester or all approvers are gone. */
async function guardWithdrawal(tx: Tx, { decision, approval, wait }: Deciding): Promise<void> {
  if (approval.requester.id === decision.actor.userId) return
  const stranded =
    approval.role !== 'member' && (!approval.requester_role || !isSatisfiable(wait, await membersWithRoles(within(tx))))
  if (!stranded) refuse('forbidden', { reason: 'only_requester_withdraws' })
}

const causeOf = ({ decision_id: id }: Decision): string => `decision:${id}`

/** Builds what the rows do not keep for an auditor: the role of the decider, and the factor of their proof. */
const evidenceOf = ({ role, factor, subject_hash }: LockedApproval) => ({ role, factor, subject_hash })

const partiesOf = ({ decision, approval }: Deciding) => ({
  requester: approval.requester.id as UserId, // of a row of people
  decider: decision.actor.userId,
})

/**
 * Uses up the step-up of exactly this session, approval, amount and payee, or the grant of one for a set. Both are sent
 * at once: a statement that waits for another may come after its transaction is over.
 */
async function consume(tx: Tx, { decision, approval }: Deciding): Promise<boolean> {
  const { step_up_id: stepUpId, actor, approval_id: id } = decision
  const proof = { stepUpId, sessionId: actor.sessionId, target: approvalTarget(id, approval.subject_hash) }
  const [consumed, granted] = await inOrder(
    () => consumeStepUp(tx, proof),
    () => consumeGrant(tx, proof),
  )
  return consumed || granted
}

async function insertDecision(
  tx: Tx,
  { decision, approval }: Deciding,
  { outcome, step }: { outcome: ApprovalStatus; step: number },
): Promise<void> {
  const { decision_id: id, body_hash: bodyHash, actor } = decision
  const [taken, inserted] = await inOrder(
    () => (bodyHash ? takeClaim(tx, { id, bodyHash }) : Promise.resolve(true)),
    () => tx`
      insert into approval_decisions (decision_id, organization_id, approval_id, decision, user_id, step_up_id, factor,
        device_id, comment, approval_status, step, role)
      values (${id}, ${tx.organizationId}, ${decision.approval_id}, ${decision.decision}, ${actor.userId},
        ${decision.step_up_id}, ${approval.factor}, ${actor.deviceId}, ${decision.comment}, ${outcome}, ${step},
        ${approval.role})
      on conflict (decision_id) do nothing returning decision_id`,
  )
  // its decision was looked for already: a key that is taken was another request's, also one of this moment
  if (!taken || inserted.length === 0) refuse('idempotency_key_reused')
}
