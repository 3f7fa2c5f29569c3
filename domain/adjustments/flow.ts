/** States of an adjustment: the second operator's confirmation books it. */
import { flow } from '../flow.ts'

export const ADJUSTMENT_STATUSES = ['proposed', 'confirmed', 'withdrawn'] as const
export type AdjustmentStatus = (typeof ADJUSTMENT_STATUSES)[number]

export const adjustmentFlow = flow({
  noun: 'adjustment',
  table: 'adjustments',
  states: ADJUSTMENT_STATUSES,
  events: {
    confirm: { from: ['proposed'], to: 'confirmed', logs: 'confirmed' },
    withdraw: { from: ['proposed'], to: 'withdrawn', logs: 'withdrawn' },
  },
})
