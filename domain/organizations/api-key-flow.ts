import { flow } from '../flow.ts'

export const API_KEY_STATUSES = ['active', 'revoked'] as const

export const apiKeyFlow = flow({
  noun: 'api_key',
  table: 'api_keys',
  states: API_KEY_STATUSES,
  events: { revoke: { from: ['active'], to: 'revoked', logs: 'revoked' } },
})
