import * as v from 'valibot'
import { Approval, ApprovalDetail } from './approval.ts'
import { SignedAssertion } from '../factors/passkey.ts'
import { ReachedLimit } from '../period.ts'
import { CallBack } from '../account-changes/change.ts'
import { ROLES } from '../permissions.ts'
import { model, integer, nullableText, timestamp, uuid, describe } from '../text.ts'

export const hex = v.pipe(v.string(), v.regex(/^([0-9a-f]{2})*$/))

/** Reasons for which an approval that was given counts no more. */
export const VOID_REASONS = ['role_changed', 'member_left', 'subject_changed'] as const
export type VoidReason = (typeof VOID_REASONS)[number]

/** Policy as it was copied into the approval when it was requested. */
export const CopiedPolicy = model('EvidencePolicy', {
  steps: v.array(
    model('EvidencePolicyStep', { required: integer, roles: v.array(v.picklist(ROLES)), user_ids: v.array(uuid) }),
  ),
  self_approval: v.boolean(),
  expires_after_hours: integer,
  barred: describe(
    v.optional(v.array(uuid)),
    'Ids of people who may not approve, beside the requester; absent if there are none.',
  ),
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
  asked_at: describe(timestamp, 'Instant when the proof was asked for.'),
  verified_at: v.nullable(timestamp),
  consumed_at: describe(v.nullable(timestamp), 'Instant when it released the request.'),
  methods: describe(v.array(v.string()), 'Ways that were offered.'),
  factor: nullableText,
  client_data: describe(
    nullableText,
    'What the browser says a passkey signed for: base64url of clientDataJSON. Else null.',
  ),
  assertion: describe(v.nullable(SignedAssertion), 'Data that the passkey signed; null for another factor.'),
  set: describe(
    v.nullable(
      model('StepUpEvidenceSet', {
        targets: describe(v.array(v.string()), 'Ids of the approvals in the set.'),
        used_at: describe(v.nullable(timestamp), 'Instant when this one was decided.'),
      }),
    ),
    'Set of approvals that one proof released.',
  ),
})

const DecisionEvidence = model('DecisionEvidence', {
  decision_id: uuid,
  actor: describe(
    v.nullable(model('EvidenceActor', { id: uuid, email: v.string(), name: nullableText })),
    'Person who decided.',
  ),
  on_behalf_of: describe(
    v.nullable(
      model('EvidencePrincipal', {
        id: uuid,
        email: v.string(),
        name: nullableText,
        substitution_id: describe(uuid, 'Id of the substitution.'),
      }),
    ),
    'Member on whose behalf a substitute decided; null in the own role.',
  ),
  decision: v.picklist(['approve', 'reject', 'cancel', 'expire']),
  step: v.nullable(integer),
  role: v.nullable(v.picklist(ROLES)),
  factor: nullableText,
  device_id: describe(
    v.nullable(uuid),
    'Pseudonym of the device: the same for the same device, and no id that a sign-in takes.',
  ),
  comment: nullableText,
  occurred_at: timestamp,
  voided: describe(
    v.nullable(
      model('EvidenceVoiding', {
        at: describe(timestamp, 'Instant.'),
        reason: describe(v.string(), 'Reason why the decision no longer counts.'),
      }),
    ),
    'Why the decision no longer counts; null if it counts.',
  ),
  step_up: describe(v.nullable(StepUpEvidence), 'Proof that released the decision.'),
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
  previous_hash: describe(v.nullable(hex), 'Hash of the event before, in hex.'),
  hash: v.nullable(hex),
  canonical: describe(v.string(), 'Canonical JSON that is hashed.'),
})
export type EventEvidence = v.InferOutput<typeof EventEvidence>

export const Evidence = model('Evidence', {
  approval: describe(Approval, 'Approval as it stands.'),
  subject_body: describe(v.string(), 'Canonical JSON of what approvers saw.'),
  subject_hash: describe(hex, 'SHA-256 of `subject_body`, in hex.'),
  policy: describe(CopiedPolicy, 'Rule that the request was made under.'),
  steps: v.array(
    v.pipe(v.omit(v.object(ApprovalDetail.entries.steps.item.entries), ['approvers']), v.title('EvidenceStep')),
  ),
  decisions: v.array(DecisionEvidence),
  events: describe(v.array(EventEvidence), 'Events of the approval, oldest first.'),
  call_backs: describe(
    v.array(
      model(
        'EvidenceCallBack',
        { destination_id: describe(uuid, 'Id of the destination that was confirmed.'), ...CallBack.entries },
        { note: 'What else is worth knowing of the call.' },
      ),
    ),
    'Calls by which other persons confirmed the changed accounts, until now.',
  ),
  chain: describe(
    model('EvidenceChain', {
      complete: describe(v.boolean(), 'True if the chain reaches all events.'),
      algorithm: v.literal('sha256'),
    }),
    'Log that the events are chained in.',
  ),
})
export type Evidence = v.InferOutput<typeof Evidence>
