/** The approval of an invitation. */
import * as v from 'valibot'
import { type Action, mayAskFor } from '../approval-action.ts'
import { invitationFlow } from './flow.ts'
import { PRESET_NAMES, type Standing, lackingToGive } from '../permissions.ts'
import { model, timestamp, uuid, describe } from '../text.ts'

const InvitationSubject = model('OrganizationInvitationTarget', {
  type: v.literal('organization_invitation'),
  organization_invitation: describe(
    model('OrganizationInvitationView', {
      id: uuid,
      email: v.string(),
      role: v.string(),
      status: v.string(),
      card_approved: v.boolean(),
      card_limit: v.nullable(v.number()),
      preset: describe(v.nullable(v.picklist(PRESET_NAMES)), 'Set of permissions that is taken; null for none.'),
      created_at: timestamp,
      expires_at: timestamp,
    }),
    'Invitation.',
  ),
})

export const organizationInvitation = {
  type: 'organization_invitation',
  title: 'Approve an invitation',
  permissions: ['invitations.create'],
  hasAmount: false,
  waitsByDefault: false,
  targets: ['organization_invitation'],
  flow: invitationFlow,
  subjects: [InvitationSubject],
} as const satisfies Action

/** Tells if a member could send an invitation to this standing: they may invite, and have all that it gives. */
export const maySend = (inviter: Standing | null, given: Standing): boolean =>
  inviter !== null && mayAskFor(organizationInvitation, inviter) && !lackingToGive(inviter, given)
