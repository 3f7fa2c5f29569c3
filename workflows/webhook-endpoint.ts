/** A webhook endpoint: while it is active, its events are delivered round by round. */
import type { EndpointId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { delivering, record } from './proxies.ts'
import { Run } from './run.ts'

export async function webhookEndpoint(ref: ProcessRef<EndpointId>): Promise<string> {
  const { deliverEvents } = delivering()
  const run = new Run(ref, record.viewWebhookEndpoint)
  for await (const endpoint of run.rows()) {
    if (endpoint.round_under_way) await run.wait('End of another round')
    else if (endpoint.deliveries_due) await run.step(deliverEvents)
    else await run.wait('Next try of a delivery')
  }
  return run.status
}
