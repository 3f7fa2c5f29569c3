/** Approvals as their people read them: found, listed, and what stands against deciding one. */
import type { ActionType, Approval, ApprovalFilters, TargetType } from '../../domain/approvals/approval.ts'
import {
  type Policy,
  type Reviewer,
  type ApprovalRequirements,
  whyNotApprover,
  isLaterApprover,
  hasApproved,
  reviews,
} from '../../domain/approvals/requirements.ts'
import type { Viewer } from '../../domain/approvals/viewer.ts'
import { refuse } from '../../domain/errors.ts'
import { eventsFrom } from '../../domain/flows/flow.ts'
import { type ApprovalStatus, approvalFlow } from '../../domain/flows/undriven/approval.ts'
import type { ApprovalId, UserId } from '../../domain/ids.ts'
import type { Page } from '../../domain/pagination.ts'
import { newestPending, sourcesOf, visible } from '../approvals/pending.ts'
import { pageOf } from '../pagination.ts'
import { type Fragment, type Reader, first, sql } from '../sql.ts'
import { subjectColumn, toSubject } from './targets.ts'

/** An approval as the contract writes it. */
export type ListedApproval = {
  id: string
  approval_id: ApprovalId
  target_id: string
  action_type: ActionType
  target_type: TargetType
  status: ApprovalStatus
  subject: Record<string, unknown>
  summary: string | null
  requester: Approval['requester']
  approver: Approval['approver']
  rejection_reason: string | null
  created_at: string
  processed_at: string | null
}

/** The same with what it takes to decide it. */
export type ApprovalRow = ListedApproval & {
  policy: Policy
  wait: ApprovalRequirements
  subject_body: string
  subject_hash: string
  expires_at: string
  expired: boolean
}

/** Builds a person of the answer from a joined row of people. */
export const personColumn = (name: 'requester' | 'approver' | 'decider'): Fragment => {
  const column = (field: string): Fragment => sql`${sql(`${name}.${field}`)}`
  return sql`json_build_object('id', ${column('id')}, 'email', ${column('email')},
    'first_name', ${column('first_name')}, 'last_name', ${column('last_name')},
    'name', nullif(concat_ws(' ', ${column('first_name')}, ${column('last_name')}), ''))`
}

/** Joins the row of an id, if there is one, for each row by itself: a page is read no further than it goes. */
const joinById = (table: string, name: string, id: Fragment): Fragment => sql`
  left join lateral (select * from ${sql(table)} one where one.id = ${id} offset 0) ${sql(name)} on true`

/** A query for approvals as ListedApproval, with more columns and what these are joined from; conditions follow. */
export const selectApproval = (more: Fragment, joins: Fragment = sql``): Fragment => sql`
  select approvals.id, approvals.id as approval_id, approvals.target_id, approvals.action_type, approvals.target_type,
    approvals.status, approvals.summary, approvals.rejection_reason, approvals.inserted_at as created_at,
    approvals.processed_at, ${personColumn('requester')} as requester,
    case when approver.id is not null then ${personColumn('approver')} end as approver, ${subjectColumn()} as subject ${more}
  from approvals
  ${joinById('people', 'requester', sql`approvals.requester_id`)}
  ${joinById('people', 'approver', sql`approvals.approver_id`)}
  ${joinById('approval_waits', 'w', sql`approvals.wait_id`)}
  ${joins}
  where true`

/** Tells if the time of an approval ran out before it was decided, also if that is not recorded yet. */
export const ranOut = (a: Fragment): Fragment => sql`
  case ${a}.status when 'pending' then ${a}.expires_at <= (select business_now()) when 'cancelled' then exists (
    select from approval_decisions x where x.approval_id = ${a}.id and x.decision = 'expire') else false end`

/** The columns that an ApprovalRow has more. */
export const decidable = (): Fragment => sql`, approvals.policy, approvals.subject_hash, approvals.subject_body, w.wait,
  approvals.expires_at, ${ranOut(sql`approvals`)} as expired`

/** Finds an approval of the reader's organization that the viewer may see; refuses `not_found`. */
export async function findApproval(reader: Reader, id: ApprovalId, viewer: Viewer): Promise<ApprovalRow> {
  const [row] = await findApprovals(reader, [id], viewer)
  return row ?? refuse('not_found')
}

/** Finds those of the approvals that exist and that the viewer may see, in no order. */
export const findApprovals = (reader: Reader, ids: readonly ApprovalId[], viewer: Viewer): Promise<ApprovalRow[]> =>
  reader<ApprovalRow>(sql`
    ${selectApproval(decidable())} and approvals.id = any (${[...ids]}) and approvals.organization_id = ${reader.organizationId}
    ${visible(viewer)}`)

/** Reads the outcome of a decision that was recorded under its id, or as the same decision of that person. */
export async function recordedDecision(
  reader: Reader,
  decision: { decision_id?: string; approval_id: ApprovalId; decision: string },
  userId: UserId,
): Promise<ApprovalStatus | undefined> {
  const row = await first(
    reader<{ approval_status: ApprovalStatus }>(sql`
      select approval_status from approval_decisions d
      where organization_id = ${reader.organizationId} and approval_id = ${decision.approval_id}
        and (decision_id = ${decision.decision_id ?? null} or (user_id = ${userId} and decision = ${decision.decision}
          and not exists (select from voided_approvals v where v.decision_id = d.decision_id)))`),
  )
  return row?.approval_status
}

/** Approvals, newest first, by the filters of the contract. */
export function listApprovals(reader: Reader, filters: ApprovalFilters, viewer: Viewer): Promise<Page<ListedApproval>> {
  const conditions = sql`${ofAction(filters)} ${ofRequester(filters, viewer)}`
  const query = sql`${selectApproval(sql``)} ${visible(viewer)} ${conditions}
    ${inStatuses(reader, filters, viewer, conditions)}`
  return pageOf<ListedApproval>(reader, 'approvals', filters, query)
}

const ofAction = ({ action_type: type }: ApprovalFilters): Fragment =>
  type ? sql`and approvals.action_type = ${type}` : sql``

function ofRequester({ mine }: ApprovalFilters, { userId }: Viewer): Fragment {
  if (mine === undefined) return sql``
  return mine ? sql`and approvals.requester_id = ${userId}` : sql`and approvals.requester_id <> ${userId}`
}

/** Chooses the statuses of a filter: a non-empty `statuses` takes precedence; null for all. */
function statusesOf({ status, statuses }: ApprovalFilters): readonly ApprovalStatus[] | null {
  if (statuses?.length) return statuses
  return status === 'all' ? null : [status]
}

/** Filters by status. Only pending ones have an index, which also finds those of a viewer with a limited view. */
function inStatuses(reader: Reader, filters: ApprovalFilters, viewer: Viewer, conditions: Fragment): Fragment {
  const statuses = statusesOf(filters)
  if (!statuses) return sql``
  if (statuses.some((status) => status !== 'pending')) return sql`and approvals.status = any (${[...statuses]})`
  const pending = sql`and approvals.status = 'pending'`
  return viewer.ownOnly
    ? sql`${pending} and approvals.id in (${newestSeen(reader, filters, viewer, conditions)})`
    : pending
}

/** Selects the pending approvals of a viewer with a limited view that may be on this page. */
function newestSeen(
  reader: Reader,
  { cursor, limit }: ApprovalFilters,
  viewer: Viewer,
  conditions: Fragment,
): Fragment {
  const after = cursor
    ? sql`and (approvals.inserted_at, approvals.id) < ((select c.inserted_at from approvals c where c.id = ${cursor}
        and c.organization_id = ${reader.organizationId}), ${cursor}::uuid)`
    : sql``
  const sources = sourcesOf(reader, viewer)
  return newestPending(reader, sources, { conditions: sql`${conditions} ${after}`, limit: limit + 1 })
}

/** Tells if the viewer's own approval of it counts already. */
export const approvedBy = (row: ApprovalRow, userId: string): boolean => hasApproved(row.wait, userId)

/** Converts an approval to what the contract writes. */
export function toApproval(row: ListedApproval): Approval {
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
    subject: toSubject(row.target_type, row.subject),
  }
}

/** Refuses an approval unless the reviewer may approve the open step; the details say what they can do. */
export function guardApprover(wait: ApprovalRequirements, reviewer: Reviewer): void {
  const barred = whyNotApprover(wait, reviewer)
  if (barred === 'not_an_approver' && !hasApproved(wait, reviewer.userId) && isLaterApprover(wait, reviewer)) {
    refuse(barred, { reason: 'earlier_step' })
  }
  if (barred === 'requester_cannot_approve' && wait.excluded !== reviewer.userId) {
    refuse(barred, { reason: 'typed_bank_details' }) // policies bar people for nothing else
  }
  if (barred) refuse(barred)
}

/** Refuses a rejection by a person whom no step names. */
export function guardReviewer(wait: ApprovalRequirements, reviewer: Reviewer, requesterId: string): void {
  if (reviews(wait, reviewer)) return
  refuse('not_an_approver', requesterId === reviewer.userId ? { reason: 'withdraw_instead' } : undefined)
}

/** Refuses a decision on an approval that is over: `approval_expired`, or else `approval_already_processed`. */
export function guardWaiting({
  status,
  expired,
}: {
  readonly status: ApprovalStatus
  readonly expired: boolean
}): void {
  if (expired) refuse('approval_expired', { current: status, allowed: [] })
  if (status !== 'pending') {
    refuse('approval_already_processed', { current: status, allowed: eventsFrom(approvalFlow, status) })
  }
}
