/** Approval devices of a person, and the challenges that they answer. */
import * as v from 'valibot'
import { id } from '../ids.ts'
import { enteredCode } from '../sign-in/sign-in.ts'
import { nullableText, opaque, timestamp, uuid } from '../text.ts'

export const APPROVAL_CREDENTIAL_PREFIX = 'apc_'
export const APPROVAL_CREDENTIALS_MAX = 10 // active ones of a person
export const COOLING_OFF_HOURS = 24 // so long a new device may stop things, but release nothing
export const MATCH_ATTEMPTS_MAX = 3 // wrong numbers that deny a challenge

const SECRET_CHARACTERS_MAX = 512

/** An approval device as its person sees it; never its secret. */
export const ApprovalCredential = v.object({
  id: uuid,
  name: nullableText,
  device_id: uuid,
  inserted_at: timestamp,
  cooling_off_until: timestamp,
  last_used_at: v.nullable(timestamp),
})
export type ApprovalCredential = v.InferOutput<typeof ApprovalCredential>

/** The contract's Approval credential result: the only answer that holds the secret. */
export const ApprovalCredentialResult = v.object({
  id: uuid,
  credential: v.string(),
  name: nullableText,
  device_id: uuid,
  cooling_off_until: timestamp,
  inserted_at: timestamp,
})
export type ApprovalCredentialResult = v.InferOutput<typeof ApprovalCredentialResult>

export const ApprovalCredentialParams = v.object({ id: id<'approval_credential'>() })

/** A challenge on an approval device. The number to match is shown on the screen that asked, and nowhere else. */
export const Challenge = v.object({
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

export const ApproveChallenge = v.object({ credential, match_code: enteredCode })
export type ApproveChallenge = v.InferOutput<typeof ApproveChallenge>

export const DenyChallenge = v.object({ credential })
export type DenyChallenge = v.InferOutput<typeof DenyChallenge>
