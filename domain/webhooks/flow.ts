import { flow } from '../flow.ts'

export const ENDPOINT_STATUSES = ['active', 'disabled'] as const
export const DISABLED_REASONS = ['person', 'gone', 'failures'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

export const webhookEndpointFlow = flow({
  noun: 'webhook_endpoint',
  table: 'webhook_endpoints',
  workflow: 'webhook',
  summary: () => 'Deliveries to a webhook endpoint',
  states: [...ENDPOINT_STATUSES, 'deleted'],
  driven: ['active'],
  events: {
    disable: { from: ['active'], to: 'disabled', logs: 'disabled' },
    enable: { from: ['disabled'], to: 'active', logs: 'enabled' },
    delete: { from: ['active', 'disabled'], to: 'deleted', logs: 'deleted' },
  },
})
export type EndpointStatus = (typeof webhookEndpointFlow)['states'][number]
