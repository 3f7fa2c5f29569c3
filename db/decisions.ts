/** The transaction that decides an approval: everything is checked again under its lock, and all effects are in it. */
import { v5 } from 'uuid'
import { blockedBy, refuseProcessed } from './approvals.ts'
import { takeClaim } from './claim.ts'
import { available, credit, debit, held, post } from './ledger.ts'
import { type ApprovalStatus, type Decision, type Policy, type Verdict, approvalFlow } from './model/approval.ts'
import { refuse } from './model/errors.ts'
import type { ApprovalId, DecisionId, PaymentId, UserId } from './model/ids.ts'
import { moneyOf } from './model/money.ts'
import { type PaymentStatus, paymentFlow } from './model/payment-flow.ts'
import type { Role } from './model/permissions.ts'
import { type Tx, sql } from './sql.ts'
import { consumeStepUp } from './step-up-consumption.ts'
import { transition } from './transition.ts'

type Subject = {
  status: ApprovalStatus
  policy: Policy
  requester_id: UserId
  subject_hash: string
  expired: boolean
  late: boolean
  role: Role | null
  organization_status: string
  contact_status: string
  recorded: ApprovalStatus | null
  decided_alike: boolean
  payment_id: PaymentId
  payment_status: PaymentStatus
  amount: string
  currency: string
}

/**
 * Records a decision and does what it decides, once: found again by its decision_id (or as the same person's same
 * decision), it answers the verdict that was recorded. A refusal leaves everything as it was, the step-up included.
 */
export async function decide(tx: Tx, decision: Decision): Promise<Verdict> {
  const subject = await lockSubject(tx, decision)
  if (subject.recorded) return { approval_status: subject.recorded, target_status: subject.payment_status }
  if (subject.decided_alike) return { approval_status: subject.status, target_status: subject.payment_status }
  guard(subject, decision)
  switch (decision.decision) {
    case 'approve':
      await approve(tx, decision, subject)
      return { approval_status: 'approved', target_status: 'submitted' }
    case 'reject':
      await stop(tx, decision, subject, 'reject')
      return { approval_status: 'rejected', target_status: 'cancelled' }
    case 'cancel':
      await stop(tx, decision, subject, 'cancel')
      return { approval_status: 'cancelled', target_status: 'cancelled' }
  }
}

/** Locks in one statement and reads in the next, which sees what the wait let through. */
async function lockSubject(tx: Tx, decision: Decision): Promise<Subject> {
  const [, , [subject]] = await Promise.all([
    tx`select id from approvals where id = ${decision.approval_id} for update`,
    // who decides stays in this role until it is recorded: a removal waits, and nothing is decided after it
    tx`select from members where organization_id = ${decision.organization_id} and user_id = ${decision.actor.userId}
      for share`,
    tx<Subject[]>`
      select a.status, a.policy, a.requester_id, a.subject_hash, a.expires_at <= business_now() as expired,
        ${decision.valid_until}::timestamptz < business_now() as late, m.role, o.status as organization_status,
        case when c.deleted_at is null then c.status else 'archived' end as contact_status,
        (select d.approval_status from approval_decisions d where d.decision_id = ${decision.decision_id}
          and d.approval_id = a.id) as recorded,
        exists (select from approval_decisions d where d.approval_id = a.id and d.decision = ${decision.decision}
          and d.user_id = ${decision.actor.userId}) as decided_alike,
        p.id as payment_id, p.status as payment_status, p.deducting_amount as amount, p.deducting_currency as currency
      from approvals a
      join organizations o on o.id = a.organization_id
      join payments p on p.id = a.target_id
      join payment_contacts c on c.id = p.payment_contact_id
      left join members m on m.organization_id = a.organization_id and m.user_id = ${decision.actor.userId}
      where a.id = ${decision.approval_id}`,
  ])
  return subject ?? refuse('not_found')
}

function guard(subject: Subject, { decision, actor }: Decision): void {
  if (!subject.role || ['banned', 'deleted'].includes(subject.organization_status)) refuse('not_found')
  if (subject.status !== 'pending') refuseProcessed(subject.status)
  if (subject.late) refuse('decision_expired')
  if (subject.expired) refuse('approval_expired')
  if (decision === 'cancel') {
    if (subject.requester_id !== actor.userId) refuse('forbidden', { reason: 'only the requester withdraws a request' })
    return
  }
  const blocked = blockedBy(subject, { userId: actor.userId, role: subject.role })
  if (blocked === 'not_an_approver' || (blocked && decision === 'approve')) refuse(blocked)
  if (decision === 'approve' && subject.organization_status !== 'active') refuse('organization_unavailable')
  const { contact_status: contact } = subject
  if (decision === 'approve' && contact !== 'active') refuse('contact_not_approved', { status: contact })
}

async function approve(tx: Tx, decision: Decision, subject: Subject): Promise<void> {
  const cause = `decision:${decision.decision_id}`
  const money = moneyOf(subject.amount, subject.currency)
  const [consumed] = await Promise.all([
    consume(tx, decision, subject),
    insertDecision(tx, decision, 'approved'),
    transition(tx, approvalFlow, decision.approval_id, {
      events: ['approve'],
      cause,
      set: sql`approver_id = ${decision.actor.userId}, processed_at = business_now()`,
    }),
    transition(tx, paymentFlow, subject.payment_id, {
      events: ['submit'],
      cause,
      set: sql`status_detail = 'approved'`,
    }),
    post(tx, [
      {
        key: `payment:${subject.payment_id}:reserve`,
        organizationId: tx.organizationId,
        legs: [debit(available(tx.organizationId), money), credit(held(tx.organizationId), money)],
      },
    ]),
  ])
  if (!consumed) refuse('step_up_required')
}

async function stop(tx: Tx, decision: Decision, subject: Subject, event: 'reject' | 'cancel'): Promise<void> {
  const cause = `decision:${decision.decision_id}`
  const set =
    event === 'reject'
      ? sql`approver_id = ${decision.actor.userId}, processed_at = business_now(), rejection_reason = ${decision.comment}`
      : sql`processed_at = null`
  const detail = event === 'reject' ? 'rejected' : 'withdrawn'
  await Promise.all([
    insertDecision(tx, decision, event === 'reject' ? 'rejected' : 'cancelled'),
    transition(tx, approvalFlow, decision.approval_id, { events: [event], cause, set }),
    transition(tx, paymentFlow, subject.payment_id, {
      events: ['withdraw'],
      cause,
      set: sql`status_detail = ${detail}`,
    }),
  ])
}

/** Uses up the challenge that was earned for exactly this session, approval, amount and payee. */
const consume = (tx: Tx, { step_up_id, actor, approval_id }: Decision, subject: Subject): Promise<boolean> =>
  consumeStepUp(tx, {
    stepUpId: step_up_id,
    sessionId: actor.sessionId,
    target: approvalTarget(approval_id, subject.subject_hash),
  })

/** The target that a step-up for an approval names. */
export const approvalTarget = (id: ApprovalId, subjectHash: string): string => `approval:${id}:${subjectHash}`

async function insertDecision(tx: Tx, decision: Decision, outcome: ApprovalStatus): Promise<void> {
  const { decision_id: id, body_hash: bodyHash } = decision
  // its decision was looked for already: a key that is taken was another request's
  if (bodyHash && !(await takeClaim(tx, { id, bodyHash }))) refuse('idempotency_key_reused')
  await tx`
    insert into approval_decisions (decision_id, organization_id, approval_id, decision, user_id, step_up_id, factor,
      device_id, comment, approval_status)
    values (${decision.decision_id}, ${tx.organizationId}, ${decision.approval_id}, ${decision.decision},
      ${decision.actor.userId}, ${decision.step_up_id},
      (select factor from step_ups where id = ${decision.step_up_id}), ${decision.actor.deviceId}, ${decision.comment},
      ${outcome})`
}

const EXPIRY_NAMESPACE = 'b6a3f6d8-6c0f-4b43-9a54-1c7f2f6f0b11'

/** Cancels an approval whose time is over by business time; answers what is true where it is not, or no longer. */
export async function expire(tx: Tx, approvalId: ApprovalId): Promise<Verdict> {
  const [, [subject]] = await Promise.all([
    tx`select id from approvals where id = ${approvalId} for update`,
    tx<{ status: ApprovalStatus; due: boolean; payment_id: PaymentId; payment_status: PaymentStatus }[]>`
      select a.status, a.expires_at <= business_now() as due, p.id as payment_id, p.status as payment_status
      from approvals a join payments p on p.id = a.target_id where a.id = ${approvalId}`,
  ])
  if (!subject) refuse('not_found')
  if (subject.status !== 'pending' || !subject.due) {
    return { approval_status: subject.status, target_status: subject.payment_status }
  }
  // Derived, so that a repeat is the same decision.
  const decisionId = v5(approvalId, EXPIRY_NAMESPACE) as DecisionId
  const cause = `decision:${decisionId}`
  await Promise.all([
    tx`insert into approval_decisions (decision_id, organization_id, approval_id, decision, approval_status)
      values (${decisionId}, ${tx.organizationId}, ${approvalId}, 'expire', 'cancelled')`,
    transition(tx, approvalFlow, approvalId, { events: ['expire'], cause }),
    transition(tx, paymentFlow, subject.payment_id, {
      events: ['withdraw'],
      cause,
      set: sql`status_detail = 'approval expired'`,
    }),
  ])
  return { approval_status: 'cancelled', target_status: 'cancelled' }
}
