/**
 * Types of an endpoint, as they change while events wait. An event is sent if its type has been wanted ever since it was
 * written: one that waits ends when its type is taken out, and a type that is put in begins with the events from then on.
 */
import type { EndpointId } from '../../domain/ids.ts'
import { type TypeStarts, startsAfter } from '../../domain/webhooks/types.ts'
import { endOfLog } from '../events/log.ts'
import type { Tx } from '../../db/postgres/sql.ts'

type Row = { readonly types: readonly string[]; readonly type_starts: TypeStarts; readonly end: string }

/** Replaces the types. The caller has locked the endpoint. */
export async function changeTypes(tx: Tx, id: EndpointId, types: readonly string[]): Promise<void> {
  await skipFiltered(tx, id)
  const [before] = await tx<Row[]>`
    select types, type_starts, ${endOfLog(tx.organizationId)} as end from webhook_endpoints where id = ${id}`
  if (!before) throw new Error('the endpoint is locked')
  const starts = startsAfter({ types: before.types, starts: before.type_starts }, types, before.end)
  await tx`
    update webhook_endpoints set types = ${[...types]}, type_starts = ${tx.json(starts)} where id = ${id}`
  if (types.length === 0) return
  await tx`
    update webhook_deliveries set status = 'failed', attempt_at = null, ended_at = business_now()
    where endpoint_id = ${id} and status = 'pending' and origin <> 'test' and event_type <> all (${[...types]})`
}

/** Advances the cursor past events that the types before skipped. */
const skipFiltered = (tx: Tx, id: EndpointId): Promise<unknown> => tx`
  update webhook_endpoints e set cursor = greatest(e.cursor, coalesce(
    (select min(f.seq) - 1 from unnest(e.types) t (type) cross join lateral (
      select c.seq from event_chain c
      where c.organization_id = e.organization_id and c.type = t.type and c.seq > e.cursor order by c.seq limit 1) f),
    ${endOfLog(tx.organizationId)}))
  where id = ${id} and types <> '{}'`
