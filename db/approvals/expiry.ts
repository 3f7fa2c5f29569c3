/** Approvals whose time is over: they end undecided, and their requester is mailed. */
import { v5 } from 'uuid'
import type { TargetType } from '../../domain/approvals/approval.ts'
import { approvalMoves } from '../../domain/approvals/events.ts'
import type { ApprovalRequirements } from '../../domain/approvals/requirements.ts'
import type { ApprovalId, DecisionId, UserId } from '../../domain/ids.ts'
import type { Tx } from '../sql.ts'
import { transition } from '../transition.ts'
import { mailRequester } from './notices.ts'

const EXPIRY_NAMESPACE = 'b6a3f6d8-6c0f-4b43-9a54-1c7f2f6f0b11'

/** A locked pending approval. */
export type PendingApproval = {
  readonly id: ApprovalId
  readonly type: TargetType
  readonly is_over: boolean
  readonly reminder_due: boolean
  readonly wait: ApprovalRequirements
  readonly requester_id: UserId
  readonly until: string
  readonly summary: string | null
  readonly organization: string
}

/**
 * Expires a row's pending approval whose time is over. Answers the cause with which the caller cancels the row;
 * undefined if there was nothing to expire.
 */
export async function expireRequest(
  tx: Tx,
  targetId: string,
): Promise<{ readonly type: TargetType; readonly cause: string } | undefined> {
  const row = await lockPending(tx, targetId)
  if (!row?.is_over) return undefined
  // derived, so that a repeat is the same decision
  const decisionId = v5(row.id, EXPIRY_NAMESPACE) as DecisionId
  const cause = `decision:${decisionId}`
  await tx`
    insert into approval_decisions (decision_id, organization_id, approval_id, decision, approval_status)
    values (${decisionId}, ${tx.organizationId}, ${row.id}, 'expire', 'cancelled')`
  await transition(tx, approvalMoves, row.id, { events: ['expire'], cause })
  await mailRequester(tx, { requester: row.requester_id, decider: null }, { how: 'expired', summary: row.summary })
  return { type: row.type, cause }
}

/** Locks the pending approval of a row, and reads what is due about it; undefined if it was decided meanwhile. */
export async function lockPending(tx: Tx, targetId: string): Promise<PendingApproval | undefined> {
  await tx`select id from approvals where target_id = ${targetId} and status = 'pending' for update`
  const [row] = await tx<PendingApproval[]>`
    select a.id, a.target_type as type, a.expires_at <= business_now() as is_over,
      coalesce(a.next_reminder_at <= business_now(), false) as reminder_due, w.wait, a.requester_id,
      a.expires_at as until, a.summary, o.name as organization
    from approvals a
    join organizations o on o.id = a.organization_id
    join approval_waits w on w.id = a.wait_id
    where a.target_id = ${targetId} and a.status = 'pending'`
  return row
}
