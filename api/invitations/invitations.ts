/** Invitations: who is asked to join an organization, and what they answer. */
import * as v from 'valibot'
import { acceptInvitation, declineInvitation } from '../../services/invitations/answers.ts'
import {
  createInvitations,
  deleteInvitation,
  invitationIds,
  resendInvitation,
} from '../../services/invitations/commands.ts'
import { findInvitation, findInvitations, listInvitations } from '../../services/invitations/invitations.ts'
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
      'List invitations, newest first',
      '`q` is part of the address. Declined, deleted and expired invitations are left out.',
    )
    .of('organization')
    .can('invitations.list')
    .filters(InvitationFilters)
    .answers(pageOf(Invitation))
    .does(({ read, query }) => listInvitations(read, query)),
  command('post', '/organizations/{organization_id}/invitations/bulk', 'createInvitations')
    .says(
      'Invite people',
      'All or none. The policy decides if mails are sent at once or after an approval. An address that is ' +
        'repeated is invited once; two that differ in role, preset or card are refused.',
    )
    .of('organization')
    .can('invitations.create')
    .takes(NewInvitations)
    .limited(invitationCalls)
    .refuses('already_member', 'invalid_state')
    .creates(v.array(Invitation), ({ read, claim, body }) =>
      findInvitations(read, invitationIds(claim.id, eachOnce(body.invitations).length)),
    )
    .does(createInvitations),
  query('/organizations/{organization_id}/invitations/{invitation_id}', 'getInvitation')
    .says('Read an invitation')
    .of('organization')
    .can('invitations.list')
    .answers(Invitation)
    .does(({ read, params }) => findInvitation(read, params.invitation_id)),
  command('post', '/organizations/{organization_id}/invitations/{invitation_id}/resend', 'resendInvitation')
    .says('Mail a pending invitation again', 'With another token and seven more days.')
    .of('organization')
    .can('invitations.resend')
    .limited(invitationCalls)
    .refuses('invitation_expired', 'invalid_state')
    .answers(Invitation)
    .does(({ tx, person, params }) => resendInvitation(tx, person, params.invitation_id)),
  command('delete', '/organizations/{organization_id}/invitations/{invitation_id}', 'deleteInvitation')
    .says('Take an invitation back, with the approval that it waits for')
    .of('organization')
    .stops()
    .can('invitations.delete')
    .refuses('invalid_state')
    .deletes()
    .does(({ tx, person, params }) => deleteInvitation(tx, person, params.invitation_id)),
  command('post', '/invitations/accept', 'acceptInvitation')
    .says('Join the organization that invited your address')
    .takes(InvitationToken)
    .limited(signInsPerNetwork)
    .refuses('token_invalid', 'invitation_expired', 'already_member')
    .answers(OwnInvitation)
    .does(acceptInvitation),
  command('post', '/invitations/decline', 'declineInvitation')
    .says('Decline the invitation of your address, for good')
    .takes(InvitationToken)
    .limited(signInsPerNetwork)
    .refuses('token_invalid', 'invitation_expired')
    .answers(Deleted)
    .does(async (context) => ({ deleted: true, id: await declineInvitation(context) })),
]
