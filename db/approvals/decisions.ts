/** The transaction that decides an approval: everything is checked again under its lock, and all effects are in it. */
import { type ApprovalTarget, type Ending, blockersOf, targetOf } from './target.ts'
import { waitId, writeWait } from './requirements.ts'
import { guardApprover, guardReviewer, guardWaiting, ranOut } from './approvals.ts'
import { tellRequester } from './notices.ts'
import { sameBody, takeClaim } from '../idempotency.ts'
import { record } from '../events.ts'
import { lockStanding, reviewersOf } from '../membership-lock.ts'
import { type Decision, FIRST_NOTICE_MINUTES, type Verdict } from '../model/approvals/approval.ts'
import { type ApprovalStatus, approvalFlow } from '../model/flows/approval.ts'
import {
  type Policy,
  type Wait,
  canBeMet,
  hasGiven,
  neededLater,
  openStep,
  waitOf,
  withApproval,
} from '../model/approvals/requirements.ts'
import { refuse, refuseFirst } from '../model/errors.ts'
import type { ApprovalId, UserId } from '../model/ids.ts'
import type { Role } from '../model/permissions.ts'
import { isGone } from '../model/flows/organization.ts'
import { type Fragment, type Tx, sql, within } from '../sql.ts'
import { consumeStepUp } from '../step-up-use.ts'
import { approvalTarget, takeGrant } from '../step-up/grants.ts'
import { transition } from '../transition.ts'
import { wake } from '../wakes.ts'

type Row = {
  status: ApprovalStatus
  policy: Policy
  approvals: { user_id: UserId; step: number }[]
  requester_id: UserId
  subject_hash: string
  summary: string | null
  expired: boolean
  role: Role | null
  requester_role: Role | null
  organization_status: string
  books_stopped: boolean
  recorded: ApprovalStatus | null
  /** What the decision's Idempotency-Key was used for, where it was. */
  claimed: string | null
  decided_alike: boolean
  /** How the person proved who they are, where they had to. */
  factor: string | null
}
type Subject = Row & { wait: Wait; state: { status: string } }

/**
 * Records a decision and does what it decides, once: found again by its decision_id (or as the same person's same
 * decision), it answers the verdict that was recorded. A refusal leaves everything as it was, the step-up included.
 */
export async function decide(tx: Tx, decision: Decision): Promise<Verdict> {
  const target = targetOf(decision.target.type)
  const subject = await lockSubject(tx, decision, target)
  const { state, wait } = subject
  const { claimed } = subject
  if (decision.body_hash && claimed && !sameBody(claimed, decision.body_hash)) refuse('idempotency_key_reused')
  if (subject.recorded) return { approval_status: subject.recorded, target_status: state.status }
  const alike = decision.decision === 'approve' ? hasGiven(wait, decision.actor.userId) : subject.decided_alike
  if (alike) return { approval_status: subject.status, target_status: state.status }
  guard(subject, decision)
  if (decision.decision === 'approve') {
    const last = openStep(withApproval(wait, decision.actor.userId)) < 0
    refuseFirst(blockersOf(target, state, subject, { last }))
    return approve(tx, decision, subject, target)
  }
  if (decision.decision === 'cancel') await guardWithdrawal(tx, subject, decision.actor.userId)
  return stop(tx, decision, subject, target)
}

/** Locks in one statement and reads in the next, which sees what the wait let through. */
async function lockSubject(tx: Tx, decision: Decision, target: ApprovalTarget): Promise<Subject> {
  const { userId } = decision.actor
  const standing = lockStanding(tx, 'keep')
  const locking = tx`select id from approvals where id = ${decision.approval_id} for update`.execute()
  const [, , [row], state] = await Promise.all([
    standing,
    locking,
    tx<Row[]>`
      select a.status, a.policy, a.requester_id, a.subject_hash, a.summary,
        ${ranOut(sql`a`)} as expired,
        decider.role, requester.role as requester_role,
        o.status as organization_status, o.books_stopped_at is not null as books_stopped,
        (select coalesce(jsonb_agg(jsonb_build_object('user_id', d.user_id, 'step', d.step)), '[]')
          from approval_decisions d where d.approval_id = a.id and d.decision = 'approve'
          and not exists (select from voided_approvals v where v.decision_id = d.decision_id)) as approvals,
        (select d.approval_status from approval_decisions d where d.decision_id = ${decision.decision_id}
          and d.approval_id = a.id) as recorded,
        (select c.body_hash from idempotency_claims c where c.id = ${decision.decision_id}) as claimed,
        exists (select from approval_decisions d where d.approval_id = a.id and d.decision = ${decision.decision}
          and d.user_id = ${userId}) as decided_alike,
        (select u.factor from step_ups u where u.id = ${decision.step_up_id}) as factor
      from approvals a
      join organizations o on o.id = a.organization_id
      left join members decider on decider.organization_id = a.organization_id and decider.user_id = ${userId}
      left join members requester on requester.organization_id = a.organization_id and requester.user_id = a.requester_id
      where a.id = ${decision.approval_id} and a.target_id = ${decision.target.id}
        and a.target_type = ${decision.target.type}`,
    target.read(within(tx), decision.target.id),
  ])
  if (!row) refuse('not_found')
  return { ...row, wait: waitOf(row.policy, row.requester_id, row.approvals), state }
}

function guard(subject: Subject, { decision, actor }: Decision): void {
  if (!subject.role || isGone(subject.organization_status)) refuse('not_found')
  guardWaiting(subject)
  if (decision === 'cancel') return
  const reviewer = { userId: actor.userId, role: subject.role }
  if (decision === 'reject') return guardReviewer(subject.wait, reviewer, subject.requester_id)
  guardApprover(subject.wait, reviewer)
}

/** The requester withdraws; an owner or admin does where nobody else could: who asked is gone, or who could approve. */
async function guardWithdrawal(tx: Tx, subject: Subject, userId: UserId): Promise<void> {
  if (subject.requester_id === userId) return
  const stranded =
    subject.role !== 'member' && (!subject.requester_role || !canBeMet(subject.wait, await reviewersOf(within(tx))))
  if (!stranded) refuse('forbidden', { reason: 'only_requester_withdraws' })
}

async function approve(tx: Tx, decision: Decision, subject: Subject, target: ApprovalTarget): Promise<Verdict> {
  const cause = `decision:${decision.decision_id}`
  const { userId } = decision.actor
  const step = openStep(subject.wait)
  const next = withApproval(subject.wait, userId)
  if (openStep(next) >= 0) {
    await guardRest(tx, subject.wait, next)
    const [consumed] = await Promise.all([
      consume(tx, decision, subject.subject_hash),
      insertDecision(tx, decision, subject.role, { outcome: 'pending', step }),
      moveOn(tx, decision, subject, next),
    ])
    if (!consumed) refuse('step_up_required')
    wake(tx, target.flow, { ids: [decision.target.id], why: 'approval_given' })
    return { approval_status: 'pending', target_status: subject.state.status }
  }
  const [consumed, , , targetStatus] = await Promise.all([
    consume(tx, decision, subject.subject_hash),
    insertDecision(tx, decision, subject.role, { outcome: 'approved', step }),
    transition(tx, approvalFlow, decision.approval_id, {
      events: ['approve'],
      cause,
      set: sql`approver_id = ${userId}, processed_at = business_now()`,
      payload: { step, ...standingOf(subject) },
    }),
    target.approve(tx, subject.state, cause),
  ])
  if (!consumed) refuse('step_up_required')
  // not at once with what may be refused: its statement would fail with the transaction, and might be heard of first
  await tellRequester(tx, parties(subject, decision), { how: 'approved', summary: subject.summary })
  return { approval_status: 'approved', target_status: targetStatus }
}

/** Who approves now cannot approve a later step: refused where that step has nobody else, or it would wait for ever. */
async function guardRest(tx: Tx, wait: Wait, next: Wait): Promise<void> {
  const people = await reviewersOf(within(tx))
  if (neededLater(wait, next, people)) refuse('no_eligible_approver', { reason: 'needed_later' })
}

/** What an auditor could not tell later from the rows: as whom somebody decided, and how they proved who they are. */
const standingOf = ({ role, factor, subject_hash }: Subject) => ({ role, factor, subject_hash })

/** One approval of several: the approval waits for what is left. */
async function moveOn(tx: Tx, decision: Decision, subject: Subject, next: Wait): Promise<void> {
  const step = openStep(subject.wait)
  await Promise.all([
    setWait(tx, decision.approval_id, next, openStep(next) !== step),
    record(tx, {
      stream: 'approvals',
      subjectId: decision.approval_id,
      type: 'approval.approval_given',
      cause: `decision:${decision.decision_id}`,
      payload: {
        step,
        given: next.given[step]?.length ?? 0,
        required: next.steps[step]?.required ?? 0,
        ...standingOf(subject),
      },
    }),
  ])
}

/** When approvers who are waited for anew are told: soon, or as they would have been before. */
export const soon = (planned: Fragment): Fragment =>
  sql`least(${planned}, business_now() + make_interval(mins => ${FIRST_NOTICE_MINUTES}))`

/** Writes what a pending approval waits for now. Whom it waits for anew is told soon. */
export async function setWait(tx: Tx, id: ApprovalId, wait: Wait, anew: boolean): Promise<void> {
  await writeWait(tx, wait)
  await tx`
    update approvals set wait_id = ${waitId(tx, wait)}, updated_at = business_now()
      ${anew ? sql`, next_reminder_at = ${soon(sql`next_reminder_at`)}` : sql``}
    where id = ${id}`
}

const parties = (subject: Subject, { actor }: Decision) => ({ requester: subject.requester_id, decider: actor.userId })

async function stop(tx: Tx, decision: Decision, subject: Subject, target: ApprovalTarget): Promise<Verdict> {
  const cause = `decision:${decision.decision_id}`
  const event = decision.decision === 'reject' ? 'reject' : 'cancel'
  const set =
    event === 'reject'
      ? sql`approver_id = ${decision.actor.userId}, processed_at = business_now(), rejection_reason = ${decision.comment}`
      : sql`processed_at = null`
  const how: Ending = event === 'reject' ? 'rejected' : 'withdrawn'
  const { to: status } = approvalFlow.events[event]
  const [, , targetStatus] = await Promise.all([
    insertDecision(tx, decision, subject.role, { outcome: status, step: 0 }),
    transition(tx, approvalFlow, decision.approval_id, { events: [event], cause, set, payload: standingOf(subject) }),
    target.cancel(tx, [decision.target.id], how, () => cause),
  ])
  if (event === 'reject') {
    const { summary } = subject
    await tellRequester(tx, parties(subject, decision), { how: 'rejected', summary, reason: decision.comment })
  }
  return { approval_status: status, target_status: targetStatus }
}

/**
 * Uses up the challenge that was earned for exactly this session, approval, amount and payee, or what one for a set
 * granted of it. Both are asked at once: a statement that waits for another may come after its transaction is over.
 */
async function consume(tx: Tx, { step_up_id, actor, approval_id }: Decision, subjectHash: string): Promise<boolean> {
  const target = approvalTarget(approval_id, subjectHash)
  const proof = { stepUpId: step_up_id, sessionId: actor.sessionId, target }
  const [consumed, granted] = await Promise.all([consumeStepUp(tx, proof), takeGrant(tx, proof)])
  return consumed || granted
}

async function insertDecision(
  tx: Tx,
  decision: Decision,
  role: Role | null,
  { outcome, step }: { outcome: ApprovalStatus; step: number },
): Promise<void> {
  const { decision_id: id, body_hash: bodyHash } = decision
  const taking = bodyHash ? takeClaim(tx, { id, bodyHash }) : Promise.resolve(true)
  const inserting = tx`
    insert into approval_decisions (decision_id, organization_id, approval_id, decision, user_id, step_up_id, factor,
      device_id, comment, approval_status, step, role)
    values (${decision.decision_id}, ${tx.organizationId}, ${decision.approval_id}, ${decision.decision},
      ${decision.actor.userId}, ${decision.step_up_id},
      (select factor from step_ups where id = ${decision.step_up_id}), ${decision.actor.deviceId}, ${decision.comment},
      ${outcome}, ${step}, ${role})
    on conflict (decision_id) do nothing returning decision_id`
  const [taken, inserted] = await Promise.all([taking, inserting])
  // its decision was looked for already: a key that is taken was another request's, also one of this moment
  if (!taken || inserted.length === 0) refuse('idempotency_key_reused')
}
