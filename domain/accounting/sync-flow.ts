/** States of a sync with an accounting program. */
import { flow } from '../flow.ts'

export const SYNC_STATUSES = ['running', 'completed', 'failed'] as const
export type SyncStatus = (typeof SYNC_STATUSES)[number]

export const syncFlow = flow({
  noun: 'accounting_sync',
  table: 'accounting_sync_runs',
  logged: false, // one an hour: its row and the books have what it posted
  workflow: 'accounting-sync',
  summary: () => 'Sync with an accounting program',
  states: SYNC_STATUSES,
  driven: ['running'],
  events: {
    complete: { from: ['running'], to: 'completed', logs: 'completed' },
    fail: { from: ['running'], to: 'failed', logs: 'failed' },
  },
})
