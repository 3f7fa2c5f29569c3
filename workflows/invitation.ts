/** An invitation: approved if somebody has to, then answered, taken back or expired. */
import type { invitationFlow } from '../domain/flows/invitation.ts'
import type { ProcessRef } from '../domain/process.ts'
import { drive } from './drive.ts'
import { record } from './proxies.ts'

/** Answers the state that the invitation ended in. */
export const invitation = (ref: ProcessRef) =>
  drive<typeof invitationFlow>(ref, record.lookAtInvitation, { pending_approval: 'waits', pending: 'waits' })
