/** An approval: the gate that money and other sensitive actions wait at. */
import * as v from 'valibot'
import { APPROVAL_STATUSES } from '../flows/undriven/approval.ts'
import type { ApprovalId, DecisionId, OrganizationId, StepUpId } from '../ids.ts'
import type { Person } from '../actor.ts'
import { ROLES } from '../permissions.ts'
import { PageQuery, flag } from '../pagination.ts'
import { ACTIONS } from '../registries/approval-actions.ts'
import type { Action } from './action.ts'
import { Subject } from './subject.ts'
import { integer, nullableText, remark, timestamp, uuid } from '../text.ts'

export type ActionType = (typeof ACTIONS)[number]['type']
export type TargetType = (typeof ACTIONS)[number]['targets'][number]

export const ACTION_TYPES = ACTIONS.map(({ type }) => type)
const TARGET_TYPES = ACTIONS.flatMap((action): readonly TargetType[] => action.targets)
const actions: ReadonlyMap<ActionType, Action> = new Map(ACTIONS.map((action) => [action.type, action]))

/** The action of a type. */
export function actionOf(type: ActionType): Action {
  const action = actions.get(type)
  if (!action) throw new Error(`no action ${type}`)
  return action
}

const byTarget: ReadonlyMap<TargetType, Action> = new Map(
  ACTIONS.flatMap((action) => action.targets.map((target): [TargetType, Action] => [target, action])),
)

/** The action that is asked for with a target of a type. */
export function actionOfTarget(type: TargetType): Action {
  const action = byTarget.get(type)
  if (!action) throw new Error(`no action for ${type}`)
  return action
}

/** Minutes after which approvers are told first: what somebody approves themselves right away needs no mail. */
export const FIRST_NOTICE_MINUTES = 10
/** Hours after which they are reminded, and before the expiry for the last time. */
export const REMINDER_HOURS = 24

/** What a person decided. Known for ever by its decision_id. */
export type Decision = {
  readonly decision_id: DecisionId
  readonly organization_id: OrganizationId
  readonly approval_id: ApprovalId
  readonly target: Target
  readonly decision: 'approve' | 'reject' | 'cancel'
  readonly actor: Person
  readonly step_up_id: StepUpId | null
  /** The comment of an approval or the reason of a rejection. */
  readonly comment: string | null
  readonly request_id: string
  /** Hash of the request if the caller sent an Idempotency-Key; the key is then good for this request alone. */
  readonly body_hash?: string | undefined
}

/** What an approval is about, and whose workflow waits for it. */
export type Target = { readonly type: TargetType; readonly id: string }

export const ApproveBody = v.object({ comment: remark(1000) })
export const RejectBody = v.object({ reason: remark(1000) })

const PersonInApproval = v.object({
  id: uuid,
  email: v.string(),
  first_name: nullableText,
  last_name: nullableText,
  name: nullableText,
})
/** An approval as every operation answers it. */
export const Approval = v.object({
  approval_id: uuid,
  target_id: uuid,
  action_type: v.picklist(ACTION_TYPES),
  target_type: v.picklist(TARGET_TYPES),
  status: v.picklist(APPROVAL_STATUSES),
  approver: v.pipe(v.nullable(PersonInApproval), v.description('Null until it is approved; of several, the last.')),
  requester: PersonInApproval,
  approver_email: nullableText,
  requester_email: nullableText,
  requester_name: nullableText,
  created_at: timestamp,
  processed_at: v.nullable(timestamp),
  rejection_reason: nullableText,
  summary: nullableText,
  subject: Subject,
})
export type Approval = v.InferOutput<typeof Approval>

/**
 * One approval with its steps, what was decided, and whether the caller may decide now. `blocked_by` is what stands
 * against an approval by the caller as things stand: refusals that they would get, with those that only the last
 * approval gets; and `no_eligible_approver` also if theirs would be taken and nobody is left for the rest. Who approved
 * already stands in `approved_by`; `approvers` of a step are who could still.
 */
export const ApprovalDetail = v.object({
  ...Approval.entries,
  expires_at: timestamp,
  can_take_action: v.boolean(),
  blocked_by: v.array(v.string()),
  self_approval: v.boolean(),
  steps: v.array(
    v.object({
      required: integer,
      roles: v.array(v.picklist(ROLES)),
      user_ids: v.array(uuid),
      status: v.picklist(['met', 'open', 'waiting', 'closed']),
      approved_by: v.array(uuid),
      approvers: v.array(v.object({ id: uuid, name: nullableText })),
    }),
  ),
  decisions: v.array(
    v.object({
      decision_id: uuid,
      decision: v.picklist(['approve', 'reject', 'cancel', 'expire']),
      user_id: v.nullable(uuid),
      step: v.nullable(integer),
      factor: nullableText,
      comment: nullableText,
      occurred_at: timestamp,
      voided_at: v.nullable(timestamp),
    }),
  ),
})
export type ApprovalDetail = v.InferOutput<typeof ApprovalDetail>

/** One or several; blank ones say nothing. */
const statuses = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.metadata({ jsonSchema: { type: 'array', items: { type: 'string', enum: [...APPROVAL_STATUSES] } } }),
  v.transform((given) => (typeof given === 'string' ? [given] : given).filter((status) => status !== '')),
  v.array(v.picklist(APPROVAL_STATUSES)),
)

/** Filters of GET …/approvals: a non-empty `statuses` takes precedence over `status`. */
export const ApprovalFilters = v.object({
  ...PageQuery,
  status: v.optional(v.picklist([...APPROVAL_STATUSES, 'all']), 'pending'),
  statuses: v.optional(statuses),
  action_type: v.optional(v.picklist(ACTION_TYPES)),
  mine: v.optional(flag),
})
export type ApprovalFilters = v.InferOutput<typeof ApprovalFilters>
