import { flow } from '../flow.ts'

export const BILL_STATUSES = ['extracting', 'extracted', 'payment_requested', 'cancelled'] as const
export type BillStatus = (typeof BILL_STATUSES)[number]

/** Flow of a bill. If a payment ends unpaid, `payment_ended` follows in the same transaction. */
export const billFlow = flow({
  noun: 'bill',
  table: 'bills',
  workflow: 'bill',
  summary: () => 'Bill that is read',
  states: BILL_STATUSES,
  driven: ['extracting'],
  events: {
    read: { from: ['extracting'], to: 'extracted', logs: 'extracted' },
    give_up: { from: ['extracting'], to: 'extracted', logs: 'extraction_failed' },
    extract: { from: ['extracted'], to: 'extracting', logs: 'extraction_requested' },
    request_payment: { from: ['extracted'], to: 'payment_requested', logs: 'payment_requested' },
    payment_ended: { from: ['payment_requested'], to: 'extracted', logs: 'payment_ended' },
    cancel: { from: ['extracting', 'extracted'], to: 'cancelled', logs: 'cancelled' },
  },
})
