/** An approval: the gate that money and other sensitive actions wait at. */
import * as v from 'valibot'
import { type Flow, flow } from './flow.ts'
import type { ApprovalId, DecisionId, OrganizationId, StepUpId } from './ids.ts'
import type { Person } from './actor.ts'
import type { Role } from './permissions.ts'
import { PageQuery } from './page.ts'
import { nullableText, text, timestamp, uuid } from './text.ts'

export const ACTION_TYPES = [
  'withdrawal',
  'billing_invoice',
  'payment_contact',
  'organization_invitation',
  'payment_batch',
] as const
export const TARGET_TYPES = [
  'crypto_outgoing',
  'fiat_outgoing',
  'internal_transfer',
  'billing_invoice',
  'payment_contact',
  'organization_invitation',
  'payment_batch',
] as const
export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'cancelled'] as const
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]

/** An approval has no workflow of its own: the thing that waits for it is driven by its own workflow. */
export const approvalFlow = flow({
  noun: 'approval',
  table: 'approvals',
  workflow: 'none',
  states: APPROVAL_STATUSES,
  driven: [],
  events: {
    approve: { from: ['pending'], to: 'approved', logs: 'approved' },
    reject: { from: ['pending'], to: 'rejected', logs: 'rejected' },
    cancel: { from: ['pending'], to: 'cancelled', logs: 'cancelled' },
    expire: { from: ['pending'], to: 'cancelled', logs: 'expired' },
  },
}) satisfies Flow

/** The rule that applied, copied into the approval: later policies change nothing about a running one. */
export type Policy = {
  readonly steps: readonly { readonly required: number; readonly roles: readonly Role[] }[]
  readonly self_approval: boolean
  readonly expires_after_hours: number
}

/** One step, one approver, self-approval allowed, 30 days. */
export const DEFAULT_POLICY: Policy = {
  steps: [{ required: 1, roles: ['owner', 'admin'] }],
  self_approval: true,
  expires_after_hours: 30 * 24,
}

/** What a person decided, as the API hands it to the workflow. Known for ever by its decision_id. */
export type Decision = {
  readonly decision_id: DecisionId
  readonly organization_id: OrganizationId
  readonly approval_id: ApprovalId
  readonly decision: 'approve' | 'reject' | 'cancel'
  readonly actor: Person
  readonly step_up_id: StepUpId | null
  /** The comment of an approval or the reason of a rejection. */
  readonly comment: string | null
  readonly request_id: string
  /** Hash of the request where the caller sent an Idempotency-Key; the key is then good for this request alone. */
  readonly body_hash?: string | undefined
  /** Business time after which nobody waits for the answer any more: `decision_expired`. */
  readonly valid_until: string
}

/** What a decision came to: told to the API, and to the workflow that waits. */
export type Verdict = { readonly approval_status: ApprovalStatus; readonly target_status: string }

export const ApproveBody = v.object({ comment: v.optional(v.nullable(text(0, 1000))) })
export const RejectBody = v.object({ reason: v.optional(v.nullable(text(0, 1000))) })

const PersonInApproval = v.object({
  id: uuid,
  email: v.string(),
  first_name: nullableText,
  last_name: nullableText,
  name: nullableText,
})
const InternalTransfer = v.object({
  type: v.literal('internal_transfer'),
  internal_transfer: v.object({
    id: uuid,
    amount: v.string(),
    amount_with_fees: nullableText,
    currency: v.string(),
    created_at: timestamp,
    destination: v.object({ id: uuid, svc_id: v.string() }),
    internal_notes: nullableText,
    payment_contact: v.object({ id: uuid, name: v.string(), deleted_at: v.nullable(timestamp) }),
    payout_reason: v.string(),
    statement_description: v.string(),
    state: v.string(),
    tag: nullableText,
  }),
})

/** An approval as every operation answers it. */
export const Approval = v.object({
  approval_id: uuid,
  target_id: uuid,
  action_type: v.picklist(ACTION_TYPES),
  target_type: v.picklist(TARGET_TYPES),
  status: v.picklist(APPROVAL_STATUSES),
  approver: v.nullable(PersonInApproval),
  requester: PersonInApproval,
  approver_email: nullableText,
  requester_email: nullableText,
  requester_name: nullableText,
  created_at: timestamp,
  processed_at: v.nullable(timestamp),
  rejection_reason: nullableText,
  summary: nullableText,
  subject: v.variant('type', [InternalTransfer]),
})
export type Approval = v.InferOutput<typeof Approval>

/** One approval with the rule it waits at, what was decided, and whether the caller may decide now. */
export const ApprovalDetail = v.object({
  ...Approval.entries,
  expires_at: timestamp,
  can_take_action: v.boolean(),
  steps: v.array(v.object({ required: v.number(), roles: v.array(v.picklist(['owner', 'admin', 'member'])) })),
  decisions: v.array(
    v.object({
      decision_id: uuid,
      decision: v.picklist(['approve', 'reject', 'cancel', 'expire']),
      user_id: v.nullable(uuid),
      factor: nullableText,
      comment: nullableText,
      occurred_at: timestamp,
    }),
  ),
})
export type ApprovalDetail = v.InferOutput<typeof ApprovalDetail>

const statuses = v.union([
  v.pipe(
    v.picklist(APPROVAL_STATUSES),
    v.transform((status) => [status]),
  ),
  v.array(v.picklist(APPROVAL_STATUSES)),
])

/** Filters of GET …/approvals: a non-empty `statuses` takes precedence over `status`. */
export const ApprovalFilters = v.object({
  ...PageQuery,
  status: v.optional(v.picklist([...APPROVAL_STATUSES, 'all']), 'pending'),
  statuses: v.optional(statuses),
  action_type: v.optional(v.picklist(ACTION_TYPES)),
  mine: v.optional(v.picklist(['true', 'false'])),
})
export type ApprovalFilters = v.InferOutput<typeof ApprovalFilters>
