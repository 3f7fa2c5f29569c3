/** Approvals that end undecided, with their target or with their organization. */
import { v7 } from 'uuid'
import type { Person } from '../../domain/actor.ts'
import type { Target } from '../../domain/approvals/approval.ts'
import { approvalMoves } from '../../domain/approvals/events.ts'
import type { ApprovalId } from '../../domain/ids.ts'
import type { Tx } from '../sql.ts'
import { transition } from '../transition.ts'

/** A pending approval that the caller has locked. */
export type WaitingApproval = { readonly id: ApprovalId; readonly target: Target }
/** Why it ends, and the person who ended it; null if an operator did. */
export type Cancellation = { readonly why: string; readonly by: Person | null }

/** Cancels pending approvals, each by a decision of its own; answers the cause of each by the id of its target. */
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
  const causes = new Map(
    waiting.flatMap(({ id, target }, index) => {
      const cause = `decision:${decisions[index]}`
      return [[id, cause] as const, [target.id, cause] as const]
    }),
  )
  const cause = (id: string): string => causes.get(id) ?? ''
  await transition(tx, approvalMoves, ids, { events: ['cancel'], cause })
  return cause
}
