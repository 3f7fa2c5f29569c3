/** Everything said to Postgres about approvals: asked for, found, listed, counted. */
import { createHash } from 'node:crypto'
import { subjectColumn, toSubject } from './approval-subjects.ts'
import {
  type ActionType,
  type Approval,
  type ApprovalFilters,
  type ApprovalStatus,
  type TargetType,
  type Waiting,
  approvalFlow,
  firstReminderHours,
} from './model/approval.ts'
import { canonicalJson } from './model/canonical.ts'
import { type Policy, type Wait, barredFrom, hasGiven, initialWait, reviews, waitingFor } from './model/consensus.ts'
import { eventsFrom } from './model/flow.ts'
import { refuse } from './model/errors.ts'
import type { ApprovalId, UserId } from './model/ids.ts'
import type { Page } from './model/page.ts'
import type { Role } from './model/permissions.ts'
import { pageOf } from './page.ts'
import { type Fragment, type Reader, type Tx, first, sql } from './sql.ts'

export type NewApproval = {
  id: ApprovalId
  action_type: ActionType
  target_type: TargetType
  target_id: string
  requester_id: UserId
  policy: Policy
  /** What approvers see and their step-up is bound to: an amount and a payee, a contact, a role for an address. */
  subject: Readonly<Record<string, unknown>>
  summary: string
  cause: string
}

export type Requested = { waiting: Waiting; offset: string }

/** Asks for approval under a policy, which is copied. Answers what its workflow has to wait for. */
export async function requestApproval(tx: Tx, approval: NewApproval): Promise<Requested> {
  const { policy } = approval
  const wait = initialWait(policy, approval.requester_id)
  const body = canonicalJson(approval.subject)
  const reminder = firstReminderHours(policy.expires_after_hours)
  const [, [row]] = await Promise.all([
    writeWait(tx, wait),
    tx<{ since: string; until: string; remind_at: string | null; offset: string }[]>`
      with asked as (
        insert into approvals (id, organization_id, action_type, target_type, target_id, policy, subject_body,
          subject_hash, summary, requester_id, wait_id, expires_at, next_reminder_at)
        values (${approval.id}, ${tx.organizationId}, ${approval.action_type}, ${approval.target_type},
          ${approval.target_id}, ${sql.json(policy)}, ${body}, ${subjectHash(body)}, ${approval.summary},
          ${approval.requester_id}, ${waitId(tx, wait)},
          business_now() + make_interval(hours => ${policy.expires_after_hours}),
          business_now() + make_interval(hours => ${reminder}))
        returning id, inserted_at, expires_at, next_reminder_at
      ), logged as (
        insert into events (organization_id, stream, subject_id, type, actor_kind, actor_user_id, correlation_id, cause)
        select ${tx.organizationId}, 'approvals', id, 'approval.requested', 'user', ${approval.requester_id},
          ${tx.correlationId}, ${approval.cause}
        from asked
      )
      select inserted_at as since, expires_at as until, next_reminder_at as remind_at,
        (select offset_seconds from business_clock) as offset from asked`,
  ])
  if (!row) throw new Error('the approval was not written')
  const { offset, ...waiting } = row
  return { waiting: { ...waiting, waits_for: waitingFor(wait) }, offset }
}

/** The SHA-256 of a canonical body, in hex: what a step-up is bound to, so that no amount or payee releases another. */
const subjectHash = (body: string): string => createHash('sha256').update(body).digest('hex')

/** What waits for the same in an organization has one id: the first half of the SHA-256 of both. */
export const waitId = (tx: Tx, wait: Wait): string =>
  createHash('sha256')
    .update(`${tx.organizationId}:${canonicalJson(wait)}`)
    .digest('hex')
    .slice(0, 32)

/** Writes what approvals wait for, where none waited for it before; before the approval that names it. */
export async function writeWait(tx: Tx, wait: Wait): Promise<void> {
  const roles = [...new Set(wait.steps.flatMap((step) => step.roles))]
  const people = [...new Set(wait.steps.flatMap((step) => step.user_ids))]
  await tx`
    insert into approval_waits (id, organization_id, wait, named_roles, named_user_ids)
    values (${waitId(tx, wait)}, ${tx.organizationId}, ${sql.json(wait)}, ${roles}, ${people}::uuid[])
    on conflict do nothing`
}

export type ApprovalRow = {
  id: string
  approval_id: ApprovalId
  target_id: string
  action_type: ActionType
  target_type: TargetType
  status: ApprovalStatus
  policy: Policy
  wait: Wait | null
  subject: Record<string, unknown>
  subject_body: string | null
  subject_hash: string
  summary: string | null
  requester: Approval['requester']
  approver: Approval['approver']
  rejection_reason: string | null
  created_at: string
  processed_at: string | null
  expires_at: string
  expired: boolean
}

const person = (name: 'requester' | 'approver'): Fragment => {
  const column = (field: string): Fragment => sql`${sql(`${name}.${field}`)}`
  return sql`jsonb_build_object('id', ${column('id')}, 'email', ${column('email')},
    'first_name', ${column('first_name')}, 'last_name', ${column('last_name')},
    'name', nullif(concat_ws(' ', ${column('first_name')}, ${column('last_name')}), ''))`
}

const selectApproval = (): Fragment => sql`
  select approvals.id, approvals.id as approval_id, approvals.target_id, approvals.action_type, approvals.target_type,
    approvals.status, approvals.policy, approvals.subject_hash, approvals.subject_body, approvals.summary,
    approvals.rejection_reason, approvals.inserted_at as created_at, approvals.processed_at, approvals.expires_at,
    approvals.expires_at <= business_now() as expired, ${person('requester')} as requester,
    case when approver.id is not null then ${person('approver')} end as approver, w.wait,
    ${subjectColumn()} as subject
  from approvals
  join people requester on requester.id = approvals.requester_id
  left join people approver on approver.id = approvals.approver_id
  left join approval_waits w on w.id = approvals.wait_id
  where true`

/** Who looks: the caller, and with `ownOnly` nothing but what the caller asked for or reviews. */
export type Viewer = { userId: UserId; role: Role; ownOnly: boolean }

/** Of rows with approvals and their wait `w`: those that the viewer may see. */
const visible = ({ userId, role, ownOnly }: Viewer): Fragment =>
  ownOnly
    ? sql`and (approvals.requester_id = ${userId} or ${role} = any (w.named_roles)
        or ${userId} = any (w.named_user_ids))`
    : sql``

/** One approval of the reader's organization that the viewer may see; refuses `not_found`. */
export async function findApproval(reader: Reader, id: ApprovalId, viewer: Viewer): Promise<ApprovalRow> {
  const [row] = await findApprovals(reader, [id], viewer)
  return row ?? refuse('not_found')
}

/** Those of the approvals that there are and that the viewer may see, in no order. */
export const findApprovals = (reader: Reader, ids: readonly ApprovalId[], viewer: Viewer): Promise<ApprovalRow[]> =>
  reader<ApprovalRow>(sql`
    ${selectApproval()} and approvals.id = any (${[...ids]}) and approvals.organization_id = ${reader.organizationId}
    ${visible(viewer)}`)

/** What became of a decision: recorded under its id, or as the same person's same one; undefined where it is not. */
export async function recordedDecision(
  reader: Reader,
  decision: { decision_id: string; approval_id: ApprovalId; decision: string },
  userId: UserId,
): Promise<ApprovalStatus | undefined> {
  const row = await first(
    reader<{ approval_status: ApprovalStatus }>(sql`
      select approval_status from approval_decisions d
      where organization_id = ${reader.organizationId} and approval_id = ${decision.approval_id}
        and (decision_id = ${decision.decision_id} or (user_id = ${userId} and decision = ${decision.decision}
          and not exists (select from voided_approvals v where v.decision_id = d.decision_id)))`),
  )
  return row?.approval_status
}

/** Approvals, newest first, by the filters of the contract; a non-empty `statuses` takes precedence. */
export function listApprovals(reader: Reader, filters: ApprovalFilters, viewer: Viewer): Promise<Page<ApprovalRow>> {
  const statuses = filters.statuses?.length ? filters.statuses : filters.status === 'all' ? null : [filters.status]
  return pageOf<ApprovalRow>(
    reader,
    'approvals',
    filters,
    sql`${selectApproval()} ${visible(viewer)}
      ${statuses ? sql`and approvals.status = any (${statuses})` : sql``}
      ${filters.action_type ? sql`and approvals.action_type = ${filters.action_type}` : sql``}
      ${filters.mine === 'true' ? sql`and approvals.requester_id = ${viewer.userId}` : sql``}
      ${filters.mine === 'false' ? sql`and approvals.requester_id <> ${viewer.userId}` : sql``}`,
  )
}

/** What pending approvals wait for, and how many for each. */
export type Queue = { readonly id: string; readonly wait: Wait; readonly pending: number; readonly own: number }

/**
 * All that pending approvals of the organization wait for, with exact numbers, in one statement that reads no approval:
 * `pending` of all people, `own` of those that the viewer asked for where the viewer sees only some.
 */
export async function queuesOf(reader: Reader, viewer: Viewer): Promise<Queue[]> {
  const own = viewer.ownOnly
    ? sql`(select count(*) from approvals a where a.organization_id = w.organization_id and a.wait_id = w.id
        and a.status = 'pending' and a.requester_id = ${viewer.userId})`
    : sql`0`
  const rows = await reader<{ id: string; wait: Wait; pending: string; own: string }>(sql`
    select w.id, w.wait, c.pending, ${own} as own
    from (select wait_id, sum(change) as pending from approval_wait_counts
      where organization_id = ${reader.organizationId} group by wait_id having sum(change) > 0) c
    join approval_waits w on w.id = c.wait_id`)
  return rows.map((row) => ({ ...row, pending: Number(row.pending), own: Number(row.own) }))
}

/** Of these queues: how many approvals the viewer sees, and how many of them they could approve now. */
export function countQueues(queues: readonly Queue[], viewer: Viewer): { total: number; actionable: number } {
  let [total, actionable] = [0, 0]
  for (const { wait, pending, own } of queues) {
    total += !viewer.ownOnly || reviews(wait, viewer) ? pending : own
    if (barredFrom(wait, viewer) === null) actionable += pending
  }
  return { total, actionable }
}

/** Where an approval stands; one from before waits were kept is open at its first step. */
export const waitOfRow = (row: Pick<ApprovalRow, 'wait' | 'policy'> & { requester: { id: string } }): Wait =>
  row.wait ?? initialWait(row.policy, row.requester.id as UserId) // the id of a person that was read

/** Whether the viewer's own approval of it counts already. */
export const givenBy = (row: ApprovalRow, userId: string): boolean => hasGiven(waitOfRow(row), userId)

/** An approval as the contract writes it. */
export function toApproval(row: ApprovalRow): Approval {
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

export type WaitingRow = {
  since: string | null
  until: string
  remind_at: string | null
  wait: Wait
  policy: Policy
  requester_id: string
}

/** What a thing's workflow has to know of the approval that joinApproval() found. */
export const waitingColumns = (): Fragment => sql`
  a.inserted_at as since, a.expires_at as until, a.next_reminder_at as remind_at, w.wait, a.policy, a.requester_id`

/** Joins the approval `a` that a column names, and its wait. */
export const joinApproval = (column: Fragment): Fragment => sql`
  left join approvals a on a.id = ${column}
  left join approval_waits w on w.id = a.wait_id`

/** What the workflow waits for, or null where there is no approval. */
export const toWaiting = (row: WaitingRow): Waiting | null =>
  row.since === null
    ? null
    : {
        since: row.since,
        until: row.until,
        remind_at: row.remind_at,
        waits_for: waitingFor(waitOfRow({ ...row, requester: { id: row.requester_id } })),
      }

/** Refusal for a decision on an approval that is no longer pending. */
export function refuseProcessed(status: ApprovalStatus): never {
  refuse('approval_already_processed', { current: status, allowed: eventsFrom(approvalFlow, status) })
}
