/** Ends of approvals without a decision: with their organization, their payee, or the role of a member. */
import type { Target } from '../../domain/approvals/approval.ts'
import { type Policy, names, requirementsOf } from '../../domain/approvals/requirements.ts'
import type { ApprovalId, DecisionId, UserId } from '../../domain/ids.ts'
import type { Standing } from '../../domain/permissions.ts'
import { cancelApprovals } from '../approvals/requests.ts'
import type { CancelWithTargets, RoleChange } from '../approvals/target.ts'
import { writeVoids } from '../approvals/voids.ts'
import type { Tx } from '../../db/postgres/sql.ts'
import { endSubstitutionsOf } from '../substitutions/commands.ts'
import { TARGETS, targetOf } from './targets.ts'

/** Cancels locked approvals with their targets, each kind in its own way. */
export const cancelWithTargets: CancelWithTargets = async (tx, waiting, { why, by }) => {
  const cause = await cancelApprovals(tx, waiting, { why, by })
  for (const type of new Set(waiting.map(({ target }) => target.type))) {
    const ids = waiting.filter(({ target }) => target.type === type).map(({ target }) => target.id)
    await targetOf(type).cancel(tx, ids, why, cause)
  }
}

/**
 * Voids the approvals, and ends the requests, that a new role does not allow. The caller holds `lockMemberships(tx,
 * 'change')`.
 */
export async function endWithRole(tx: Tx, change: RoleChange): Promise<void> {
  const { userId, standing, by } = change
  if (!standing) await endSubstitutionsOf(tx, userId, by)
  await voidApprovals(tx, userId, standing)
  for (const { endRequestsOf } of TARGETS) await endRequestsOf?.(tx, change)
}

type GivenRow = { decision_id: DecisionId; user_id: UserId; on_behalf_of: UserId | null; step: number }
type Pending = { id: ApprovalId; target: Target; policy: Policy; requester_id: UserId; given: GivenRow[] | null }

/** Voids a person's approvals of pending requests that they could not give now. It is final; they may approve again. */
async function voidApprovals(tx: Tx, userId: UserId, standing: Standing | null): Promise<void> {
  const locked = await tx<{ id: ApprovalId }[]>`
    select a.id from approvals a where a.status = 'pending' and a.organization_id = ${tx.organizationId}
      and exists (select from approval_decisions d where d.approval_id = a.id and d.decision = 'approve'
        and (d.user_id = ${userId} or d.on_behalf_of = ${userId}))
    order by a.id for update`
  if (locked.length === 0) return
  const pending = await tx<Pending[]>`
    select a.id, jsonb_build_object('type', a.target_type, 'id', a.target_id) as target, a.policy, a.requester_id,
      (select jsonb_agg(jsonb_build_object('decision_id', d.decision_id, 'user_id', d.user_id,
          'on_behalf_of', d.on_behalf_of, 'step', d.step))
        from approval_decisions d where d.approval_id = a.id and d.decision = 'approve'
        and not exists (select from voided_approvals v where v.decision_id = d.decision_id)) as given
    from approvals a where a.id = any (${locked.map(({ id }) => id)}) and a.status = 'pending' order by a.id`
  const voids = pending.flatMap((approval) => voidOf(approval, userId, standing))
  await writeVoids(tx, voids, standing ? 'role_changed' : 'member_left')
}

/**
 * Finds the person's approval that could not be given now, and the requirements without it. So too one on their behalf;
 * a substitute who stays a member keeps theirs in any role: it was the principal's.
 */
function voidOf(
  { id, target, policy, requester_id: requester, given }: Pending,
  userId: UserId,
  standing: Standing | null,
) {
  const own = given?.find((one) => one.user_id === userId || one.on_behalf_of === userId)
  if (!given || !own) return []
  const step = policy.steps[own.step]
  const isOfPrincipal = own.user_id === userId && own.on_behalf_of !== null
  if (standing && step && (isOfPrincipal || names(step, { ...standing, userId }))) return []
  const others = given.filter((one) => one !== own)
  const left = requirementsOf(policy, requester, others)
  return [{ id, target, decision_id: own.decision_id, step: own.step, left }]
}
