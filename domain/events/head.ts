/** A published head of a log. */
import * as v from 'valibot'
import { integer, timestamp, uuid } from '../text.ts'

/**
 * `statement` is what was signed, canonical JSON: `{hash, key_id, organization_id, previous, published_at, seq}`. Its
 * `previous` is the SHA-256 of the statement before, null in the first. `signature`: Ed25519, in base64.
 */
export const EventHead = v.object({
  id: uuid,
  organization_id: uuid,
  seq: integer,
  hash: v.string(),
  key_id: v.string(),
  statement: v.string(),
  signature: v.string(),
  published_at: timestamp,
})
export type EventHead = v.InferOutput<typeof EventHead>

/** A key that heads are signed with, or were: its public half, in PEM. */
export const EventLogKey = v.object({ id: v.string(), algorithm: v.literal('Ed25519'), public_key: v.string() })
export type EventLogKey = v.InferOutput<typeof EventLogKey>
