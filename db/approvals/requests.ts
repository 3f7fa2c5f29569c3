/** Requests for approval: what a noun writes when something of it has to wait for people. */
import { createHash } from 'node:crypto'
import { FIRST_NOTICE_MINUTES, type TargetType, actionOfTarget } from '../../domain/approvals/approval.ts'
import { approvalEvents } from '../../domain/approvals/events.ts'
import { type Policy, initialRequirements } from '../../domain/approvals/requirements.ts'
import { canonicalJson } from '../../domain/canonical.ts'
import type { PayloadOf } from '../../domain/event-type.ts'
import type { ApprovalId, UserId } from '../../domain/ids.ts'
import { inOrder } from '../in-order.ts'
import { type Tx, sql } from '../sql.ts'
import { requirementsId, writeRequirements } from './requirements.ts'

export type NewApproval = {
  id: ApprovalId
  target_type: TargetType
  target_id: string
  requester_id: UserId
  policy: Policy
  /** Shown to approvers, whose step-up is bound to it: an amount and a payee, a contact, a role for an address. */
  subject: Readonly<Record<string, unknown>>
  summary: string
  cause: string
  /** Sooner than the policy says, if what is asked for is good for no longer. */
  expires_within_minutes?: number
}

/**
 * Asks for approval under a policy, which is copied; the log says for what, and under which policy. The caller writes
 * what waits for it, and wakes its workflow.
 */
export async function requestApproval(tx: Tx, approval: NewApproval): Promise<void> {
  const { policy } = approval
  const wait = initialRequirements(policy, approval.requester_id)
  const body = canonicalJson(approval.subject)
  const hash = subjectHash(body)
  await inOrder(
    () => writeRequirements(tx, wait),
    () => tx`
      with asked as (
        insert into approvals (id, organization_id, action_type, target_type, target_id, policy, subject_body,
          subject_hash, summary, requester_id, wait_id, expires_at, next_reminder_at)
        values (${approval.id}, ${tx.organizationId}, ${actionOfTarget(approval.target_type).type}, ${approval.target_type},
          ${approval.target_id}, ${sql.json(policy)}, ${body}, ${hash}, ${approval.summary},
          ${approval.requester_id}, ${requirementsId(tx, wait)},
          least(business_now() + make_interval(hours => ${policy.expires_after_hours}),
            business_now() + make_interval(mins => ${approval.expires_within_minutes ?? null})),
          business_now() + make_interval(mins => ${FIRST_NOTICE_MINUTES}))
        returning id
      )
      insert into events (organization_id, stream, subject_id, type, actor_kind, actor_user_id, correlation_id, cause,
        payload)
      select ${tx.organizationId}, ${requested.stream}, id, ${requested.type}, 'user', ${approval.requester_id},
        ${tx.correlationId}, ${approval.cause}, ${canonicalJson({ subject_hash: hash, policy } satisfies PayloadOf<typeof requested>)}
      from asked`,
  )
}

const { requested } = approvalEvents

/** The SHA-256 of a canonical body, in hex: what a step-up is bound to, so that no amount or payee releases another. */
const subjectHash = (body: string): string => createHash('sha256').update(body).digest('hex')
