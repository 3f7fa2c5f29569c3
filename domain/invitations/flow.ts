/** States of an invitation; without schemas, as in payment.ts. */
import { type Flow, flow } from '../flow.ts'

/** Statuses of an invitation: the contract's three, then those that are no longer shown. */
export const INVITATION_STATUSES = [
  'pending_approval',
  'pending',
  'accepted',
  'declined',
  'deleted',
  'expired',
] as const
export type InvitationStatus = (typeof INVITATION_STATUSES)[number]

export const invitationFlow = flow({
  noun: 'invitation',
  table: 'invitations',
  workflow: 'invitation',
  summary: () => 'Invitation into an organization',
  states: INVITATION_STATUSES,
  driven: ['pending_approval', 'pending'],
  asksPeople: ['pending_approval', 'pending'],
  events: {
    approve: { from: ['pending_approval'], to: 'pending', logs: 'approved' },
    refuse: { from: ['pending_approval'], to: 'deleted', logs: 'refused' },
    accept: { from: ['pending'], to: 'accepted', logs: 'accepted' },
    decline: { from: ['pending'], to: 'declined', logs: 'declined' },
    delete: { from: ['pending_approval', 'pending'], to: 'deleted', logs: 'deleted' },
    expire: { from: ['pending'], to: 'expired', logs: 'expired' },
  },
}) satisfies Flow
