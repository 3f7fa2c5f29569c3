/** Step-up: a fresh proof of identity, for one request (`once`) or for five minutes of a session (`window`). */
import * as v from 'valibot'
import { type SessionId, type StepUpId, type UserId, id } from '../ids.ts'
import { WebauthnCredential, WebauthnOptions } from '../factors/passkey.ts'
import { PaymentToConfirm } from './payment-confirmation.ts'
import { enteredCode } from '../factors/entered-code.ts'
import { model, nullableText, opaque, open, timestamp, uuid, describe, object } from '../text.ts'

export const STEP_UP_MINUTES = 10 // from the challenge to the end of the request
export const STEP_UP_WINDOW_MINUTES = 5 // from the proof, where it opens a window
export const STEP_UP_REUSE_MINUTES = 1 // a pending challenge with less time left is not reused
export const STEP_UP_ATTEMPTS_MAX = 5
export const FALLBACKS_MAX = 3 // of one person in this window
export const FALLBACK_WINDOW_MINUTES = 15
export const FALLBACK_POLICY = 'step_up_fallback' // the name of that limit in `details.policy`

export const STEP_UP_METHODS = ['totp', 'webauthn', 'approval_device', 'messaging_code'] as const
export type StepUpMethod = (typeof STEP_UP_METHODS)[number]

export const STEP_UP_STATUSES = ['pending', 'verified', 'consumed', 'failed', 'denied', 'expired'] as const
export type StepUpStatus = (typeof STEP_UP_STATUSES)[number]

/** Request that a challenge is bound to: its session, operation (`POST /path/{id}`), target and body. */
export type StepUpBinding = {
  readonly sessionId: SessionId
  readonly userId: UserId
  readonly mode: 'once' | 'window'
  readonly operation: string
  readonly target: string
  readonly bodyHash: string
  readonly summary?: string | null
  readonly payment?: PaymentToConfirm | null
  /** True if it changes how its person proves who they are. */
  readonly weakens?: boolean
}

/** Step-up challenge of the contract, as an answer and in the envelope of `step_up_required`. */
export const StepUpChallengeAnswer = v.pipe(
  object({
    id: describe(uuid, 'Id of the step-up, for its path.'),
    step_up_authentication_id: describe(uuid, 'Id of the step-up, for the evidence.'),
    delivery: describe(v.string(), 'Way in which the code was sent, or `none`.'),
    expires_at: v.nullable(timestamp),
    match_code: v.nullable(v.string()),
    methods: describe(
      v.array(open(v.picklist(STEP_UP_METHODS), 'A method that came later: offer another one.')),
      'Ways in which the person can prove.',
    ),
    summary: nullableText,
    payment: describe(
      v.nullable(PaymentToConfirm),
      'What to show in Secure Payment Confirmation; null if it is not one payment in a currency.',
    ),
    webauthn: describe(
      v.nullable(WebauthnOptions),
      'Passkey options to answer with; null if the person has no passkey.',
    ),
  }),
  v.description('Comes with `step_up_required`: verify it, then repeat the request unchanged.'),
  v.title('StepUpChallenge'),
)
export type StepUpChallenge = v.InferOutput<typeof StepUpChallengeAnswer> & { readonly id: StepUpId }

/** Offered proof. A proof on an approval device is given there: then the answer is the status. */
export const StepUpProof = v.pipe(
  v.variant('method', [
    model('TotpProof', { method: v.literal('totp'), code: enteredCode }),
    model('WebauthnProof', { method: v.literal('webauthn'), challenge_id: uuid, credential: WebauthnCredential }),
    model('MessagingCodeProof', { method: v.literal('messaging_code'), code: enteredCode }),
    model('ApprovalDeviceProof', { method: v.literal('approval_device') }),
  ]),
  v.title('StepUpProof'),
)
export type StepUpProof = v.InferOutput<typeof StepUpProof>

export const Fallback = model('StepUpFallback', { method: v.picklist(STEP_UP_METHODS) })

export const StepUpDecision = model('StepUpDecision', { decision: v.picklist(['allow', 'deny']) })
export type StepUpDecision = v.InferOutput<typeof StepUpDecision>['decision']

export const StepUpParams = v.object({ id: id<'step_up'>() })

/** Status of a step-up: `failed` in the answer to a wrong code, although it stays pending while attempts remain. */
export const StepUp = model('StepUp', {
  status: v.picklist(STEP_UP_STATUSES),
  verified_until: describe(
    v.nullable(timestamp),
    'Instant until which the step-up releases requests; null until it is verified.',
  ),
  remaining_attempts: describe(v.pipe(v.number(), v.integer()), 'Number of wrong codes that are left.'),
})
export type StepUp = v.InferOutput<typeof StepUp>

export const APPROVAL_CREDENTIAL_PREFIX = 'apc_'
export const APPROVAL_CREDENTIALS_MAX = 10 // active ones of a person
export const COOLING_OFF_HOURS = 24 // until then a new device may deny, but not release
export const MATCH_ATTEMPTS_MAX = 3 // wrong numbers that deny a challenge

const SECRET_CHARACTERS_MAX = 512

/** Approval device as its person sees it; never its secret. */
export const ApprovalCredential = model('ApprovalCredential', {
  id: uuid,
  name: nullableText,
  device_id: uuid,
  inserted_at: timestamp,
  cooling_off_until: timestamp,
  last_used_at: v.nullable(timestamp),
})
export type ApprovalCredential = v.InferOutput<typeof ApprovalCredential>

/** Approval credential result of the contract: the only answer that holds the secret. */
export const ApprovalCredentialResult = model('ApprovalCredentialResult', {
  id: uuid,
  credential: describe(v.string(), 'Approval credential of the device; it is shown only here.'),
  name: nullableText,
  device_id: uuid,
  cooling_off_until: timestamp,
  inserted_at: timestamp,
})
export type ApprovalCredentialResult = v.InferOutput<typeof ApprovalCredentialResult>

export const ApprovalCredentialParams = v.object({ id: id<'approval_credential'>() })

/** Challenge on an approval device. The number to match is shown only on the screen that asked. */
export const Challenge = model('ApprovalChallenge', {
  id: uuid,
  operation: v.string(),
  target: v.string(),
  summary: nullableText,
  device_id: uuid,
  device_name: nullableText,
  inserted_at: timestamp,
  expires_at: timestamp,
})
export type Challenge = v.InferOutput<typeof Challenge>

const credential = opaque(1, SECRET_CHARACTERS_MAX)

export const ApproveChallenge = model('ApprovalChallengeApproval', {
  credential: describe(credential, 'Approval credential of the device.'),
  match_code: enteredCode,
})
export type ApproveChallenge = v.InferOutput<typeof ApproveChallenge>

export const DenyChallenge = model('ApprovalChallengeDenial', {
  credential: describe(credential, 'Approval credential of the device.'),
})
export type DenyChallenge = v.InferOutput<typeof DenyChallenge>
