/**
 * One approval explained: its steps, who approved and who could, what was decided, and what stands against the viewer.
 */
import { type ApprovalRow, toApproval } from './approvals.ts'
import { reservingOf } from './bulk.ts'
import type { Viewer } from '../../domain/approvals/viewer.ts'
import type { ApprovalDetail } from '../../domain/approvals/approval.ts'
import {
  type Reviewer,
  type ApprovalRequirements,
  whyNotApprover,
  isSatisfiable,
  candidates,
  hasApproved,
  missingApprovals,
  isLastApproval,
  blocksLaterStep,
  openStep,
  requirementsOf,
  addApproval,
} from '../../domain/approvals/requirements.ts'
import { type Blocker, type RefusalType, refuse } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { type Reader, sql } from '../sql.ts'
import { type Payer, blockersOf, targetOf } from './targets.ts'

type Person = Reviewer & { name: string | null }

/** Reads the members of the organization, with role and name. */
const peopleOf = (reader: Reader): Promise<Person[]> =>
  reader<Person>(sql`
    select m.user_id as "userId", m.role,
      nullif(concat_ws(' ', p.first_name, p.last_name), '') as name
    from members m join people p on p.id = m.user_id
    where m.organization_id = ${reader.organizationId} order by m.joined_at, m.user_id`)

type DecisionRow = ApprovalDetail['decisions'][number]

/** Reads the decisions on an approval, oldest first; those that approve have their step. */
const decisionsOn = (reader: Reader, approvalId: string): Promise<DecisionRow[]> =>
  reader<DecisionRow>(sql`
    select d.decision_id, d.decision, d.user_id, case d.decision when 'approve' then d.step end as step, d.factor,
      d.comment, d.occurred_at, v.inserted_at as voided_at
    from approval_decisions d left join voided_approvals v on v.decision_id = d.decision_id
    where d.organization_id = ${reader.organizationId} and d.approval_id = ${approvalId}
    order by d.occurred_at, d.decision_id`)

/** Explains an approval to a viewer. */
export async function toApprovalDetail(reader: Reader, row: ApprovalRow, viewer: Viewer): Promise<ApprovalDetail> {
  const [decisions, people, blockers] = await Promise.all([
    decisionsOn(reader, row.approval_id),
    peopleOf(reader),
    row.status === 'pending' ? blockersOn(reader, row) : () => [],
  ])
  const wait = requirementsFromDecisions(row, decisions)
  const open = row.status === 'pending' && !row.expired
  return {
    ...toApproval(row),
    expires_at: row.expires_at,
    can_take_action: open && whyNotApprover(wait, viewer) === null,
    blocked_by: blockedBy(row, { wait, people, viewer, blockers }),
    self_approval: row.policy.self_approval,
    steps: stepsOf(row, wait).map((step, index) => ({
      ...step,
      approvers:
        open && step.status !== 'met'
          ? candidates(wait, index, people).map(({ userId, name }) => ({ id: userId, name }))
          : [],
    })),
    decisions,
  }
}

/** Derives the requirements that are left from the decisions; approvals that were voided count no more. */
export const requirementsFromDecisions = (
  { policy, requester }: ApprovalRow,
  decisions: readonly { decision: string; user_id: string | null; step: number | null; voided_at: string | null }[],
): ApprovalRequirements =>
  requirementsOf(
    policy,
    requester.id as UserId, // ids of people that were read
    decisions.flatMap(({ decision, user_id: userId, step, voided_at: voided }) =>
      decision === 'approve' && userId && step !== null && !voided ? { user_id: userId as UserId, step } : [],
    ),
  )

type StepStanding = Omit<ApprovalDetail['steps'][number], 'approvers'>

/** Describes each step: what it asks for, how far it is, and who has approved it. */
export const stepsOf = ({ status }: ApprovalRow, wait: ApprovalRequirements): StepStanding[] =>
  wait.steps.map((step, index) => ({
    required: step.required,
    roles: [...step.roles],
    user_ids: [...step.user_ids],
    status: stepStatus(status, wait, index),
    approved_by: [...(wait.given[index] ?? [])],
  }))

function stepStatus(status: ApprovalRow['status'], wait: ApprovalRequirements, index: number): StepStanding['status'] {
  if (missingApprovals(wait, index) === 0) return 'met'
  if (status !== 'pending') return 'closed'
  return index === openStep(wait) ? 'open' : 'waiting'
}

type Seen = {
  wait: ApprovalRequirements
  people: readonly Reviewer[]
  viewer: Viewer
  blockers: (last: boolean) => readonly Blocker[]
}

/** Lists what an approval by the viewer would be refused with now, in the order of the checks. */
function blockedBy(row: ApprovalRow, { wait, people, viewer, blockers }: Seen): RefusalType[] {
  if (row.expired) return ['approval_expired']
  if (row.status !== 'pending') return ['approval_already_processed']
  const barred = hasApproved(wait, viewer.userId) ? null : whyNotApprover(wait, viewer)
  const next = barred || hasApproved(wait, viewer.userId) ? wait : addApproval(wait, viewer.userId)
  const stuck = !isSatisfiable(wait, people) || blocksLaterStep(wait, next, people)
  return [
    ...(barred ? [barred] : []),
    ...blockers(isLastApproval(wait)).map(({ type }) => type),
    ...(stuck ? (['no_eligible_approver'] as const) : []),
  ]
}

/** Reads what stands against any approval: the organization, the target, and the balance. */
async function blockersOn(
  reader: Reader,
  { target_type: type, target_id: id }: ApprovalRow,
): Promise<(last: boolean) => readonly Blocker[]> {
  const target = targetOf(type)
  const [state, [payer], reserving] = await Promise.all([
    target.read(reader, id),
    reader<Payer>(sql`
      select status as organization_status, books_stopped_at is not null as books_stopped
      from organizations where id = ${reader.organizationId}`),
    reservingOf(reader, [{ target_type: type, target_id: id }]),
  ])
  const short: Blocker[] = reserving.get(id)?.short ? [{ type: 'insufficient_funds' }] : []
  const seen = payer ?? refuse('not_found')
  return (last) => [...blockersOf(target, state, seen, { last }), ...short]
}
