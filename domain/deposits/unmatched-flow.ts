/** States of an unmatched deposit: an operator assigns it, or sends it back. */
import { flow } from '../flow.ts'

export const UNMATCHED_DEPOSIT_STATUSES = ['unmatched', 'returning', 'assigned', 'returned'] as const
export type UnmatchedDepositStatus = (typeof UNMATCHED_DEPOSIT_STATUSES)[number]

export const unmatchedDepositFlow = flow({
  noun: 'unmatched_deposit',
  table: 'unmatched_deposits',
  logged: false, // logs belong to organizations, and it has none
  states: UNMATCHED_DEPOSIT_STATUSES,
  events: {
    assign: { from: ['unmatched'], to: 'assigned', logs: 'assigned' },
    begin_return: { from: ['unmatched'], to: 'returning', logs: 'return_begun' },
    refuse_return: { from: ['returning'], to: 'unmatched', logs: 'return_refused' },
    return: { from: ['unmatched', 'returning'], to: 'returned', logs: 'returned' },
  },
})
