/** Events of members that an identity provider manages; never a secret, an address or a name of a person. */
import * as v from 'valibot'
import { eventTypes, says } from '../event-type.ts'
import { PRESET_NAMES } from '../permissions.ts'
import { integer, uuid } from '../text.ts'
import { SCIM_ROLES } from './role.ts'

const token_id = uuid
const user_id = v.nullable(uuid)
/** Number of requests that nobody can approve any more, and the places of such rules. */
const loss = v.object({ approvals: integer, rules: v.array(integer) })
const person = v.object({ token_id, user_id })

export const scimTokenEvents = eventTypes(
  { noun: 'scim_token', table: 'scim_tokens' },
  {
    created: says('An owner makes a token with which a provider manages members.', v.object({ name: v.string() })),
    revoked: says('An owner revokes a token of the provider.'),
    maker_reduced: says(
      'The owner who made a token is no owner any more, or has left: the token works on.',
      v.object({ created_by: uuid, left: v.boolean() }),
    ),
  },
)

export const scimUserEvents = eventTypes(
  { noun: 'scim_user', table: 'scim_users' },
  {
    provisioned: says(
      'The provider names a person, who is a member or becomes one at their first sign-in.',
      v.object({ token_id, user_id, adopted: v.boolean() }),
    ),
    updated: says(
      'The provider changes what it says of a person.',
      v.object({ token_id, user_id, changed: v.array(v.string()) }),
    ),
    deactivated: says('The provider deactivates a person: their membership and all that it let them do ends.', person),
    reactivated: says(
      'The provider activates a person again: they become a member at their next sign-in there.',
      person,
    ),
    deleted: says('The provider removes a person.', person),
    protected: says('The provider tries to deactivate or remove an owner, which is refused.', person),
    approvers_lost: says('A deactivation leaves something without enough members who could approve it.', loss),
  },
)

const members = { added: integer, removed: integer }

export const scimGroupEvents = eventTypes(
  { noun: 'scim_group', table: 'scim_groups' },
  {
    created: says('The provider makes a group.', v.object({ token_id, display_name: v.string(), ...members })),
    updated: says(
      'The provider changes a group or its members.',
      v.object({ token_id, display_name: v.string(), ...members }),
    ),
    deleted: says('The provider deletes a group.', v.object({ token_id, display_name: v.string() })),
    approvers_lost: says('Another role by a group leaves something without enough members who could approve it.', loss),
    role_changed: says(
      'An owner changes the role that a group gives.',
      v.object({ role: v.nullable(v.picklist(SCIM_ROLES)), preset: v.nullable(v.picklist(PRESET_NAMES)) }),
    ),
  },
)
