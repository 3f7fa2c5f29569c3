/** Requests for approval: how a noun asks for one, its requirements, and its end without a decision. */
import { createHash } from 'node:crypto'
import { v5, v7 } from 'uuid'
import { type Person, delegateOf } from '../../domain/people/actor.ts'
import { type Target, type TargetType, actionOfTarget } from '../../domain/approvals/approval.ts'
import { type RequestContent, joinSentences, sentenceOf } from '../../domain/approvals/sentence.ts'
import { FIRST_LOOK_MINUTES } from '../../domain/approvals/notice.ts'
import { approvalEvents, approvalMoves } from '../../domain/approvals/events.ts'
import { type ApprovalRequirements, type Policy, initialRequirements } from '../../domain/approvals/requirements.ts'
import { canonicalJson } from '../../domain/canonical.ts'
import { refuse } from '../../domain/errors.ts'
import type { PayloadOf } from '../../domain/event-type.ts'
import type { ApprovalId, DecisionId, UserId } from '../../domain/ids.ts'
import { aboutOrganization } from '../../domain/messages/footers.ts'
import type { Preparer } from '../../domain/people/delegate.ts'
import { quoteInMail, quoteName, unlink } from '../../domain/text.ts'
import { linkApproval } from '../../platform/mail-links.ts'
import { sendMessage } from '../messages/messages.ts'
import { pipeline } from '../../db/postgres/pipeline.ts'
import { fullName } from '../../db/postgres/fragments.ts'
import { type Fragment, type Tx, sql, values } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'

export type NewApproval = {
  id: ApprovalId
  target_type: TargetType
  target_id: string
  requester_id: UserId
  policy: Policy
  /** Content that the step-up of approvers is bound to: amount and payee, a contact, a role for an address. */
  subject: Readonly<Record<string, unknown>>
  /** Content in words: approvers read it in one sentence. */
  content: RequestContent
  cause: string
  /** Delegates that prepared it; the first is named, unless a delegate asks. */
  preparers?: readonly Preparer[]
  /** Earlier expiry than the policy's, for a target with a shorter life. */
  expires_within_minutes?: number
  /** Instant at which it expires at the latest. */
  expires_at?: string
  /** Id of the request sent back that it follows; without one, the last about the same target if that was sent back. */
  former_id?: Fragment | ApprovalId | null
}

/** Requests approval under a policy, which is copied. The caller writes the row that waits, and wakes its workflow. */
export async function requestApproval(tx: Tx, approval: NewApproval): Promise<void> {
  await pipeline(insertApproval(tx, approval))
}

/** Writes a subject as canonical JSON, with the hash that a step-up is bound to: it releases no other amount or payee. */
export function writeSubject(subject: NewApproval['subject']): { readonly body: string; readonly hash: string } {
  const body = canonicalJson(subject)
  return { body, hash: createHash('sha256').update(body).digest('hex') }
}

/** Builds the statements of requestApproval(), for a pipeline. */
export function insertApproval(tx: Tx, approval: NewApproval) {
  const { requested } = approvalEvents
  const { policy } = approval
  const wait = initialRequirements(policy, approval.requester_id)
  const { body, hash } = writeSubject(approval.subject)
  const delegate = delegateOf(tx.actor) ?? approval.preparers?.[0]
  const by = delegate && `Prepared by the delegate ${quoteName(delegate.name)}`
  const summary = joinSentences(sentenceOf(approval.content), by)
  const write = tx`
    with asked as (
      insert into approvals ${values({
        id: approval.id,
        organization_id: tx.organizationId,
        action_type: actionOfTarget(approval.target_type).type,
        target_type: approval.target_type,
        target_id: approval.target_id,
        policy: sql.json(policy),
        subject_body: body,
        subject_hash: hash,
        summary,
        requester_id: approval.requester_id,
        delegate_id: delegate?.id ?? null,
        former_id: approval.former_id === undefined ? lastSentBack(approval.target_id) : approval.former_id,
        wait_id: requirementsId(tx, wait),
        expires_at: sql`least(business_now() + make_interval(hours => ${policy.expires_after_hours}),
          business_now() + make_interval(mins => ${approval.expires_within_minutes ?? null}),
          ${approval.expires_at ?? null}::timestamptz)`,
        next_reminder_at: sql`business_now() + make_interval(mins => ${FIRST_LOOK_MINUTES})`,
      })}
      returning id
    )
    insert into events (organization_id, stream, subject_id, type, actor_kind, actor_user_id, correlation_id, cause,
      payload)
    select ${tx.organizationId}, ${requested.stream}, id, ${requested.type}, 'user', ${approval.requester_id},
      ${tx.correlationId}, ${approval.cause}, ${canonicalJson({ subject_hash: hash, policy } satisfies PayloadOf<typeof requested>)}
    from asked`
  return { requirements: writeRequirements(tx, wait), approval: write }
}

/** Builds the condition that approval `f` was sent back to this person and has no follower. */
export const awaitsFollower = (f: Fragment, requester: UserId): Fragment => sql`(
  ${f}.sent_back and ${f}.requester_id = ${requester}
  and not exists (select from approvals n where n.former_id = ${f}.id))`

type Follower = { readonly requester: UserId; readonly targetType: TargetType }

/**
 * Locks a request that another one of the same person and action follows. Refuses `unprocessable_entity` unless it was
 * sent back and nothing follows it.
 */
export async function requireSentBack(
  tx: Tx,
  id: ApprovalId,
  { requester, targetType }: Follower,
): Promise<ApprovalId> {
  await tx`select from approvals where id = ${id} for no key update`
  const [found] = await tx`
    select from approvals f where f.id = ${id} and f.action_type = ${actionOfTarget(targetType).type}
      and ${awaitsFollower(sql`f`, requester)}`
  return found ? id : refuse('unprocessable_entity', { reason: 'not_sent_back' })
}

/** Selects the last request about a target, if that was sent back. */
const lastSentBack = (targetId: string): Fragment => sql`(
  select case when f.sent_back then f.id end from approvals f where f.target_id = ${targetId}
  order by f.inserted_at desc, f.id desc limit 1)`

/** Derives the id of requirements in an organization: the first half of the SHA-256 of both. */
export const requirementsId = (tx: Tx, requirements: ApprovalRequirements): string =>
  createHash('sha256')
    .update(`${tx.organizationId}:${canonicalJson(requirements)}`)
    .digest('hex')
    .slice(0, 32)

/** Writes requirements unless they exist; it must run before the write of the approval that names them. */
export function writeRequirements(tx: Tx, requirements: ApprovalRequirements) {
  const roles = [...new Set(requirements.steps.flatMap((step) => step.roles))]
  const people = [...new Set(requirements.steps.flatMap((step) => step.user_ids))]
  return tx`
    insert into approval_waits (id, organization_id, wait, named_roles, named_user_ids)
    values (${requirementsId(tx, requirements)}, ${tx.organizationId}, ${sql.json(requirements)}, ${roles}, ${people}::uuid[])
    on conflict do nothing`
}

/** Plans the first look for new approvers of `approvals`, unless an earlier one is planned. */
export const firstNoticeAt = (): Fragment =>
  sql`least(approvals.next_reminder_at, business_now() + make_interval(mins => ${FIRST_LOOK_MINUTES}))`

/** Writes the requirements of a pending approval, and plans a look if they name `others`. */
export async function setRequirements(tx: Tx, id: ApprovalId, requirements: ApprovalRequirements, others: boolean) {
  await writeRequirements(tx, requirements)
  await tx`
    update approvals set wait_id = ${requirementsId(tx, requirements)}, updated_at = business_now(),
      next_reminder_at = ${others ? firstNoticeAt() : sql`next_reminder_at`}
    where id = ${id}`
}

export type WaitingApproval = { readonly id: ApprovalId; readonly target: Target }
/** Reason of an end, and the person who caused it; null for an operator. */
export type Cancellation = { readonly why: string; readonly by: Person | null }

/** Cancels pending approvals, each by its own decision; answers the cause by the id of approval or target. */
export async function cancelApprovals(
  tx: Tx,
  waiting: readonly WaitingApproval[],
  { why, by }: Cancellation,
): Promise<(targetId: string) => string> {
  if (waiting.length === 0) return () => ''
  const decisions = waiting.map(() => v7())
  const ids = waiting.map(({ id }) => id)
  await tx`
    insert into approval_decisions (decision_id, organization_id, approval_id, decision, user_id, device_id, comment,
      approval_status)
    select d.decision, ${tx.organizationId}, d.approval, 'cancel', ${by?.userId ?? null}, ${by?.deviceId ?? null}, ${why},
      'cancelled'
    from unnest(${decisions}::uuid[], ${ids}::uuid[]) d (decision, approval)`
  const causes = new Map<string, string>()
  for (const [index, { id, target }] of waiting.entries()) {
    const cause = `decision:${decisions[index]}`
    causes.set(id, cause).set(target.id, cause)
  }
  const causeOf = (id: string): string => causes.get(id) ?? ''
  await transition(tx, approvalMoves, ids, { events: ['cancel'], cause: causeOf })
  return causeOf
}

export type PendingApproval = {
  id: ApprovalId
  type: TargetType
  is_over: boolean
  reminder_due: boolean
  wait: ApprovalRequirements
  requester_id: UserId
  until: string
  summary: string | null
  organization: string
  requester: { name: string | null; email: string }
}

/** Locks the pending approval of a row, and reads its due steps; undefined if it was decided meanwhile. */
export async function lockPending(tx: Tx, targetId: string): Promise<PendingApproval | undefined> {
  await tx`select id from approvals where target_id = ${targetId} and status = 'pending' for update`
  const [row] = await tx<PendingApproval[]>`
    select a.id, a.target_type as type, a.expires_at <= business_now() as is_over,
      coalesce(a.next_reminder_at <= business_now(), false) as reminder_due, w.wait, a.requester_id,
      a.expires_at as until, a.summary, o.name as organization,
      json_build_object('name', ${fullName(sql`p`)}, 'email', p.email) as requester
    from approvals a
    join organizations o on o.id = a.organization_id
    join people p on p.id = a.requester_id
    join approval_waits w on w.id = a.wait_id
    where a.target_id = ${targetId} and a.status = 'pending'`
  return row
}

const EXPIRY_NAMESPACE = 'b6a3f6d8-6c0f-4b43-9a54-1c7f2f6f0b11'

/** Expires a row's pending approval whose time is over; answers the cause with which the caller cancels the row. */
export async function expireRequest(
  tx: Tx,
  targetId: string,
): Promise<{ type: TargetType; cause: string } | undefined> {
  const row = await lockPending(tx, targetId)
  if (!row?.is_over) return undefined
  // derived, so that a repeat is the same decision
  const decisionId = v5(row.id, EXPIRY_NAMESPACE) as DecisionId
  const cause = `decision:${decisionId}`
  await tx`
    insert into approval_decisions (decision_id, organization_id, approval_id, decision, approval_status)
    values (${decisionId}, ${tx.organizationId}, ${row.id}, 'expire', 'cancelled')`
  await transition(tx, approvalMoves, row.id, { events: ['expire'], cause })
  await mailRequester(tx, row.requester_id, { id: row.id, how: 'expired', summary: row.summary })
  return { type: row.type, cause }
}

const OUTCOMES = {
  approved: 'was approved',
  rejected: 'was rejected',
  sent_back: 'was sent back to you, to change it and ask again',
  expired: 'expired, because it was not approved in time',
  voided: 'ended, because the bank now gives another answer about the payee',
  missed: 'was not paid on its day, and nothing was deducted',
} as const

type Outcome = { id: ApprovalId; how: keyof typeof OUTCOMES; summary: string | null; reason?: string | null }

/** Mails the outcome to the requester, if they are still a member. */
export async function mailRequester(tx: Tx, requester: UserId, { id, how, summary, reason }: Outcome): Promise<void> {
  const [person] = await tx<{ email: string; organization: string }[]>`
    select p.email, o.name as organization
    from members m join people p on p.id = m.user_id join organizations o on o.id = m.organization_id
    where m.organization_id = ${tx.organizationId} and m.user_id = ${requester}`
  if (!person) return
  const organization = quoteInMail(person.organization)
  await sendMessage(tx, {
    recipient: person.email,
    channel: 'email',
    mail: {
      subject: `Your request in ${organization} ${OUTCOMES[how].split(',')[0]}`,
      paragraphs: [`Your request ${OUTCOMES[how]}.`],
      facts: [
        ...(summary ? [['Request', unlink(summary)] as const] : []),
        ...(reason ? [['Reason', quoteInMail(reason)] as const] : []),
        ['Organization', organization],
      ],
      action: linkApproval(id, 'See the request'),
      footer: aboutOrganization(person.organization),
    },
  })
}
