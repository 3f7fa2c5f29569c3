/** A person's decision on its way to the workflow that waits for it: the same way for one approval and for a set. */
import { v7 } from 'uuid'
import { waitOfRow } from '../db/approval-waits.ts'
import {
  type ApprovalRow,
  type Viewer,
  findApproval,
  guardApprover,
  guardReviewer,
  guardWaiting,
  recordedDecision,
} from '../db/approvals.ts'
import { claimedHash, sameBody } from '../db/claim.ts'
import { now } from '../db/clock.ts'
import { config } from '../db/config.ts'
import type { Decision } from '../db/model/approval.ts'
import { refuse } from '../db/model/errors.ts'
import { can } from '../db/model/permissions.ts'
import { decide } from '../workflows/approval.ts'
import { decisionStart } from './processes.ts'
import type { Context } from './route.ts'
import { steer } from './temporal.ts'

/** A decision that nobody has recorded this long after its request's deadline is void. */
const DECISION_GRACE_MS = 30_000

/** Who looks: with `ownOnly` a member, who sees what they asked for and what names them. */
export const viewerOf = ({ person, org }: Context<any, any, any>): Viewer => ({
  userId: person.userId,
  role: org.role,
  ownOnly: !can(org.role, 'approvals.review'),
})

/** Refuses what the deciding transaction would refuse as things stand, before anybody is asked to prove who they are. */
export function checkDecidable(row: ApprovalRow, viewer: Viewer, kind: 'approve' | 'reject'): void {
  guardWaiting(row)
  const wait = waitOfRow(row)
  if (kind === 'approve') guardApprover(wait, viewer)
  else guardReviewer(wait, viewer, row.requester.id)
}

/** Refuses a decision whose Idempotency-Key was another request's, also where the same approval was decided by it. */
async function guardKey({ decision_id: id, body_hash: hash }: Decision): Promise<void> {
  if (hash === undefined) return
  const claimed = await claimedHash(id)
  if (claimed !== undefined && !sameBody(claimed, hash)) refuse('idempotency_key_reused')
}

/** What of a decision is not the request's own. */
export type Sent = Pick<
  Decision,
  'decision_id' | 'approval_id' | 'target' | 'decision' | 'step_up_id' | 'comment' | 'body_hash'
>

/**
 * Sends the caller's decision to the workflow that waits for it, which is started where it does not run; done when it is
 * recorded. Refuses as the deciding transaction does, and with 503 where nobody can say.
 */
export async function sendDecision(context: Context<any, any, any>, sent: Sent): Promise<void> {
  const { read, person, org, requestId } = context
  const decision: Decision = {
    ...sent,
    organization_id: org.organizationId,
    actor: person,
    request_id: requestId,
    valid_until: new Date(now().getTime() + config.requestDeadlineMs + DECISION_GRACE_MS).toISOString(),
  }
  await steer(
    {
      start: () => decisionStart(org.organizationId, decision.target),
      update: decide,
      updateId: v7(), // of its own: under the decision's id a refusal would be answered for ever
      args: [decision],
    },
    async () => {
      await guardKey(decision)
      const row = await findApproval(read, decision.approval_id, viewerOf(context))
      const recorded = await recordedDecision(read, decision, person.userId)
      if (recorded === undefined && row.status !== 'pending') guardWaiting(row)
      return recorded
    },
  )
}
