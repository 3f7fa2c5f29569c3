/** Members: who is in an organization, what they may do there, and how they go. */
import * as v from 'valibot'
import { endWithRole } from '../../db/decisions/voiding.ts'
import {
  changeRole,
  leaveOrganization,
  listMembers,
  removeMember,
  transferOwnership,
} from '../../db/organizations/members.ts'
import { id } from '../../domain/ids.ts'
import { Member, MemberFilters, RoleChange, Transfer } from '../../domain/organizations/member.ts'
import { pageOf } from '../../domain/pagination.ts'
import { Deleted, uuid } from '../../domain/text.ts'
import { inPath } from '../http/in-path.ts'
import { route } from '../http/route.ts'

const all = { tag: 'Members', ...inPath('organization') } as const
const one = { tag: 'Members', ...inPath('organization', { user_id: id<'user'>() }) } as const

export const members = [
  route({
    ...all,
    method: 'get',
    path: '/organizations/{organization_id}/members',
    operationId: 'listMembers',
    summary: 'List who is in an organization, who joined last first; `q` is part of a name or address',
    can: 'members.list',
    query: MemberFilters,
    returns: pageOf(Member),
    handle: ({ read, org, query }) => listMembers(read, org.role, query),
  }),
  route({
    ...one,
    method: 'patch',
    path: '/organizations/{organization_id}/members/{user_id}',
    operationId: 'updateMember',
    summary: 'Give a member a role; only an owner makes or changes an owner',
    can: 'members.manage',
    stepUp: { mode: 'window' },
    body: RoleChange,
    returns: Member,
    handle: ({ write, person, params, body }) =>
      write((tx) => changeRole(tx, person, { userId: params.user_id, role: body.role }, endWithRole)),
  }),
  route({
    ...one,
    method: 'delete',
    path: '/organizations/{organization_id}/members/{user_id}',
    operationId: 'removeMember',
    summary: 'Remove a member; only an owner removes an owner',
    can: 'members.manage',
    stepUp: { mode: 'window' },
    returns: Deleted,
    handle: async ({ write, person, params }) => {
      await write((tx) => removeMember(tx, person, params.user_id, endWithRole))
      return { deleted: true as const, id: params.user_id }
    },
  }),
  route({
    ...all,
    method: 'post',
    path: '/organizations/{organization_id}/leave',
    operationId: 'leaveOrganization',
    summary: 'Leave an organization; its last owner cannot',
    stepUp: { mode: 'window' },
    returns: v.object({ left: v.literal(true), organization_id: uuid }),
    handle: async ({ write, person, org }) => {
      await write((tx) => leaveOrganization(tx, person, endWithRole))
      return { left: true as const, organization_id: org.organizationId }
    },
  }),
  route({
    ...all,
    method: 'post',
    path: '/organizations/{organization_id}/transfer-ownership',
    operationId: 'transferOwnership',
    summary: 'Make another member an owner; you become an admin',
    only: 'owner',
    stepUp: { mode: 'window' },
    body: Transfer,
    returns: Member,
    handle: ({ write, person, body }) => write((tx) => transferOwnership(tx, person, body.user_id, endWithRole)),
  }),
]
