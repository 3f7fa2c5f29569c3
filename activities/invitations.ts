/** What the workflow of an invitation records. */
import { type InvitationState, attendInvitation as attend } from '../db/invitation-changes.ts'
import type { InvitationId, OrganizationId } from '../db/model/ids.ts'
import { asSystem } from '../db/sql.ts'

export type InvitationRef = { readonly organizationId: OrganizationId; readonly invitationId: InvitationId }

/**
 * Expires the invitation where its time is over by business time, and answers where it stands, with its approval.
 * @public the workflow calls it by its proxy
 */
export const attendInvitation = ({ organizationId, invitationId }: InvitationRef): Promise<InvitationState> =>
  asSystem(organizationId, (tx) => attend(tx, invitationId))
