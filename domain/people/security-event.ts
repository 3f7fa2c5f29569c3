/** Security log of a person: sign-ins, changes of factors, proofs of identity. */
import * as v from 'valibot'
import { model, nullableText, open, timestamp, uuid, describe } from '../text.ts'

export const SECURITY_EVENTS = [
  'sign_up.confirmed',
  'sign_in.succeeded',
  'sign_in.failed',
  'session.ended',
  'sessions.ended_by_operator',
  'device.added',
  'device.removed',
  'device.trusted',
  'password.changed',
  'password_reset.requested',
  'password.reset',
  'authenticator.added',
  'authenticator.removed',
  'recovery_codes.generated',
  'recovery_code.used',
  'passkey.added',
  'passkey.removed',
  'factor_reset.announced',
  'factor_reset.cancelled',
  'factors.reset',
  'phone_number.added',
  'phone_number.removed',
  'delegate.added',
  'delegate.rotated',
  'delegate.ended',
  'approval_device.added',
  'approval_device.removed',
  'login_credential.added',
  'step_up.verified',
  'step_up.failed',
  'step_up.denied',
  'step_up.used',
  'adjustment.proposed',
  'adjustment.confirmed',
  'adjustment.withdrawn',
  'screening.proposed',
  'screening.decided',
  'dealing.proposed',
  'dealing.confirmed',
  'dealing.settled',
  'dealing.withdrawn',
  'onboarding.proposed',
  'onboarding.confirmed',
  'onboarding.withdrawn',
] as const
export type SecurityEventType = (typeof SECURITY_EVENTS)[number]

/** `details` holds no secret: names of factors, methods, reasons. */
export const SecurityEvent = model('SecurityEvent', {
  id: uuid,
  type: describe(open(v.picklist(SECURITY_EVENTS), 'An event that came later.'), 'What happened.'),
  session_id: describe(v.nullable(uuid), 'Id of the session.'),
  device_id: v.nullable(uuid),
  ip_address: describe(nullableText, 'Network address of the request.'),
  user_agent: describe(nullableText, 'Name of the program that asked, as it gave it.'),
  details: describe(v.record(v.string(), v.unknown()), 'Details; its members depend on the type.'),
  occurred_at: timestamp,
})
export type SecurityEvent = v.InferOutput<typeof SecurityEvent>
