/** Wakes of webhook endpoints by new events in the log. */
import { webhookEndpointFlow } from '../../domain/flows/webhooks/endpoint.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { FAILURES_UNTIL_CAUTIOUS } from '../../domain/webhooks/delivery.ts'
import type { Transaction, Tx } from '../sql.ts'
import { wake } from '../wakes.ts'

/** Wakes the endpoints of these organizations that subscribe to an event that is new in the log. */
export async function wakeEndpoints(tx: Transaction, organizations: readonly OrganizationId[]): Promise<void> {
  const endpoints = await tx<{ id: string; organization_id: OrganizationId }[]>`
    select id, organization_id from webhook_endpoints_with_news(${[...organizations]}, ${FAILURES_UNTIL_CAUTIOUS})`
  for (const { id, organization_id: organizationId } of endpoints) {
    wake(tx, webhookEndpointFlow, { ids: [id], why: 'events', organizationId })
  }
}

/** Wakes all active endpoints of an organization that can be used again. */
export async function wakeOwnEndpoints(tx: Tx): Promise<void> {
  const endpoints = await tx<{ id: string }[]>`
    select id from webhook_endpoints where organization_id = ${tx.organizationId} and status = 'active'`
  wake(tx, webhookEndpointFlow, { ids: endpoints.map(({ id }) => id), why: 'organization_unbanned' })
}
