/** States of an approval. It has no process: its target has one. */
import { flow } from '../flow.ts'

export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'cancelled'] as const
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]

export const approvalFlow = flow({
  noun: 'approval',
  table: 'approvals',
  states: APPROVAL_STATUSES,
  events: {
    approve: { from: ['pending'], to: 'approved', logs: 'approved' },
    reject: { from: ['pending'], to: 'rejected', logs: 'rejected' },
    cancel: { from: ['pending'], to: 'cancelled', logs: 'cancelled' },
    expire: { from: ['pending'], to: 'cancelled', logs: 'expired' },
  },
})
