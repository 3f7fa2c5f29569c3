/** A session of a person, as its owner sees it. */
import * as v from 'valibot'
import { id } from '../ids.ts'
import { nullableText, timestamp, uuid } from '../text.ts'

/**
 * `expires_at` is when it ends if it is not used again: 30 minutes from the last use, 30 days from sign-in at the
 * latest.
 */
export const Session = v.object({
  id: uuid,
  device_id: uuid,
  device_name: nullableText,
  this_session: v.boolean(),
  /** The network address of the sign-in. */
  ip_address: nullableText,
  signed_in_at: timestamp,
  last_used_at: timestamp,
  expires_at: timestamp,
})
export type Session = v.InferOutput<typeof Session>

export const SessionParams = v.object({ id: id<'session'>() })
