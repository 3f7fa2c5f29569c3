/** A person's decision on its way into the books: the same way for one approval and for a set. */
import pLimit from 'p-limit'
import { type ApprovalRow, guardApprover, guardReviewer, guardWaiting } from '../../db/decisions/approvals.ts'
import type { Viewer } from '../../domain/approvals/viewer.ts'
import { config } from '../../platform/config.ts'
import { decide } from '../../db/decisions/decisions.ts'
import type { Approval, Decision } from '../../domain/approvals/approval.ts'
import { refuse } from '../../domain/errors.ts'
import { can } from '../../domain/permissions.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import type { Context } from '../http/route.ts'

/** Decisions hold locks that others wait for: half of the connections are left to everybody else. */
const deciding = pLimit(Math.max(1, Math.floor(config.databasePoolSize / 2)))

/** Who looks: with `ownOnly` a member, who sees what they asked for and what names them. */
export const viewerOf = ({ person, org }: Context<'person' | 'org'>): Viewer => ({
  userId: person.userId,
  role: org.role,
  ownOnly: !can(org.role, 'approvals.review'),
})

/**
 * Refuses what the deciding transaction would refuse as things stand, before anybody is asked to prove who they are.
 */
export function checkDecidable(row: ApprovalRow, viewer: Viewer, kind: 'approve' | 'reject'): void {
  guardWaiting(row)
  if (kind === 'approve') guardApprover(row.wait, viewer)
  else guardReviewer(row.wait, viewer, row.requester.id)
}

/** What of a decision is not the request's own. */
export type Sent = Pick<
  Decision,
  'decision_id' | 'approval_id' | 'target' | 'decision' | 'step_up_id' | 'comment' | 'body_hash'
>

/**
 * Records the caller's decision with all its effects, and answers the approval as it left it. A repeat of the same
 * decision answers the first outcome. Refuses what `decide()` refuses, and `service_unavailable` if its turn did not
 * come in time.
 */
export function recordDecision(
  context: Context<'requestId' | 'person' | 'org' | 'write'>,
  sent: Sent,
): Promise<Approval> {
  const { write, person, org, requestId } = context
  const decision: Decision = {
    ...sent,
    organization_id: org.organizationId,
    actor: person,
    request_id: requestId,
  }
  const deadline = Date.now() + config.requestDeadlineMs
  return deciding(() => {
    if (Date.now() > deadline) refuse('service_unavailable', { retry_after_seconds: 1 })
    return repeating(() => write((tx) => decide(tx, decision), BRIEF_LOCKS))
  })
}
