/** Invitations: who is asked to join an organization, and what they answer. */
import * as v from 'valibot'
import { acceptInvitation, declineInvitation } from '../../db/invitations/answers.ts'
import { deleteInvitation, resendInvitation } from '../../db/invitations/changes.ts'
import {
  createInvitations,
  findInvitation,
  findInvitations,
  invitationIds,
  listInvitations,
} from '../../db/invitations/invitations.ts'
import {
  Invitation,
  InvitationFilters,
  InvitationToken,
  NewInvitations,
  OwnInvitation,
  eachOnce,
} from '../../domain/invitations/invitation.ts'
import { pageOf } from '../../domain/pagination.ts'
import { Deleted } from '../../domain/text.ts'
import { invitationCalls, signInsPerNetwork } from '../http/limits.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Invitations')

export const invitations = [
  query('/organizations/{organization_id}/invitations', 'listInvitations')
    .says(
      'List invitations, newest first; `q` is part of the address. What was declined, deleted or expired is left out',
    )
    .of('organization')
    .can('invitations.list')
    .filters(InvitationFilters)
    .answers(pageOf(Invitation))
    .does(({ read, query }) => listInvitations(read, query)),
  command('post', '/organizations/{organization_id}/invitations/bulk', 'createInvitations')
    .says(
      'Invite people, all or none; the policy decides whether mails go out at once or wait for approval',
      'An address that is repeated is invited once; two that differ in role or card are refused.',
    )
    .of('organization')
    .can('invitations.create')
    .takes(NewInvitations)
    .limited(invitationCalls)
    .creates(v.array(Invitation), ({ read, claim, body }) =>
      findInvitations(read, invitationIds(claim, eachOnce(body.invitations).length)),
    )
    .makes(({ write, person, claim, body }) => write((tx) => createInvitations(tx, person, claim, body.invitations))),
  query('/organizations/{organization_id}/invitations/{invitation_id}', 'getInvitation')
    .says('Read an invitation')
    .of('organization')
    .can('invitations.list')
    .answers(Invitation)
    .does(({ read, params }) => findInvitation(read, params.invitation_id)),
  command('post', '/organizations/{organization_id}/invitations/{invitation_id}/resend', 'resendInvitation')
    .says('Mail a pending invitation again, with another token and seven more days')
    .of('organization')
    .can('invitations.resend')
    .limited(invitationCalls)
    .refuses(410)
    .answers(Invitation)
    .handles(async ({ write, read, person, params }) => {
      await write((tx) => resendInvitation(tx, person, params.invitation_id))
      return findInvitation(read, params.invitation_id)
    }),
  command('delete', '/organizations/{organization_id}/invitations/{invitation_id}', 'deleteInvitation')
    .says('Take an invitation back, with the approval that it waits for')
    .of('organization')
    .can('invitations.delete')
    .answers(Deleted)
    .handles(async ({ write, person, params }) => {
      await write((tx) => deleteInvitation(tx, person, params.invitation_id))
      return { deleted: true as const, id: params.invitation_id }
    }),
  command('post', '/invitations/accept', 'acceptInvitation')
    .says('Join the organization that invited your address')
    .takes(InvitationToken)
    .limited(signInsPerNetwork)
    .refuses(410)
    .answers(OwnInvitation)
    .handles(({ person, body, requestId }) => acceptInvitation(person, body.token, requestId)),
  command('post', '/invitations/decline', 'declineInvitation')
    .says('Decline the invitation of your address, for good')
    .takes(InvitationToken)
    .limited(signInsPerNetwork)
    .refuses(410)
    .answers(Deleted)
    .handles(async ({ person, body, requestId }) => {
      const id = await declineInvitation(person, body.token, requestId)
      return { deleted: true as const, id }
    }),
]
