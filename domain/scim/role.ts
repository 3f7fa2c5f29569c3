/** Roles that groups of a provider give: the strongest of a person's groups counts. */
import * as v from 'valibot'
import { PERMISSIONS, PRESETS, PRESET_NAMES, type Permission, type Preset } from '../permissions.ts'
import { describe, integer, model, object, timestamp, uuid } from '../text.ts'

export const SCIM_ROLES = ['admin', 'member'] as const
export type ScimRole = (typeof SCIM_ROLES)[number]

/** Role that a group gives, and the set of permissions that is taken from it. */
export type GroupRole = { readonly role: ScimRole; readonly preset: Preset | null }

/** Role and removed permissions of a person by their groups. */
export type GrantedStanding = { readonly role: ScimRole; readonly removed: readonly Permission[] }

const permissionsOf = (preset: Preset | null): readonly Permission[] => (preset ? PRESETS[preset] : [])

/** Derives the strongest standing: of the highest role what all of its groups take; null if no group gives a role. */
export function strongestOf(groups: readonly GroupRole[]): GrantedStanding | null {
  const role = SCIM_ROLES.find((one) => groups.some((group) => group.role === one))
  if (!role) return null
  const taken = groups.filter((group) => group.role === role).map(({ preset }) => permissionsOf(preset))
  return { role, removed: PERMISSIONS.filter((one) => taken.every((removed) => removed.includes(one))) }
}

export const ScimGroup = model('ScimGroup', {
  id: uuid,
  organization_id: uuid,
  display_name: describe(v.string(), 'Name of the group at the provider.'),
  members: describe(integer, 'Number of users in the group.'),
  role: describe(v.nullable(v.picklist(SCIM_ROLES)), 'Role that its members have here; null: the group gives none.'),
  preset: describe(v.nullable(v.picklist(PRESET_NAMES)), 'Set of permissions that is taken from the role.'),
  inserted_at: timestamp,
})
export type ScimGroup = v.InferOutput<typeof ScimGroup>

/** Body of PATCH …/scim/groups/{scim_group_id}. */
export const ScimGroupRole = v.pipe(
  object({
    role: describe(v.nullable(v.picklist(SCIM_ROLES)), 'Role for its members; null: none by this group.'),
    preset: describe(
      v.optional(v.nullable(v.picklist(PRESET_NAMES)), null),
      'Set of permissions to take from the role.',
    ),
  }),
  v.forward(
    v.check(({ role, preset }) => role !== null || preset === null, 'needs a role'),
    ['preset'],
  ),
  v.title('ScimGroupRole'),
)
export type ScimGroupRole = v.InferOutput<typeof ScimGroupRole>
