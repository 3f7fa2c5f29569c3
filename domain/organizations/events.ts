/** Events of organizations, members and API keys, without secrets. */
import * as v from 'valibot'
import { eventTypes, moveTypes, says } from '../event-type.ts'
import { apiKeyFlow } from './api-key-flow.ts'
import { organizationFlow } from './flow.ts'
import { PERMISSIONS, PRESET_NAMES, ROLES } from '../permissions.ts'
import { timestamp, uuid } from '../text.ts'
import { CREDENTIAL_KINDS } from './allow-list.ts'
import { ApiKey } from './api-key.ts'

const role = v.picklist(ROLES)
const changed = v.array(v.string())

export const organizationEvents = eventTypes(organizationFlow, {
  created: says('A person makes an organization.', v.object({ name: v.string() })),
  updated: says('A person changes what the organization says of itself.', v.object({ changed })),
  handle_claimed: says('The organization takes its service ID.', v.object({ svc_id: v.string() })),
  settings_changed: says(
    'An owner changes settings that are for everybody.',
    v.object({ changed, requires_authenticator: v.optional(v.boolean()) }),
  ),
  logo_changed: says('A person sets the logo of the organization.'),
  logo_removed: says('A person removes the logo of the organization.'),
  books_stopped: says('The audit finds a fault in the books: no new money moves until an operator has looked.'),
  books_resumed: says('An operator lets money move again.'),
})

export const organizationMoves = moveTypes(organizationFlow, {
  pause: says('An operator pauses the organization: its money stays where it is.'),
  resume: says('An operator ends a pause.'),
  ban: says('An operator bans the organization.'),
  unban: says('An operator ends a ban.'),
  delete: says('An operator deletes the organization, for good.'),
})

export const ownershipEvents = eventTypes(
  { noun: 'ownership', table: organizationFlow.table },
  {
    transferred: says(
      'An owner makes another member the owner.',
      v.object({ from_user_id: uuid, to_user_id: uuid, role_before: role }),
    ),
  },
)

export const allowListEvents = eventTypes(
  { noun: 'ip_allow_list', table: organizationFlow.table },
  {
    changed: says(
      'An owner sets the networks from which credentials of the organization work.',
      v.object({ cidrs: v.array(v.string()), applies_to: v.array(v.picklist(CREDENTIAL_KINDS)) }),
    ),
    removed: says('An owner removes the list of networks: credentials work from everywhere.'),
    lift_requested: says(
      'An owner asks, from anywhere, that the list of networks is lifted.',
      v.object({ requested_by: uuid, expires_at: timestamp }),
    ),
    lift_cancelled: says('An owner ends a request to lift the list of networks.', v.object({ requested_by: uuid })),
    lifted: says(
      'Two owners, the only one after a day, or an operator lift the list of networks.',
      v.object({ requested_by: v.nullable(uuid) }),
    ),
  },
)

export const memberEvents = eventTypes(
  { noun: 'member', table: 'members' },
  {
    joined: says(
      'A person becomes a member by an invitation.',
      v.object({ role, invitation_id: uuid, preset: v.optional(v.nullable(v.picklist(PRESET_NAMES))) }),
    ),
    provisioned: says(
      'A person becomes a member by the identity provider (SCIM).',
      v.object({ role, scim_user_id: uuid }),
    ),
    role_changed: says('A member gets another role.', v.object({ from: role, to: role })),
    permissions_changed: says(
      'Permissions are taken from a member, or given back.',
      v.object({ removed: v.array(v.picklist(PERMISSIONS)), preset: v.nullable(v.picklist(PRESET_NAMES)) }),
    ),
    removed: says('Somebody removes a member.', v.object({ role })),
    left: says('A member leaves.', v.object({ role })),
    signed_in: says(
      'A member signs in to a session that sees an organization with a log stream.',
      v.object({ method: v.string(), breaks_glass: v.boolean(), session_id: uuid }),
    ),
    sign_in_failed: says(
      'Somebody proves a factor of a member wrongly: with a log stream, at most ten a minute.',
      v.object({ method: v.string() }),
    ),
    signed_out: says(
      'A session of a member ends that saw an organization with a log stream.',
      v.object({ reason: v.string(), session_id: uuid }),
    ),
    factor_added: says(
      'A member of an organization with a log stream adds a factor.',
      v.object({ factor: v.string() }),
    ),
    factor_removed: says(
      'A member of an organization with a log stream removes a factor, or all are reset.',
      v.object({ factor: v.string() }),
    ),
    password_changed: says(
      'A member of an organization with a log stream changes the password, or sets it by a mail.',
      v.object({ by_mail: v.boolean() }),
    ),
  },
)

const { lookup, name, role: keyRole, scopes } = ApiKey.entries
const rights = { name, role: keyRole, scopes }

export const apiKeyEvents = eventTypes(apiKeyFlow, {
  created: says('A person makes an API key.', v.object({ lookup, ...rights })),
  updated: says('A person changes name or rights of an API key.', v.object(rights)),
  rotated: says(
    'An API key gets another secret; the one before it works until the time that is named.',
    v.object({ previous_secret_expires_at: v.nullable(timestamp) }),
  ),
  maker_reduced: says(
    'The person who made an API key may not manage keys any more, or has left: the key works on.',
    v.object({ created_by: uuid, left: v.boolean() }),
  ),
})

export const apiKeyMoves = moveTypes(apiKeyFlow, { revoke: says('An API key works no more, for good.') })
