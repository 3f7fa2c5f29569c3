/** What a verification of the log of an organization found. */
import * as v from 'valibot'
import { PageQuery } from '../pagination.ts'
import { integer, nullableText, timestamp, uuid } from '../text.ts'

export const VerificationQuery = v.object({ cursor: PageQuery.cursor })

/**
 * `changed`: an event, its place or its hash is not what was chained. `missing`: a place has no event. `not_chained`:
 * an event that had a place has none. `not_as_published`: a published head of this log does not fit to it.
 */
export const FAULTS = ['changed', 'missing', 'not_chained', 'not_as_published'] as const

export const Verification = v.object({
  ok: v.boolean(),
  events: integer,
  head: v.object({ seq: integer, hash: nullableText }),
  verified_at: timestamp,
  first_bad: v.nullable(v.object({ fault: v.picklist(FAULTS), seq: v.nullable(integer), event_id: v.nullable(uuid) })),
  has_more: v.boolean(),
  next_cursor: v.nullable(v.string()),
})
export type Verification = v.InferOutput<typeof Verification>
