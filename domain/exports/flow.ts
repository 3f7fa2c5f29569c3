import { flow } from '../flow.ts'

export const EXPORT_STATUSES = ['pending', 'completed', 'failed'] as const
export type ExportStatus = (typeof EXPORT_STATUSES)[number]

export const exportFlow = flow({
  noun: 'export',
  table: 'exports',
  workflow: 'export',
  summary: () => 'Export to a file',
  states: EXPORT_STATUSES,
  driven: ['pending'],
  events: {
    complete: { from: ['pending'], to: 'completed', logs: 'completed' },
    fail: { from: ['pending'], to: 'failed', logs: 'failed' },
    retry: { from: ['failed'], to: 'pending', logs: 'retried' },
  },
})
