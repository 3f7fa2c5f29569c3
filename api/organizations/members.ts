/** Members: who is in an organization, what they may do there, and how they go. */
import * as v from 'valibot'
import { model, describe } from '../../domain/text.ts'
import { endWithRole } from '../../services/decisions/ends.ts'
import {
  changeMember,
  leaveOrganization,
  listMembers,
  removeMember,
  transferOwnership,
} from '../../services/organizations/members.ts'
import { Member, MemberFilters, MemberChange, Transfer } from '../../domain/organizations/member.ts'
import { pageOf } from '../../domain/pagination.ts'
import { uuid } from '../../domain/text.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Members')

export const members = [
  query('/organizations/{organization_id}/members', 'listMembers')
    .says('List members, last joined first', '`q` is part of a name or address.')
    .of('organization')
    .delegates('read')
    .can('members.list')
    .filters(MemberFilters)
    .answers(pageOf(Member))
    .does(({ read, org, query }) => listMembers(read, org, query)),
  command('patch', '/organizations/{organization_id}/members/{user_id}', 'updateMember')
    .says(
      'Change the role or the permissions of a member',
      'Only an owner makes or changes an owner, from whom nothing is taken. Nobody changes their own permissions, or ' +
        'gives what they lack. What is taken ends at once.',
    )
    .of('organization')
    .can('members.manage')
    .checksItself()
    .takes(MemberChange)
    .refuses('last_owner', 'organization_limit_reached', 'unprocessable_entity')
    .answers(Member)
    .proved('window')
    .does(({ tx, person, params, body }) =>
      changeMember(tx, person, { userId: params.user_id, change: body }, endWithRole),
    ),
  command('delete', '/organizations/{organization_id}/members/{user_id}', 'removeMember')
    .says('Remove a member; only an owner removes an owner')
    .of('organization')
    .can('members.manage')
    .checksItself()
    .refuses('last_owner')
    .deletes()
    .proved('window')
    .does(({ tx, person, params }) => removeMember(tx, person, params.user_id, endWithRole)),
  command('post', '/organizations/{organization_id}/leave', 'leaveOrganization')
    .says('Leave an organization; its last owner cannot')
    .of('organization')
    .refuses('last_owner')
    .answers(model('OrganizationLeft', { left: describe(v.literal(true), 'Always true.'), organization_id: uuid }))
    .proved('window')
    .does(async ({ tx, person, org }) => {
      await leaveOrganization(tx, person, endWithRole)
      return { left: true, organization_id: org.organizationId }
    }),
  command('post', '/organizations/{organization_id}/transfer-ownership', 'transferOwnership')
    .says('Make another member an owner; you become an admin')
    .of('organization')
    .onlyOwner()
    .checksItself()
    .takes(Transfer)
    .refuses('invalid_state', 'organization_limit_reached')
    .answers(Member)
    .proved('window')
    .does(({ tx, person, body }) => transferOwnership(tx, person, body.user_id, endWithRole)),
]
