/** Approvals that no longer count: who gave them left, or has a role that could not give them. */
import { setWait } from './decisions.ts'
import { record } from './events.ts'
import type { Target } from './model/approval.ts'
import { type Policy, type Wait, names, waitOf } from './model/consensus.ts'
import type { ApprovalId, DecisionId, UserId } from './model/ids.ts'
import type { Role } from './model/permissions.ts'
import type { Tx } from './sql.ts'

type Pending = {
  id: ApprovalId
  target: Target
  policy: Policy
  requester_id: UserId
  approvals: { decision_id: DecisionId; user_id: UserId; step: number }[]
}

/**
 * Takes a person's approvals out of what is pending, where they could not give them with the role that they have now: null
 * where they are no member any more. For good: a role that comes back brings none of them back, and they may approve again.
 * What is left of each approval waits again for what it lacks. Answers what waited; the caller holds
 * `lockStanding(tx, 'change')`, so that nothing is decided meanwhile.
 */
export async function voidApprovals(tx: Tx, userId: UserId, role: Role | null): Promise<Target[]> {
  const locked = await tx<{ id: ApprovalId }[]>`
    select a.id from approvals a where a.status = 'pending' and a.organization_id = ${tx.organizationId}
      and exists (select from approval_decisions d where d.approval_id = a.id and d.user_id = ${userId}
        and d.decision = 'approve')
    order by a.id for update`
  if (locked.length === 0) return []
  const pending = await tx<Pending[]>`
    select a.id, jsonb_build_object('type', a.target_type, 'id', a.target_id) as target, a.policy, a.requester_id,
      (select jsonb_agg(jsonb_build_object('decision_id', d.decision_id, 'user_id', d.user_id, 'step', d.step))
        from approval_decisions d where d.approval_id = a.id and d.decision = 'approve'
        and not exists (select from voided_approvals v where v.decision_id = d.decision_id)) as approvals
    from approvals a where a.id = any (${locked.map(({ id }) => id)}) and a.status = 'pending' order by a.id`
  const touched: Target[] = []
  for (const approval of pending) {
    if (await voidOne(tx, approval, userId, role)) touched.push(approval.target)
  }
  return touched
}

async function voidOne(tx: Tx, approval: Pending, userId: UserId, role: Role | null): Promise<boolean> {
  const given = approval.approvals ?? []
  const own = given.find((one) => one.user_id === userId)
  if (!own) return false
  const before = waitOf(approval.policy, approval.requester_id, given)
  if (role && stillGives(before, own.step, userId, role)) return false
  const left = given.filter((one) => one !== own)
  const reason = role ? 'role_changed' : 'member_left'
  await tx`
    insert into voided_approvals (decision_id, organization_id, approval_id, reason)
    values (${own.decision_id}, ${tx.organizationId}, ${approval.id}, ${reason})`
  await Promise.all([
    setWait(tx, approval.id, waitOf(approval.policy, approval.requester_id, left), true),
    record(tx, {
      stream: 'approvals',
      subjectId: approval.id,
      type: 'approval.approval_voided',
      cause: `void:${own.decision_id}`,
      payload: { decision_id: own.decision_id, step: own.step, reason },
    }),
  ])
  return true
}

function stillGives(wait: Wait, step: number, userId: UserId, role: Role): boolean {
  const of = wait.steps[step]
  return of !== undefined && names(of, { userId, role })
}
