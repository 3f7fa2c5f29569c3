import type { Approval, ApprovalDetail, ApprovalFilters, TargetType } from '../../domain/approvals/approval.ts'
import {
  type ApprovalRequirements,
  type Policy,
  type Reviewer,
  type Viewer,
  findRejecting,
  hasApproved,
  isLaterApprover,
  isRepresented,
  requirementsOf,
  reviews,
  whyNotApprover,
} from '../../domain/approvals/requirements.ts'
import type { Capacity } from '../../domain/permissions.ts'
import { refuse } from '../../domain/errors.ts'
import { eventsFrom } from '../../domain/flow.ts'
import { approvalFlow } from '../../domain/approvals/flow.ts'
import type { ApprovalId, UserId } from '../../domain/ids.ts'
import type { Page } from '../../domain/pagination.ts'
import { newestPending, sourcesOf, visible } from '../approvals/pending.ts'
import { withWords } from '../../db/postgres/filters.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { fullName } from '../../db/postgres/fragments.ts'
import { type Fragment, type Reader, sql } from '../../db/postgres/sql.ts'
import { subjectColumn, toTarget } from './targets.ts'

/** Approval with everything that decides about it; `subject` is the row of its variant. */
export type ApprovalRow = Omit<
  Approval,
  'subject' | 'target_type' | 'approver_email' | 'requester_email' | 'requester_name'
> & {
  id: string
  approval_id: ApprovalId
  former_id: ApprovalId | null
  /** Type of what waits, whose id is `target_id`; toApproval() answers those of the contract. */
  target_type: TargetType
  subject: Record<string, unknown>
  delegate: ApprovalDetail['delegate']
  delegate_user_id: UserId | null
  policy: Policy
  wait: ApprovalRequirements
  subject_body: string
  subject_hash: string
  expires_at: string
  expired: boolean
}

export const personColumn = (name: 'requester' | 'approver' | 'decider'): Fragment => {
  const one = sql(name)
  return sql`json_build_object('id', ${one}.id, 'email', ${one}.email, 'first_name', ${one}.first_name,
    'last_name', ${one}.last_name, 'name', ${fullName(sql`${one}`)})`
}

/** Joins a row by its id, one lookup for each row, so that no more than a page is read. */
const joinById = (table: string, name: string, id: Fragment): Fragment => sql`
  left join lateral (select * from ${sql(table)} one where one.id = ${id} offset 0) ${sql(name)} on true`

type Selection = {
  /** Further columns, after a comma. */
  readonly more?: Fragment
  /** Joins from which they come. */
  readonly joins?: Fragment
  /** Type of what waits, if all are of this one. */
  readonly type?: TargetType
}

/** Selects approvals as ApprovalRow; conditions follow. */
export const selectApproval = ({ more = sql``, joins = sql``, type }: Selection = {}): Fragment => sql`
  select approvals.id, approvals.id as approval_id, approvals.target_id, approvals.action_type, approvals.target_type,
    approvals.status, approvals.summary, approvals.rejection_reason, approvals.sent_back, approvals.former_id,
    approvals.inserted_at as created_at,
    approvals.processed_at, ${personColumn('requester')} as requester,
    case when approver.id is not null then ${personColumn('approver')} end as approver, ${subjectColumn(type)} as subject,
    (select json_build_object('id', g.id, 'name', g.name, 'kind', g.kind) from delegates g
      where g.id = approvals.delegate_id) as delegate,
    (select g.user_id from delegates g where g.id = approvals.delegate_id) as delegate_user_id,
    approvals.policy, approvals.subject_hash, approvals.subject_body, w.wait, approvals.expires_at,
    case approvals.status
      when 'pending' then approvals.expires_at <= (select business_now()) -- its expiry may not be recorded yet
      when 'cancelled' then exists (
        select from approval_decisions x where x.approval_id = approvals.id and x.decision = 'expire')
      else false end as expired ${more}
  from approvals
  ${joinById('people', 'requester', sql`approvals.requester_id`)}
  ${joinById('people', 'approver', sql`approvals.approver_id`)}
  ${joinById('approval_waits', 'w', sql`approvals.wait_id`)}
  ${joins}
  where true`

/** Finds the approvals that exist and that the viewer may see, in no order. */
export const findApprovals = (reader: Reader, ids: readonly ApprovalId[], viewer: Viewer): Promise<ApprovalRow[]> =>
  reader<ApprovalRow>(sql`
    ${selectApproval()} and approvals.id = any (${[...ids]}) and approvals.organization_id = ${reader.organizationId}
    ${visible(sql`w`, viewer)}`)

/** Finds approvals with one of these decisions, or the same by this person if still in force. */
export async function findDecided(
  reader: Reader,
  userId: UserId,
  kind: 'approve' | 'reject',
  ids: readonly ApprovalId[],
  decisionIds: readonly string[] = [],
): Promise<ReadonlySet<ApprovalId>> {
  const standing = ['pending', kind === 'approve' ? 'approved' : 'rejected']
  const rows = await reader<{ approval_id: ApprovalId }>(sql`
    select d.approval_id from approval_decisions d join approvals a on a.id = d.approval_id
    where d.organization_id = ${reader.organizationId} and d.approval_id = any (${[...ids]})
      and (d.decision_id = any (${[...decisionIds]}::uuid[])
        or (d.user_id = ${userId} and d.decision = ${kind} and a.status = any (${standing})
          and not exists (select from voided_approvals v where v.decision_id = d.decision_id)))`)
  return new Set(rows.map((row) => row.approval_id))
}

/** Lists approvals by the filters of the contract, newest first. */
export function listApprovals(reader: Reader, filters: ApprovalFilters, viewer: Viewer): Promise<Page<ApprovalRow>> {
  const { action_type: type, mine, q } = filters
  const ofAction = type ? sql`and approvals.action_type = ${type}` : sql``
  const own = mine ? sql`=` : sql`<>`
  const ofRequester = mine === undefined ? sql`` : sql`and approvals.requester_id ${own} ${viewer.userId}`
  // amounts are found however their thousands are written
  const texts = [sql`approvals.summary`, ...(/\d/.test(q ?? '') ? [sql`replace(approvals.summary, ',', '')`] : [])]
  const conditions = sql`${ofAction} ${ofRequester} ${withWords(q, texts)}`
  const query = sql`${selectApproval()} ${visible(sql`w`, viewer)} ${conditions}
    ${inStatuses(reader, filters, viewer, conditions)}`
  return pageOf<ApprovalRow>(reader, 'approvals', filters, query)
}

/** Filters by status. Pending ones have an index, also for a viewer with a limited view. */
function inStatuses(reader: Reader, filters: ApprovalFilters, viewer: Viewer, conditions: Fragment): Fragment {
  const { status, statuses, cursor, limit } = filters
  const chosen = statuses?.length ? statuses : [status]
  if (chosen.includes('all')) return sql``
  if (chosen.some((one) => one !== 'pending')) return sql`and approvals.status = any (${[...chosen]})`
  if (!viewer.ownOnly) return sql`and approvals.status = 'pending'`
  const after = cursor
    ? sql`and (approvals.inserted_at, approvals.id) < ((select c.inserted_at from approvals c where c.id = ${cursor}
        and c.organization_id = ${reader.organizationId}), ${cursor}::uuid)`
    : sql``
  const newest = newestPending(reader, sourcesOf(reader, viewer), {
    conditions: sql`${conditions} ${after}`,
    limit: limit + 1,
  })
  return sql`and approvals.status = 'pending' and approvals.id in (${newest})`
}

export const toApproval = (row: ApprovalRow): Approval => ({
  approval_id: row.approval_id,
  action_type: row.action_type,
  status: row.status,
  approver: row.approver,
  requester: row.requester,
  approver_email: row.approver?.email ?? null,
  requester_email: row.requester.email,
  requester_name: row.requester.name,
  created_at: row.created_at,
  processed_at: row.processed_at,
  rejection_reason: row.rejection_reason,
  sent_back: row.sent_back,
  summary: row.summary,
  ...toTarget(row.target_type, row.target_id, row.subject),
})

/** Derives the remaining requirements from the decisions that are not voided. */
export const requirementsFromDecisions = (
  { policy, requester }: ApprovalRow,
  decisions: readonly {
    decision: string
    user_id: string | null
    on_behalf_of: string | null
    step: number | null
    voided_at: string | null
  }[],
): ApprovalRequirements =>
  requirementsOf(
    policy,
    requester.id as UserId, // ids of people that were read
    decisions.flatMap(({ decision, user_id: userId, on_behalf_of: principal, step, voided_at: voided }) =>
      decision === 'approve' && userId && step !== null && !voided
        ? { user_id: userId as UserId, on_behalf_of: principal as UserId | null, step }
        : [],
    ),
  )

/** Refuses a decision on a closed approval: `approval_expired`, or else `approval_already_processed`. */
export function requirePending({ status, expired }: Pick<ApprovalRow, 'status' | 'expired'>): void {
  if (expired) refuse('approval_expired', { current: status, allowed: [] })
  if (status !== 'pending') {
    refuse('approval_already_processed', { current: status, allowed: eventsFrom(approvalFlow, status) })
  }
}

/** Refuses an approval unless the reviewer may approve the open step; the details say what they can do. */
export function requireApprover(
  { wait, delegate_user_id: preparer }: Pick<ApprovalRow, 'wait' | 'delegate_user_id'>,
  reviewer: Reviewer,
): void {
  const barred = whyNotApprover(wait, reviewer)
  if (!barred) return
  const { userId, principals } = reviewer
  if (barred === 'requester_cannot_approve') {
    if (wait.excluded === userId) refuse(barred)
    // policies bar people for nothing else
    if (!wait.barred?.some((id) => id === userId)) refuse(barred, { reason: 'no_substitute' })
    refuse(barred, { reason: preparer === userId ? 'asked_by_delegate' : 'typed_bank_details' })
  }
  if (isRepresented(wait, userId)) refuse(barred, { reason: 'substitute_decided' })
  if (hasApproved(wait, userId)) refuse(barred)
  if (isLaterApprover(wait, reviewer)) refuse(barred, { reason: 'earlier_step' })
  const isUsed = principals?.some((one) => hasApproved(wait, one.userId) || isRepresented(wait, one.userId))
  refuse(barred, reviews(wait, reviewer) && isUsed ? { reason: 'principal_decided' } : undefined)
}

/** Finds the capacity of a rejection; refuses it by a person whom no step names. */
export function requireReviewer(requirements: ApprovalRequirements, reviewer: Reviewer, requesterId: string): Capacity {
  const capacity = findRejecting(requirements, reviewer)
  if (capacity) return capacity
  const own = { userId: reviewer.userId, role: reviewer.role, removed: reviewer.removed }
  if (reviews(requirements, reviewer) && !reviews(requirements, own))
    refuse('not_an_approver', { reason: 'no_substitute' })
  refuse('not_an_approver', requesterId === reviewer.userId ? { reason: 'withdraw_instead' } : undefined)
}
