/** Checks of a decision under the lock of its approval: who may decide, and in which capacity. */
import { chooseCapacity, findCapacities, isSatisfiable } from '../../domain/approvals/requirements.ts'
import { type Capacity, isRemoved } from '../../domain/permissions.ts'
import { refuse, refuseFirst } from '../../domain/errors.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import { membersWithRoles } from '../membership-lock.ts'
import { type Tx, within } from '../../db/postgres/sql.ts'
import { requireApprover, requirePending, requireReviewer } from './approvals.ts'
import type { LockedDecision } from './commands.ts'
import { blockersOf } from './targets.ts'

/** Finds the capacity of a decision; refuses one that this person may not make now, in the order of the API. */
export async function requireDecidable(tx: Tx, deciding: LockedDecision): Promise<Capacity> {
  const { decision, approval, wait, target, state, outcome } = deciding
  const { role, removed, principals, organization_status: status, delegate_user_id } = approval
  if (!role || isGone(status)) refuse('not_found')
  requirePending(approval)
  const reviewer = { userId: decision.person.userId, role, removed, principals }
  if (decision.kind === 'reject' || decision.kind === 'send_back')
    return requireReviewer(wait, reviewer, approval.requester.id)
  if (decision.kind === 'cancel') {
    await requireWithdrawer(tx, deciding)
    return reviewer
  }
  requireApprover({ wait, delegate_user_id }, reviewer)
  refuseFirst(blockersOf(target, state, approval, { last: outcome === 'approved' }))
  // an approver of this step cannot approve a later one: if that step names no other member, it would wait for ever
  const [first] = findCapacities(wait, reviewer)
  const capacity = outcome === 'approved' ? first : chooseCapacity(wait, reviewer, await membersWithRoles(within(tx)))
  return capacity ?? refuse('no_eligible_approver', { reason: 'needed_later' })
}

/** Refuses a withdrawal, except by the requester. An owner or admin may, if the requester or all approvers are gone. */
async function requireWithdrawer(tx: Tx, { decision, approval, wait }: LockedDecision): Promise<void> {
  if (approval.requester.id === decision.person.userId) return
  const stranded =
    approval.role !== 'member' &&
    !isRemoved(approval, 'approvals.review') &&
    (!approval.requester_role || !isSatisfiable(wait, await membersWithRoles(within(tx))))
  if (!stranded) refuse('forbidden', { reason: 'only_requester_withdraws' })
}
