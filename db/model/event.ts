/** An entry of a thing's history, in the shape of the contract's BillEvent. */
import * as v from 'valibot'
import { pageOf } from './pagination.ts'
import { nullableText, timestamp, uuid } from './text.ts'

export const HistoryEvent = v.object({
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
