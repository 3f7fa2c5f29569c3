import * as v from 'valibot'
import { distinct } from '../distinct.ts'
import { SignedAttachment } from '../attachments/attachment.ts'
import { APPROVAL_STATUSES } from './flow.ts'
import { id } from '../ids.ts'
import { ReachedLimit } from '../period.ts'
import { type Money, addTo } from '../money/money.ts'
import { ROLES } from '../permissions.ts'
import { PageQuery, flag } from '../pagination.ts'
import { ACTIONS } from './actions.ts'
import type { Action } from '../approval-action.ts'
import { AnswerMoney, model, integer, nullableText, remark, text, timestamp, uuid, describe } from '../text.ts'
import { DELEGATE_KINDS } from '../people/delegate.ts'
import { Warnings } from './warning.ts'

export type ActionType = (typeof ACTIONS)[number]['type']
/** Target types of the contract. */
export type AnsweredTarget = (typeof ACTIONS)[number]['targets'][number]
type Guise = Extract<(typeof ACTIONS)[number], { readonly guises: unknown }>['guises'][number]
/** Types of what waits: those of the contract, and things that are answered as one of these. */
export type TargetType = AnsweredTarget | Guise['type']

export const ACTION_TYPES = ACTIONS.map(({ type }) => type)
const TARGET_TYPES = ACTIONS.flatMap((action): readonly AnsweredTarget[] => action.targets)

export const actionOf = (type: ActionType): Action => find(type, (action) => action.type === type)

/** Finds the action that has this type of target. */
export const actionOfTarget = (type: TargetType): Action =>
  find(type, (action) => action.targets.includes(type) || guiseIn(action, type) !== undefined)

/** Finds the flow of the rows that wait as this type. */
export function flowOfTarget(type: TargetType): Action['flow'] {
  const action = actionOfTarget(type)
  return (guiseIn(action, type) ?? action).flow
}

/** Names what a person is asked to do about a target of this type. */
export function titleOfTarget(type: TargetType): string {
  const action = actionOfTarget(type)
  return (guiseIn(action, type) ?? action).title
}

/** Finds the type of the contract that a thing is answered as. */
export const contractTypeOf = (type: TargetType): AnsweredTarget =>
  (guiseIn(actionOfTarget(type), type)?.as ?? type) as AnsweredTarget // a guise names one

const guiseIn = ({ guises }: Action, type: TargetType) => guises?.find((guise) => guise.type === type)

function find(type: string, fits: (action: Action) => boolean): Action {
  const action = ACTIONS.find(fits)
  if (!action) throw new Error(`no action for ${type}`)
  return action
}

/** Thing that an approval is about, whose workflow waits for it. */
export type Target = { readonly type: TargetType; readonly id: string }

type SubjectVariant = (typeof ACTIONS)[number]['subjects'][number]
/** Target as an approver sees it: one variant for each type. */
export const Subject = v.pipe(
  v.variant(
    'type',
    ACTIONS.flatMap((action): readonly SubjectVariant[] => action.subjects),
  ),
  v.title('ApprovalTarget'),
)
export type Subject = v.InferOutput<typeof Subject>

export const ApproveBody = model('Approve', { comment: remark(1000) })
export const RejectBody = model('Reject', { reason: remark(1000) })
export const SendBackBody = model('SendBack', {
  reason: describe(text(1, 1000), 'Change that the requester is asked for, as plain text.'),
})

const PersonInApproval = model('ApprovalPerson', {
  id: uuid,
  email: v.string(),
  first_name: nullableText,
  last_name: nullableText,
  name: nullableText,
})
export const Approval = model('Approval', {
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
  sent_back: v.pipe(v.boolean(), v.description('True if it was rejected to be changed and asked for again.')),
  summary: nullableText,
  subject: Subject,
})
export type Approval = v.InferOutput<typeof Approval>

/** Approval in a list: what it takes, and what the caller can do about it. */
export const ListedApproval = model('ListedApproval', {
  ...Approval.entries,
  expires_at: timestamp,
  can_take_action: describe(v.boolean(), 'True if the caller can decide.'),
  as_substitute: describe(v.boolean(), 'True if an approval by the caller would count for another member.'),
  money: describe(
    v.nullable(AnswerMoney),
    'Amount that leaves the balance with the approval. Null if none does, it is decided, or `with_warnings` is not set.',
  ),
  warnings: describe(
    v.nullable(Warnings),
    'Warnings as of a single approval. Null unless `with_warnings` asks for them.',
  ),
})
export type ListedApproval = v.InferOutput<typeof ListedApproval>

/**
 * Approval with its steps and decisions, as the caller sees it. `blocked_by`: refusals that an approval by the caller
 * would get now, with those of the last approval, and `no_eligible_approver` if the steps could not be met then.
 * `warnings` block nothing; a decided approval has none.
 */
export const ApprovalDetail = model('ApprovalDetail', {
  ...Approval.entries,
  expires_at: timestamp,
  former_approval_id: describe(
    v.nullable(uuid),
    'Id of the request sent back that it follows; null if it follows none.',
  ),
  can_take_action: describe(v.boolean(), 'True if the caller can decide.'),
  acting_for: describe(
    v.nullable(model('ApprovalPrincipal', { id: uuid, name: nullableText })),
    'Member on whose behalf an approval by the caller would count; null in their own role.',
  ),
  blocked_by: describe(v.array(v.string()), 'Reasons why it cannot be approved now.'),
  delegate: describe(
    v.nullable(model('ApprovalDelegate', { id: uuid, name: v.string(), kind: v.picklist(DELEGATE_KINDS) })),
    'Program or agent that asked for it in the name of the requester.',
  ),
  warnings: describe(
    Warnings,
    'Differences from how the payee was paid before; none blocks. `first_payment`, `new_country` (of the account), ' +
      '`account_changed`, `duplicate` (within 30 days), `unusual_amount` (over three times the median); and `by_delegate`. ' +
      '`payee_no_match`, `payee_close_match`: the bank knows the account under another name. ' +
      '`address_missing`: the bank gets no address of the payee with town and country. ' +
      '`similar_name`: the name looks like that of another payee. ' +
      '`holder_differs`: the file or bill names another holder than the one under which a contact has the account. ' +
      '`payer_changed`: payments before named another name or address of the organization.',
  ),
  attachments: describe(v.array(SignedAttachment), 'Files that belong to it; what approvers sign has their hashes.'),
  self_approval: v.boolean(),
  limits: v.array(ReachedLimit),
  steps: v.array(
    model('ApprovalStep', {
      required: integer,
      roles: v.array(v.picklist(ROLES)),
      user_ids: v.array(uuid),
      status: v.picklist(['met', 'open', 'waiting', 'closed']),
      approved_by: v.array(uuid),
      approvers: v.array(
        model('ApprovalStepApprover', {
          id: uuid,
          name: nullableText,
          on_behalf_of: describe(
            v.nullable(uuid),
            'Id of the member whose substitute the person is; null in their own role.',
          ),
        }),
      ),
    }),
  ),
  decisions: v.array(
    model('ApprovalDecision', {
      decision_id: uuid,
      decision: v.picklist(['approve', 'reject', 'cancel', 'expire']),
      user_id: v.nullable(uuid),
      on_behalf_of: describe(
        v.nullable(uuid),
        'Id of the member on whose behalf a substitute decided; null in the own role.',
      ),
      step: v.nullable(integer),
      factor: nullableText,
      comment: nullableText,
      occurred_at: timestamp,
      voided_at: describe(v.nullable(timestamp), 'Instant from which the decision no longer counts.'),
    }),
  ),
})
export type ApprovalDetail = v.InferOutput<typeof ApprovalDetail>

/** Single status or several; blank ones are ignored. */
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
  q: v.optional(v.pipe(text(1, 255), v.description('Words of the summary, with or without accents.'))),
  with_warnings: v.optional(flag),
})
export type ApprovalFilters = v.InferOutput<typeof ApprovalFilters>

export const APPROVALS_IN_SET_MAX = 100

/** Body of POST …/approvals/decide: up to 100 different approvals, decided in this order. */
export const SetDecision = model('SetDecision', {
  approval_ids: describe(
    v.pipe(
      v.array(id<'approval'>()),
      v.minLength(1),
      v.maxLength(APPROVALS_IN_SET_MAX),
      distinct((approvalId) => approvalId),
    ),
    'Ids of the approvals to decide, 1 to 100.',
  ),
  decision: v.picklist(['approve', 'reject']),
  reason: remark(1000),
})
export type SetDecision = v.InferOutput<typeof SetDecision>

/** Verdicts in the order of the request: the status of each approval afterwards, and its refusal, if any. */
export const SetVerdicts = model('SetVerdicts', {
  data: v.array(
    model('SetVerdict', {
      approval_id: uuid,
      status: v.nullable(v.picklist(APPROVAL_STATUSES)),
      error: describe(
        v.optional(
          model('SetVerdictError', {
            type: v.string(),
            message: v.string(),
            details: describe(
              v.optional(v.record(v.string(), v.unknown())),
              'What was wrong; its members depend on the type.',
            ),
          }),
        ),
        'Refusal of this decision, as in the envelope of errors.',
      ),
    }),
  ),
})
export type SetVerdicts = v.InferOutput<typeof SetVerdicts>

export function sumsOf(amounts: readonly Money[]): ReadonlyMap<string, Money> {
  const sums = new Map<string, Money>()
  for (const money of amounts) addTo(sums, money)
  return sums
}
