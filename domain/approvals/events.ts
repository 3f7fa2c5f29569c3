import * as v from 'valibot'
import { eventTypes, moveTypes, says } from '../event-type.ts'
import { SignedAttachment } from '../attachments/attachment.ts'
import { approvalFlow } from './flow.ts'
import { ROLES } from '../permissions.ts'
import { integer, nullableText, uuid } from '../text.ts'
import { CopiedPolicy, VOID_REASONS, hex } from './evidence.ts'
import { ApprovalPolicy } from './policy.ts'

/**
 * Role of the decision, factor of its step-up, and hash of the subject that was seen. `on_behalf_of`: the principal, if
 * a substitute decided; the role is the principal's then.
 */
const proof = {
  role: v.nullable(v.picklist(ROLES)),
  factor: nullableText,
  subject_hash: hex,
  on_behalf_of: v.optional(uuid),
}

export const approvalEvents = eventTypes(approvalFlow, {
  requested: says(
    'Something is asked for that people have to approve.',
    v.object({ subject_hash: hex, policy: CopiedPolicy }),
  ),
  approval_given: says(
    'A person approves, and others have to after them.',
    v.object({ step: integer, given: integer, required: integer, ...proof }),
  ),
  approval_voided: says(
    'What a person approved counts no more: they could not give it now, or it is something else now.',
    v.object({ decision_id: uuid, step: integer, reason: v.picklist(VOID_REASONS) }),
  ),
  question_asked: says(
    'A person asks a member about what waits for approval.',
    v.object({ question_id: uuid, to: uuid, sha256: hex }),
  ),
  question_answered: says(
    'A question about what waits for approval is answered.',
    v.object({ question_id: uuid, answer_id: uuid, sha256: hex }),
  ),
  subject_changed: says(
    'The files of a subject that waits for approval change; approvals given before count no more.',
    v.object({ subject_hash: hex, before: hex, attachments: v.array(SignedAttachment) }),
  ),
})

export const approvalMoves = moveTypes(approvalFlow, {
  approve: says('The last approval that is needed is given.', v.object({ step: integer, ...proof })),
  reject: says('A person rejects what is asked for.', v.object({ ...proof, sent_back: v.optional(v.literal(true)) })),
  cancel: says(
    'Who asked takes it back, or what it is about is gone; then nobody has proved anything.',
    v.nullable(v.object(proof)),
  ),
  expire: says('Nobody decided in time.'),
})

export const policyEvents = eventTypes(
  { noun: 'approval_policy', table: 'approval_policies' },
  {
    changed: says(
      'An owner changes who has to approve what.',
      v.object({ rules: ApprovalPolicy.entries.rules, version: integer }),
    ),
  },
)
