import { flow } from '../flow.ts'

export const BATCH_STATUSES = [
  'draft',
  'importing',
  'awaiting_approval',
  'processing',
  'cancelling',
  'completed',
  'partially_completed',
  'failed',
  'cancelled',
] as const
export type BatchStatus = (typeof BATCH_STATUSES)[number]

export const batchFlow = flow({
  noun: 'payment_batch',
  table: 'payment_batches',
  workflow: 'payment-batch',
  summary: () => 'Payment batch',
  states: BATCH_STATUSES,
  driven: ['importing', 'awaiting_approval', 'processing', 'cancelling'],
  asksPeople: ['awaiting_approval'],
  events: {
    import: { from: ['draft'], to: 'importing', logs: 'import_requested' },
    imported: { from: ['importing'], to: 'draft', logs: 'imported' },
    reject_file: { from: ['importing'], to: 'draft', logs: 'import_failed' },
    submit: { from: ['draft'], to: 'awaiting_approval', logs: 'submitted' },
    refuse: { from: ['awaiting_approval'], to: 'draft', logs: 'refused' },
    approve: { from: ['awaiting_approval'], to: 'processing', logs: 'approved' },
    withdraw: { from: ['awaiting_approval'], to: 'cancelled', logs: 'withdrawn' },
    cancel: { from: ['processing'], to: 'cancelling', logs: 'cancel_requested' },
    complete: { from: ['processing', 'cancelling'], to: 'completed', logs: 'completed' },
    complete_in_part: {
      from: ['processing', 'cancelling'],
      to: 'partially_completed',
      logs: 'partially_completed',
    },
    fail: { from: ['processing'], to: 'failed', logs: 'failed' },
    stop: { from: ['cancelling'], to: 'cancelled', logs: 'cancelled' },
  },
})
