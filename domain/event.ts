/** Events: an entry of a history (the contract's BillEvent), and an event in the log. */
import * as v from 'valibot'
import { pageOf } from './pagination.ts'
import { model, integer, nullableText, timestamp, uuid } from './text.ts'

export const HistoryEvent = model('HistoryEvent', {
  id: uuid,
  kind: v.picklist(['domain', 'evidence']),
  event_type: v.string(),
  actor_kind: v.nullable(
    v.picklist(['user', 'admin', 'system', 'worker', 'webhook', 'llm_on_behalf_of_user', 'llm_on_behalf_of_admin']),
  ),
  actor_user_id: v.nullable(uuid),
  causation_id: v.nullable(uuid),
  correlation_id: nullableText,
  occurred_at: timestamp,
  payload: v.nullable(v.record(v.string(), v.unknown())),
  provider: nullableText,
})
export type HistoryEvent = v.InferOutput<typeof HistoryEvent>

export const HistoryPage = pageOf(HistoryEvent)

/**
 * Event in the log of its organization. `seq` is its place; `hash` is the SHA-256, in hex, of the previous event and
 * all other members. Both are missing for a moment after it was written.
 */
export const LoggedEvent = model('Event', {
  ...HistoryEvent.entries,
  organization_id: uuid,
  stream: v.string(),
  subject_id: uuid,
  cause: v.string(),
  seq: v.nullable(integer),
  hash: nullableText,
})
export type LoggedEvent = v.InferOutput<typeof LoggedEvent>
