/** States of a payment contact. `changing` tells a changed one from a new one; both are `pending_approval`. */
import { type Flow, flow } from '../flow.ts'

export const CONTACT_STATUSES = ['pending_approval', 'active', 'archived'] as const
export type ContactStatus = (typeof CONTACT_STATUSES)[number]

export const contactFlow = flow({
  noun: 'payment_contact',
  table: 'payment_contacts',
  workflow: 'payment-contact',
  summary: () => 'Payment contact that waits for approval',
  states: CONTACT_STATUSES,
  driven: ['pending_approval'],
  asksPeople: ['pending_approval'],
  events: {
    approve: { from: ['pending_approval'], to: 'active', logs: 'approved' },
    refuse: { from: ['pending_approval'], to: 'archived', logs: 'archived' },
    change: { from: ['active'], to: 'pending_approval', logs: 'change_requested' },
    keep: { from: ['pending_approval'], to: 'active', logs: 'change_refused' },
    remove: { from: ['pending_approval', 'active', 'archived'], to: 'archived', logs: 'deleted' },
  },
}) satisfies Flow
