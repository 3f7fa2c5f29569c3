/** Approvals and requests that end with a role, of members who left or may not give them now. */
import type { RoleChange } from '../approvals/ends.ts'
import { firstNoticeAt, requirementsId, writeRequirements } from '../approvals/requirements.ts'
import { recordAll } from '../events.ts'
import { inOrder } from '../in-order.ts'
import { type Target, actionOfTarget } from '../../domain/approvals/approval.ts'
import { approvalEvents } from '../../domain/approvals/events.ts'
import { type Policy, type ApprovalRequirements, names, requirementsOf } from '../../domain/approvals/requirements.ts'
import type { ApprovalId, DecisionId, UserId } from '../../domain/ids.ts'
import type { Role } from '../../domain/permissions.ts'
import { type Tx, sql } from '../sql.ts'
import { wake } from '../wakes.ts'
import { endRequests } from './targets.ts'

type Pending = {
  id: ApprovalId
  target: Target
  policy: Policy
  requester_id: UserId
  approvals: { decision_id: DecisionId; user_id: UserId; step: number }[]
}

/** Takes back what a person gave and asked for by a role that they have no more: approvals, and open invitations. */
export async function endWithRole(tx: Tx, change: RoleChange): Promise<void> {
  await voidApprovals(tx, change.userId, change.role)
  await endRequests(tx, change)
}

/**
 * Voids a person's approvals of pending requests that they could not give with their present role, null if they are no
 * member any more. For good: a role that comes back brings none of them back, and they may approve again. Each request
 * waits again for what it lacks, and its run shows for whom. The
 * caller holds `lockMemberships(tx, 'change')`, so that nothing is decided meanwhile.
 */
async function voidApprovals(tx: Tx, userId: UserId, role: Role | null): Promise<void> {
  const locked = await tx<{ id: ApprovalId }[]>`
    select a.id from approvals a where a.status = 'pending' and a.organization_id = ${tx.organizationId}
      and exists (select from approval_decisions d where d.approval_id = a.id and d.user_id = ${userId}
        and d.decision = 'approve')
    order by a.id for update`
  if (locked.length === 0) return
  const pending = await tx<Pending[]>`
    select a.id, jsonb_build_object('type', a.target_type, 'id', a.target_id) as target, a.policy, a.requester_id,
      (select jsonb_agg(jsonb_build_object('decision_id', d.decision_id, 'user_id', d.user_id, 'step', d.step))
        from approval_decisions d where d.approval_id = a.id and d.decision = 'approve'
        and not exists (select from voided_approvals v where v.decision_id = d.decision_id)) as approvals
    from approvals a where a.id = any (${locked.map(({ id }) => id)}) and a.status = 'pending' order by a.id`
  const voids = pending.flatMap((approval) => voidOf(approval, userId, role))
  if (voids.length > 0) await writeVoids(tx, voids, role ? 'role_changed' : 'member_left')
  for (const { target } of voids) {
    wake(tx, actionOfTarget(target.type).flow, { ids: [target.id], why: 'approval_voided' })
  }
}

type Void = { id: ApprovalId; target: Target; decision_id: DecisionId; step: number; left: ApprovalRequirements }

/** Finds the approval of this person that counts no longer, with the requirements that are left; at most one. */
function voidOf(
  { id, target, policy, requester_id: requester, approvals }: Pending,
  userId: UserId,
  role: Role | null,
): Void[] {
  const given = approvals ?? []
  const own = given.find((one) => one.user_id === userId)
  if (!own) return []
  const step = requirementsOf(policy, requester, given).steps[own.step]
  if (role && step && names(step, { userId, role })) return []
  const left = requirementsOf(
    policy,
    requester,
    given.filter((one) => one !== own),
  )
  return [{ id, target, decision_id: own.decision_id, step: own.step, left }]
}

/** Writes all voids in a few statements: decisions of the organization wait until they are committed. */
async function writeVoids(tx: Tx, voids: readonly Void[], reason: 'role_changed' | 'member_left'): Promise<void> {
  const waits = new Map(voids.map(({ left }) => [requirementsId(tx, left), left]))
  const columns = {
    ids: voids.map(({ id }) => id),
    decisions: voids.map((one) => one.decision_id),
    waits: voids.map(({ left }) => requirementsId(tx, left)),
  }
  await inOrder(
    ...[...waits.values()].map((wait) => () => writeRequirements(tx, wait)),
    () => tx`
      insert into voided_approvals (decision_id, organization_id, approval_id, reason)
      select v.decision, ${tx.organizationId}, v.approval, ${reason}
      from unnest(${columns.decisions}::uuid[], ${columns.ids}::uuid[]) v (decision, approval)`,
    () => tx`
      update approvals a set wait_id = v.wait, updated_at = business_now(), next_reminder_at = ${firstNoticeAt(sql`a.next_reminder_at`)}
      from unnest(${columns.ids}::uuid[], ${columns.waits}::uuid[]) v (approval, wait) where a.id = v.approval`,
    () =>
      recordAll(
        tx,
        approvalEvents.approval_voided,
        voids.map(({ id, decision_id, step }) => ({
          id,
          cause: `void:${decision_id}`,
          payload: { decision_id, step, reason },
        })),
      ),
  )
}
