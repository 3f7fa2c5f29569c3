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
import { id } from '../../domain/ids.ts'
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
import { inPath } from '../http/in-path.ts'
import { invitationCalls, signInsPerNetwork } from '../http/limits.ts'
import { route } from '../http/route.ts'

const all = { tag: 'Invitations', ...inPath('organization') } as const
const one = { tag: 'Invitations', ...inPath('organization', { invitation_id: id<'invitation'>() }) } as const

export const invitations = [
  route({
    ...all,
    method: 'get',
    path: '/organizations/{organization_id}/invitations',
    operationId: 'listInvitations',
    summary:
      'List invitations, newest first; `q` is part of the address. What was declined, deleted or expired is left out',
    can: 'invitations.list',
    query: InvitationFilters,
    returns: pageOf(Invitation),
    handle: ({ read, query }) => listInvitations(read, query),
  }),
  route({
    ...all,
    method: 'post',
    path: '/organizations/{organization_id}/invitations/bulk',
    operationId: 'createInvitations',
    summary: 'Invite people, all or none; the policy decides whether mails go out at once or wait for approval',
    note: 'An address that is repeated is invited once; two that differ in role or card are refused.',
    can: 'invitations.create',
    limits: [invitationCalls],
    body: NewInvitations,
    returns: v.array(Invitation),
    status: 201,
    create: ({ write, person, claim, body }) => write((tx) => createInvitations(tx, person, claim, body.invitations)),
    // without the ones that have left the list since
    replay: ({ read, claim, body }) => findInvitations(read, invitationIds(claim, eachOnce(body.invitations).length)),
  }),
  route({
    ...one,
    method: 'get',
    path: '/organizations/{organization_id}/invitations/{invitation_id}',
    operationId: 'getInvitation',
    summary: 'Read an invitation',
    can: 'invitations.list',
    returns: Invitation,
    handle: ({ read, params }) => findInvitation(read, params.invitation_id),
  }),
  route({
    ...one,
    method: 'post',
    path: '/organizations/{organization_id}/invitations/{invitation_id}/resend',
    operationId: 'resendInvitation',
    refuses: [410],
    summary: 'Mail a pending invitation again, with another token and seven more days',
    can: 'invitations.resend',
    limits: [invitationCalls],
    returns: Invitation,
    handle: async ({ write, read, person, params }) => {
      await write((tx) => resendInvitation(tx, person, params.invitation_id))
      return findInvitation(read, params.invitation_id)
    },
  }),
  route({
    ...one,
    method: 'delete',
    path: '/organizations/{organization_id}/invitations/{invitation_id}',
    operationId: 'deleteInvitation',
    summary: 'Take an invitation back, with the approval that it waits for',
    can: 'invitations.delete',
    returns: Deleted,
    handle: async ({ write, person, params }) => {
      await write((tx) => deleteInvitation(tx, person, params.invitation_id))
      return { deleted: true as const, id: params.invitation_id }
    },
  }),
  route({
    tag: 'Invitations',
    method: 'post',
    path: '/invitations/accept',
    operationId: 'acceptInvitation',
    refuses: [410],
    summary: 'Join the organization that invited your address',
    limits: [signInsPerNetwork],
    body: InvitationToken,
    returns: OwnInvitation,
    handle: ({ person, body, requestId }) => acceptInvitation(person, body.token, requestId),
  }),
  route({
    tag: 'Invitations',
    method: 'post',
    path: '/invitations/decline',
    operationId: 'declineInvitation',
    refuses: [410],
    summary: 'Decline the invitation of your address, for good',
    limits: [signInsPerNetwork],
    body: InvitationToken,
    returns: Deleted,
    handle: async ({ person, body, requestId }) => {
      const id = await declineInvitation(person, body.token, requestId)
      return { deleted: true as const, id }
    },
  }),
]
