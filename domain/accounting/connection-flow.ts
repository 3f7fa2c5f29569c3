import { flow } from '../flow.ts'

export const CONNECTION_STATUSES = ['connected', 'needs_reconnect', 'disconnecting', 'disconnected'] as const
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number]

export const connectionFlow = flow({
  noun: 'accounting_connection',
  table: 'accounting_connections',
  workflow: 'accounting-connection',
  summary: () => 'Revocation of a connection with an accounting program',
  states: CONNECTION_STATUSES,
  driven: ['disconnecting'],
  events: {
    refuse: { from: ['connected'], to: 'needs_reconnect', logs: 'refused' },
    reconnect: { from: ['connected', 'needs_reconnect', 'disconnecting'], to: 'connected', logs: 'reconnected' },
    disconnect: { from: ['connected', 'needs_reconnect'], to: 'disconnecting', logs: 'disconnecting' },
    end: { from: ['disconnecting'], to: 'disconnected', logs: 'disconnected' },
  },
})
