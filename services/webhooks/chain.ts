/** Hash chains of the logs, and the endpoints that they wake. */
import { webhookEndpointFlow } from '../../domain/webhooks/flow.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { FAILURES_UNTIL_CAUTIOUS } from '../../domain/webhooks/delivery.ts'
import { type Tx, transaction } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'

/**
 * Extends the hash chains by committed events, and wakes their endpoints. Events have places in the order in which they
 * were written. Returns the number of events chained: `most`, or with `shared` perhaps more, if some are left.
 */
export const extendEventChain = (most = 1000, shared = true): Promise<number> =>
  transaction(async (tx) => {
    const [row] = await tx<{ chained: number; organization_ids: OrganizationId[] | null }[]>`
      select chained, organization_ids from extend_event_chain(${most}, ${shared})`
    if (!row?.organization_ids) return row?.chained ?? 0
    const endpoints = await tx<{ id: string; organization_id: OrganizationId }[]>`
      select id, organization_id from webhook_endpoints_with_news(${row.organization_ids}, ${FAILURES_UNTIL_CAUTIOUS})`
    for (const { id, organization_id: organizationId } of endpoints) {
      wake(tx, webhookEndpointFlow, { ids: [id], why: 'events', organizationId })
    }
    return row.chained
  })

/** Wakes all active endpoints of an organization that can be used again. */
export async function wakeOwnEndpoints(tx: Tx): Promise<void> {
  const endpoints = await tx<{ id: string }[]>`
    select id from webhook_endpoints where organization_id = ${tx.organizationId} and status = 'active'`
  wake(tx, webhookEndpointFlow, { ids: endpoints.map(({ id }) => id), why: 'organization_unbanned' })
}
