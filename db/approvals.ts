/** Everything said to Postgres about approvals: asked for, listed, decided. */
import { hashOf } from './claim.ts'
import {
  type Approval,
  type ApprovalDetail,
  type ApprovalFilters,
  type ApprovalStatus,
  DEFAULT_POLICY,
  type Policy,
  approvalFlow,
} from './model/approval.ts'
import { eventsFrom } from './model/flow.ts'
import { refuse } from './model/errors.ts'
import type { ApprovalId, UserId } from './model/ids.ts'
import { formatAmount } from './model/money.ts'
import type { Page } from './model/page.ts'
import type { Role } from './model/permissions.ts'
import { pageOf } from './page.ts'
import { type Fragment, type Reader, type Tx, first, sql } from './sql.ts'

/** What a step-up is bound to, so that a challenge earned for one amount or payee never releases another. */
export const subjectHash = (subject: { target_id: string; amount: string; currency: string; payee: string }): string =>
  hashOf(subject)

export type NewApproval = {
  id: ApprovalId
  target_type: 'internal_transfer'
  target_id: string
  requester_id: UserId
  subject_hash: string
  summary: string
  cause: string
}

/** Asks for approval of a withdrawal under the policy that applies now; the policy is copied. Returns the expiry. */
export async function requestApproval(tx: Tx, approval: NewApproval): Promise<{ expires_at: string; offset: string }> {
  const policy = DEFAULT_POLICY
  const [row] = await tx<{ expires_at: string; offset: string }[]>`
    with asked as (
      insert into approvals (id, organization_id, action_type, target_type, target_id, policy, subject_hash, summary,
        requester_id, expires_at)
      values (${approval.id}, ${tx.organizationId}, 'withdrawal', ${approval.target_type}, ${approval.target_id},
        ${sql.json(policy)}, ${approval.subject_hash}, ${approval.summary}, ${approval.requester_id},
        business_now() + make_interval(hours => ${policy.expires_after_hours}))
      returning id, expires_at
    ), logged as (
      insert into events (organization_id, stream, subject_id, type, actor_kind, actor_user_id, correlation_id, cause)
      select ${tx.organizationId}, 'approvals', id, 'approval.requested', 'user', ${approval.requester_id},
        ${tx.correlationId}, ${approval.cause}
      from asked
    )
    select expires_at, (select offset_seconds from business_clock) as offset from asked`
  if (!row) throw new Error('the approval was not written')
  return row
}

type ApprovalRow = {
  id: string
  approval_id: ApprovalId
  target_id: string
  action_type: Approval['action_type']
  target_type: Approval['target_type']
  status: ApprovalStatus
  policy: Policy
  subject_hash: string
  summary: string | null
  requester: Approval['requester']
  approver: Approval['approver']
  rejection_reason: string | null
  created_at: string
  processed_at: string | null
  expires_at: string
  expired: boolean
  transfer: {
    amount: string
    currency: string
    created_at: string
    destination: { id: string; svc_id: string }
    internal_notes: string | null
    payment_contact: { id: string; name: string; deleted_at: string | null }
    payout_reason: string
    statement_description: string
    status_detail: string
    tag: string | null
  }
}

const instant = (column: Fragment): Fragment =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const person = (alias: string): Fragment => sql`
  jsonb_build_object('id', ${sql(alias)}.id, 'email', ${sql(alias)}.email, 'first_name', ${sql(alias)}.first_name,
    'last_name', ${sql(alias)}.last_name,
    'name', nullif(concat_ws(' ', ${sql(alias)}.first_name, ${sql(alias)}.last_name), ''))`

const selectApproval = (): Fragment => sql`
  select approvals.id, approvals.id as approval_id, approvals.target_id, approvals.action_type, approvals.target_type,
    approvals.status, approvals.policy, approvals.subject_hash, approvals.summary, approvals.rejection_reason,
    approvals.inserted_at as created_at, approvals.processed_at, approvals.expires_at,
    approvals.expires_at <= business_now() as expired, ${person('requester')} as requester,
    case when approver.id is not null then ${person('approver')} end as approver,
    jsonb_build_object('amount', p.landing_amount::text, 'currency', p.landing_currency,
      'created_at', ${instant(sql`p.inserted_at`)}, 'internal_notes', p.internal_notes, 'payout_reason', p.payout_reason,
      'statement_description', p.statement_description, 'status_detail', p.status_detail, 'tag', p.tag,
      'destination', jsonb_build_object('id', d.id, 'svc_id', d.svc_id),
      'payment_contact', jsonb_build_object('id', c.id, 'name', c.name, 'deleted_at', ${instant(sql`c.deleted_at`)})
    ) as transfer
  from approvals
  join people requester on requester.id = approvals.requester_id
  left join people approver on approver.id = approvals.approver_id
  join payments p on p.id = approvals.target_id
  join payment_destinations d on d.id = p.destination_id
  join payment_contacts c on c.id = p.payment_contact_id
  where true`

/** One approval of the reader's organization that the viewer may see; refuses `not_found`. */
export async function findApproval(reader: Reader, id: ApprovalId, viewer: Viewer): Promise<ApprovalRow> {
  const row = await first(
    reader<ApprovalRow>(sql`
      ${selectApproval()} and approvals.id = ${id} and approvals.organization_id = ${reader.organizationId}
      ${viewer.ownOnly ? sql`and approvals.requester_id = ${viewer.userId}` : sql``}`),
  )
  return row ?? refuse('not_found')
}

/** What became of a decision: recorded under its id, or as the same person's same one; undefined where it is not. */
export async function recordedDecision(
  reader: Reader,
  decision: { decision_id: string; approval_id: ApprovalId; decision: string },
  userId: UserId,
): Promise<ApprovalStatus | undefined> {
  const row = await first(
    reader<{ approval_status: ApprovalStatus }>(sql`
      select approval_status from approval_decisions
      where organization_id = ${reader.organizationId} and approval_id = ${decision.approval_id}
        and (decision_id = ${decision.decision_id} or (user_id = ${userId} and decision = ${decision.decision}))`),
  )
  return row?.approval_status
}

/** Who looks: the caller, and with `ownOnly` nothing but what the caller asked for. */
export type Viewer = { userId: UserId; role: Role; ownOnly: boolean }

/** Approvals, newest first, by the filters of the contract; a non-empty `statuses` takes precedence. */
export function listApprovals(reader: Reader, filters: ApprovalFilters, viewer: Viewer): Promise<Page<ApprovalRow>> {
  const statuses = filters.statuses?.length ? filters.statuses : filters.status === 'all' ? null : [filters.status]
  return pageOf<ApprovalRow>(
    reader,
    'approvals',
    filters,
    sql`${selectApproval()}
      ${statuses ? sql`and approvals.status = any (${statuses})` : sql``}
      ${filters.action_type ? sql`and approvals.action_type = ${filters.action_type}` : sql``}
      ${filters.mine === 'true' || viewer.ownOnly ? sql`and approvals.requester_id = ${viewer.userId}` : sql``}
      ${filters.mine === 'false' ? sql`and approvals.requester_id <> ${viewer.userId}` : sql``}`,
  )
}

/** How many wait for a decision, and whether the caller could decide at least one of them. */
export async function countPending(
  reader: Reader,
  viewer: Viewer,
): Promise<{ pending_count: number; can_take_action: boolean }> {
  const counts = await first(
    reader<{ pending: string; decidable: string }>(sql`
      select count(*) as pending, count(*) filter (where a.expires_at > business_now()
        and exists (select from jsonb_array_elements(a.policy -> 'steps') step where step -> 'roles' ? ${viewer.role})
        and ((a.policy ->> 'self_approval')::boolean or a.requester_id <> ${viewer.userId})) as decidable
      from approvals a where a.organization_id = ${reader.organizationId} and a.status = 'pending'
      ${viewer.ownOnly ? sql`and a.requester_id = ${viewer.userId}` : sql``}`),
  )
  return { pending_count: Number(counts?.pending ?? 0), can_take_action: Number(counts?.decidable ?? 0) > 0 }
}

/** Why a person may not decide this approval, or null: the one function behind the guard and `can_take_action`. */
export function blockedBy(
  approval: { policy: Policy; requester_id: string },
  caller: { userId: string; role: Role },
): 'not_an_approver' | 'requester_cannot_approve' | null {
  if (!approval.policy.steps.some((step) => step.roles.includes(caller.role))) return 'not_an_approver'
  if (!approval.policy.self_approval && approval.requester_id === caller.userId) return 'requester_cannot_approve'
  return null
}

/** An approval as the contract writes it. */
export function toApproval(row: ApprovalRow): Approval {
  const { transfer } = row
  const amount = formatAmount(transfer.amount, transfer.currency)
  return {
    approval_id: row.approval_id,
    target_id: row.target_id,
    action_type: row.action_type,
    target_type: row.target_type,
    status: row.status,
    approver: row.approver,
    requester: row.requester,
    approver_email: row.approver?.email ?? null,
    requester_email: row.requester.email,
    requester_name: row.requester.name,
    created_at: row.created_at,
    processed_at: row.processed_at,
    rejection_reason: row.rejection_reason,
    summary: row.summary,
    subject: {
      type: 'internal_transfer',
      internal_transfer: {
        id: row.target_id,
        amount,
        amount_with_fees: amount,
        currency: transfer.currency,
        created_at: transfer.created_at,
        destination: transfer.destination,
        internal_notes: transfer.internal_notes,
        payment_contact: transfer.payment_contact,
        payout_reason: transfer.payout_reason,
        statement_description: transfer.statement_description,
        state: transfer.status_detail,
        tag: transfer.tag,
      },
    },
  }
}

/** The same with its steps, decisions, expiry, and whether the caller may decide now. */
export async function toApprovalDetail(reader: Reader, row: ApprovalRow, viewer: Viewer): Promise<ApprovalDetail> {
  const decisions = await reader<ApprovalDetail['decisions'][number]>(sql`
    select decision_id, decision, user_id, factor, comment, occurred_at from approval_decisions
    where organization_id = ${reader.organizationId} and approval_id = ${row.approval_id} order by occurred_at, decision_id`)
  const open = row.status === 'pending' && !row.expired
  return {
    ...toApproval(row),
    expires_at: row.expires_at,
    can_take_action: open && blockedBy({ policy: row.policy, requester_id: row.requester.id }, viewer) === null,
    steps: row.policy.steps.map((step) => ({ required: step.required, roles: [...step.roles] })),
    decisions,
  }
}

/** Refusal for a decision on an approval that is no longer pending. */
export function refuseProcessed(status: ApprovalStatus): never {
  refuse('approval_already_processed', { current: status, allowed: eventsFrom(approvalFlow, status) })
}
