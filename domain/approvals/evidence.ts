import * as v from 'valibot'
import { Approval, ApprovalDetail } from './approval.ts'
import { ReachedLimit } from '../period.ts'
import { CallBack } from '../account-changes/change.ts'
import { ROLES } from '../permissions.ts'
import { model, integer, nullableText, timestamp, uuid } from '../text.ts'

export const hex = v.pipe(v.string(), v.regex(/^([0-9a-f]{2})*$/))

/** Policy as it was copied into the approval when it was requested. */
export const CopiedPolicy = model('EvidencePolicy', {
  steps: v.array(
    model('EvidencePolicyStep', { required: integer, roles: v.array(v.picklist(ROLES)), user_ids: v.array(uuid) }),
  ),
  self_approval: v.boolean(),
  expires_after_hours: integer,
  barred: v.optional(v.array(uuid)),
  limits: v.optional(v.array(ReachedLimit)),
})

/**
 * Step-up that released a decision. `target` is `approval:<id>:<subject_hash>`, or for a set `approvals:<SHA-256 of the
 * sorted targets, one on each line>`; `set` then lists these, and when this approval's one was used.
 */
const StepUpEvidence = model('StepUpEvidence', {
  id: uuid,
  operation: v.string(),
  target: v.string(),
  summary: nullableText,
  asked_at: timestamp,
  verified_at: v.nullable(timestamp),
  consumed_at: v.nullable(timestamp),
  methods: v.array(v.string()),
  factor: nullableText,
  client_data: nullableText,
  set: v.nullable(model('StepUpEvidenceSet', { targets: v.array(v.string()), used_at: v.nullable(timestamp) })),
})

const DecisionEvidence = model('DecisionEvidence', {
  decision_id: uuid,
  actor: v.nullable(model('EvidenceActor', { id: uuid, email: v.string(), name: nullableText })),
  on_behalf_of: v.nullable(
    model('EvidencePrincipal', { id: uuid, email: v.string(), name: nullableText, substitution_id: uuid }),
  ),
  decision: v.picklist(['approve', 'reject', 'cancel', 'expire']),
  step: v.nullable(integer),
  role: v.nullable(v.picklist(ROLES)),
  factor: nullableText,
  device_id: v.nullable(uuid),
  comment: nullableText,
  occurred_at: timestamp,
  voided: v.nullable(model('EvidenceVoiding', { at: timestamp, reason: v.string() })),
  step_up: v.nullable(StepUpEvidence),
})
export type DecisionEvidence = v.InferOutput<typeof DecisionEvidence>

/**
 * Event with its place in the organization's hash chain, null if it is not chained yet. `hash` is the SHA-256 of the
 * bytes of `previous_hash` (none for the first) and of `canonical` in UTF-8.
 */
const EventEvidence = model('EventEvidence', {
  id: uuid,
  stream: v.string(),
  subject_id: uuid,
  type: v.string(),
  actor_kind: nullableText,
  actor_user_id: v.nullable(uuid),
  causation_id: v.nullable(uuid),
  cause: v.string(),
  payload: v.nullable(v.record(v.string(), v.unknown())),
  occurred_at: timestamp,
  seq: v.nullable(integer),
  previous_hash: v.nullable(hex),
  hash: v.nullable(hex),
  canonical: v.string(),
})
export type EventEvidence = v.InferOutput<typeof EventEvidence>

export const Evidence = model('Evidence', {
  approval: Approval,
  subject_body: v.string(),
  subject_hash: hex,
  policy: CopiedPolicy,
  steps: v.array(
    v.pipe(v.omit(v.object(ApprovalDetail.entries.steps.item.entries), ['approvers']), v.title('EvidenceStep')),
  ),
  decisions: v.array(DecisionEvidence),
  events: v.array(EventEvidence),
  call_backs: v.array(model('EvidenceCallBack', { destination_id: uuid, ...CallBack.entries })),
  chain: model('EvidenceChain', { complete: v.boolean(), algorithm: v.literal('sha256') }),
})
export type Evidence = v.InferOutput<typeof Evidence>
